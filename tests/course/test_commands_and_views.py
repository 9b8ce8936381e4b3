"""What the lessons make around exercises: cells, solved copies, the reader's module, progress, predictions, views."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

import bpe_course
import bpe_lib
from bpe_course import (
    EXERCISES,
    check,
    check_cell,
    code_cell,
    exercise_cell,
    exercise_cells,
    finished,
    hint,
    hints,
    hints_cell,
    new_figure,
    predict,
    progress,
    reveal,
    setup_cell,
    show_figure,
    show_pretokens,
    show_tokens,
    solution,
)
from bpe_course.collect import collect
from bpe_course.command_line import main
from bpe_course.compare import same
from bpe_course.exercise import solution_source, stub_source
from bpe_course.exercises.nb04_naive_merging import on_by_one
from bpe_course.prediction import by_id
from bpe_course.predictions import PREDICTIONS
from bpe_course.solve import solve

END = "<|endoftext|>"


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("BPE_STRICT", raising=False)


@pytest.fixture
def notebook(tmp_path):
    """A notebook with every exercise."""
    cells = [code_cell("from bpe_course import check", "imports")]
    for exercise_id in EXERCISES:
        cells += exercise_cells(exercise_id)
    made = nbformat.v4.new_notebook(cells=cells)
    nbformat.validate(made)
    (tmp_path / "notebooks").mkdir()
    path = tmp_path / "notebooks" / "00_all.ipynb"
    nbformat.write(made, path)
    return path


def edit(path, exercise_id, source):
    made = nbformat.read(path, as_version=4)
    for cell in made.cells:
        if cell.metadata.get("bpe", {}).get("exercise") == exercise_id:
            cell.source = source
    nbformat.write(made, path)


def load(path):
    spec = importlib.util.spec_from_file_location("my_bpe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cells():
    cell = exercise_cell("merge_pair")
    assert cell.metadata.tags == ["exercise"] and cell.metadata.bpe.exercise == "merge_pair"
    assert cell.id == exercise_cell("merge_pair").id
    locked = check_cell("merge_pair")
    assert locked.source == 'check("merge_pair", merge_pair)'
    assert locked.metadata.editable is False and locked.metadata.deletable is False


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_cells_hold_no_solution(exercise_id):
    stub, solved = stub_source(EXERCISES[exercise_id]), solution_source(EXERCISES[exercise_id])
    body = solved.removeprefix(stub.removesuffix("    raise NotImplementedError"))
    assert body != solved
    assert all(body.strip() not in cell.source for cell in exercise_cells(exercise_id))


def test_hints_are_folded():
    source = hints_cell("merge_pair").source
    assert source.count("<details>") == source.count("</details>") == 4
    assert "15 min" in source and 'solution("merge_pair")' in source
    assert re.search(r"</summary>\n\n.+\n\n</details>", source)


def test_hints_and_solutions_on_demand():
    assert len(repr(hint("merge_pair")).split("\n")) == 1
    assert len(repr(hints("merge_pair")).split("\n")) == 3
    assert "<ol" in hints("merge_pair")._repr_html_()
    assert repr(solution("merge_pair")) == solution_source(EXERCISES["merge_pair"])
    assert "<span" in solution("merge_pair")._repr_html_()
    with pytest.raises(ValueError, match="merge_pair"):
        solution("no such")


def test_solve_fills_all_exercises_in(notebook, tmp_path):
    main(["solve", str(tmp_path / "solved"), str(notebook.parent)])
    solved = nbformat.read(tmp_path / "solved" / notebook.name, as_version=4)
    before = nbformat.read(notebook, as_version=4)
    assert len(solved.cells) == len(before.cells)
    sources = [cell.source for cell in solved.cells if "exercise" in cell.metadata.get("tags", [])]
    assert sources == [solution_source(exercise) for exercise in EXERCISES.values()]
    others = [(a.source, b.source) for a, b in zip(solved.cells, before.cells) if a.source not in sources]
    assert all(a == b for a, b in others) and len(others) == len(before.cells) - len(EXERCISES)


def test_solve_does_not_write_over_its_source(notebook):
    with pytest.raises(ValueError, match="over itself"):
        solve(notebook.parent, [notebook.parent])


def test_solve_names_an_unknown_exercise(notebook, tmp_path):
    made = nbformat.read(notebook, as_version=4)
    made.cells[1].metadata["bpe"] = {"exercise": "no_such"}
    nbformat.write(made, notebook)
    with pytest.raises(ValueError, match="no_such"):
        solve(tmp_path / "out", [notebook])


def test_solved_cells_run_one_after_another(notebook, tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_STRICT", "1")
    [path] = solve(tmp_path / "solved", [notebook])
    namespace = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source, namespace)
    assert len(progress().done) == len(EXERCISES)


def test_collect_of_nothing_is_filled_with_solutions(notebook, tmp_path):
    collection = collect([notebook])
    assert collection.mine == []
    assert "train_indexed" in collection.filled and "break_window" not in collection.filled


def test_collect_says_it_shortly_where_nothing_is_solved(notebook):
    collection = collect([notebook])
    assert repr(collection).startswith(f"yours: none yet\nfilled in: all {len(collection.filled)}\n")


def test_collect_tells_a_failed_attempt_from_none(notebook, tmp_path):
    edit(notebook, "merge_pair", solution_source(EXERCISES["merge_pair"]))
    edit(notebook, "pop_best", "def pop_best(heap, pair_counts):\n    return heap[0]")
    edit(notebook, "decode", "def decode(ids, vocab:\n    this is no Python")
    edit(notebook, "encode", "def encode_text():\n    pass")
    edit(notebook, "best_pair", "")
    collection = collect([notebook])
    assert collection.failed == ["pop_best", "encode", "decode"]
    assert {"pop_best", "encode", "decode", "best_pair"} < set(collection.filled)
    lines = repr(collection).split("\n")
    assert lines[:2] == ["yours: merge_pair", "did not pass: pop_best, encode, decode (the course's stand in)"]
    assert "  04: count_pairs, best_pair, num_merges, train_naive, build_vocab" in lines
    assert "  05: build_pair_index, count_changes, train_indexed" in lines
    out = tmp_path / "my_bpe.py"
    out.write_text(collection.source, "utf-8")
    assert lines[1] in load(out).__doc__


def test_a_missing_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (["collect", "no such"], ["solve", "out", "no such"]):
        with pytest.raises(SystemExit) as stopped:
            main(command)
        assert stopped.value.code == f"there is no folder 'no such' (looked from {Path.cwd()})"
    with pytest.raises(SystemExit, match=r"no notebook 'x\.ipynb'"):
        main(["collect", "x.ipynb"])
    assert not (tmp_path / "my_bpe.py").exists()


def test_collect_takes_what_passed_with_its_helpers(notebook, tmp_path):
    made = nbformat.read(notebook, as_version=4)
    made.cells.insert(1, code_cell("import operator\nSTEP = 2\n\ndef join(pair):\n    return operator.add(*pair)"))
    nbformat.write(made, notebook)
    mine = """
