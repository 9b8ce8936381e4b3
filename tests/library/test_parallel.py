import multiprocessing
import os
import signal
import subprocess
import sys
import tracemalloc
from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_lib import chunking, parallel, train_bpe, workers
from bpe_lib.parallel import Counting, add_counts, count_files, count_task, plan_tasks
from oracles import (
    CL100K,
    PROSE,
    SEED_TEXT,
    brute_force_train,
    counts_of,
    environment,
    run_python,
    texts_with_special_tokens,
)

END = "<|endoftext|>"
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
CONTEXTS = sorted(set(multiprocessing.get_all_start_methods()) & {"fork", "spawn"})


@pytest.fixture
def small_parts(monkeypatch):
    """Cut files into tasks and blocks so small that a test's text has many, and find processes worth it."""
    monkeypatch.setattr(parallel, "BLOCK", 64)
    monkeypatch.setattr(parallel, "TASK", 256)
    monkeypatch.setattr(parallel, "WORTH_A_PROCESS", 1)


def count(paths, counting=None, num_processes=1, executor=None):
    paths = [os.fspath(path) for path in paths]
    return add_counts(part for _, part in count_files(paths, counting or Counting(), num_processes, executor))


def die(task, counting):
    os.kill(os.getpid(), KILL)


def die_at_the_end_of_the_file(task, counting):
    if task[2] == os.path.getsize(task[0]):
        os.kill(os.getpid(), KILL)
    return count_task(task, counting)


class Here(Executor):
    """Runs each task at once, and remembers it."""

    def __init__(self):
        self.tasks = []

    def submit(self, function, /, *args, **kwargs):
        self.tasks.append(args)
        future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


# --- the counts are those of the whole text ---


@given(
    texts_with_special_tokens(max_size=40),
    st.integers(1, 9),
    st.sampled_from([1, 5, 30, 1000]),
    st.sampled_from([1, 8, 50, 1000]),
    st.sampled_from([None, CL100K]),
)
def test_every_number_of_workers_and_size_of_chunks(tmp_path, text_and_tokens, workers, block, task, pattern):
    text, tokens = text_and_tokens
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    more = {} if pattern is None else {"pattern": pattern}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel, "BLOCK", block)
        patch.setattr(parallel, "TASK", task)
        counts = count([path], Counting(tuple(tokens), **more), workers, Here())
    assert counts == counts_of(text, tokens, **more)


@given(texts_with_special_tokens(max_size=40), st.binary(max_size=3), st.sampled_from([1, 10, 1000]))
@settings(max_examples=60)
def test_replaced_bytes_are_the_same_for_every_size_of_chunks(tmp_path, text_and_tokens, broken, block):
    text, tokens = text_and_tokens
    tokens = [token for token in tokens if "\ufffd" not in token]
    data = text[: len(text) // 2].encode() + broken + b"\xff \xe4\xb8\n" + text[len(text) // 2 :].encode()
    path = tmp_path / "text.txt"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel, "BLOCK", block)
        patch.setattr(parallel, "TASK", block)
        counts = count([path], Counting(tuple(tokens), errors="replace"), 2, Here())
    assert counts == counts_of(data.decode(errors="replace"), tokens)


@pytest.mark.parametrize("context", CONTEXTS)
def test_processes_of_every_kind(context, small_parts, text_file):
    text = (PROSE + END) * 3
    path = text_file(text)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(context)) as pool:
        assert count([path], Counting((END,)), 2, pool) == counts_of(text, [END])
        assert train_bpe(path, 300, [END], executor=pool) == brute_force_train(text, 300, [END])


def test_threads(small_parts, text_file):
    text = (PROSE + END) * 3
    with ThreadPoolExecutor(3) as pool:
        assert train_bpe(text_file(text), 300, [END], executor=pool) == brute_force_train(text, 300, [END])


def test_an_executor_stays_open(small_parts, text_file):
    with ThreadPoolExecutor(1) as pool:
        count([text_file(PROSE)], executor=pool)
        assert pool.submit(len, "abc").result() == 3


def test_an_executor_is_used_even_for_one_process_and_a_small_input(text_file):
    executor = Here()
    train_bpe(text_file("the cat"), 258, [], 1, executor=executor)
    assert len(executor.tasks) == 1


