"""Worker processes end, whatever they are at, and whatever becomes of the process that started them."""

import os
import subprocess
import sys

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


def script(text, folder):
    """Write a script and return the words that run it."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return [sys.executable, str(folder / "script.py"), str(folder)], {"env": {**os.environ, "PYTHONPATH": str(REPOSITORY)}}


@pytest.mark.skipif(sys.platform == "win32", reason="the pipes are others there")
def test_a_worker_that_has_sent_half_of_its_result_is_not_waited_for(tmp_path):
    words, options = script(HALF_SENT, tmp_path)
    ran = subprocess.run(words, capture_output=True, timeout=60, check=False, **options)
    assert ran.returncode == 1
    assert ran.stderr.decode().endswith("KeyError: 'an error while a result is half sent'\n")
    assert ran.stderr.decode().count("Traceback") == 1
