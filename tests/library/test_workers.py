"""Worker processes end, whatever they are at, and whatever becomes of the process that started them."""

import multiprocessing
import os
import subprocess
import sys

import psutil
import pytest

from oracles import REPOSITORY

HALF_SENT = """
import os, pathlib, sys, time
from multiprocessing import connection
from bpe_lib.workers import own_workers

HALF = pathlib.Path(sys.argv[1], "half")

def send_half():
    def half(self, data):
        os.write(self.fileno(), bytes(data)[: len(data) // 2])
        HALF.touch()
        time.sleep(1000)
    connection.Connection._send = half

def large():
    return bytes(5_000_000)

if __name__ == "__main__":
    with own_workers(2, send_half) as pool:
        pool.submit(large)
        while not HALF.exists():
            time.sleep(0.01)
        raise KeyError("an error while a result is half sent")
"""

WAITING = """
import multiprocessing, sys, time
from bpe_lib.workers import own_workers

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[2])
    with own_workers(2) as pool:
        print(*pool.map(time.sleep, [0.2, 0.2]), flush=True)  # both workers are at work now
        list(pool.map(time.sleep, [1000, 1000]))
"""


def script(text, folder, *more):
    """Write a script and return the words that run it."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return [sys.executable, str(folder / "script.py"), str(folder), *more], {
        "env": {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    }


@pytest.mark.skipif(sys.platform == "win32", reason="the pipes are others there")
def test_a_worker_that_has_sent_half_of_its_result_is_not_waited_for(tmp_path):
    words, options = script(HALF_SENT, tmp_path)
    ran = subprocess.run(words, capture_output=True, timeout=60, check=False, **options)
    assert ran.returncode == 1
    assert ran.stderr.decode().endswith("KeyError: 'an error while a result is half sent'\n")
    assert ran.stderr.decode().count("Traceback") == 1


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_end_when_the_process_that_started_them_is_killed(method, tmp_path):
    words, options = script(WAITING, tmp_path, method)
    with subprocess.Popen(words, stdout=subprocess.PIPE, **options) as process:
        assert process.stdout.readline().split() == [b"None", b"None"]
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2
        process.kill()
    _, alive = psutil.wait_procs(children, timeout=20)
    for left in alive:
        left.kill()
    assert alive == []
