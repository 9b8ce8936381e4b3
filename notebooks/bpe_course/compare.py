"""Comparing by content, and saying where two results differ."""

import math
from collections.abc import Iterable, Iterator, Mapping
from numbers import Number
from typing import Any

MISSING = object()
LONG = 300
"""Characters up to which a value is shown whole."""


def plain(value: Any) -> Any:
    """Return the value in plain types: tuples for sequences, dict for mappings; whatever else, as it is.

    >>> plain([1, [b"a"], {"k": [2]}])
    (1, (b'a',), {'k': (2,)})
    """
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if type(value).__name__ == "ndarray":
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        return tuple(plain(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return frozenset(plain(item) for item in value)
    return value


def same(first: Any, second: Any) -> bool:
    """Tell whether two results have the same content: list = tuple, any mapping = dict, floats by closeness.

    >>> same([1, 2.0], (1, 2.0000000001)), same("a", b"a"), same({1: [2]}, {1: (2,)})
    (True, False, True)
    """
    return same_plain(plain(first), plain(second))


def same_plain(first: Any, second: Any) -> bool:
    """Do the work of `same` for values in plain types."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same_plain(first[key], second[key]) for key in first)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(same_plain, first, second))
    if isinstance(first, float) or isinstance(second, float):
        both = isinstance(first, Number) and isinstance(second, Number)
        return both and math.isclose(first, second, rel_tol=1e-6, abs_tol=1e-9)
    if isinstance(first, (str, bytes)) or isinstance(second, (str, bytes)):
        return type(first) is type(second) and first == second
    try:
        return bool(first == second)
    except Exception:
        return False


def difference(expected: Any, got: Any) -> str:
    """Return one sentence on the first place where two results differ.

    >>> difference([b"a", b"b"], [b"a", b"c"])
    "At index 1 you have b'c'; it should be b'b'."
    >>> difference({"k": 2}, {})
    "The key 'k' is missing; it should have the value 2."
    """
    path, expected, got = first_difference(plain(expected), plain(got), "")
    where = f"At {path} you" if path else "You"
    if expected is MISSING:
        return f"{where} have {short(got)}, which should not be there."
    if got is MISSING:
        return f"The result ends too early: at {path} there should be {short(expected)}."
    if isinstance(expected, dict) and isinstance(got, dict):
        return key_difference(expected, got)
    if type(expected) is type(got) and isinstance(expected, (str, bytes)) and len(expected) > 20:
        same_until = next((i for i, (a, b) in enumerate(zip(expected, got)) if a != b), min(len(expected), len(got)))
        return f"{where} have the right {type(expected).__name__} up to index {same_until}, and not from there on."
    return f"{where} have {short(got)}; it should be {short(expected)}."


def key_difference(expected: dict, got: dict) -> str:
    """Return one sentence on a key that only one of two dicts has."""
    for key in expected:
        if key not in got:
            return f"The key {short(key)} is missing; it should have the value {short(expected[key])}."
    key = min((key for key in got if key not in expected), key=repr)
    return f"The key {short(key)} should not be there; you give it the value {short(got[key])}."


def first_difference(expected: Any, got: Any, path: str) -> tuple[str, Any, Any]:
    """Return the place of the first difference and what stands there in each, `MISSING` where one ends."""
    if isinstance(expected, tuple) and isinstance(got, tuple):
        for i in range(max(len(expected), len(got))):
            there = f"{path}, index {i}" if path else f"index {i}"
            if i >= len(got) or i >= len(expected):
                return there, *(item[i] if i < len(item) else MISSING for item in (expected, got))
            if not same_plain(expected[i], got[i]):
                return first_difference(expected[i], got[i], there)
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        for key in expected:
            if not same_plain(expected[key], got[key]):
                return first_difference(expected[key], got[key], f"{path}, key {key!r}" if path else f"key {key!r}")
    return path, expected, got


def wrong_type(expected: Any, got: Any) -> str:
    """Return a sentence if the result has a type that would break what comes later, else an empty string.

    >>> wrong_type([b"a"], ["a"])
    "You return a str, 'a', where bytes belong: the two never compare equal. Encode it, or keep the bytes."
    """
    if got is None and expected is not None:
        return "Your function returns None. Does every way through it end in a return statement?"
    kinds = {str: "a str", bytes: "bytes"}
    if {type(expected), type(got)} == set(kinds):
        remedy = "Encode it, or keep the bytes" if isinstance(got, str) else "Decode it, or keep the text"
        belongs = "bytes belong" if isinstance(got, str) else "a str belongs"
        return f"You return {kinds[type(got)]}, {short(got)}, where {belongs}: the two never compare equal. {remedy}."
    if isinstance(expected, (list, tuple)):
        return wrong_type_for_list(expected, got)
    if isinstance(expected, Mapping):
        return wrong_type_for_dict(expected, got)
    if isinstance(expected, (set, frozenset)) and not isinstance(got, (set, frozenset)):
        return f"You return {a(type(got).__name__)}; the exercise asks for a set."
    if isinstance(got, bytearray) and isinstance(expected, bytes):
        return "You return a bytearray, which can't be a key of a dict. Turn it into bytes."
    return ""


def wrong_type_for_list(expected: Any, got: Any) -> str:
    """Do the work of `wrong_type` where a sequence is expected."""
    if isinstance(got, Iterator):
        kind = type(expected).__name__
        return (
            f"You return {a(type(got).__name__)}, which can be read only once and has no length. "
            f"The exercise asks for {a(kind)}: build it with {kind}(…)."
        )
    if not isinstance(plain(got), tuple):
        return f"You return {a(type(got).__name__)}; the exercise asks for {a(type(expected).__name__)}."
    return next(filter(None, (wrong_type(right, mine) for right, mine in zip(expected, got))), "")


def wrong_type_for_dict(expected: Mapping, got: Any) -> str:
    """Do the work of `wrong_type` where a mapping is expected."""
    if not isinstance(got, Mapping):
        return f"You return {a(type(got).__name__)}; the exercise asks for a dict."
    if not expected or not got:
        return ""
    keys = wrong_type(next(iter(expected)), next(iter(got)))
    return keys or wrong_type(next(iter(expected.values())), next(iter(got.values())))


def a(noun: str) -> str:
    """Return the noun with its article.

    >>> a("int"), a("dict_keys"), a("bytes")
    ('an int', 'a dict_keys', 'bytes')
    """
    if noun == "bytes":
        return noun
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def stable(value: Any) -> str:
    """Return the repr of a value, with sets and dicts in sorted order, so that it is the same every time.

    >>> stable({"b": {2, 1}, "a": []})
    "{'a': [], 'b': {1, 2}}"
    """
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{stable(key)}: {stable(value[key])}' for key in in_order(value))}}}"
    if isinstance(value, (set, frozenset)) and value:
        return f"{{{', '.join(map(stable, in_order(value)))}}}"
    if type(value) is list:
        return f"[{', '.join(map(stable, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(stable, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def in_order(keys: Iterable) -> list:
    """Return keys sorted, numbers as numbers; keys that don't compare, by their repr.

    >>> in_order({10: "a", 9: "b"}), in_order(["b", 1])
    ([9, 10], ['b', 1])
    """
    try:
        return sorted(keys)
    except Exception:
        return sorted(keys, key=stable)


def differing_rows(expected: Any, got: Any, most: int = 6) -> str:
    """Return the entries in which two dicts differ, one a line, if they are too long to be shown whole.

    >>> print(differing_rows(dict(enumerate("a" * 99 + "b")), dict(enumerate("a" * 99 + "c"))))
    99: you 'c', right 'b'
    """
    expected, got = plain(expected), plain(got)
    if not isinstance(expected, dict) or not isinstance(got, dict):
        return ""
    if max(len(short(expected)), len(short(got))) > LONG:
        keys = in_order(expected.keys() | got.keys())
        pairs = ((key, expected.get(key, MISSING), got.get(key, MISSING)) for key in keys)
        rows = [
            f"{short(key, 60)}: you {entry(mine)}, right {entry(right)}"
            for key, right, mine in pairs
            if not same_plain(right, mine)
        ]
        more = [f"… and {len(rows) - most} more"] if len(rows) > most else []
        return "\n".join([*rows[:most], *more])
    return ""


def entry(value: Any) -> str:
    """Return how a value of a dict is shown, also where there is none."""
    return "nothing" if value is MISSING else short(value, 60)


def short(value: Any, limit: int = LONG) -> str:
    """Return the repr of a value, its middle left out where it is long."""
    try:
        text = stable(value)
    except Exception as error:
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    if isinstance(value, Iterator) and " at 0x" in text:
        return f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[: limit * 2 // 3]} … {text[-limit // 3 :]}"
