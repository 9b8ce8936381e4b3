"""Chunk boundaries: where a file may be cut so that its parts can be counted one by one.

A cut is safe if count(A) + count(B) = count(AB). The start of a special token is such a place. Under a pattern such as
GPT-2's there are more, *the seam* among them: no pre-token of that pattern runs from a non-whitespace character into
whitespace (see `bpe_lib.patterns`).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import regex

from bpe_lib.patterns import EDGE, LONGEST_WHITESPACE, cut_rule
from bpe_lib.pretokenization import GPT2_PATTERN, special_token_pattern

WINDOW = 1 << 16
"""Bytes read at a time in search of a cut."""
MAX_CHUNK = 100_000_000
"""Bytes that are read into memory at once at the most."""


def find_chunk_boundaries(file: BinaryIO, desired_num_chunks: int, split_special_token: bytes) -> list[int]:
    """Return offsets that cut a file into at most `desired_num_chunks` chunks, each inner one at a special token.

    Inner boundaries start out evenly spaced and move to the start of the next special token, or to the end of the
    file. They are sorted and distinct, so there may be fewer chunks than desired. (After Stanford CS336, assignment 1.)

    Args:
        file: a seekable file opened in binary mode; where it stands doesn't matter.
        desired_num_chunks: 1 or more.
        split_special_token: the special token between documents, encoded as UTF-8.

    Raises:
        TypeError: the token is not `bytes`.
        ValueError: the token is empty, or fewer than one chunk is asked for.

    >>> import io
    >>> text = b"I love AI<|endoftext|>Python is great<|endoftext|>"
    >>> find_chunk_boundaries(io.BytesIO(text), 3, b"<|endoftext|>")
    [0, 37, 50]
    """
    if not isinstance(split_special_token, bytes):
        raise TypeError(f"split_special_token is bytes, such as b'<|endoftext|>', not {split_special_token!r}")
    if not split_special_token:
        raise ValueError("split_special_token is empty: give the special token that stands between documents")
    if desired_num_chunks < 1:
        raise ValueError(f"desired_num_chunks is {desired_num_chunks}: ask for 1 chunk or more")
    size = file.seek(0, 2)
    found: list[int] = []
    for i in range(1, desired_num_chunks):
        even = i * (size // desired_num_chunks)
        if found and even <= found[-1]:
            continue  # the token found last is the next one for this boundary, too
        offset = find_token(file, even, split_special_token)
        if offset < 0:
            break
        found.append(offset)
    return sorted({0, size, *found})


def find_token(file: BinaryIO, start: int, token: bytes, window: int = WINDOW) -> int:
    """Return the offset of the first whole `token` that starts at or after `start`, or −1.

    At most `window` bytes are read at a time. The last `len(token) − 1` bytes are kept for the next read, so that a
    token that straddles two reads is found.

    >>> import io
    >>> find_token(io.BytesIO(b"aaaaaa<|e|>bbbbb"), 0, b"<|e|>", window=8)
    6
    """
    file.seek(start)
    kept = b""
    while data := file.read(window):
        kept += data
        position = kept.find(token)
        if position >= 0:
            return start + position
        dropped = max(len(kept) - len(token) + 1, 0)
        kept, start = kept[dropped:], start + dropped
    return -1


def cut_file(
    file: BinaryIO, start: int, end: int, step: int, special_tokens: Sequence[str], pattern: str = GPT2_PATTERN
) -> Iterator[int]:
    """Yield offsets from `start` to `end` that cut the file into chunks of `step` bytes or a little more.

    The counts of the chunks add up to the count of the whole, whatever the special tokens are. Under a pattern without
    a rule of where it may be cut only special tokens are such places, and a chunk may be much longer than `step`.

    Raises:
        ValueError: a stretch of over `MAX_CHUNK` bytes has no place where it could be cut.
    """
    yield start
    while start < end:
        cut = find_cut(file, start + step, end, special_tokens, pattern)
        if cut - start > max(MAX_CHUNK, 2 * step):  # a step may be large itself, in which case it was meant
            raise ValueError(
                f"{getattr(file, 'name', 'the file')}: the {cut - start:,} bytes from offset {start:,} can't be "
                f"cut, and chunks of over {MAX_CHUNK:,} bytes may not fit into memory. Put a special token between "
                "documents and name it in special_tokens, or train on a part of the file"
            )
        yield cut
        start = cut


def find_cut(file: BinaryIO, at: int, end: int, special_tokens: Sequence[str], pattern: str = GPT2_PATTERN) -> int:
    """Return the least offset from `at` on where the file may be cut under a pattern, or `end`."""
    reach = max([LONGEST_WHITESPACE, *(len(token.encode()) for token in special_tokens)])
    while at < end:
        base = max(at - reach, 0)
        file.seek(base)
        window = file.read(at - base + WINDOW + reach)
        cut = first_cut(window, at - base, special_tokens, pattern)
        if cut is not None and base + cut < at + WINDOW:
            return min(base + cut, end)
        at += WINDOW
    return end


def first_cut(window: bytes, start: int, special_tokens: Sequence[str], pattern: str = GPT2_PATTERN) -> int | None:
    """Return the least offset from `start` on where these bytes may be cut, or None.

    An offset inside anything spelled like a special token is never one, even where another special token that
    overlaps it comes first: whether the spelling counts depends on text that may lie before the window.
    """
    spans = special_token_spans(window, special_tokens)
    cuts = [span_start for span_start, _ in spans if span_start >= start][:1]
    rule, text = cut_rule(pattern), window.replace(EDGE, b"\xfe")  # neither is UTF-8, and this one is no edge
    cut = rule.first_cut(text, start) if rule else None
    while rule and cut and (around := next((end for begin, end in spans if begin < cut < end), None)):
        cut = rule.first_cut(text, around)
    return min([*cuts, *([cut] if cut else [])], default=None)


def special_token_spans(text: str | bytes, special_tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and end of each stretch that is covered by special tokens, where overlapping ones are one stretch.

    >>> special_token_spans("a---b--", ["--"])
    [(1, 4), (5, 7)]
    """
    if not special_tokens:
        return []
    pattern = special_token_pattern(special_tokens)
    compiled: Any = regex.compile(pattern if isinstance(text, str) else pattern.encode())
    spans: list[tuple[int, int]] = []
    for match in compiled.finditer(text, overlapped=True):
        start, end = match.span()
        if spans and start < spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans
