"""From text to counted pre-tokens: what training needs to know about a file.

Special tokens are taken out first; GPT-2's pattern cuts what lies between them into *pre-tokens* (roughly: words with
the space before them); each pre-token is counted. No merge ever reaches across the edge of a pre-token.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import prod

import regex

GPT2_PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
"""How GPT-2 cuts text into pre-tokens (Radford et al. 2019); written for the package `regex`, not for `re`."""

WHITESPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""The 25 characters that `\\s` matches in the package `regex`. (In `re` it matches U+001C to U+001F too.)"""

Word = tuple[bytes, ...]
"""A pre-token as the tokens it is made of; before the first merge these are single bytes."""


def list_special_tokens(special_tokens: Iterable[str]) -> list[str]:
    """Return the special tokens as a list, after making sure that they are non-empty strings.

    Raises:
        TypeError: for a single string, a set (which has no order), or a token that is not a `str`.
        ValueError: for an empty token.
    """
    if isinstance(special_tokens, (str, bytes)):
        raise TypeError(f"special_tokens is a list of strings, such as [{special_tokens!r}], not one string")
    if isinstance(special_tokens, (set, frozenset)):
        raise TypeError("special_tokens is a set, which has no order, and ids follow the order: give a list")
    tokens = list(special_tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"a special token is a str, and {token!r} is a {type(token).__name__}")
        if not token:
            raise ValueError("a special token is empty: give each at least one character, or leave it out")
    return tokens


def check_special_tokens(special_tokens: Iterable[str]) -> list[str]:
    """Return the special tokens as a list, after making sure that they are non-empty strings and none comes twice.

    Raises:
        TypeError: as `list_special_tokens` does.
        ValueError: for an empty or a repeated token.
    """
    tokens = list_special_tokens(special_tokens)
    repeated = [token for token, times in Counter(tokens).items() if times > 1]
    if repeated:
        raise ValueError(f"special token {repeated[0]!r} is given more than once: give each once")
    return tokens


def special_token_pattern(special_tokens: Sequence[str]) -> str:
    """Return a pattern that matches any of the special tokens, literally and the longest first.

    >>> special_token_pattern(["<e>", "<e>x<e>"])
    '<e>x<e>|<e>'
    """
    longest_first = sorted(special_tokens, key=lambda token: len(token.encode()), reverse=True)
    return "|".join(map(re.escape, longest_first))


def split_on_special_tokens(text: str, special_tokens: Sequence[str]) -> list[str]:
    """Return the stretches of text between special tokens, in order, the special tokens left out.

    Where two special tokens could match, the longer one does. Without special tokens the text comes back whole.

    Raises:
        ValueError: a special token is empty or repeated.

    >>> split_on_special_tokens("one<|endoftext|>two", ["<|endoftext|>"])
    ['one', 'two']
    >>> split_on_special_tokens("a|b", [])
    ['a|b']
    """
    special_tokens = check_special_tokens(special_tokens)
    if not special_tokens:
        return [text]
    return re.split(special_token_pattern(special_tokens), text)


MOST_REPEATS = 10_000
"""How often the counted repeats of a pattern, such as `{1,3}`, may add up to; `regex` takes memory for each."""


def check_repeats(pattern: str) -> None:
    r"""Raise a ValueError if a pattern's counted repeats, multiplied, are more than any pattern in use needs.

    >>> check_repeats(r"\p{N}{1,3}")
    """
    counts = re.findall(r"\{(\d*),?(\d*)\}", pattern)
    repeats = prod(max(int(number or 1) for number in numbers) or 1 for numbers in counts)
    if repeats > MOST_REPEATS:
        limit = f"its numbers in braces must not multiply to more than {MOST_REPEATS:,}"
        times = f"{repeats:,} times, for which `regex` may take all memory"
        raise ValueError(f"the pattern repeats a part up to {times}: {limit}")


@lru_cache(maxsize=32)
def compile_pattern(pattern: str) -> regex.Pattern:
    """Return the compiled pre-tokenization pattern.

    Raises:
        ValueError: the package `regex` can't read the pattern, or would take too much memory for it.
    """
    check_repeats(pattern)
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise ValueError(f"the package `regex` can't read the pattern {pattern!r}: {error}") from error


def iterate_pretokens(text: str, pattern: str = GPT2_PATTERN) -> Iterator[str]:
    """Yield the pre-tokens of a text one by one, so that a long text is never held as a list; see `pretokenize`."""
    end = 0
    for match in compile_pattern(pattern).finditer(text):
        start, stop = match.span()
        if start != end:
            break
        if stop > start:
            yield match[0]
        end = stop
    if end != len(text):
        raise ValueError(
            f"the pattern {pattern!r} does not match {text[end : end + 20]!r} at character {end}, and text must not "
            r"be lost: add an alternative that matches anything else, such as |\s+|\S"
        )


def pretokenize(text: str, pattern: str = GPT2_PATTERN) -> list[str]:
    """Return the pre-tokens of a text that holds no special tokens; joined, they are the text again.

    Args:
        text: any text.
        pattern: a pattern of the package `regex` whose matches cover every text.

    Raises:
        ValueError: the pattern is invalid, or leaves a part of the text unmatched.

    >>> pretokenize("some text that i'll pre-tokenize")
    ['some', ' text', ' that', ' i', "'ll", ' pre', '-', 'tokenize']
    >>> pretokenize("a   b")
    ['a', '  ', ' b']
    """
    compiled = compile_pattern(pattern)
    if not compiled.groups:  # findall returns groups instead of matches where there are any
        pretokens = compiled.findall(text)
        if sum(map(len, pretokens)) == len(text):
            return list(filter(None, pretokens))
    return list(iterate_pretokens(text, pattern))


def count_pretokens(text: str, special_tokens: Sequence[str] = (), pattern: str = GPT2_PATTERN) -> dict[Word, int]:
    """Return how often each pre-token occurs, as a tuple of its single bytes.

    This is all that training needs to know of a text. Special tokens are split off first and not counted.

    Raises:
        ValueError: a special token is empty or repeated, or the pattern does not fit (see `pretokenize`).

    >>> count_pretokens("hi hi<|end|>hi", ["<|end|>"])
    {(b'h', b'i'): 2, (b' ', b'h', b'i'): 1}
    """
    counts: Counter[str] = Counter()
    for stretch in split_on_special_tokens(text, special_tokens):
        counts.update(iterate_pretokens(stretch, pattern))
    return {single_bytes(pretoken.encode()): count for pretoken, count in counts.items()}


def single_bytes(data: bytes) -> Word:
    """Return `data` as a tuple of single bytes.

    >>> single_bytes("é".encode())
    (b'\\xc3', b'\\xa9')
    """
    return tuple(data[i : i + 1] for i in range(len(data)))
