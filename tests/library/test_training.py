import os
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as HuggingFace
from tokenizers import models, pre_tokenizers, trainers

from bpe_lib import chunking, parallel, train_bpe
from oracles import (
    PATTERNS,
    PROSE,
    SEED_TEXT,
    brute_force_train,
    run_python,
    texts_with_special_tokens,
)

END = "<|endoftext|>"


def merges_of(path, size=300, tokens=(), **more):
    return train_bpe(path, size, list(tokens), 1, **more)[1]


# --- known answers ---


def test_the_seeds_documents(text_file):
    vocab, merges = train_bpe(text_file(SEED_TEXT), 300, [END])
    first = [(b"h", b"e"), (b"e", b"s"), (b" ", b"l"), (b"n", b"g"), (b"es", b"t")]
    first += [(b" ", b"t"), (b" ", b"b"), (b"u", b"i"), (b"r", b"o"), (b"r", b"e")]
    assert merges[:10] == first
    assert len(merges) == 43
    assert len(vocab) == 300


def test_bytes_then_special_tokens_then_merges(text_file):
    vocab, merges = train_bpe(text_file("hi<b>hi<a>hi"), 259, ["<b>", "<a>"])
    assert vocab == {i: bytes([i]) for i in range(256)} | {256: b"<b>", 257: b"<a>", 258: b"hi"}
    assert merges == [(b"h", b"i")]


def test_a_special_token_of_one_byte_keeps_that_bytes_id(text_file):
    vocab, merges = train_bpe(text_file("hi#hi#hi"), 257, ["#"])
    assert vocab[256] == b"hi"
    assert merges == [(b"h", b"i")]


@pytest.mark.parametrize(
    ("size", "tokens", "number"), [(260, [END], 3), (260, [], 4), (260, ["#"], 4), (257, [END], 0)]
)
def test_vocab_size_counts_bytes_special_tokens_and_merges(size, tokens, number, text_file):
    vocab, merges = train_bpe(text_file(PROSE), size, tokens)
    assert (len(vocab), len(merges)) == (size, number)


def test_fewer_merges_where_no_pair_is_left_and_a_single_pair_merges(text_file):
    assert merges_of(text_file("ab cd"), 1000) == [(b"c", b"d"), (b"a", b"b"), (b" ", b"cd")]


@pytest.mark.parametrize(
    ("text", "tokens", "right"),
    [
        ("hi<|endoftext|>" * 9, [END], [(b"h", b"i")]),
        ("a<|endoftext|>b", [END], []),
        ("a|b", ["|"], []),
        ("a<e>x<e>b", ["<e>", "<e>x<e>"], []),
        ("aa--->", ["--"], [(b"a", b"a"), (b"-", b">")]),
        ("aé", [], [(b"\xc3", b"\xa9"), (b"a", b"\xc3\xa9")]),
        ("baaa", [], [(b"a", b"a"), (b"b", b"aa"), (b"baa", b"a")]),
        ("aaac", [], [(b"a", b"a"), (b"aa", b"a"), (b"aaa", b"c")]),
        (" a,bc", [], [(b"b", b"c"), (b" ", b"a")]),
        ("aaaa bc bc", [], [(b"a", b"a"), (b"b", b"c"), (b" ", b"bc"), (b"aa", b"aa")]),
    ],
)
def test_slips_that_training_could_make(text, tokens, right, text_file):
    assert merges_of(text_file(text), 300, tokens) == right


# --- the oracle ---


@given(texts_with_special_tokens(max_size=15), st.sampled_from(sorted(PATTERNS)), st.integers(0, 30))
def test_equals_the_brute_force_trainer(tmp_path, text_and_tokens, name, wanted):
    text, tokens = text_and_tokens
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    pattern = {} if name == "gpt2" else {"pattern": PATTERNS[name]}
    right = brute_force_train(text, 260 + wanted, tokens, **pattern)
    assert train_bpe(path, 260 + wanted, tokens, 2, **pattern) == right


@given(texts_with_special_tokens(max_size=30), st.integers(1, 8), st.integers(1, 60), st.integers(1, 200))
@settings(max_examples=60)
def test_the_same_for_every_number_of_workers_and_chunks(tmp_path, text_and_tokens, workers, block, task):
    text, tokens = text_and_tokens
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(parallel, "BLOCK", block)
        patch.setattr(parallel, "TASK", task)
        assert train_bpe(path, 280, tokens, workers, executor=pool) == brute_force_train(text, 280, tokens)


def test_the_same_under_every_hash_seed(text_file):
    path = text_file(PROSE + END + SEED_TEXT)
    code = (
        "import sys; from bpe_lib import parallel, train_bpe; parallel.WORTH_A_PROCESS = 1; parallel.BLOCK = 200\n"
        "if __name__ == '__main__': print(train_bpe(sys.argv[1], 400, ['<|endoftext|>', '<|pad|>'], 2))"
    )
    right = repr(brute_force_train(PROSE + END + SEED_TEXT, 400, [END, "<|pad|>"]))
    for seed in ("0", "1", "12345"):
        assert run_python(code, path, PYTHONHASHSEED=seed).strip() == right


