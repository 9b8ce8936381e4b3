"""Worker processes that end when the work does, however it ends."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any


@contextmanager
def own_workers(count: int, prepare: Callable[..., None] | None = None, *args: Any) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes; they end with the block, at once if it is left by an error or an interrupt.

    Args:
        count: how many processes at the most.
        prepare: called in each process before its first task, with `args`.
    """
    pool = ProcessPoolExecutor(count, initializer=start_worker, initargs=(prepare, *args))
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):  # from Python 3.14 on: pool.terminate_workers()
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def start_worker(prepare: Callable[..., None] | None, *args: Any) -> None:
    """Leave interrupts to the process that started this one: it knows what to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if prepare:
        prepare(*args)
