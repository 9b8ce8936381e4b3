"""`python -m bpe_lib`, as a reader calls it, from a folder with a space in its name."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import tracemalloc
import warnings

import numpy as np
import psutil
import pytest
from tokenizers import Tokenizer as HuggingFace

from bpe_lib import Tokenizer
from bpe_lib.__main__ import main, parser
from bpe_lib.command_line.streams import ids_of_text
from bpe_lib.formats import reading
from oracles import CL100K, PROSE, brute_force_train, environment
from processes import workers_of

END = "<|endoftext|>"
TEXT = (PROSE + END) * 3
VOCAB, MERGES = brute_force_train(TEXT, 400, [END])
OURS = Tokenizer(VOCAB, MERGES, [END])
SLOW = r"(?:(?:\w|[\s\S])+)+\b\B|[\s\S]"


@pytest.fixture
def folder(tmp_path):
    """A folder with a text and a tokenizer."""
    home = tmp_path / "a folder"
    home.mkdir()
    (home / "a text.txt").write_bytes(TEXT.encode())
    OURS.save(home / "my tokenizer")
    return home


def command(*arguments, folder):
    return [sys.executable, "-m", "bpe_lib", *map(str, arguments)], {"cwd": folder, "env": environment()}


def run(*arguments, folder, data=b""):
    words, options = command(*arguments, folder=folder)
    return subprocess.run(words, input=data, capture_output=True, timeout=120, check=False, **options)


def done(*arguments, folder, data=b""):
    """Run a command that must succeed and return what it printed."""
    ran = run(*arguments, folder=folder, data=data)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout


# --- train, encode, decode, info ---


def test_train_writes_what_others_read(folder):
    words = [
        "train",
        "a text.txt",
        "--vocab-size",
        400,
        "--special-token",
        END,
        "--output",
        "new one",
        "--processes",
        1,
    ]
    ran = run(*words, folder=folder)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert Tokenizer.load(folder / "new one").definition == OURS.definition
    theirs = HuggingFace.from_file(str(folder / "new one" / "tokenizer.json"))
    assert theirs.encode(TEXT).ids == OURS.encode(TEXT)


def test_train_on_several_files_with_a_named_pattern(folder):
    (folder / "more.txt").write_bytes(b"1234567 I'LL\n\n")
    done("train", "a text.txt", "more.txt", "--vocab-size", 300, "--pattern", "cl100k_base", "-o", "new", folder=folder)
    loaded = Tokenizer.load(folder / "new")
    expected = brute_force_train(TEXT, 300, [], CL100K)  # what the second file adds is too rare to be learned
    assert loaded.merges[:20] == expected[1][:20]
    assert loaded.special_tokens == []


def test_encode_and_decode_through_an_array(folder):
    done("encode", "my tokenizer", "a text.txt", "--output", "ids.npy", folder=folder)
    ids = np.load(folder / "ids.npy", allow_pickle=False)
    assert (ids.dtype, ids.tolist()) == (np.uint16, OURS.encode(TEXT))
    done("decode", "my tokenizer", "ids.npy", "--output", "copy.txt", folder=folder)
    assert (folder / "copy.txt").read_bytes() == TEXT.encode()
    assert done("decode", "my tokenizer", "ids.npy", folder=folder) == TEXT.encode()
    assert sorted(os.listdir(folder)) == ["a text.txt", "copy.txt", "ids.npy", "my tokenizer"]


def test_workers_of_every_kind_write_the_same(start_method, folder):
    """A text that is large enough for two workers, to train and to encode."""
    (folder / "large.txt").write_bytes(TEXT.encode() * (9_000_000 // len(TEXT.encode())))
    for processes in (1, 2):
        words = ["large.txt", "--processes", processes, "-o"]
        done("train", *words, f"out {processes}", "--vocab-size", 300, "--special-token", END, folder=folder)
        done("encode", "my tokenizer", *words, f"{processes}.npy", folder=folder)
    assert [path.read_bytes() for path in sorted((folder / "out 2").iterdir())] == [
        path.read_bytes() for path in sorted((folder / "out 1").iterdir())
    ]
    assert (folder / "1.npy").read_bytes() == (folder / "2.npy").read_bytes()


def test_encode_and_decode_through_pipes(folder):
    text = "the cafe\u0301\r\n 你好" + END
    printed = done("encode", "my tokenizer", folder=folder, data=text.encode())
    assert printed == " ".join(map(str, OURS.encode(text))).encode() + b"\n"
    assert done("decode", "my tokenizer", folder=folder, data=printed) == text.encode()
    done("encode", "my tokenizer", "-", "-o", "ids.txt", folder=folder, data=text.encode())
    assert done("decode", "my tokenizer/tokenizer.json", "ids.txt", folder=folder) == text.encode()
    done("encode", "my tokenizer", "-o", "ids.npy", folder=folder, data=text.encode())
    assert np.load(folder / "ids.npy").tolist() == OURS.encode(text)


def test_an_empty_text(folder):
    assert done("encode", "my tokenizer", folder=folder) == b"\n"
    assert done("decode", "my tokenizer", folder=folder) == b""
    done("encode", "my tokenizer", "-o", "ids.npy", folder=folder)
    assert done("decode", "my tokenizer", "ids.npy", folder=folder) == b""


def test_info(folder):
    printed = done("info", "my tokenizer", "--longest", 2, "--text", "the\x1b[31m cat\n" + END, folder=folder).decode()
    assert "ids             400, from 0 to 399" in printed
    assert "special tokens  <|endoftext|> (256)" in printed
    assert "‹1b›·[·3·1·m" in printed  # no escape sequence reaches the terminal, and a special token is plain text here
    assert "\x1b" not in printed
    tokens, size = len(OURS.encode_ordinary("the\x1b[31m cat\n" + END)), 26
    assert printed.endswith(f"{tokens} tokens for {size} bytes: {size / tokens:.2f} bytes a token\n")
    longest = sorted(map(len, VOCAB.values()))[-2:]
    shown = printed.split("longest tokens  ")[1].split("\n\n")[0].splitlines()
    assert [len(VOCAB[int(line.rsplit("(")[-1][:-1])]) for line in shown] == longest[::-1]


def test_quiet_when_not_a_terminal(folder):
    ran = run("decode", "my tokenizer", folder=folder, data=b"97")
    assert (ran.stdout, ran.stderr) == (b"a", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are others there")
def test_progress_and_a_last_line_on_a_terminal(folder):
    import pty
    import termios

    words, options = command("encode", "my tokenizer", "a text.txt", "-o", "ids.npy", folder=folder)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, **options) as process:
        os.close(theirs)
        shown = b"".join(iter(lambda: read_terminal(ours), b""))
        assert (process.wait(timeout=60), process.stdout.read()) == (0, b"")
    os.close(ours)
    assert b"encoding:" in shown
    assert b"B/s]" in shown
    size, count = len(TEXT.encode()), len(OURS.encode(TEXT))
    assert shown.decode().endswith(f"{count:,} ids for {size:,} bytes, in ids.npy\r\n")


def read_terminal(number):
    try:
        return os.read(number, 4096)
    except OSError:  # on Linux, where the other side is closed
        return b""


def test_help_shows_every_command_and_option(folder):
    shown = done("--help", folder=folder).decode()
    for name in ("train", "encode", "decode", "info", "examples:", "Exit codes:"):
        assert name in shown
    shown = done("train", "--help", folder=folder).decode()
    for option in ("FILE", "--vocab-size", "--special-token", "--pattern", "--processes", "--output", "--errors"):
        assert option in shown
    assert "cl100k_base" in shown


def test_examples_of_the_help_are_commands():
    lines = [
        line for line in parser().format_help().splitlines() if "python -m bpe_lib" in line and "usage" not in line
    ]
    assert len(lines) == 5
    for line in lines:
        words = line.split("python -m bpe_lib ")[1].split("     ")[0].replace('"', "").split()
        assert parser().parse_args(words).command == words[0]


# --- what can go wrong ---


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "the following arguments are required: COMMAND"),
        (["fly"], 2, "invalid choice: 'fly'"),
        (["train", "a text.txt"], 2, "the following arguments are required: --vocab-size"),
        (["train", "nowhere.txt", "--vocab-size", 300, "-o", "x"], 1, "error: there is no file 'nowhere.txt'"),
        (["train", "a text.txt", "--vocab-size", 9, "-o", "x"], 1, "error: vocab_size is 9"),
        (["train", "a text.txt", "--vocab-size", 300, "--pattern", "(", "-o", "x"], 1, "can't read the pattern '('"),
        (["train", "a text.txt", "--vocab-size", 300, "--processes", 0, "-o", "x"], 1, "num_processes is 0"),
        (["train", "a text.txt", "--vocab-size", 300, "-o", "a text.txt"], 1, "error: 'a text.txt' is a file"),
        (["train", "a text.txt", "--vocab-size", 300, "-o", "a text.txt/x"], 1, "error: 'a text.txt' is a file: give"),
        (
            ["train", "a text.txt", "my tokenizer/merges.txt", "--vocab-size", 300, "-o", "my tokenizer"],
            1,
            "merges.txt' is the file that is read: give another name",
        ),
        (["train", "a text.txt", "--vocab-size", 300, "--pattern", "", "-o", "x"], 1, "error: the pattern is empty"),
        (["train", "a text.txt", "--vocab-size", 300, "--pattern", "(?R)", "-o", "x"], 1, "is not used"),
        (["train", "a text.txt", "--vocab-size", 300, "--pattern", SLOW, "-o", "x"], 1, "takes over 0.1 seconds"),
        (["train", "bad.txt", "--vocab-size", 300, "-o", "x"], 1, "bad.txt: byte 1 is not valid UTF-8"),
        (["encode", "my tokenizer", "bad.txt", "-o", "x.npy"], 1, "bad.txt: byte 1 is not valid UTF-8"),
        (["encode", "my tokenizer", "nowhere.txt", "-o", "x.npy"], 1, "error: there is no file 'nowhere.txt' (looked"),
        (["encode", "nowhere", "a text.txt"], 1, "error: there is no file 'nowhere' (looked for it from"),
        (["encode", ".", "a text.txt"], 1, "error: the folder '.' holds no bpe_lib.json, tokenizer.json or vocab.json"),
        (["encode", "a text.txt", "a text.txt"], 1, "error: a text.txt is not JSON"),
        (["encode", "my tokenizer", "a text.txt", "-o", "no/x.txt"], 1, "error: there is no folder"),
        (["encode", "my tokenizer", "a text.txt", "-o", "a text.txt/x.npy"], 1, "error: there is no folder"),
        (
            ["encode", "my tokenizer", "a text.txt", "-o", "a text.txt"],
            1,
            "error: 'a text.txt' is the file that is",
        ),
        (["decode", "my tokenizer", "high.txt", "-o", "high.txt"], 1, "error: 'high.txt' is the file that is read"),
        (["decode", "my tokenizer", "nowhere.txt", "-o", "x"], 1, "error: there is no file 'nowhere.txt' (looked for"),
        (["decode", "my tokenizer", "nowhere.npy", "-o", "x"], 1, "error: there is no file 'nowhere.npy' (looked for"),
        (["decode", "my tokenizer", "a text.txt", "-o", "x"], 1, "error: 'It' is not an id: ids are whole numbers"),
        (["decode", "my tokenizer", "high.txt", "-o", "x"], 1, "error: id 400 is not in the vocabulary of 400 ids"),
        (["decode", "my tokenizer", "float.npy", "-o", "x"], 1, "holds an array of float64 with 1 axes"),
        (["decode", "my tokenizer", "pickle.npy", "-o", "x"], 1, "Python objects in dtype"),
        (["decode", "my tokenizer", "short.npy", "-o", "x"], 1, "error: "),
        (
            ["decode", "my tokenizer", "zip.npy", "-o", "x"],
            1,
            "error: zip.npy is not a .npy file of ids: the magic string is not correct",
        ),
        (["decode", "my tokenizer", "pickled.npy", "-o", "x"], 1, "error: pickled.npy is not a .npy file of ids: "),
        (["decode", "my tokenizer", "huge.npy", "-o", "x"], 1, "error: huge.npy is not a .npy file of ids: "),
        (["decode", "my tokenizer", "true.npy", "-o", "x"], 1, "error: true.npy is not a .npy file of ids: "),
        (["decode", "my tokenizer", "brackets.npy", "-o", "x"], 1, "error: brackets.npy is not a .npy file of ids: "),
        (["info", "my tokenizer", "--longest", -3], 1, "error: --longest is -3: give 0 or more"),
        (
            ["train", "a text.txt", "--vocab-size", 10**20, "-o", "x"],
            1,
            "ids fit into 32 bits: give at most 4,294,967,296",
        ),
        (["info", "my tokenizer", "--text"], 2, "expected one argument"),
    ],
)
def test_errors_are_one_line_and_leave_nothing(words, code, message, folder, monkeypatch, capfd):
    """In this process, since there are many; the tests above start their own."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(reading, "SECONDS", 0.1)
    (folder / "bad.txt").write_bytes(b"a\xff")
    (folder / "high.txt").write_bytes(b"1 2 400")
    np.save(folder / "float.npy", np.array([1.5]))
    np.save(folder / "pickle.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.savez(folder / "zip.npz", np.arange(3))
    os.replace(folder / "zip.npz", folder / "zip.npy")
    (folder / "pickled.npy").write_bytes(pickle.dumps([1, 2, 3]))
    for name, shape in (("huge", f"({10**30},)"), ("true", "(True,)"), ("brackets", "(" * 20)):
        header = f"{{'descr': '<u2', 'fortran_order': False, 'shape': {shape}}}"
        (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode())
    np.save(folder / "ids.npy", np.arange(300, dtype=np.uint16))
    (folder / "short.npy").write_bytes((folder / "ids.npy").read_bytes()[:400])
    before, saved = sorted(os.listdir(folder)), contents(folder / "my tokenizer")
    try:
        returned = main(list(map(str, words)))
    except SystemExit as leaving:
        returned = leaving.code
    shown = capfd.readouterr().err
    assert returned == code
    assert message in shown
    assert code == 2 or shown.count("\n") == 1
    assert sorted(os.listdir(folder)) == before
    assert contents(folder / "my tokenizer") == saved
    assert (folder / "a text.txt").read_bytes() == TEXT.encode()
    assert (folder / "high.txt").read_bytes() == b"1 2 400"


def test_a_file_of_ids_without_whitespace_is_not_held_in_memory(tmp_path):
    (tmp_path / "ids.txt").write_bytes(b"1" * 20_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="is not an id: ids are whole numbers"):
            list(ids_of_text(str(tmp_path / "ids.txt")))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


def test_an_error_is_an_exit_code(folder):
    ran = run("info", "nowhere", folder=folder)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.startswith(b"error: there is no file 'nowhere' (looked for it from ")


def test_the_way_out_of_bad_text_is_named_as_an_option(folder):
    (folder / "bad.txt").write_bytes(b"a\xff")
    for words in (["train", "bad.txt", "--vocab-size", 257, "-o", "new"], ["encode", "my tokenizer", "bad.txt"]):
        shown = run(*words, folder=folder).stderr
        assert b"pass --errors replace to read U+FFFD" in shown and b'"replace"' not in shown
        done(*words, "--errors", "replace", folder=folder)


def test_train_says_when_there_are_fewer_ids_than_were_asked_for(folder):
    (folder / "short.txt").write_bytes(b"low low lower")
    ran = run("train", "short.txt", "--vocab-size", 10_000, "-o", "new", folder=folder)
    count = len(brute_force_train("low low lower", 10_000, [])[0])
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert ran.stderr == f"warning: no pair is left: {count} ids of 10,000\n".encode()
    assert len(Tokenizer.load(folder / "new").vocab) == count < 10_000


def test_a_tokenizer_that_the_json_cannot_hold_is_saved_with_a_warning(folder):
    ran = run("train", "a text.txt", "--vocab-size", 300, "--special-token", "é", "-o", "new", folder=folder)
    assert ran.returncode == 0
    assert b"warning: saved without tokenizer.json, which other libraries read: tokenizer.json can't" in ran.stderr
    assert sorted(os.listdir(folder / "new")) == ["bpe_lib.json", "merges.txt", "vocab.json"]


def test_gpt2s_two_files_are_a_tokenizer_too(folder):
    for name in ("bpe_lib.json", "tokenizer.json"):
        os.remove(folder / "my tokenizer" / name)
    assert done("encode", "my tokenizer", folder=folder, data=b"the") == done_ids(OURS.encode("the"))
    OURS.save(folder / "my tokenizer")
    content = json.loads((folder / "my tokenizer" / "tokenizer.json").read_text("utf-8"))
    content["normalizer"] = {"type": "Lowercase"}
    (folder / "other.json").write_text(json.dumps(content))
    assert b"it has the normalizer Lowercase" in run("info", "other.json", folder=folder).stderr


def done_ids(ids):
    return " ".join(map(str, ids)).encode() + b"\n"


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def unbuffered(request, monkeypatch):
    """Python with a buffer for standard output, and without, as in many containers."""
    monkeypatch.setenv("PYTHONUNBUFFERED", request.param)


@pytest.mark.parametrize("ids", [300_000, 3_000_000], ids=["one write", "many writes"])
def test_a_reader_who_has_enough(ids, unbuffered, folder):
    words, options = command("decode", "my tokenizer", folder=folder)
    (folder / "many.txt").write_bytes(b"97 " * ids)
    with (
        open(folder / "many.txt", "rb") as source,
        subprocess.Popen(words, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process,
    ):
        assert process.stdout.read(3) == b"aaa"
        process.stdout.close()
        assert process.wait(timeout=60) == 1
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell there")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["train", "a text.txt", "--vocab-size", 300, "-o", "new"], 0),
        (["encode", "my tokenizer", "-o", "ids.npy"], 0),
        (["encode", "my tokenizer"], 0),
        (["decode", "my tokenizer"], 0),
        (["info", "my tokenizer"], 0),
        (["info", "nowhere"], 1),
        (["--help"], 0),
    ],
)
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_empty_ones(closed, words, code, folder):
    words, options = command(*words, folder=folder)
    ran = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
        **options,
    )
    assert ran.returncode == code
    assert b"Traceback" not in ran.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device here is always full")
