"""A reader's guess in its plainest form, so that what is right in substance is right however it is written."""

import ast
import re
from contextlib import suppress
from typing import Any

from bpe_course.compare import plain

YES_OR_NO = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}
QUOTES = "'\"`"


def plain_guess(guess: Any, answer: Any) -> Any:
    """Return a guess in its plainest form: a number, a bool, a text, or a tuple of them, as the answer is one.

    Tuples stand for lists and arrays, and for sets in order; text for bytes; a space for `␣`; an only item for a list
    of one. A text that spells numbers, True or False, or tokens with `·`, `,` or spaces between is read as these.

    >>> plain_guess([b"n", b"a"], (b"x", b"y")), plain_guess("n·a", (b"x", b"y")), plain_guess({3, 1}, [2])
    (('n', 'a'), ('n', 'a'), (1, 3))
    >>> plain_guess("2.1 times", 3), plain_guess("yes", True), plain_guess("0, 37", [1, 2]), plain_guess([9], 4)
    (2.1, True, (0, 37), 9)
    """
    if isinstance(guess, (bytes, bytearray)):
        guess = guess.decode("latin-1")
    found = simple(read_text(guess, answer) if isinstance(guess, str) else guess)
    if isinstance(found, tuple) and holds_numbers(answer):
        found = tuple(int(item) if isinstance(item, str) and item.strip().isdecimal() else item for item in found)
    return found[0] if isinstance(found, tuple) and len(found) == 1 else found


def holds_numbers(answer: Any) -> bool:
    """Tell whether an answer is a list, tuple or set of numbers."""
    return isinstance(answer, (list, tuple, set)) and all(isinstance(item, (int, float)) for item in answer)


def simple(value: Any) -> Any:
    """Return a value as a number, a bool, a text or a tuple of them; whatever else, as it is."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    value = plain(value)
    if isinstance(value, (bytes, bytearray)):
        value = value.decode("latin-1")
    if isinstance(value, str):
        return value.replace("␣", " ")
    if isinstance(value, frozenset):
        value = tuple(sorted(value, key=lambda item: (str(type(item)), item)))
    return tuple(map(simple, value)) if isinstance(value, tuple) else value


def read_text(text: str, answer: Any) -> Any:
    """Return what a text says, as an answer to a question with this answer; the text itself if it says nothing else."""
    if isinstance(answer, bool):
        return YES_OR_NO.get(text.strip(" .!" + QUOTES).casefold(), text)
    if isinstance(answer, str):
        return text.strip(" " + QUOTES) or text
    items = simple(answer)
    numbers = [float(number) if "." in number else int(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]
    if isinstance(items, (int, float)):
        return numbers[0] if len(numbers) == 1 else text
    if not isinstance(items, tuple) or not items:
        return text
    if isinstance(items[0], str):
        return read_tokens(text, items)
    return numbers or text


def read_tokens(text: str, items: tuple[str, ...]) -> Any:
    """Return the tokens that a text spells: as Python writes them, or with signs or spaces between, as in `n·a`.

    >>> read_tokens("t·he", ("x", "y")), read_tokens("[b't', b'he']", ("x", "y")), read_tokens("na", ("x", "y"))
    (['t', 'he'], [b't', b'he'], ['n', 'a'])
    """
    with suppress(SyntaxError, ValueError, TypeError):
        if text.strip().startswith(("(", "[")):
            return list(ast.literal_eval(text.strip()))
    separator = next((sign for sign in "·," if sign in text), "·" if any(" " in item for item in items) else " ")
    parts = text.strip("()[]{}").split(separator)
    if separator != "·":
        parts = [part.strip(" ") for part in parts]
    parts = [part.strip(QUOTES) or part for part in parts if part]
    if len(parts) == 1 and len(parts[0]) == len(items) == 2 and all(len(item) == 1 for item in items):
        return list(parts[0])
    return parts
