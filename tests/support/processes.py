"""Processes that a test looks for: which of them are workers."""

import psutil

HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


def workers_of(process: psutil.Process) -> set[psutil.Process]:
    """Return the workers of a process.

    The helpers that `multiprocessing` starts beside them are none: a tracker, and a server that forks workers, which
    look like it to the letter. They end with the process that started them.
    """
    found = set()
    for helper in (process, *filter(is_helper, children(process))):
        found |= {child for child in children(helper) if helper != process or not is_helper(child)}
    return found


def children(process: psutil.Process) -> list[psutil.Process]:
    """Return the processes that a process started, unless it is gone."""
    try:
        return process.children()
    except psutil.NoSuchProcess:
        return []


def is_helper(child: psutil.Process) -> bool:
    """Tell whether a child of a process is one of multiprocessing's helpers."""
    try:
        return any(name in " ".join(child.cmdline()) for name in HELPERS)
    except psutil.NoSuchProcess:
        return False
