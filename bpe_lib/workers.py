"""Worker processes that end when the work does, however it ends."""

import math
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import connection, parent_process
from operator import index
from pathlib import Path
from typing import Any

MOST_PROCESSES = 61
"""Windows can wait for no more than this many at once."""

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
WORKER_DIED = (
    "a worker process died, perhaps for want of memory: try fewer num_processes, or 1 to work in this process alone. "
    'In a script, call this below `if __name__ == "__main__":`'
)


def check_workers(num_processes: int | None) -> int:
    """Return how many processes to use: `num_processes`, or one for each core.

    Raises:
        ValueError: fewer than one.
    """
    if num_processes is not None and index(num_processes) < 1:
        raise ValueError(f"num_processes is {num_processes}: give 1 or more, or None for one per core")
    return min(num_processes or usable_cores(), MOST_PROCESSES)


def usable_cores(groups: str = "/proc/self/cgroup", mount: str = "/sys/fs/cgroup") -> int:
    """Return how many cores this process may keep busy: those it may run on, or as many as its container's quota pays.

    In the file `groups` Linux names the control groups of this process, in the folder `mount` it keeps their limits.
    """
    cores = getattr(os, "process_cpu_count", os.cpu_count)() or 1  # from Python 3.13 on
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    quotas = [math.inf]
    with suppress(OSError):
        for line in Path(groups).read_text("utf-8").splitlines():
            _, controllers, group = line.split(":", 2)  # version 2 names no controllers
            if not controllers or "cpu" in controllers.split(","):
                own = Path(mount, "cpu" if controllers else "", group.lstrip("/"))
                quotas += map(quota, (own, *own.parents))  # what holds for a group holds for those in it
    return math.ceil(min(cores, *quotas))


def quota(group: Path) -> float:
    """Return how many cores' time a control group may use, as its files of version 2 or 1 say, or infinity."""
    with suppress(OSError, ValueError):
        most, period = map(int, (group / "cpu.max").read_bytes().split())  # "max" is no number
        return most / period
    with suppress(OSError, ValueError):
        most, period = (int((group / f"cpu.cfs_{name}_us").read_bytes()) for name in ("quota", "period"))
        return most / period if most > 0 else math.inf
    return math.inf


@contextmanager
def own_workers(count: int, prepare: Callable[..., None] | None = None, *args: Any) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes; they end with the block, at once if it is left by an error or an interrupt.

    Args:
        count: how many processes at the most.
        prepare: called in each process before its first task, with `args`.
    """
    with interrupts_held():
        pool = Workers(count, initializer=start_worker, initargs=(prepare, *args))
    try:
        yield pool
    except BaseException:
        terminate(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class Workers(ProcessPoolExecutor):
    """Starts its processes undisturbed: an interrupt waits until they are there to be ended, and never reaches them."""

    def submit(self, *args: Any, **options: Any) -> Future:
        """Hand out a task, which may start a process."""
        with interrupts_held():
            return super().submit(*args, **options)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Keep interrupts until the end of the block, in the main thread, which gets them.

    What is started meanwhile, `forkserver`'s server included, is deaf to Ctrl-C for good where the system allows it.
    """
    came: list[int] = []
    held = INTERRUPTS if threading.current_thread() is threading.main_thread() else ()
    before = {each: signal.signal(each, lambda each, _: came.append(each)) for each in held}
    if has_mask := hasattr(signal, "pthread_sigmask"):  # for the children; numpy's threads would still get the signal
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        if has_mask:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)
        if came:
            signal.raise_signal(came[0])


def terminate(pool: ProcessPoolExecutor) -> None:
    """End the workers in the midst of what they do.

    One may be half through sending its result. The pool's thread, which reads it, would wait for the other half for
    ever, unless nobody holds the writing end of the pipe any more: so this process gives up its own.
    """
    if pool._result_queue is not None:  # None once the pool has shut down
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
    for process in list((pool._processes or {}).values()):
        process.kill()


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
