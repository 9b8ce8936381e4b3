"""Making a failing case smaller: drop parts of the arguments as long as it goes on failing."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from bpe_course.exercise import Args
from bpe_course.work import Many

TRIES = 300
SECONDS = 1.0
TOO_LARGE = 10**6


def size(args: Args) -> int:
    """Return how much there is to read in a case; what is too large to be written out counts as very much."""
    return len(repr(args)) + sum(TOO_LARGE for arg in args if isinstance(arg, Many))


def shrink(args: Args, fails: Callable[[Args], bool]) -> Args:
    """Return a case on which `fails` holds, as small as a few hundred tries can make it."""
    tries, deadline = TRIES, time.monotonic() + SECONDS
    smaller: Args | None = args
    while smaller is not None:
        args, smaller = smaller, None
        for candidate in smaller_cases(args):
            if tries == 0 or time.monotonic() > deadline:
                return args
            tries -= 1
            if fails(candidate):
                smaller = candidate
                break
    return args


def smaller_cases(args: Args) -> Iterator[Args]:
    """Yield cases in which one argument is smaller, those that drop most first."""
    for i, arg in enumerate(args):
        for smaller in smaller_values(arg):
            yield (*args[:i], smaller, *args[i + 1 :])


def smaller_values(value: Any) -> Iterator[Any]:
    """Yield values of the same type with less in them.

    >>> list(smaller_values("abc"))
    ['bc', 'ac', 'ab']
    """
    if hasattr(value, "smaller"):
        yield from value.smaller()
    elif isinstance(value, dict):
        items = list(value.items())
        yield from (dict(fewer) for fewer in fewer_items(items))
        yield from ({**value, key: less} for key, item in items for less in smaller_values(item))
        yield from smaller_keys(items)
    elif isinstance(value, (list, tuple)):
        yield from map(type(value), fewer_items(list(value)))
        for i, item in enumerate(value):
            yield from (type(value)([*value[:i], less, *value[i + 1 :]]) for less in smaller_values(item))
    elif isinstance(value, (str, bytes)):
        yield from fewer_items(value)
    elif type(value) is int and value > 1:
        yield from {1: None, value // 2: None, value - 1: None}


def smaller_keys(items: list[tuple[Any, Any]]) -> Iterator[dict]:
    """Yield dicts in which one key that is a tuple is shorter, where that makes no two keys equal."""
    keys = {key for key, _ in items}
    for i, (key, item) in enumerate(items):
        if isinstance(key, tuple):
            shorter = (fewer for fewer in fewer_items(key) if fewer not in keys)
            yield from (dict([*items[:i], (fewer, item), *items[i + 1 :]]) for fewer in shorter)


def fewer_items(items: Any) -> Iterator[Any]:
    """Yield the sequence with a half, a quarter, … and last one item left out.

    >>> list(fewer_items([1, 2, 3]))
    [[2, 3], [1, 3], [1, 2]]
    """
    step = len(items) // 2
    while step:
        yield from (items[:start] + items[start + step :] for start in range(0, len(items), step))
        step //= 2
    if len(items) == 1:
        yield items[:0]