def test_the_order_of_documents_does_not_matter(text_file):
    documents = [*SEED_TEXT.split(END), PROSE]
    one = merges_of(text_file(END.join(documents), "a"), 500, [END])
    assert one == merges_of(text_file(END.join(documents[::-1]), "b"), 500, [END])


def test_hugging_face_learns_the_same_where_no_counts_tie(text_file):
    """`tokenizers` breaks ties by id, so every pair of this text has a count of its own."""
    words = [f"{chr(97 + i)}{chr(65 + i)}" for i in range(20)]
    text = ",".join(",".join([word] * (i + 3)) for i, word in enumerate(words))
    theirs = HuggingFace(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    theirs.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=276, initial_alphabet=alphabet, show_progress=False)
    )
    learned = sorted(theirs.get_vocab().items(), key=lambda item: item[1])[256:]
    assert [(left + right).decode() for left, right in merges_of(text_file(text), 276)] == [
        token for token, _ in learned
    ]
    assert len(learned) == 20


# --- files ---


def test_paths_of_every_kind(text_file, monkeypatch):
    path = text_file(SEED_TEXT, "a file with spaces é.txt")
    right = brute_force_train(SEED_TEXT, 280, [END])
    monkeypatch.chdir(path.parent)
    for given_path in [path, str(path), path.name, [path], [str(path)], (Path(path.name),)]:
        assert train_bpe(given_path, 280, [END]) == right


def test_several_files_count_together_but_words_do_not_run_across(text_file):
    paths = [text_file("ab", "1"), text_file("cd ab", "2"), text_file("", "3")]
    right = brute_force_train(f"ab{END}cd ab", 300, [END])[1]
    assert merges_of(paths, 300, [END]) == right == [(b"a", b"b"), (b"c", b"d"), (b" ", b"ab")]


def test_a_file_named_twice_counts_twice(text_file):
    path, other = text_file("ab", "1"), text_file("xy", "2")
    assert merges_of([path, path, other], 257) == [(b"a", b"b")]


@pytest.mark.parametrize("text", ["", "<|endoftext|>", "<|endoftext|>" * 50, "x", "\n", "a<|endoftext|>b"])
def test_nothing_to_merge_trains_to_the_base_vocabulary(text, text_file):
    vocab, merges = train_bpe(text_file(text), 1000, [END])
    assert merges == []
    assert vocab == {i: bytes([i]) for i in range(256)} | {256: END.encode()}


def test_line_ends_stay_as_they_are(text_file):
    assert (b"\r", b"\n") in merges_of(text_file(b"a,\r\n\r\n,b\r\n\r\n,"), 300)
    text = "a\r\nb\rc\n\n\r\n\u2028d\x85"
    assert train_bpe(text_file(text), 290, []) == brute_force_train(text, 290, [])