@pytest.mark.parametrize("words", [["encode", "-", "a text.txt"], ["decode", "-", "ids.npy"], ["info", "-"]])
def test_a_full_disk_behind_standard_output(words, unbuffered, folder):
    np.save(folder / "ids.npy", np.array(OURS.encode(TEXT), np.uint16))
    words, options = command(*["my tokenizer" if word == "-" else word for word in words], folder=folder)
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False, **options)
    assert (ran.returncode, ran.stderr) == (1, b"error: [Errno 28] No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on the size of files there")
@pytest.mark.parametrize(
    "words", [["encode", "my tokenizer", "large.txt"], ["decode", "my tokenizer", "ids.npy"]], ids=["encode", "decode"]
)
def test_a_disk_that_takes_a_part_of_standard_output(words, unbuffered, folder):
    """The system writes 2,000 bytes of what it is given and says so; a bare file passes that on, and raises nothing."""
    np.save(folder / "ids.npy", np.array(OURS.encode(TEXT * 3), np.uint16))
    (folder / "large.txt").write_bytes(TEXT.encode() * 3)
    words, options = limited(words, folder)
    with open(folder / "out", "wb") as out:
        ran = subprocess.run(words, stdout=out, stderr=subprocess.PIPE, timeout=120, check=False, **options)
    assert (ran.returncode, ran.stderr) == (1, b"error: [Errno 27] File too large\n")


