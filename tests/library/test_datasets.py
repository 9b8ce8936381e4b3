"""Files of ids: equal to encoding the whole text, whatever happens on the way."""

import multiprocessing
import os
import signal
import sys
import time
import tracemalloc

import numpy as np
import psutil
import pytest

from bpe_lib import Tokenizer, chunking, datasets, encode_file
from oracles import CL100K, PROSE, SPECIAL_SETS, brute_force_train, run_python, single
from processes import workers_of

END = "<|endoftext|>"
VOCAB, MERGES = brute_force_train(PROSE, 400, [END])
BYTES = dict(enumerate(single(bytes(range(256)))))
OURS = Tokenizer(VOCAB, MERGES, [END])
TEXT = (PROSE + END) * 5 + "no end\r\n\n  "


@pytest.fixture
def small_parts(monkeypatch):
    """Cut even small files into tasks for processes, as large ones are."""
    monkeypatch.setattr(datasets, "TASK", 300)
    monkeypatch.setattr(datasets, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(chunking, "WINDOW", 50)


@pytest.mark.parametrize("num_processes", [1, 2, 3])
def test_ids_are_those_of_the_whole_text(num_processes, small_parts, text_file, tmp_path):
    count = encode_file(text_file(TEXT), OURS, tmp_path / "ids.npy", num_processes)
    ids = np.load(tmp_path / "ids.npy", mmap_mode="r", allow_pickle=False)
    assert ids.tolist() == OURS.encode(TEXT)
    assert (len(ids), ids.dtype) == (count, np.uint16)
    assert sorted(os.listdir(tmp_path)) == ["ids.npy", "text.txt"]


@pytest.mark.parametrize("tokens", SPECIAL_SETS)
def test_whatever_the_special_tokens(tokens, small_parts, text_file, tmp_path):
    ours = Tokenizer(VOCAB, MERGES, tokens)
    text = (PROSE + "".join(tokens) * 2) * 3
    encode_file(text_file(text), ours, tmp_path / "ids.npy", 1)
    assert np.load(tmp_path / "ids.npy").tolist() == ours.encode(text)


@pytest.mark.parametrize("options", [{"pattern": CL100K}, {"ignore_merges": True}])
def test_other_tokenizers(options, small_parts, text_file, tmp_path):
    ours = Tokenizer(VOCAB | {400: b" bright cold"[:7]}, MERGES, [END], **options)
    encode_file(text_file(TEXT), ours, tmp_path / "ids.npy", 2)
    assert np.load(tmp_path / "ids.npy").tolist() == ours.encode(TEXT)


def test_tasks_go_to_several_processes_and_come_back_in_order(start_method, monkeypatch, small_parts, text_file):
    monkeypatch.setattr(datasets, "encode_with_kept", encode_pid)
    parts = [part.tolist() for part in datasets.encode_in_parts(text_file(TEXT * 20), OURS, 2)]
    assert [start for start, _ in parts] == sorted(start for start, _ in parts)
    assert len({pid for _, pid in parts} - {os.getpid()}) == 2
    assert os.getpid() not in {pid for _, pid in parts}


def encode_pid(task, *_):
    time.sleep(0.01)  # so that the first worker can't do all before the second has started
    return np.array([task[1], os.getpid()])


@pytest.mark.parametrize(("highest", "dtype"), [(65_535, np.uint16), (65_536, np.uint32), ((1 << 32) - 1, np.uint32)])
def test_sixteen_bits_where_every_id_fits(highest, dtype, text_file, tmp_path):
    ours = Tokenizer(BYTES | {highest: b"ab"}, [(b"a", b"b")])
    encode_file(text_file("abc"), ours, tmp_path / "ids.npy")
    ids = np.load(tmp_path / "ids.npy")
    assert (ids.dtype, ids.tolist()) == (dtype, [highest, 99])


def test_an_empty_file(text_file, tmp_path):
    assert encode_file(text_file(""), OURS, tmp_path / "ids.npy") == 0
    assert np.load(tmp_path / "ids.npy").shape == (0,)


def test_memory_does_not_grow_with_the_file(monkeypatch, text_file, tmp_path):
    monkeypatch.setattr(datasets, "TASK", 1 << 15)
    encode_file(text_file(PROSE), OURS, tmp_path / "ids.npy", 1)
    peaks = []
    for times in (1, 8):
        path = text_file(PROSE * 200 * times)
        tracemalloc.start()
        encode_file(path, OURS, tmp_path / "ids.npy", 1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_few_parts_are_worked_out_ahead(monkeypatch, small_parts, text_file):
    """Results that nobody has taken yet are in memory, so tasks are handed out as results are taken."""
    read = []
    original = datasets.cut_file

    def watched(*args):
        for cut in original(*args):
            read.append(cut)
            yield cut

    monkeypatch.setattr(datasets, "cut_file", watched)
    parts = datasets.encode_in_parts(text_file(TEXT * 20), OURS, 2)
    next(parts)
    assert len(read) < 10
    parts.close()


# --- what can go wrong ---


@pytest.mark.parametrize("num_processes", [1, 2])
def test_invalid_utf8_leaves_the_old_file(num_processes, small_parts, text_file, tmp_path):
    path = text_file(b"the cat sat " * 50 + b"caf\xe9 " + b"the cat sat " * 50, "latin.txt")
    (tmp_path / "ids.npy").write_text("old")
    with pytest.raises(ValueError, match=r"latin\.txt: byte 603 is not valid UTF-8 .*pass errors=\"replace\""):
        encode_file(path, OURS, tmp_path / "ids.npy", num_processes)
    assert (tmp_path / "ids.npy").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["ids.npy", "latin.txt"]
    encode_file(path, OURS, tmp_path / "ids.npy", num_processes, errors="replace")
    assert np.load(tmp_path / "ids.npy").tolist() == OURS.encode(path.read_bytes().decode(errors="replace"))


def test_a_worker_that_dies(start_method, monkeypatch, small_parts, text_file, tmp_path):
    monkeypatch.setattr(datasets, "encode_with_kept", die)
    with pytest.raises(RuntimeError, match=r"worker process died.*try fewer num_processes"):
        encode_file(text_file(TEXT), OURS, tmp_path / "ids.npy", 2)
    assert os.listdir(tmp_path) == ["text.txt"]
    assert not multiprocessing.active_children()


def die(*_):
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def test_leaving_early_ends_the_workers(start_method, small_parts, text_file):
    before = workers_of(psutil.Process())
    parts = datasets.encode_in_parts(text_file(TEXT * 20), OURS, 2)
    next(parts)
    started = workers_of(psutil.Process()) - before
    assert started
    parts.close()
    _, alive = psutil.wait_procs(started, timeout=20)
    assert alive == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"num_processes": 0}, ValueError, "num_processes is 0: give 1 or more"),
        ({"errors": "ignore"}, ValueError, "errors is 'ignore'"),
        ({"path": "nowhere.txt"}, FileNotFoundError, "nowhere"),
        ({"out": "nowhere/ids.npy"}, FileNotFoundError, "there is no folder .*nowhere' to write to: make it first"),
        ({"out": "."}, IsADirectoryError, "'.' is a folder: give the name of a file in it"),
        ({"out": "text.txt"}, ValueError, "'text.txt' is the file that is read: give another name"),
        ({"out": os.devnull}, OSError, f"'{os.devnull}' is not a file: it is left alone"),
    ],
)
def test_arguments_that_are_wrong(arguments, error, message, text_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    usual = {"path": text_file("the cat"), "tokenizer": OURS, "out": "ids.npy"}
    with pytest.raises(error, match=message):
        encode_file(**usual | arguments)
    assert os.listdir(tmp_path) == ["text.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_stays_a_link(text_file, tmp_path):
    (tmp_path / "real.npy").touch()
    (tmp_path / "link.npy").symlink_to(tmp_path / "real.npy")
    encode_file(text_file("the cat"), OURS, tmp_path / "link.npy")
    assert (tmp_path / "link.npy").is_symlink()
    assert np.load(tmp_path / "real.npy").tolist() == OURS.encode("the cat")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on the size of files there")
def test_a_full_disk_leaves_the_old_file(text_file, tmp_path):
    """The system refuses to write more than 4,000 bytes into a file."""
    (tmp_path / "ids.npy").write_text("old")
    OURS.save(tmp_path / "tokenizer")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))\n"
        "from bpe_lib import Tokenizer, encode_file; path = sys.argv[1]; ours = Tokenizer.load(path + '/tokenizer')\n"
        "for work in (lambda: encode_file(path + '/text.txt', ours, path + '/ids.npy'),\n"
        "             lambda: Tokenizer(ours.vocab, [], []).save(path + '/tokenizer')):\n"
        "    try: work()\n"
        "    except OSError as error: print(type(error).__name__, error.errno)\n"
    )
    text_file(TEXT * 20)
    assert run_python(code, tmp_path).split() == ["OSError", "27"] * 2
    assert (tmp_path / "ids.npy").read_text() == "old"
    assert Tokenizer.load(tmp_path / "tokenizer").definition == OURS.definition
    assert sorted(os.listdir(tmp_path)) == ["ids.npy", "text.txt", "tokenizer"]
    assert not [name for name in os.listdir(tmp_path / "tokenizer") if "part" in name]
