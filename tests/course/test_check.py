"""`check` survives whatever a reader hands it, and says the same every time."""

import builtins
import itertools
import os
import sys
import threading
import time

import pytest

from bpe_course import check, progress
from bpe_course.exercise import exercise
from bpe_course.exercises import EXERCISES
from bpe_course.exercises.nb04_naive_merging import count_pairs, merge_pair, on_by_one, train_naive
from bpe_course.exercises.nb05_inverted_index import count_changes
from bpe_course.exercises.nb06_parallelism import add_counts
from bpe_course.progress import passed, remember
from bpe_course.result import NotPassedError
from bpe_course.tasks import count_chunk


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setenv("BPE_TIME_LIMIT", "0.3")
    monkeypatch.delenv("BPE_STRICT", raising=False)


def message(exercise_id, answer):
    result = check(exercise_id, answer)
    assert result.status == "not yet", result
    return result.message


def spins(word, pair):
    while True:
        pass


def spins_and_swallows(word, pair):
    while True:
        try:  # noqa: SIM105
            int("no number")
        except:  # noqa: E722
            pass


def spins_in_a_generator(word, pair):
    return list(itertools.takewhile(lambda n: n >= 0, itertools.count()))


@pytest.mark.parametrize("endless", [spins, spins_and_swallows, spins_in_a_generator])
def test_endless_loops_are_stopped_and_nothing_spins_on(endless):
    before = threading.active_count()
    assert "does not come back" in message("merge_pair", endless)
    assert threading.active_count() == before


def grows(word, pair):
    merged, i = [], 0
    while i < len(word):
        merged.append(word[i])
        del merged[:]
    return tuple(merged)


def lingers(word, pair):
    while True:
        try:
            [None for _ in range(1000)]
        finally:
            [None for _ in range(1000)]


@pytest.mark.parametrize("endless", [spins, spins_and_swallows, grows, lingers])
def test_stopping_prints_nothing(endless, capfd, monkeypatch):
    monkeypatch.setenv("BPE_TIME_LIMIT", "0.01")
    for _ in range(20):
        check("merge_pair", endless)
    assert capfd.readouterr() == ("", "")


def test_of_long_dicts_only_what_differs_is_shown():
    def merges_first(merges, special_tokens):
        tokens = [bytes([byte]) for byte in range(256)] + [left + right for left, right in merges]
        return dict(enumerate([*tokens, *(token.encode() for token in special_tokens)]))

    details = dict(check("build_vocab", merges_first).details)
    assert details["at these keys"].splitlines() == [
        "256: you b'he', right b'<|endoftext|>'",
        "257: you b'<|endoftext|>', right b'he'",
    ]


def test_what_is_shown_is_what_was_returned():
    def one_after_another(text, special_tokens):
        parts = [text]
        for token in sorted(special_tokens, key=len, reverse=True):
            parts = [piece for part in parts for piece in part.split(token)]
        return parts

    details = dict(check("split_on_special_tokens", one_after_another).details)
    assert (details["you return"], details["right is"]) == ("['a', '']", "['cd']")


def test_a_branch_that_leaves_nothing_to_the_others_is_named():
    text = message("whitespace_branch", lambda: r"\s+|\s+(?!\S)")
    assert "never get their turn" in text and "(?!" not in text


def test_the_docstrings_example_comes_first_and_never_the_empty_text():
    details = dict(check("safe_cut", lambda data, start: None).details)
    assert details["call"] == "safe_cut(b'the cat sat', 5)"


def test_an_endless_loop_is_stopped_in_bounded_time():
    start = time.monotonic()
    check("merge_pair", spins)
    assert time.monotonic() - start < 10


def test_waiting_is_stopped_too():
    def waits(word, pair):
        for _ in range(1000):
            time.sleep(0.05)

    assert "does not come back" in message("merge_pair", waits)


def test_endless_recursion():
    def again(word, pair):
        return again(word, pair)

    assert "calls itself" in message("merge_pair", again)


def test_none():
    assert "None" in message("merge_pair", lambda word, pair: None)


def test_str_for_bytes_is_named():
    text = message("merge_pair", lambda word, pair: tuple(token.decode() for token in merge_pair(word, pair)))
    assert "str" in text and "bytes" in text