def limited(words, folder):
    """Return how to run a command where the system refuses to write more than 2,000 bytes into a file."""
    code = (
        "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))\n"
        "runpy.run_module('bpe_lib', run_name='__main__', alter_sys=True)"
    )
    return [sys.executable, "-c", code, *words], command(folder=folder)[1]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on the size of files there")
@pytest.mark.parametrize(
    "words",
    [
        ["train", "a text.txt", "--vocab-size", "300", "-o", "my tokenizer"],
        ["encode", "my tokenizer", "large.txt", "-o", "old.npy"],
        ["encode", "my tokenizer", "large.txt", "-o", "old.txt"],
        ["decode", "my tokenizer", "ids.npy", "-o", "old.txt"],
    ],
)
def test_a_full_disk_leaves_the_old_files(words, folder):
    np.save(folder / "ids.npy", np.array(OURS.encode(TEXT * 3), np.uint16))
    (folder / "large.txt").write_bytes(TEXT.encode() * 3)
    for name in ("old.npy", "old.txt"):
        (folder / name).write_text("old")
    before = contents(folder)
    words, options = limited(words, folder)
    ran = subprocess.run(words, capture_output=True, timeout=120, check=False, **options)
    assert (ran.returncode, ran.stderr) == (1, b"error: [Errno 27] File too large\n")
    assert contents(folder) == before


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- Ctrl-C ---