def merge_pair(word, pair):
    tokens, i = [], 0
    while i < len(word):
        if word[i:i + 2] == pair:
            tokens.append(join(pair))
            i += STEP
        else:
            tokens.append(word[i])
            i += 1
    return tuple(tokens)
"""
    edit(notebook, "merge_pair", mine)
    edit(notebook, "best_pair", "def best_pair(pair_counts):\n    return max(pair_counts, key=pair_counts.get)")
    edit(notebook, "count_pairs", "def count_pairs(words:\n    this is no Python")
    out = tmp_path / "my_bpe.py"
    main(["collect", str(notebook), "-o", str(out)])
    source = out.read_text("utf-8")
    assert mine.strip() in source and "STEP = 2" in source and "import operator" in source
    module = load(out)
    assert module.merge_pair((b"a", b"a", b"a"), (b"a", b"a")) == (b"aa", b"a")
    assert module.best_pair({(b"a", b"b"): 1, (b"x", b"y"): 1}) == (b"x", b"y")
    assert collect([notebook]).mine == ["merge_pair"]


def test_collect_takes_no_cell_for_a_name_that_is_local_to_a_function(notebook):
    made = nbformat.read(notebook, as_version=4)
    made.cells.insert(1, code_cell("vocab = words = word = pair = tokens = not_there"))
    nbformat.write(made, notebook)
    edit(notebook, "merge_pair", solution_source(EXERCISES["merge_pair"]))
    collection = collect([notebook])
    assert collection.mine == ["merge_pair"]
    assert "not_there" not in collection.source


def test_collect_leaves_progress_alone(notebook):
    edit(notebook, "merge_pair", solution_source(EXERCISES["merge_pair"]))
    before = progress().done
    collect([notebook])
    assert progress().done == before


def test_an_endless_cell_does_not_stop_collect(notebook, monkeypatch):
    monkeypatch.setenv("BPE_TIME_LIMIT", "0.3")
    edit(notebook, "merge_pair", "def merge_pair(word, pair):\n    while True:\n        pass")
    collection = collect([notebook])
    assert "merge_pair" in collection.filled and collection.failed == ["merge_pair"]


def test_the_collected_module_is_a_tokenizer_that_agrees_with_tiktoken(notebook, tmp_path):
    tiktoken = pytest.importorskip("tiktoken")
    [solved] = solve(tmp_path / "solved", [notebook])
    out = tmp_path / "my_bpe.py"
    main(["collect", str(solved), "-o", str(out)])
    module = load(out)
    text = "The best test is the best, it's known.\n" * 3 + END + "Les éléphants  dorment. 🙃\n" + END
    file = tmp_path / "text.txt"
    file.write_bytes(text.encode())
    vocab, merges = module.train_bpe(str(file), 300, [END])
    assert (vocab, merges) == bpe_lib.train_bpe(file, 300, [END])
    ranks = {token: id_ for id_, token in vocab.items() if token != END.encode()}
    theirs = tiktoken.Encoding("mine", pat_str=bpe_lib.GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={END: 256})
    for line in [text, "unseen words, it's  fine!\n\n", END * 2, ""]:
        ids = module.encode(line, vocab, merges, [END])
        assert ids == theirs.encode(line, allowed_special="all")
        assert module.decode(ids, vocab) == line


def test_progress_is_remembered(tmp_path):
    assert not progress().done
    check("merge_pair", on_by_one)
    assert not progress().done
    check("merge_pair", EXERCISES["merge_pair"].solution)
    assert progress().done == {"merge_pair"}
    assert json.loads((tmp_path / "progress.json").read_text())["passed"] == ["merge_pair"]
    check("merge_pair", on_by_one)
    assert progress().done == {"merge_pair"}


def test_progress_stands_beside_the_notebooks(tmp_path, monkeypatch):
    monkeypatch.delenv("BPE_PROGRESS")
    monkeypatch.chdir(tmp_path)
    check("merge_pair", EXERCISES["merge_pair"].solution)
    assert (tmp_path / ".bpe_progress.json").exists()


@pytest.mark.parametrize("content", ["", "[]", '{"passed": 3}', '{"passed": ["no_such"]}', "\x00"])
def test_a_damaged_progress_file_counts_as_none(tmp_path, content):
    (tmp_path / "progress.json").write_text(content)
    assert not progress().done
    assert check("merge_pair", EXERCISES["merge_pair"].solution).status == "passed"
    assert progress().done == {"merge_pair"}


def test_a_place_that_can_not_be_written_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_PROGRESS", str(tmp_path / "no" / "such" / "folder" / "file.json"))
    assert check("merge_pair", EXERCISES["merge_pair"].solution).status == "passed"
    assert not progress().done


def test_the_board():
    text = repr(progress())
    assert text.count("□") == len(EXERCISES)
    assert "Next: bytes_per_token" in text
    html = progress()._repr_html_()
    assert 'aria-label="merge_pair: open"' in html
    for exercise in EXERCISES.values():
        check(exercise.id, exercise.solution)
    assert "All exercises are done" in repr(progress())
    assert repr(progress()).count("■") == len(EXERCISES)


def test_a_guess_is_explained():
    assert "No guess yet" in repr(reveal("04-banana"))
    predict("04-banana", None)
    assert "No guess yet" in repr(reveal("04-banana"))
    noted = repr(predict("04-banana", (b"a", b"n")))
    assert "b'n', b'a'" not in noted
    assert "You guessed `(b'a', b'n')`" in repr(reveal("04-banana"))
    assert "a tie" in repr(reveal("04-banana"))
    predict("04-banana", [b"n", b"a"])
    assert "You guessed right" in repr(reveal("04-banana"))
    predict("04-banana", (b"q", b"q"))
    assert "✗" in repr(reveal("04-banana"))
    predict("04-banana", None)


def told(prediction_id, guess):
    """Return what is said when a guess is made, and when the answer comes."""
    noted, answered = repr(predict(prediction_id, guess)), repr(reveal(prediction_id))
    predict(prediction_id, None)
    return noted, answered


@pytest.mark.parametrize("word", ["Counting", " counting", "COUNTING"])
def test_a_guessed_word_counts_in_any_case(word):
    assert "You guessed right" in told("08-next", word)[1]
    assert "never sees the text" in told("08-next", "Merging")[1]
    assert "says nothing" in told("07-wrap", "Error")[1]


def test_a_word_that_the_question_does_not_name_is_not_counted():
    for prediction_id, guess in [("08-next", "counting takes longer"), ("00-corpus", "python"), ("07-wrap", "seven")]:
        noted, answered = told(prediction_id, guess)
        assert "isn't counted" in noted and "No guess yet" in answered
    assert "one of the words that the question names" in told("08-next", "both parts")[0]
    assert "`12`" in told("07-wrap", "seven")[0]


def test_the_case_of_pretokens_still_counts():
    assert "You guessed right" in told("03-dont", ["DON", "'", "T"])[1]
    assert "✗" in told("03-dont", ["don", "'", "t"])[1]


@pytest.mark.parametrize("guess", [[2, 1, 3, 6, 9, 8], {1, 2, 3, 6, 8, 9}, (9, 8, 6, 3, 2, 1), [1, 2, 3, 6, 6, 8, 9]])
def test_order_does_not_matter_where_a_set_is_asked_for(guess):
    assert "You guessed right" in told("08-referee", guess)[1]


def test_order_matters_elsewhere_and_other_things_than_numbers_do_not_count():
    assert "such a cut joins nothing" in told("08-referee", {9, 8, 6, 2, 1})[1]
    for guess in ({"one"}, ["1", "two"], {1: 2}, "all but some"):
        assert "isn't counted" in told("08-referee", guess)[0]
    assert "✗" in told("02-even", [50, 37, 0])[1]
    assert "You guessed right" in told("05-index", [0, 2])[1]
    assert "keeps them in a set" in told("05-index", [0, 2])[1]


RIGHT_IN_SUBSTANCE = {
    "00-corpus": ["Code", "'code'"],
    "00-round-trip": ["True", "yes", np.True_],
    "01-length": ["2, 3, 4", "2 3 4", np.array([2, 3, 4]), ("2", "3", "4"), (2.0, 3, 4)],
    "01-family": ["18", 18.0, np.int64(18), "18 bytes"],
    "02-even": ["0, 37, 50", {0, 37, 50}],
    "03-unsplit": [("s", " "), ("s", "␣"), "s␣", [b"s", b" "]],
    "03-spaces": [["a", "␣␣", "␣b"], "a·␣␣·␣b", ("a", "  ", " b"), [b"a", b"  ", b" b"], "['a', '  ', ' b']"],
    "03-dont": ["DON ' T", (b"DON", b"'", b"T")],
    "03-special": [(b"a", b"|", b"|", b"b")],
    "03-seam": [[2], "2", "before 2"],
    "04-banana": [("n", "a"), "na", "n, a", "(b'n', b'a')", b"na", "n·a", ["n", b"a"]],
    "04-aaaa-merged": [["aa", "aa"], "aa·aa", "aa aa", (b"aa", b"aa")],
    "05-index": [[0, 2], (2, 0), "0 and 2", {0, 2}],
    "05-stale": ["cd", "(c, d)"],
    "06-amdahl": [2.105, 2.11, 2.1052631578947367, "2.1", "2.1 times", np.float64(2.105)],
    "06-cell": ["no", "false", np.False_],
    "07-order": ["t·he", "t he", ("t", "he")],
    "07-inverse": [9, (9,), "9"],
    "08-double": ["No"],
    "08-language": ["Hindi", "hindi", "4", 4.0],
    "08-referee": ["1, 2, 3, 6, 8 and 9", np.array([1, 2, 3, 6, 8, 9])],
    "09-table": [2, 2.5, 2.49, 3, "2.5"],
    "09-machines": [10, "10", 17.4],
}
"""Forms other than the usual one."""


@pytest.mark.parametrize("name", RIGHT_IN_SUBSTANCE)
def test_a_guess_that_is_right_in_substance_is_right_in_any_form(name):
    for guess in RIGHT_IN_SUBSTANCE[name]:
        noted, answered = told(name, guess)
        assert "isn't counted" not in noted and "You guessed right" in answered, guess


WRONG_IN_ANY_FORM = {
    "04-banana": [("a", "n"), "an", "n", "nan", (b"n", b"n")],
    "03-spaces": ["a b", ["a", "␣␣␣", "b"], "a·␣·␣·␣b"],
    "06-amdahl": [2, 2.5, 1.9, "2.3"],
    "09-table": [1, 4, 24],
    "07-order": ["th·e", "the"],
    "08-language": ["Chinese", 3, "Klingon"],
    "00-round-trip": [0, "never"],
    "02-even": ["0, 16, 32, 50", [0, 37]],
}


@pytest.mark.parametrize("name", WRONG_IN_ANY_FORM)
def test_no_other_guess_becomes_right_by_its_form(name):
    for guess in WRONG_IN_ANY_FORM[name]:
        assert "You guessed right" not in told(name, guess)[1], guess


def test_a_set_is_told_which_of_its_numbers_are_wrong():
    answered = told("08-referee", [4, 5, 1, 3])[1]
    assert "Listed, but not to be: 4, 5. Missing from your list: 2, 6, 8, 9." in answered


@pytest.mark.parametrize("prediction", PREDICTIONS.values(), ids=PREDICTIONS)
def test_predictions(prediction):
    answer = prediction.right_answer()
    assert not same(prediction.example, answer) or isinstance(answer, (bool, str))
    assert prediction.wrong and prediction.question.endswith("?")
    for guess, text in prediction.wrong:
        assert not same(guess, answer), guess
        predict(prediction.id, guess)
        assert text in repr(reveal(prediction.id))
    predict(prediction.id, answer)
    assert "You guessed right" in repr(reveal(prediction.id))
    predict(prediction.id, None)


def test_answers_that_the_course_names():
    answers = {name: prediction.right_answer() for name, prediction in PREDICTIONS.items()}
    assert answers["04-banana"] == (b"n", b"a")
    assert answers["04-aaaa"] == 3 and answers["04-aaaa-merged"] == [b"aa", b"aa"]
    assert answers["02-even"] == [0, 37, 50]
    assert answers["03-spaces"] == ["a", "  ", " b"]
    assert answers["03-dont"] == ["DON", "'", "T"]
    assert answers["03-misprint"] == ["t", "est", " it", "'", "s"]
    assert answers["01-length"] == [2, 3, 4] and answers["01-family"] == 18


def test_two_predictions_of_one_name_are_refused():
    one = PREDICTIONS["04-banana"]
    assert by_id([one]) == {"04-banana": one}
    with pytest.raises(ValueError, match="two predictions '04-banana'"):
        by_id([one, PREDICTIONS["04-aaaa"], one])


def test_an_unknown_prediction_is_named():
    with pytest.raises(ValueError, match="04-banana"):
        predict("no such", 1)


def test_tokens_in_colour():
    vocab = {0: b"<b>", 1: b" the\n", 2: b"\xc3", 3: b"\xa9"}
    view = show_tokens(vocab, [0, 1, 2, 3])
    assert repr(view) == "<b> · ␣the⏎ · ‹c3› · ‹a9›\n4 tokens: 0 1 2 3"
    html = view._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html
    assert "color:#1a1a1a" in html and "border:1px solid" in html and "title=" in html and "aria-label" in html
    assert show_pretokens(["a", " b"])._repr_html_().count("<span title") == 2
    assert repr(show_pretokens(["a", " b"])) == "a · ␣b\n2 pre-tokens"


def test_a_view_calls_its_tokens_what_they_are_and_leaves_their_text_alone():
    html = show_pretokens(["count", " tokens"])._repr_html_()
    assert re.findall('title="([^"]*)"', html) == ["b&#x27;count&#x27;", "b&#x27; tokens&#x27;"]
    assert 'aria-label="pre-tokens: 2 pre-tokens"' in html and "> 2 pre-tokens</span>" in html
    assert repr(show_pretokens([" tokens"])) == "␣tokens\n1 pre-tokens"


def test_tokens_of_a_text():
    vocab, merges = {0: b"a", 1: b"b", 2: b"ab"}, [(b"a", b"b")]
    assert repr(show_tokens(bpe_lib.Tokenizer(vocab, merges), "aba")) == "ab · a\n2 tokens: 2 0"
    assert repr(show_tokens(bpe_lib.Tokenizer(vocab, merges), "")).startswith("\n0 tokens")


def test_figures_have_a_description():
    figure, axes = new_figure()
    axes.plot([1, 2])
    shown = show_figure(figure, 'a "line"', "It rises.")
    html = shown._repr_html_()
    assert re.search(r'<figure[^>]*><img alt="a &quot;line&quot;" src="data:image/png;base64,[\w+/=]+"', html)
    assert "<figcaption" in html and repr(shown) == '[figure: a "line"]'


def test_the_library_does_without_the_lessons():
    code = "import sys, bpe_lib; assert not any(name.startswith('bpe_course') for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(bpe_lib.__file__).parents[1])


def test_what_few_cells_need_is_loaded_when_they_do():
    heavy = "matplotlib ipywidgets IPython nbformat nbclient jupyter_client pygments tiktoken tokenizers stories"
    code = f"import sys, bpe_course; print(*(name for name in {heavy.split()} if name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == ""


def test_all_public_names_are_there_once():
    assert len(bpe_course.__all__) == len(set(bpe_course.__all__))
    assert [name for name in bpe_course.__all__ if not hasattr(bpe_course, name)] == []


def test_finished_has_the_answers_of_the_course():
    assert finished.merge_pair((b"a", b"b"), (b"a", b"b")) == (b"ab",)
    assert dir(finished) == sorted(EXERCISES)
    with pytest.raises(AttributeError, match="no exercise 'merge_pears'"):
        _ = finished.merge_pears


def test_output_does_not_depend_on_the_hash_seed(tmp_path):
    code = """
