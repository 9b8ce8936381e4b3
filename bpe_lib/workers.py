"""Worker processes that end when the work does, however it ends."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from operator import index
from typing import Any

MOST_PROCESSES = 61
"""Windows can wait for no more than this many at once."""

WORKER_DIED = (
    "a worker process died, perhaps for want of memory: try fewer num_processes, or 1 to work in this process alone. "
    'In a script, call this below `if __name__ == "__main__":`'
)


def check_workers(num_processes: int | None) -> int:
    """Return how many processes to use: `num_processes`, or one for each core.

    Raises:
        ValueError: fewer than one.
    """
    if num_processes is None:
        usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(usable, MOST_PROCESSES)
    if index(num_processes) < 1:
        raise ValueError(f"num_processes is {num_processes}: give 1 or more, or None for one per core")
    return min(num_processes, MOST_PROCESSES)


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
        terminate(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def terminate(pool: ProcessPoolExecutor) -> None:
    """End the workers in the midst of what they do.

    One may be half through sending its result. The pool's thread, which reads it, would wait for the other half for
    ever, unless nobody holds the writing end of the pipe any more: so this process gives up its own.
    """
    if pool._result_queue is not None:  # None once the pool has shut down
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
    for process in list((pool._processes or {}).values()):
        process.terminate()


def start_worker(prepare: Callable[..., None] | None, *args: Any) -> None:
    """Leave interrupts to the process that started this one, which knows what to do, and end when it has ended."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if prepare:
        prepare(*args)


def end_with_parent() -> None:
    """Wait until the process that started this one has ended, killed perhaps, and end this one then."""
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)