ENCODING = ["encode", "my tokenizer", "large.txt", "-o", "out.npy", "--processes", 2]
TRAINING = ["train", "large.txt", "--vocab-size", 9000, "-o", "out", "--processes", 2]
with_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
either_way = pytest.mark.parametrize("whole_group", [True, False], ids=["a terminal's Ctrl-C", "to the one process"])


@with_signals
@either_way
@pytest.mark.parametrize("words", [ENCODING, TRAINING], ids=["encode", "train"])
def test_an_interrupt_leaves_no_output_and_no_processes(words, whole_group, start_method, folder):
    interrupted_well(words, whole_group, folder, signal.SIGINT)


@with_signals
@either_way
def test_an_interrupt_of_a_process_that_works_alone(whole_group, folder):
    words = ["encode", "my tokenizer", "large.txt", "-o", "out.txt", "--processes", 1]
    interrupted_well(words, whole_group, folder, signal.SIGINT)


@with_signals
@pytest.mark.parametrize(
    ("number", "whole_group"), [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False)]
)
def test_an_interrupt_while_workers_start(number, whole_group, start_method, folder):
    """At the first child that is seen, of whatever kind: a helper of multiprocessing, or a worker still loading."""
    interrupted_well(ENCODING, whole_group, folder, number, at_once=True)


