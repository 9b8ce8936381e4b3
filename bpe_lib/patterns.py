r"""The pre-tokenization patterns that have a name and, for each, where text may be cut: one rule, for all that cut.

Text may be cut where a pre-token always ends, whatever stands around. GPT-2's pattern ends one in three cases:

* after a letter comes anything but a letter, or after a digit anything but a digit;
* after a mark (anything else but whitespace) comes a digit or, unless that mark is an apostrophe, a letter;
* after anything but whitespace comes whitespace. This is *the seam*.

Nothing to the right of such a place can change what is matched on its left: the pattern looks ahead only from
whitespace (`\s+(?!\S)`), and no cut is behind whitespace. Chunks of a file, parts of a stream and the pieces that are
counted before the pattern sees them are all cut by the same rule.

A rule belongs to one pattern. In `cl100k_base`, say, `!\n` is one pre-token, which GPT-2's would cut in two. A pattern
without a rule is cut nowhere but at special tokens.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby

import numpy as np
import regex

from bpe_lib.pretokenization import GPT2_PATTERN, WHITESPACE, compile_pattern

CL100K_PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)
"""GPT-4's, as tiktoken spells it."""

O200K_PATTERN = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+""",
    ]
)
"""GPT-4o's, as tiktoken spells it."""

LLAMA3_PATTERN = (
    r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"""
    r"""|\s*[\r\n]+|\s+(?!\S)|\s+"""
)
"""Llama 3's, as its `tokenizer.json` spells it."""

QWEN2_PATTERN = LLAMA3_PATTERN.replace(r"\p{N}{1,3}", r"\p{N}")
"""Qwen 2's, as its `tokenizer.json` spells it: each digit is a pre-token of its own."""

PATTERNS = {
    "gpt2": GPT2_PATTERN,
    "cl100k_base": CL100K_PATTERN,
    "o200k_base": O200K_PATTERN,
    "llama3": LLAMA3_PATTERN,
    "qwen2": QWEN2_PATTERN,
}
"""Patterns by the names of tiktoken's encodings, or of the models that brought them."""

OTHER_SPELLINGS = {
    r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""": GPT2_PATTERN,
    r"""'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""": GPT2_PATTERN,
    r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s""": GPT2_PATTERN,
}
"""Patterns that cut every text as one with a name does, and that one."""

EDGE = b"\xff"
"""A byte that UTF-8 never uses. `CutRule.cut_places` cuts on both sides of it; it may stand for a special token."""

LONGEST_WHITESPACE = max(len(character.encode()) for character in WHITESPACE)
WINDOW = 1 << 12
"""Bytes that are looked at together in search of a cut."""

WIDE_WHITESPACE = [
    re.compile(re.escape(first) + b"(?:" + b"|".join(re.escape(character[1:]) for character in group) + b")")
    for first, group in groupby(sorted(c.encode() for c in WHITESPACE if ord(c) > 127), key=lambda c: c[:1])
]
"""Whitespace beyond ASCII, a pattern for each first byte: four searches for one byte are quicker than one for four."""

ASCII_RANGES = {"L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "Lt": "", "Lm": "", "Lo": "", "M": "", "N": "0-9"}
"""The ASCII characters of Unicode's categories that patterns name, as they stand in a class."""


@dataclass(frozen=True)
class CutRule:
    """Where text may be cut under a pattern.

    Attributes:
        pattern: the pattern.
        kinds: for each kind of character a letter, and the characters as a class of the package `regex`. Each character
            is of one kind, and `S` is whitespace.
        beyond: the kinds that a character beyond ASCII can be of, whitespace apart.
        cuts: the kinds on both sides of a cut, before and after, such as `LN` for a digit after a letter.
    """

    pattern: str
    kinds: Mapping[str, str]
    beyond: str
    cuts: str

    @cached_property
    def byte_kinds(self) -> bytes:
        """The number of each byte's kind; bytes of characters beyond ASCII have one kind in common, and `EDGE` one."""
        classes = [regex.compile(characters) for characters in self.kinds.values()]
        ascii_kinds = [next(i for i, kind in enumerate(classes) if kind.fullmatch(chr(byte))) for byte in range(128)]
        return bytes([*ascii_kinds, *[len(classes)] * 127, len(classes) + 1])

    @cached_property
    def is_cut(self) -> bytes:
        """For each two numbers of kinds, 16 times the first plus the second: whether text is cut between them."""
        cuts = set(self.cuts.split())
        names = [*self.kinds, self.beyond]
        table = bytearray(256)
        for i, before in enumerate(names):
            for j, after in enumerate(names):
                table[i << 4 | j] = all(a + b in cuts for a in before for b in after)
            table[i << 4 | len(names)] = table[len(names) << 4 | i] = True
        table[len(names) << 4 | len(names)] = True
        return bytes(table)

    def cut_places(self, data: bytes) -> np.ndarray:
        """Return the offsets inside `data` (UTF-8, perhaps with `EDGE`) at which it may be cut, in ascending order.

        >>> GPT2_CUTS.cut_places(b"it's  7:30").tolist()
        [2, 4, 7, 8]
        """
        kinds = bytearray(data.translate(self.byte_kinds))
        if not data.isascii():
            space = bytes([list(self.kinds).index("S")])
            for match in chain.from_iterable(pattern.finditer(data) for pattern in WIDE_WHITESPACE):
                kinds[match.start() : match.end()] = space * len(match[0])
        kind = np.frombuffer(kinds, np.uint8)
        pairs_of_kinds = (kind[:-1] << 4 | kind[1:]).tobytes()
        return np.flatnonzero(np.frombuffer(pairs_of_kinds.translate(self.is_cut), bool)) + 1

    def first_cut(self, data: bytes, start: int) -> int | None:
        """Return the least offset from `start` on, and above 0, at which `data` may be cut; None if there is none.

        >>> GPT2_CUTS.first_cut(b"it's  7:30", 5), GPT2_CUTS.first_cut(b"it's", 3)
        (7, None)
        """
        while start < len(data):
            base = max(start - LONGEST_WHITESPACE, 0)
            places = base + self.cut_places(data[base : start + WINDOW + LONGEST_WHITESPACE])
            found = places[(places >= start) & (places < start + WINDOW)]
            if len(found):
                return int(found[0])
            start += WINDOW
        return None

    @cached_property
    def last_cut(self) -> regex.Pattern[str]:
        """Finds the last place in a text where it may be cut."""
        after: dict[str, str] = {}
        for pair in self.cuts.split():
            after[pair[0]] = after.get(pair[0], "") + self.kinds[pair[1]]
        places = [f"(?<={self.kinds[before]})(?=[{kinds}])" for before, kinds in after.items()]
        return regex.compile("(?rV1)" + "|".join(places))

    @cached_property
    def in_ascii(self) -> re.Pattern[bytes]:
        """The pattern for pieces in ASCII, as Python's own `re` reads it: it is quicker, and knows no `\\p{L}`."""

        def spell(match: re.Match[str]) -> str:
            ranges = re.sub(r"\\p\{(\w+)\}", lambda name: ASCII_RANGES[name[1]], match[0])
            return ranges if match[0].startswith("[") else f"[{ranges}]"

        return re.compile(re.sub(r"\[(?:\\.|[^\]\\])*\]|\\p\{\w+\}", spell, self.pattern).encode())

    def pretokens(self, piece: bytes) -> list[bytes]:
        """Return the pre-tokens of a piece of text that was cut by this rule.

        >>> GPT2_CUTS.pretokens(b" tokenizer"), GPT2_CUTS.pretokens(b"it'")
        ([b' tokenizer'], [b'it', b"'"])
        """
        if piece.isascii():
            return self.in_ascii.findall(piece)
        return [pretoken.encode() for pretoken in compile_pattern(self.pattern).findall(piece.decode())]


GPT2_CUTS = CutRule(
    pattern=GPT2_PATTERN,
    kinds={"L": r"\p{L}", "N": r"\p{N}", "'": "'", "M": r"[^\s\p{L}\p{N}']", "S": r"\s"},
    beyond="LNM",
    cuts="LN LM L' LS  NL NM N' NS  ML MN MS  'N 'S",
)

CL100K_CUTS = CutRule(
    pattern=CL100K_PATTERN,
    kinds={"L": r"\p{L}", "N": r"\p{N}", "'": "'", "M": r"[^\s\p{L}\p{N}']", "R": r"[\r\n]", "S": r"[^\S\r\n]"},
    beyond="LNM",
    cuts="LN LM L' LS LR  NL NM N' NS NR  MN MS  'N 'S  RL RN RM R'",
)
"""A mark may belong to the word or the newlines behind it, so there is no cut between; nor in front of spaces."""

O200K_CUTS = CutRule(
    pattern=O200K_PATTERN,
    kinds={
        "U": r"[\p{Lu}\p{Lt}]", "L": r"\p{Ll}", "O": r"[\p{Lm}\p{Lo}]", "C": r"\p{M}", "N": r"\p{N}",
        "'": "'", "/": "/", "M": r"[^\s\p{L}\p{N}\p{M}'/]", "R": r"[\r\n]", "S": r"[^\S\r\n]",
    },
    beyond="ULOCNM",
    cuts="UN UM U/ US UR  LU LN LM L/ LS LR  ON OM O/ OS OR  CN CS  NU NL NO NC NM N' N/ NS NR  "
    "MN MS  'N 'S  /N /S  RU RL RO RC RN RM R'",
)  # fmt: skip
"""A word takes a contraction along and ends before a capital; newlines behind a mark may go on with slashes."""

CUT_RULES = {
    rule.pattern: rule
    for rule in [
        GPT2_CUTS,
        CL100K_CUTS,
        O200K_CUTS,
        replace(CL100K_CUTS, pattern=LLAMA3_PATTERN),
        replace(CL100K_CUTS, pattern=QWEN2_PATTERN),
    ]
}
"""The rules that are proven (see `tests/library/test_patterns.py`), by their patterns."""


def usual_spelling(pattern: str) -> str:
    """Return a pattern as it is spelled here, if another spelling is known that cuts every text alike; else as it is.

    >>> all(usual_spelling(other) == GPT2_PATTERN for other in OTHER_SPELLINGS), usual_spelling("[a-z]+|[^a-z]+")
    (True, '[a-z]+|[^a-z]+')
    """
    return OTHER_SPELLINGS.get(pattern, pattern)


def cut_rule(pattern: str) -> CutRule | None:
    """Return where text may be cut under a pattern, however it is spelled; None if nothing is known of it.

    >>> cut_rule(GPT2_PATTERN) is GPT2_CUTS, cut_rule(r"\\w+|\\W+")
    (True, None)
    """
    return CUT_RULES.get(usual_spelling(pattern))
