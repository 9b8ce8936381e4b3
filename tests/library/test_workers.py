"""Worker processes end, whatever they are at, and whatever becomes of the process that started them."""

import os
import subprocess
import sys

import psutil
import pytest

from bpe_lib.workers import check_workers, quota, usable_cores
from oracles import environment

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
import time
from bpe_lib.workers import own_workers

if __name__ == "__main__":
    with own_workers(2) as pool:
        print(*pool.map(time.sleep, [0.2, 0.2]), flush=True)  # both workers are at work now
        list(pool.map(time.sleep, [1000, 1000]))
"""


def script(text, folder):
    """Write a script and return the words that run it."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return [sys.executable, str(folder / "script.py"), str(folder)], {"env": environment()}


@pytest.mark.skipif(sys.platform == "win32", reason="the pipes are others there")
def test_a_worker_that_has_sent_half_of_its_result_is_not_waited_for(start_method, tmp_path):
    words, options = script(HALF_SENT, tmp_path)
    ran = subprocess.run(words, capture_output=True, timeout=60, check=False, **options)
    assert ran.returncode == 1
    assert ran.stderr.decode().endswith("KeyError: 'an error while a result is half sent'\n")
    assert ran.stderr.decode().count("Traceback") == 1


def test_workers_end_when_the_process_that_started_them_is_killed(start_method, tmp_path):
    words, options = script(WAITING, tmp_path)
    with subprocess.Popen(words, stdout=subprocess.PIPE, **options) as process:
        assert process.stdout.readline().split() == [b"None", b"None"]
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2
        process.kill()
    _, alive = psutil.wait_procs(children, timeout=20)
    for left in alive:
        left.kill()
    assert alive == []


# --- how many at once: a container's quota of cores ---


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A function that writes what Linux says of control groups, and returns how many of 8 cores are then usable."""
    for name in ("cpu_count", "process_cpu_count"):
        monkeypatch.setattr(os, name, lambda: 8, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)

    def usable(groups, files):
        (tmp_path / "groups").write_text(groups, encoding="utf-8")
        for name, content in files.items():
            (tmp_path / "mount" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "mount" / name).write_text(content + "\n", encoding="utf-8")
        return usable_cores(str(tmp_path / "groups"), str(tmp_path / "mount"))

    return usable


OLD = "12:pids:/docker/ab\n5:cpu,cpuacct:/docker/ab\n1:name=systemd:/docker/ab\n0::/system.slice/containerd.service\n"
"""What a process in a container of version 1 reads in /proc/self/cgroup: the names are those outside of it."""


@pytest.mark.parametrize(
    ("groups", "files", "cores"),
    [
        ("0::/\n", {"cpu.max": "200000 100000"}, 2),
        ("0::/\n", {"cpu.max": "150000 100000"}, 2),
        ("0::/\n", {"cpu.max": "10000 100000"}, 1),
        ("0::/\n", {"cpu.max": "1600000 100000"}, 8),
        ("0::/\n", {"cpu.max": "max 100000"}, 8),
        ("0::/\n", {"cpu.max": "no sense"}, 8),
        ("0::/\n", {"cpu.max": ""}, 8),
        ("0::/\n", {}, 8),
        ("", {"cpu.max": "200000 100000"}, 8),
        ("0::/user.slice/a:b\n", {"user.slice/a:b/cpu.max": "300000 100000", "cpu.max": "max 100000"}, 3),
        ("0::/pod/box\n", {"pod/box/cpu.max": "max 100000", "pod/cpu.max": "400000 100000"}, 4),
        ("0::/pod/box\n", {"pod/box/cpu.max": "300000 50000", "pod/cpu.max": "500000 100000"}, 5),
        (OLD, {"cpu/cpu.cfs_quota_us": "250000", "cpu/cpu.cfs_period_us": "100000"}, 3),
        (OLD, {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, 8),
        (OLD, {"cpu/docker/ab/cpu.cfs_quota_us": "50000", "cpu/docker/ab/cpu.cfs_period_us": "50000"}, 1),
        (OLD, {"cpu/cpu.cfs_quota_us": "250000"}, 8),
        (OLD, {"pids/cpu.cfs_quota_us": "100000", "pids/cpu.cfs_period_us": "100000"}, 8),
    ],
)
def test_a_containers_quota(groups, files, cores, machine):
    assert machine(groups, files) == cores


def test_a_quota_of_a_part_of_a_core(tmp_path):
    (tmp_path / "cpu.max").write_text("25000 100000\n", encoding="utf-8")
    assert quota(tmp_path) == 0.25


def test_without_control_groups_all_cores_that_one_may_run_on(machine, tmp_path, monkeypatch):
    assert usable_cores(str(tmp_path / "nowhere")) == 8
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5, 6}, raising=False)
    assert usable_cores(str(tmp_path / "nowhere")) == 3
    monkeypatch.delattr(os, "sched_getaffinity")  # as on macOS and Windows
    assert usable_cores(str(tmp_path / "nowhere")) == 8
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    monkeypatch.setattr(os, "process_cpu_count", lambda: None, raising=False)  # not known
    assert usable_cores(str(tmp_path / "nowhere")) == 1


def test_none_takes_the_usable_cores_and_a_number_is_heeded(monkeypatch):
    monkeypatch.setattr("bpe_lib.workers.usable_cores", lambda: 3)
    assert (check_workers(None), check_workers(5)) == (3, 5)