@pytest.mark.parametrize("num_processes", [2, 3])
def test_own_processes(num_processes, start_method, small_parts, text_file):
    text = (PROSE + END) * 3
    assert train_bpe(text_file(text), 300, [END], num_processes) == brute_force_train(text, 300, [END])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has spawn alone")
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_own_processes_under_another_start_method(method, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        "import multiprocessing, sys\n"
        "from bpe_lib import parallel, train_bpe\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.set_start_method({method!r})\n"
        "    parallel.WORTH_A_PROCESS, parallel.BLOCK, parallel.TASK = 1, 100, 500\n"
        "    print(train_bpe(sys.argv[1], 280, [], 2)[1])\n"
    )
    (tmp_path / "text.txt").write_bytes(PROSE.encode())
    printed = run_python(
        "import runpy, sys; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')",
        script,
        tmp_path / "text.txt",
    )
    assert printed.strip() == repr(brute_force_train(PROSE, 280, [])[1])


def test_many_files(small_parts, text_file):
    paths = [text_file(PROSE, "a"), text_file("", "b"), text_file("the cat", "c"), text_file(PROSE, "d e")]
    assert count(paths, num_processes=2) == counts_of(PROSE) + counts_of(PROSE) + counts_of("the cat")


def test_files_are_not_glued_together(text_file):
    assert count([text_file("ab", "a"), text_file("cd", "b")]) == Counter({b"ab": 1, b"cd": 1})


# --- what a worker gets ---


def test_tasks_cover_each_file_once(small_parts, text_file):
    paths = [os.fspath(text_file(PROSE, "a")), os.fspath(text_file("x" * 10, "b"))]
    tasks = plan_tasks(paths, 3, Counting())
    for path in paths:
        parts = [(start, end) for task_path, start, end in tasks if task_path == path]
        assert parts[0][0] == 0
        assert parts[-1][1] == os.path.getsize(path)
        assert [end for _, end in parts[:-1]] == [start for start, _ in parts[1:]]
    assert len(tasks) > 6


def test_a_task_is_of_bounded_size(monkeypatch, text_file):
    monkeypatch.setattr(parallel, "BLOCK", 100)
    monkeypatch.setattr(parallel, "TASK", 1000)
    for num_processes in (1, 2, 7):
        tasks = plan_tasks([os.fspath(text_file("the cat sat " * 2000))], num_processes, Counting())
        assert max(end - start for _, start, end in tasks) <= 1100
        assert len(tasks) >= num_processes


def test_a_worker_is_sent_a_path_and_offsets_and_no_text(small_parts, text_file):
    executor = Here()
    count([text_file(PROSE)], Counting((END,)), 2, executor)
    for (path, start, end), counting in executor.tasks:
        assert isinstance(path, str)
        assert isinstance(start, int) and isinstance(end, int)
        assert counting == Counting((END,))


def test_a_worker_holds_one_block_at_a_time(monkeypatch, text_file):
    """1 MB of text of few words, in blocks of 16 KB."""
    monkeypatch.setattr(parallel, "BLOCK", 1 << 14)
    path = os.fspath(text_file("the cat sat on the mat\n" * 45_000))
    for counting in (Counting(), Counting((END,)), Counting((END,), CL100K)):
        if counting.pattern == CL100K:
            path = os.fspath(text_file(("the cat sat on the mat\n" * 50 + END) * 900, "documents.txt"))
        task = (path, 0, os.path.getsize(path))
        count_task(("/dev/null", 0, 0), counting)
        tracemalloc.start()
        try:
            count_task(task, counting)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 900_000