def test_a_byte_order_mark_is_text(text_file):
    text = "\ufeffab \ufeffab"
    assert train_bpe(text_file(text), 290, []) == brute_force_train(text, 290, [])


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_utf8_whatever_the_locale(locale, text_file):
    path = text_file(PROSE)
    code = r"import sys, bpe_lib; print(ascii(bpe_lib.train_bpe(sys.argv[1], 300, ['\xe9', '<|\u7d42|>'])))"
    printed = run_python(code, path, LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert printed.strip() == ascii(brute_force_train(PROSE, 300, ["é", "<|終|>"]))


def test_invalid_utf8_can_be_replaced(text_file):
    data = b"caf\xe9 caf\xe9 \xff\xfe \xed\xa0\x80"
    right = brute_force_train(data.decode(errors="replace"), 300, [])
    assert train_bpe(text_file(data), 300, [], errors="replace") == right


def test_memory_stays_far_below_the_file(monkeypatch, text_file):
    monkeypatch.setattr(parallel, "BLOCK", 1 << 14)
    path = text_file("the cat sat on the mat\n" * 60_000)
    train_bpe(path, 300, [], 1)
    tracemalloc.start()
    try:
        train_bpe(path, 300, [], 1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert os.path.getsize(path) > 1_300_000
    assert peak < 1_000_000


def test_progress_bars_change_nothing(text_file, capfd):
    path = text_file(SEED_TEXT)
    silent = train_bpe(path, 280, [END])
    assert capfd.readouterr() == ("", "")
    assert train_bpe(path, 280, [END], progress=True) == silent
    assert "counting" in capfd.readouterr().err


def test_the_arguments_are_not_changed(text_file):
    tokens, paths = [END, "<e>"], [text_file(SEED_TEXT)]
    train_bpe(paths, 280, tokens)
    assert (tokens, len(paths)) == ([END, "<e>"], 1)


def test_other_sequences_will_do_for_special_tokens(text_file):
    assert train_bpe(text_file(SEED_TEXT), 280, (END,)) == brute_force_train(SEED_TEXT, 280, [END])


# --- bad input ---


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"vocab_size": 256}, ValueError, r"vocab_size is 256.*1 special tokens.*give at least 257$"),
        ({"vocab_size": 257, "special_tokens": ["<a>", "<b>"]}, ValueError, r"2 special tokens.*give at least 258$"),
        ({"special_tokens": ["<a>", ""]}, ValueError, r"special token is empty: give each at least one character"),
        ({"special_tokens": ["<a>", "<a>"]}, ValueError, r"'<a>' is given more than once: give each once"),
        ({"special_tokens": "<a>"}, TypeError, r"special_tokens is a list of strings, such as \['<a>'\]"),
        ({"special_tokens": [b"<a>"]}, TypeError, r"a special token is a str, and b'<a>' is a bytes"),
        ({"num_processes": 0}, ValueError, r"num_processes is 0: give 1 or more, or None for one per core"),
        ({"num_processes": -2}, ValueError, r"num_processes is -2: give 1 or more"),
        ({"errors": "ignore"}, ValueError, r"errors is 'ignore': give \"strict\" or \"replace\""),
        ({"errors": "surrogateescape"}, ValueError, r"errors is 'surrogateescape': give \"strict\" or \"replace\""),
        ({"pattern": "(a"}, ValueError, r"package `regex` can't read the pattern '\(a'"),
        ({"pattern": r"\p{L}+"}, ValueError, r"does not match ' quick.*' at character 3, and text must not be lost"),
        ({"input_path": []}, ValueError, r"input_path is an empty list: give at least one file"),
        (
            {"input_path": "no such file.txt"},
            FileNotFoundError,
            r"there is no file 'no such file\.txt' \(looked for it",
        ),
        ({"input_path": ["no such file.txt"]}, FileNotFoundError, r"there is no file 'no such file\.txt'"),
        ({"input_path": os.curdir}, IsADirectoryError, r"'\.' is a folder: give the files in it, as a list"),
    ],
)
def test_bad_arguments(arguments, error, message, text_file):
    right = {"input_path": text_file(SEED_TEXT), "vocab_size": 300, "special_tokens": [END]}
    with pytest.raises(error, match=message):
        train_bpe(**(right | arguments))


def test_bad_arguments_are_found_before_the_text_is_read(monkeypatch, text_file):
    def forbidden(*_, **__):
        raise AssertionError("the text was read")

    monkeypatch.setattr(parallel, "cut_file", forbidden)
    path = text_file(SEED_TEXT)
    with pytest.raises(ValueError, match="num_processes"):
        train_bpe(path, 300, [], 0)
    with pytest.raises(ValueError, match="can't read the pattern"):
        train_bpe(path, 300, [], pattern="(a")


def test_invalid_utf8_names_the_file_and_the_byte(text_file):
    with pytest.raises(
        ValueError, match=r"caf\.txt: byte 7 is not valid UTF-8.*Save the file as UTF-8, or pass errors"
    ):
        train_bpe(text_file("né ".encode() + b"caf\xe9", "caf.txt"), 300, [])


def test_text_that_cant_be_cut_names_its_offset(monkeypatch, text_file):
    monkeypatch.setattr(chunking, "MAX_CHUNK", 2_000)
    monkeypatch.setattr(parallel, "BLOCK", 500)
    with pytest.raises(ValueError, match=r"line\.txt: the 9,000 bytes from offset 0 can't be cut"):
        train_bpe(text_file("x" * 9_000, "line.txt"), 300, [], 1)


def test_a_special_token_of_replacement_characters_is_refused_where_bytes_are_replaced(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"ab\xff cd" * 3)
    with pytest.raises(ValueError, match="holds U\\+FFFD"):
        train_bpe(path, 270, ["\ufffd c"], errors="replace")
    with pytest.raises(ValueError, match="not valid UTF-8"):
        train_bpe(path, 270, ["\ufffd c"])


def test_special_tokens_from_a_generator_are_boundaries_too(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("<|e|>".join("abc"), encoding="utf-8")
    vocab, merges = train_bpe(path, 300, (token for token in ["<|e|>"]))
    assert (vocab[256], merges) == (b"<|e|>", [])


@pytest.mark.parametrize("number", [300.0, "300"])
def test_a_vocabulary_size_that_is_no_whole_number_is_refused_before_the_work(tmp_path, number):
    path = tmp_path / "text.txt"
    path.write_text("abc", encoding="utf-8")
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        train_bpe(path, number, [])
