"""Cutting a stream: `encode` needs the whole text, and what comes out here can be encoded part by part."""

import re
from collections.abc import Iterable, Iterator, Sequence

from bpe_lib.patterns import cut_rule
from bpe_lib.pretokenization import GPT2_PATTERN, special_token_pattern

BLOCK = 1 << 12
"""Characters that are looked at together."""


def cut_stream(chunks: Iterable[str], special_tokens: Sequence[str], pattern: str = GPT2_PATTERN) -> Iterator[str]:
    """Yield the same text in parts that can be encoded one by one.

    Args:
        chunks: any text, cut anywhere.
        special_tokens: strings that are never cut, and before which the text always may be.
        pattern: says where else the text may be cut.

    >>> list(cut_stream(["I'l", "l be ba", "ck.  Soon"], []))
    ['I', "'ll be", ' back.', '  Soon']
    """
    held, enough = "", 0
    for block in small_blocks(chunks):
        held += block
        if len(held) < enough:
            continue
        cut = last_cut(held, special_tokens, pattern)
        if cut:
            yield held[:cut]
            held = held[cut:]
        enough = 0 if cut else 2 * len(held)
    if held:
        yield held


def small_blocks(chunks: Iterable[str]) -> Iterator[str]:
    """Yield the same text in blocks of up to `BLOCK` characters."""
    for chunk in chunks:
        for start in range(0, len(chunk), BLOCK):
            yield chunk[start : start + BLOCK]


def last_cut(text: str, special_tokens: Sequence[str], pattern: str = GPT2_PATTERN) -> int:
    """Return the last offset at which the text may be cut whatever follows it, or 0.

    Before such an offset, nothing can grow into a special token; at it, no special token is cut. The text begins where
    the one before was cut, so special tokens are found from left to right as in the whole text.

    >>> last_cut("see <e>the <", ["<e>", "<end>"])
    7
    """
    limit = len(text) - max([1, *(len(token) - 1 for token in special_tokens)])
    special = re.finditer(special_token_pattern(special_tokens), text) if special_tokens else ()
    spans = [match.span() for match in special if match.start() <= limit]
    last_span_start = spans[-1][0] if spans else 0
    rule = cut_rule(pattern)
    seam = rule.last_cut.search(text, 0, limit + 1) if rule and limit > 0 else None
    if seam and not any(start < seam.start() < end for start, end in spans):
        return max(seam.start(), last_span_start)
    return last_span_start