@with_signals
def test_being_terminated_is_an_interrupt_too(start_method, folder):
    words = ["encode", "my tokenizer", "large.txt", "-o", "out.npy", "--processes", 2]
    interrupted_well(words, False, folder, signal.SIGTERM)


def interrupted_well(words, whole_group, folder, number, at_once=False):
    with open(folder / "large.txt", "wb") as file:
        for i in range(50 if at_once else 200):  # 120 MB of words that are not the same twice
            file.write(b" ".join(b"%x" % (j * 2654435761 % (1 << 40)) for j in range(i * 500, i * 500 + 500)) * 100)
    before = sorted(os.listdir(folder))
    words, options = command(*words, folder=folder)
    with subprocess.Popen(words, stderr=subprocess.PIPE, start_new_session=True, **options) as process:
        watched = psutil.Process(process.pid)
        processes = started(watched, 2 if "2" in words else 0, folder, before, at_once)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b"interrupted\n"
    _, alive = psutil.wait_procs(processes, timeout=20)
    assert alive == []
    assert sorted(os.listdir(folder)) == before


def started(process, count, folder, before, at_once):
    """Wait until a command is at work, in so many workers or, with 0, until it writes; return all its processes."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.is_running():
        if at_once and process.children():
            return process.children(recursive=True)
        if not at_once and (len(workers_of(process)) >= count if count else sorted(os.listdir(folder)) != before):
            time.sleep(0.3)
            return process.children(recursive=True)
        time.sleep(0.005 if at_once else 0.02)
    raise AssertionError("the command did not get to work")
