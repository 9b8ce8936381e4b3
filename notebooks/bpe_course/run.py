"""Running a reader's function so that nothing it does can hurt: loops end, exits are caught, prints are kept apart.

The function runs in a thread of its own. When its time is up an exception is raised inside that thread, again and
again until it ends, so nothing is left spinning. That works on every system, because it needs neither signals nor
processes. One thing can't be stopped this way: a loop that runs inside C code and never comes back to Python, such as
`list(itertools.count())`. It needs a restart of the kernel.
"""

import contextlib
import ctypes
import io
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Any

from bpe_course.exercise import Complaint
from bpe_course.waiting import Waiting

LIMIT = 3.0
"""Seconds of computing after which a call is held to be endless; five times as long where it only waits."""
PATIENCE = 5.0
"""Seconds in which a thread that is told to stop should have stopped."""


class Stopped(SystemExit):
    """Raised inside a reader's function to end it. It must not leave the thread: `threading` would print it."""


@dataclass
class Outcome:
    """How a call ended.

    Attributes:
        kind: "value", "raised", "complaint", "stopped", or "changed" (a right value, but an argument was changed).
        value: what came back; for a complaint, its text; for "changed", which argument.
        error: the exception that was raised.
        printed: what was printed meanwhile.
        returned: what the function returned, where that is worth showing and not the value.
    """

    kind: str
    value: Any = None
    error: BaseException | None = None
    printed: str = ""
    returned: tuple = ()


STOPPED = Outcome("stopped")


def attempt(function: Callable[[], Any]) -> Outcome:
    """Call a function and return how it ended; whatever it raises is caught."""
    try:
        return Outcome("value", function())
    except Complaint as complaint:
        return Outcome("complaint", str(complaint), returned=complaint.returned)
    except Stopped:
        return STOPPED
    except BaseException as error:
        return Outcome("raised", error=error)


def run(function: Callable[[], Any], limit: float | None = None) -> Outcome:
    """Call a reader's function and return how it ended, in bounded time.

    Raises:
        KeyboardInterrupt: the reader interrupts, or the function raises it.
    """
    outcomes: list[Outcome] = []
    done, lock = Event(), Lock()

    def work() -> None:
        with contextlib.suppress(Stopped):
            try:
                outcomes.append(attempt(function))
            finally:
                say_done()

    def say_done() -> None:
        while not done.is_set():
            with contextlib.suppress(Stopped), lock:
                done.set()

    thread = Thread(target=work, daemon=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        thread.start()
        try:
            wait_for(done, time_limit() if limit is None else limit)
        finally:
            stop(thread, done, lock)
    outcome = outcomes[0] if outcomes else STOPPED
    if isinstance(outcome.error, KeyboardInterrupt):
        raise outcome.error
    return replace(outcome, printed=printed.getvalue())


def time_limit() -> float:
    """Return the limit in seconds; the environment variable `BPE_TIME_LIMIT` sets another one."""
    return float(os.environ.get("BPE_TIME_LIMIT") or LIMIT)


def wait_for(done: Event, limit: float) -> None:
    """Wait until a thread is done or has used up its time, counted in computing so that a busy machine does no harm.

    An event tells when, not `Thread.join`: in Python 3.11 an interrupted `join` believes that the thread has ended.
    """
    computing, start = time.process_time(), time.monotonic()
    waiting = Waiting("Your function is still running. It is waited for, and stopped if it doesn't end.")
    try:
        while not done.wait(0.05):
            waiting.tick()
            if time.process_time() - computing > limit or time.monotonic() - start > 5 * limit:
                return
    finally:
        waiting.end()


def stop(thread: Thread, done: Event, lock: Lock) -> None:
    """Raise `Stopped` in a thread until it ends; a bare `except:` may swallow some, but not all.

    The thread says that it is done under the lock, so none comes after that, when nothing would catch it.
    """
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    deadline = time.monotonic() + PATIENCE
    while not done.is_set() and time.monotonic() < deadline:
        with lock:
            if not done.is_set() and not raise_in(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Stopped)):
                return
        done.wait(0.05)
    if done.is_set():
        thread.join(1)