@pytest.mark.parametrize("inside", ["encode_pretoken", "unspelled"])
def test_text_that_is_looked_up_where_keys_are_bytes_is_named(inside):
    def encode(text, vocab, merges, special_tokens):
        ids = {token: id_ for id_, token in vocab.items()}
        merge = EXERCISES["encode_pretoken"].solution if inside == "encode_pretoken" else lambda text, ranks: list(text)
        return [ids[token] for token in merge(text, {})]

    result = check("encode", encode)
    assert "are bytes, and yours is text" in result.message and "it raises" in dict(result.details)


def test_another_key_that_is_missing_is_shown_as_it_is():
    assert "raises KeyError" in message("encode", lambda text, vocab, merges, special_tokens: vocab[b"no"])


def test_the_docstrings_example_is_shown_and_no_empty_token():
    def all_as_text(vocab, special_tokens):
        return {**vocab, **{90 + i: token for i, token in enumerate(special_tokens)}}

    call = dict(check("add_special_tokens", all_as_text).details)["call"]
    assert call == "add_special_tokens({0: b'a', 7: b'b'}, ['<|endoftext|>', 'a'])"


@pytest.mark.parametrize("exercise_id", [name for name in EXERCISES if name.startswith("break_")] + ["invalid_utf8"])
def test_an_article_fits_its_noun(exercise_id):
    text = message(exercise_id, lambda: 5)
    assert "a int" not in text and "5" in text


def test_a_text_that_breaks_nothing_is_shown_with_its_cuts():
    assert message("break_pieces", lambda: "¡hola").endswith(
        "The library makes no cut in it. Beyond ASCII only whitespace is a cut."
    )
    assert message("break_pieces", lambda: "a 12").endswith("The library cuts it into ['a', ' 12'].")


@pytest.mark.parametrize("chunks", [["ab "] * 60, list("ab cd " * 20)])
def test_a_stream_is_held_back_in_bounds_whatever_its_chunks(chunks):
    from bpe_course.exercises.nb07_encoding_and_decoding import call_encode_iterable, seams_of_the_chunk
    from bpe_course.run import attempt

    right = EXERCISES["encode_iterable"].solution
    assert b"".join(call_encode_iterable(right, chunks)).decode() == "".join(chunks)
    outcome = attempt(lambda: call_encode_iterable(seams_of_the_chunk, chunks))
    assert outcome.kind == "complaint" and "hold back" in outcome.value


def test_a_generator_for_a_list_is_named():
    def lazily(word, pair):
        yield from merge_pair(word, pair)

    assert "generator" in message("merge_pair", lazily)
    assert "map" in message("utf8_bytes", lambda text: map(int, text.encode()))


def test_a_set_for_a_list_is_named():
    assert "a set" in message("utf8_bytes", lambda text: set(text.encode()) | {0})


def test_a_list_for_a_dict_is_named():
    assert "a list" in message("count_pairs", lambda words: list(count_pairs(words).items()))


def test_a_changed_argument_is_told_though_the_result_is_right():
    def empties(words):
        counts = count_pairs(words)
        words.clear()
        return counts

    assert "changes its argument" in message("count_pairs", empties)


def test_a_changed_order_is_a_change():
    def sorts(words):
        index = EXERCISES["build_pair_index"].solution(words)
        words.reverse()
        return index

    assert "changes its argument" in message("build_pair_index", sorts)


def test_prints_are_swallowed_where_the_answer_is_right(capsys):
    def chatty(word, pair):
        print("here I am")
        print("and here", file=sys.stderr)
        return merge_pair(word, pair)

    assert check("merge_pair", chatty).status == "passed"
    assert capsys.readouterr() == ("", "")


def test_prints_of_the_shown_case_are_shown_where_it_is_wrong(capsys):
    def chatty(word, pair):
        for i in range(50):
            print("step", i)
        return ()

    result = check("merge_pair", chatty)
    assert "step 0" in dict(result.details)["printed"]
    assert "lines more" in repr(result)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("leave", [sys.exit, exit, quit], ids=["sys.exit", "exit", "quit"])
def test_exit(leave):
    assert "exit" in message("merge_pair", lambda word, pair: leave())


