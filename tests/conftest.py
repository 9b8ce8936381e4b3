"""Settings for all tests: hypothesis profiles, a stop for whatever hangs, and a Ctrl-C that works."""

import multiprocessing
import os
import signal
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]

# The default draws the same examples every time, so that a green suite stays green on another machine.
# `HYPOTHESIS_PROFILE=search pytest` looks for new ones.
settings.register_profile("default", max_examples=80, deadline=None, derandomize=True, suppress_health_check=QUIET)
settings.register_profile("search", max_examples=2_000, deadline=None, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

TOO_LONG = 300
"""Seconds after which a test counts as hanging. No test comes near."""


@pytest.fixture(autouse=True)
def never_hangs():
    """Fail a test that hangs, where the system has the signal for it."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise TimeoutError(f"the test hangs: it has run for {TOO_LONG} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(TOO_LONG)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def ctrl_c_works():
    """Heed interrupts where pytest was told to ignore them, as by `nohup` or `pytest &`: processes inherit that."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        yield


@pytest.fixture(params=multiprocessing.get_all_start_methods())
def start_method(request, monkeypatch):
    """Start processes in each way that the system has, in turn: here, and in every Python that the test runs."""
    before = multiprocessing.get_start_method(allow_none=True)
    monkeypatch.setenv("START_METHOD", request.param)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "support" / "start_method"), prepend=os.pathsep)
    multiprocessing.set_start_method(request.param, force=True)
    yield request.param
    multiprocessing.set_start_method(before, force=True)


@pytest.fixture
def text_file(tmp_path):
    """A function that writes text (or bytes) to a file and returns its path."""

    def write(content: str | bytes, name: str = "text.txt"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
