"""Patterns that cut text into pre-tokens, and short names for their branches."""

import re
import warnings

import regex

from bpe_course.exercises.nb03_pretokenization_regex import MISPRINT
from bpe_lib.patterns import CL100K_PATTERN, O200K_PATTERN
from bpe_lib.pretokenization import GPT2_PATTERN

PATTERNS = {
    "GPT-2": GPT2_PATTERN,
    "GPT-2, misprinted": MISPRINT,
    "cl100k_base": CL100K_PATTERN,
    "o200k_base": O200K_PATTERN,
}
"""Patterns by the name under which readers know them; `cl100k_base` is GPT-4's, `o200k_base` GPT-4o's."""

SIGNS = re.compile(r"\\.|\(\?#[^)]*\)|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|.", re.DOTALL)
"""Finds the signs of a pattern; an escaped character, a comment and a class are one each."""
FLAGS = re.compile(r"\(\?[A-Za-z]\w*\)")


def split_branches(pattern: str) -> list[str]:
    """Return the branches of a pattern: what stands between those `|` that are in no brackets.

    >>> split_branches("a(b|c)|[|]")
    ['a(b|c)', '[|]']
    """
    depth, branches = 0, [""]
    for sign in SIGNS.findall(pattern):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            branches.append("")
        else:
            branches[-1] += sign
    return branches


NAMES = {
    r"'(?:[sdmt]|ll|ve|re)": "ending",
    r"'(?i:[sdmt]|ll|ve|re)": "ending",
    r"(?:[sdmt]|ll|ve|re)": "bare ending",
    r"\p{L}+": "letters",
    r" ?\p{L}+": "letters",
    r"[^\r\n\p{L}\p{N}]?+\p{L}++": "letters",
    **dict(zip(split_branches(O200K_PATTERN), ("word", "capitals"))),
    r"\p{N}+": "number",
    r" ?\p{N}+": "number",
    r"\p{N}{1,3}+": "digits",
    r"\p{N}{1,3}": "digits",
    r" ?[^\s\p{L}\p{N}]+": "signs",
    r" ?[^\s\p{L}\p{N}]++[\r\n]*+": "signs",
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*": "signs",
    r"\s*[\r\n]": "to newline",
    r"\s*[\r\n]+": "to newline",
    r"\s++$": "at the end",
    r"\s+(?!\S)": "run",
    r"\s+": "whitespace",
    r"\s": "whitespace",
}
"""Short names of branches."""


def compile_quietly(pattern: str) -> regex.Pattern:
    """Return the compiled pattern, without warnings.

    Raises:
        regex.error: the package `regex` can't read it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return regex.compile(pattern)


def compile_branches(pattern: str) -> list[regex.Pattern | None]:
    """Return each branch, compiled; None for one that makes no sense alone. Flags at the beginning hold for all."""
    first, *others = split_branches(pattern)
    flags = FLAGS.match(first)
    compiled: list[regex.Pattern | None] = []
    for branch in [first, *((flags[0] if flags else "") + other for other in others)]:
        try:
            compiled.append(compile_quietly(branch))
        except regex.error:
            compiled.append(None)
    return compiled