def test_a_class():
    class Merger:
        pass

    assert "class Merger" in message("merge_pair", Merger)


def test_the_result_of_a_call():
    assert "result of a call" in message("merge_pair", merge_pair((b"a",), (b"a", b"b")))
    assert "result of a call" in message("merge_pair", None)


def test_the_wrong_function():
    assert "You pass count_pairs" in message("merge_pair", count_pairs)
    assert "You pass pretokenize" in message("utf8_bytes", EXERCISES["pretokenize"].solution)


def test_a_wrong_number_of_parameters():
    assert "2 arguments" in message("merge_pair", lambda word: word)


def test_an_unknown_exercise():
    assert "merge_pair" in message("mergepair", merge_pair)


def test_keyboard_interrupt_passes_through():
    def interrupted(word, pair):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("merge_pair", interrupted)


def test_an_interrupt_from_outside_stops_the_function_too():
    import _thread

    steps = 0

    def counts(word, pair):
        nonlocal steps
        while True:
            steps += 1

    before = threading.active_count()
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        check("merge_pair", counts)
    time.sleep(0.05)
    assert threading.active_count() == before
    after = steps
    time.sleep(0.05)
    assert steps == after > 0


def test_the_readers_line_is_shown():
    def stumbles(word, pair):
        return word[99]  # out of range

    result = check("merge_pair", stumbles)
    assert "IndexError" in result.message
    assert any("return word[99]" in code for _, code in result.details)


def test_a_stub_that_is_called_is_named():
    namespace = {}
    exec("def count_pairs(words):\n    raise NotImplementedError", namespace)

    def train_naive(words, num_merges):
        return namespace["count_pairs"](words)

    assert "calls count_pairs" in message("train_naive", train_naive)


def test_style_is_free():
    class Words(dict):
        pass

    assert check("merge_pair", lambda w, p: list(merge_pair(w, p))).status == "passed"
    assert check("count_pairs", lambda w: Words(count_pairs(w))).status == "passed"
    assert check("train_naive", lambda w, n=0, *rest: [list(pair) for pair in train_naive(w, n)]).status == "passed"
    assert check("bytes_per_token", lambda t, i: len(t.encode()) / len(i) + 1e-12).status == "passed"


def test_a_callable_object_and_a_builtin_count_as_functions():
    class Encoder:
        def __call__(self, text):
            return list(text.encode())

    assert check("utf8_bytes", Encoder()).status == "passed"
    assert check("merge_pair", max).status == "not yet"


def test_no_slip_explains_it_and_the_case_is_small():
    def no_q(word, pair):
        merged = merge_pair(word, pair)
        return merged if len(merged) < 3 else (*merged[:-1], b"?")

    result = check("merge_pair", no_q)
    assert "b'?'" in result.message and "index 2" in result.message
    assert len(dict(result.details)["call"]) < 60


def test_results_whose_repr_or_equality_raises():
    class Odd:
        def __repr__(self):
            raise ValueError

        def __eq__(self, other):
            raise ValueError

        __hash__ = None

    assert check("merge_pair", lambda word, pair: Odd()).status == "not yet"


def test_the_same_answer_gives_the_same_output():
    first, second = check("merge_pair", on_by_one), check("merge_pair", on_by_one)
    assert repr(first) == repr(second)
    assert first._repr_html_() == second._repr_html_()
    assert "0x" not in repr(check("merge_pair", lambda word, pair: (token for token in word)))


def test_html_is_escaped_and_says_it_in_words():
    result = check("decode_tokens", lambda tokens: "<script>alert(1)</script>")
    html = result._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert "✗ not yet" in html and "color:#1a1a1a" in html and "border" in html


def test_strict(monkeypatch):
    monkeypatch.setenv("BPE_STRICT", "1")
    assert check("merge_pair", merge_pair).status == "passed"
    with pytest.raises(NotPassedError, match="skip both"):
        check("merge_pair", on_by_one)
    with pytest.raises(NotPassedError):
        check("no_such", merge_pair)


def test_stdout_is_given_back():
    before = sys.stdout, sys.stderr
    check("merge_pair", spins)
    assert (sys.stdout, sys.stderr) == before


def test_builtins_are_left_alone():
    before = dict(vars(builtins))
    check("merge_pair", on_by_one)
    assert dict(vars(builtins)) == before