def test_small_inputs_start_no_processes(monkeypatch, text_file):
    def forbidden(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(workers, "Workers", forbidden)
    train_bpe(text_file(PROSE), 270, [], 8)
    monkeypatch.setattr(parallel, "WORTH_A_PROCESS", 1)
    train_bpe(text_file(PROSE), 270, [], 1)
    with pytest.raises(AssertionError, match="a process was started"):
        train_bpe(text_file(PROSE), 270, [], 2)


# --- what can go wrong ---


@pytest.mark.parametrize("death", [die, die_at_the_end_of_the_file])
def test_a_worker_that_is_killed_is_an_error_that_says_what_to_do(
    death, start_method, monkeypatch, small_parts, text_file
):
    monkeypatch.setattr(parallel, "count_task", death)
    message = r"worker process died.*try fewer num_processes.*below `if __name__ == \"__main__\":`"
    with pytest.raises(RuntimeError, match=message):
        train_bpe(text_file(PROSE * 3), 270, [], 2)


def test_an_executor_that_is_broken_is_the_same_error(text_file):
    class Broken(Executor):
        def submit(self, *_, **__):
            raise BrokenExecutor("a child process terminated abruptly")

    with pytest.raises(RuntimeError, match=r"worker process died.*try fewer num_processes"):
        train_bpe(text_file("the cat"), 258, [], executor=Broken())


def test_a_worker_that_dies_before_it_can_count(tmp_path):
    """Under spawn, a script without `if __name__ == "__main__"` starts itself again in each worker."""
    script = tmp_path / "train.py"
    script.write_text(
        "import multiprocessing\n"
        "from bpe_lib import parallel, train_bpe\n"
        "multiprocessing.set_start_method('spawn', force=True)\n"
        "parallel.WORTH_A_PROCESS = 1\n"
        "train_bpe('text.txt', 280, [], 2)\n"
    )
    (tmp_path / "text.txt").write_bytes(PROSE.encode())
    done = subprocess.run(
        [sys.executable, "train.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert b"RuntimeError: a worker process died" in done.stderr
    assert b'below `if __name__ == "__main__":`' in done.stderr


@pytest.mark.parametrize("num_processes", [1, 2])
def test_invalid_utf8_is_an_error_that_names_file_and_offset(num_processes, small_parts, text_file):
    path = text_file(b"the cat sat " * 50 + b"caf\xe9 " + b"the cat sat " * 50, "latin.txt")
    with pytest.raises(ValueError, match=r"latin\.txt: byte 603 is not valid UTF-8 .*pass errors=\"replace\""):
        train_bpe(path, 270, [], num_processes)


@pytest.mark.parametrize(
    ("data", "offset"),
    [(b"\xff", 0), (b"ab\xc3", 2), (b"ab \xed\xa0\x80", 3), (b"ab\xc0\x80", 2), (b"a \xf4\x90\x80\x80", 2)],
)
def test_every_kind_of_invalid_utf8(data, offset, text_file):
    with pytest.raises(ValueError, match=f"byte {offset} is not valid UTF-8"):
        count([text_file(data)])


def test_an_error_in_a_worker_comes_back_and_ends_the_count(small_parts, text_file):
    with pytest.raises(ValueError, match=r"does not match ' .*' at character"):
        train_bpe(text_file("the cat sat"), 270, [], 2, pattern=r"\w+")


def test_adding_counts_leaves_the_tables_alone():
    parts = [{b"a": 2}, Counter({b"a": 3, b"b": 1}), {}]
    assert add_counts(parts) == {b"a": 5, b"b": 1}
    assert parts == [{b"a": 2}, {b"a": 3, b"b": 1}, {}]
    assert add_counts([]) == {}


def test_progress_of_all_tasks_is_the_size_of_all_files(small_parts, text_file):
    paths = [os.fspath(text_file(PROSE, "a")), os.fspath(text_file(SEED_TEXT, "b"))]
    sizes = [size for size, _ in count_files(paths, Counting(), 1)]
    assert sum(sizes) == len(PROSE.encode()) + len(SEED_TEXT.encode())


def test_200_megabytes_without_a_space_are_an_error(tmp_path, monkeypatch):
    """Tried on a hundredth of everything."""
    assert max(chunking.MAX_CHUNK, 2 * parallel.TASK) < 200_000_000
    monkeypatch.setattr(chunking, "MAX_CHUNK", chunking.MAX_CHUNK // 100)
    monkeypatch.setattr(parallel, "TASK", parallel.TASK // 100)
    monkeypatch.setattr(parallel, "BLOCK", parallel.BLOCK // 100)
    path = tmp_path / "one line.txt"
    path.write_bytes(bytes(2_000_000))
    with pytest.raises(ValueError, match=r"one line\.txt: the 2,000,000 bytes from offset 0 can't be cut"):
        train_bpe(path, 300, [], 2)


def test_one_line_that_fits_into_memory_trains(monkeypatch, text_file):
    monkeypatch.setattr(parallel, "BLOCK", 100)
    monkeypatch.setattr(chunking, "WINDOW", 50)
    assert train_bpe(text_file("ab" * 500), 260, [], 2) == brute_force_train("ab" * 500, 260, [])