from bpe_course import check, progress
from bpe_course.exercises.nb05_inverted_index import changes_of_sets, index_words
from bpe_course.exercises.nb04_naive_merging import first_wins
for name, answer in [("count_changes", changes_of_sets), ("build_pair_index", index_words),
                     ("best_pair", first_wins), ("utf8_bytes", set), ("count_pairs", lambda words: set(words))]:
    print(check(name, answer))
    print(check(name, answer)._repr_html_())
"""
    outputs = set()
    for seed in "01":
        env = {**os.environ, "PYTHONHASHSEED": seed, "BPE_PROGRESS": str(tmp_path / "p.json"), "PYTHONUTF8": "1"}
        run = subprocess.run(
            [sys.executable, "-c", code],
            env=env,
            check=True,
            capture_output=True,
            cwd=Path(bpe_lib.__file__).parents[1],
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1 and b"not yet" in outputs.pop()


def test_without_a_command_it_says_how_to_open_the_first_notebook(capsys):
    main([])
    said = capsys.readouterr().out
    (first,) = re.findall(r'^jupyter lab "(.+)"$', said, re.M)
    assert Path(first).name == "00_start_here.ipynb" and Path(first).exists()
    assert "usage: python -m bpe_course" in said


def test_a_course_that_was_installed_without_its_notebooks_says_where_they_are(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("bpe_course.command_line.__file__", str(tmp_path / "bpe_course" / "command_line.py"))
    main([])
    said = capsys.readouterr().out
    assert "without its notebooks" in said and "clone" in said and "ZIP" in said and "jupyter lab" not in said


def run_setup(monkeypatch, installed, colab=None):
    """Run the first cell of each notebook; return the names that it defines, and the magics that it calls."""
    called = []
    shell = SimpleNamespace(run_line_magic=lambda name, line: called.append((name, line)))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name if installed else None)
    if colab:
        monkeypatch.setitem(sys.modules, "google", SimpleNamespace(colab=colab))
        monkeypatch.setitem(sys.modules, "google.colab", colab)
    else:
        monkeypatch.delitem(sys.modules, "google.colab", raising=False)
    namespace = {"get_ipython": lambda: shell}
    exec(setup_cell().source, namespace)
    return set(namespace) - {"__builtins__", "get_ipython"}, called


def test_the_first_cell_does_nothing_where_the_course_is_installed(monkeypatch, capsys):
    assert run_setup(monkeypatch, installed=True) == ({"importlib", "sys"}, [])
    assert capsys.readouterr() == ("", "")


def test_the_first_cell_says_what_is_missing(monkeypatch):
    with pytest.raises(ModuleNotFoundError, match="README") as caught:
        run_setup(monkeypatch, installed=False)
    assert sys.executable in str(caught.value)


def test_the_first_cell_installs_the_zip_file_in_colab(monkeypatch):
    colab = SimpleNamespace(files=SimpleNamespace(upload=lambda: {"my project (1).zip": b""}))
    _, called = run_setup(monkeypatch, installed=False, colab=colab)
    assert called == [("pip", 'install -q "my project (1).zip"')]