def test_work_is_counted(monkeypatch):
    monkeypatch.delenv("BPE_TIME_LIMIT")
    assert "count their pairs again" in message("train_indexed", train_naive)


def test_a_case_that_even_the_solution_may_not_be_asked_is_never_shown():
    from bpe_course.check import keeps_contract

    exercise = EXERCISES["count_in_chunks"]
    assert keeps_contract(exercise, ("a a", [0, 3], []))
    assert not keeps_contract(exercise, ("a a", [], []))
    assert not keeps_contract(exercise, ("a a", [0, 2], []))
    assert not keeps_contract(EXERCISES["pop_best"], ([((b"a", b"b"), 1)], {(b"a", b"b"): 2}))


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (lambda bounds: [(0, end) for end in bounds], "all of them begin at 0"),
        (lambda bounds: list(itertools.product(bounds, bounds)), "You pair boundaries with all others"),
        (lambda bounds: [*itertools.pairwise(bounds), (0, 0)], "one task for each two neighbours"),
    ],
)
def test_tasks_over_other_ranges_are_explained(pairs, said):
    def submits(path, boundaries, special_tokens, executor):
        ranges = pairs(boundaries)
        return add_counts([executor.submit(count_chunk, path, *ends, special_tokens).result() for ends in ranges])

    assert said in message("count_in_chunks", submits)


def test_a_merge_of_a_pair_that_is_nowhere_is_told():
    def one_more(words, num_merges):
        return [*train_naive(words, num_merges), (b"?", b"!")]

    text = message("train_indexed", one_more)
    assert "(b'?', b'!') as merge" in text and "stands nowhere" in text and "count has fallen to 0" in text


def test_by_place_in_another_way_is_told():
    def counts_too_much(old, new, frequency):
        changes = count_changes(old, new, frequency)
        return {pair: change - (change == -2 * frequency) for pair, change in changes.items()}

    assert "more often than it stands in the old word" in message("count_changes", counts_too_much)
    assert "stands neither in the old" in message("count_changes", lambda o, n, f: {**count_changes(o, n, f), "x": 1})


def test_the_large_case_is_not_shown_where_a_small_one_fails():
    def forgets_the_last(words, num_merges):
        return train_naive(words, num_merges)[:-1]

    assert "__import__" not in repr(check("train_indexed", forgets_the_last))


@pytest.fixture
def shout():
    @exercise(minutes=2, difficulty=1, hints=("Strings can do this themselves.", "See `str.upper`."), notebook="04")
    def shout(text: str) -> str:
        """Return the text in capitals, with an exclamation mark.

        >>> shout("stop")
        'STOP!'
        """
        return text.upper() + "!"

    shout.cases(("stop",), ("",), ("É",))
    shout.slip("The exclamation mark is missing. What does the contract say comes last?", str.upper)
    yield shout
    del EXERCISES["shout"]


def test_an_exercise_is_one_declaration(shout):
    from bpe_course import exercise_cells, hints, solution, stub

    assert check("shout", shout.solution).status == "passed"
    assert message("shout", lambda text: text.upper()) == shout.slips[0].message
    assert stub("shout").startswith("def shout(") and "raise NotImplementedError" in stub("shout")
    assert "text.upper()" in repr(solution("shout"))
    assert "str.upper" in repr(hints("shout"))
    assert len(exercise_cells("shout")) == 3
    assert any(exercise.id == "shout" for _, exercises, _ in progress().rows() for exercise in exercises)


@pytest.mark.parametrize("content", ["", "[" * 100_000, '{"passed": 3}', "[]", '{"passed": ["utf8_bytes"],}', "\xff"])
def test_a_damaged_progress_file_is_kept_beside_the_new_one(tmp_path, content):
    (tmp_path / "progress.json").write_bytes(content.encode("latin-1"))
    assert passed() == set()
    remember("utf8_bytes")
    assert passed() == {"utf8_bytes"}
    assert (tmp_path / "progress.json.bad").read_bytes() == content.encode("latin-1")
    remember("best_pair")
    assert passed() == {"utf8_bytes", "best_pair"}
    assert sorted(os.listdir(tmp_path)) == ["progress.json", "progress.json.bad"]
