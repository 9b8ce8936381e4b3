"""What is right, worked out in the plainest way, and texts to try it on. Nothing here uses `bpe_lib`."""

import os
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import regex
import tiktoken
from hypothesis import strategies as st

REPOSITORY = Path(__file__).resolve().parents[2]
GPT2_FOLDER = REPOSITORY.parent / "shared" / "gpt2"

# Patterns as tiktoken's openai_public.py spells them.
GPT2 = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
CL100K = (
    r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"""
    r"""|\s*[\r\n]+|\s+(?!\S)|\s+"""
)
O200K = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    ]
)
PATTERNS = {"gpt2": GPT2, "cl100k_base": CL100K, "o200k_base": O200K}

REGEX_WHITESPACE = regex.findall(r"\s", "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)])))
"""All characters that the package `regex` holds to be whitespace."""


# --- the oracles ---------------------------------------------------------------------------------------------------


def split_plainly(text: str, special_tokens: list[str]) -> list[tuple[bool, str]]:
    """Walk over the text; at each place take the longest special token that stands there. Flags say which is one."""
    parts, plain, at = [], "", 0
    while at < len(text):
        here = [token for token in special_tokens if text.startswith(token, at)]
        if here:
            token = max(here, key=len)
            parts += [(False, plain), (True, token)]
            plain, at = "", at + len(token)
        else:
            plain, at = plain + text[at], at + 1
    return [*parts, (False, plain)]


def pretokens_of(text: str, special_tokens: list[str] = (), pattern: str = GPT2) -> list[bytes]:
    """All pre-tokens of a text in order, special tokens left out."""
    stretches = [stretch for is_special, stretch in split_plainly(text, special_tokens) if not is_special]
    return [match[0].encode() for stretch in stretches for match in regex.finditer(pattern, stretch)]


def counts_of(text: str, special_tokens: list[str] = (), pattern: str = GPT2) -> Counter[bytes]:
    return Counter(pretokens_of(text, special_tokens, pattern))


def single(data: bytes) -> list[bytes]:
    return [bytes([byte]) for byte in data]


def joined(tokens: list[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    """Replace the pair from left to right."""
    result: list[bytes] = []
    rest = list(tokens)
    while rest:
        if tuple(rest[:2]) == pair:
            result.append(rest.pop(0) + rest.pop(0))
        else:
            result.append(rest.pop(0))
    return result


def brute_force_merges(words: list[list[bytes]], num_merges: int) -> list[tuple[bytes, bytes]]:
    """Learn merges from a list of words in which a word that occurs twice stands twice; recount for every merge."""
    merges = []
    for _ in range(num_merges):
        counts = Counter((word[i], word[i + 1]) for word in words for i in range(len(word) - 1))
        if not counts:
            break
        most = max(counts.values())
        pair = sorted(pair for pair, count in counts.items() if count == most)[-1]
        merges.append(pair)
        words = [joined(word, pair) for word in words]
    return merges


def brute_force_train(text: str, vocab_size: int, special_tokens: list[str], pattern: str = GPT2):
    """Vocabulary and merges of a text, as tokenizer.md defines them."""
    base = single(bytes(range(256))) + [token.encode() for token in special_tokens if len(token.encode()) > 1]
    words = [single(pretoken) for pretoken in pretokens_of(text, special_tokens, pattern)]
    merges = brute_force_merges(words, vocab_size - len(base))
    return dict(enumerate([*base, *(left + right for left, right in merges)])), merges


def brute_force_encode(text: str, vocab, merges, special_tokens: list[str] = (), pattern: str = GPT2) -> list[int]:
    """Ids of a text: the merges are applied one after another, in the order in which they were learned."""
    special_ids = {t: min(i for i, token in vocab.items() if token == t.encode()) for t in special_tokens}
    id_of = {}
    for id_ in sorted(vocab, key=lambda id_: (id_ in special_ids.values(), id_)):
        id_of.setdefault(vocab[id_], id_)
    ids = []
    for is_special, stretch in split_plainly(text, special_tokens):
        if is_special:
            ids.append(special_ids[stretch])
            continue
        for pretoken in pretokens_of(stretch, [], pattern):
            tokens = single(pretoken)
            for pair in merges:
                tokens = joined(tokens, tuple(pair))
            ids += [id_of[token] for token in tokens]
    return ids


def tiktoken_encoding(vocab, special_tokens: list[str] = (), pattern: str = GPT2) -> tiktoken.Encoding:
    """OpenAI's encoder with our own ranks."""
    special = {token: next(i for i, t in vocab.items() if t == token.encode()) for token in special_tokens}
    ranks: dict[bytes, int] = {}
    for id_, token in sorted(vocab.items()):
        if id_ not in special.values():
            ranks.setdefault(token, id_)
    return tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


def environment(**more: str) -> dict[str, str]:
    """Return the environment for a Python that a test starts: with the library of this checkout, and `more`."""
    places = [str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(places), **more}


def run_python(code: str, *args: str, **more: str) -> str:
    """Run code in a Python of its own and return what it prints; a failure shows what it printed to stderr."""
    words = [sys.executable, "-c", code, *map(str, args)]
    done = subprocess.run(words, capture_output=True, env=environment(**more), timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode()


# --- texts to try things on -------------------------------------------------------------------------------------------

NO_WHITESPACE = ["\x1c", "\x1d", "\x1e", "\x1f", "\u200b", "\ufeff", "\u180e"]
"""Characters that others hold to be whitespace: `str.isspace`, `re`, or older editions of Unicode."""
FRAGMENTS = [
    *REGEX_WHITESPACE,
    *NO_WHITESPACE,
    *" \n  '",
    *map(chr, range(9)),
    "\x7f",
    "\x80",
    "\r\n",
    "\n\n",
    "   ",
    *["'s", "'d", "'m", "'t", "'ll", "'ve", "'re", "'S", "'LL", "'l", "'r", "l", "e", "’s"],
    *["the", " the", "abcdefg", "abcdefgh", "abcdefghi", " abcdefg", " abcdefgh", "ñandúes", "aaaa", "ab"],
    *["1", "1234567", "12345678", "123456789", "٣٤", "४५", "²", "½", "Ⅷ", "𝟘", "1a", "a1", "_", "a_b"],
    *["!", "...", "--", "---", "!!!!!!!!", "!!!!!!!!!", "^", "#", "<", ">", "|", "\\", "$5", "=="],
    *["é", "e\u0301", "\u0301", "\u0483", "ß", "İ", "ы", "привет", "γειά", "שלום", "مرحبا", "नमस्ते", "ไทย"],
    *[
        "中",
        "你好世界",
        "こんにちは",
        "한국어",
        "ᄒ",
        "🙃",
        "👩\u200d👩\u200d👧",
        "🇩🇪",
        "\U0010ffff",
        "\U000e0001",
        "\ufffd",
        "𐐀",
    ],
]

SPECIAL_SETS = [
    [],
    ["<|endoftext|>"],
    ["<|endoftext|>", "<|pad|>"],
    ["<e>", "<e>x<e>"],
    ["<e>x<e>", "<e>"],
    ["--"],
    ["--", "---"],
    ["---"],
    ["aba", "ab", "bab"],
    [" "],
    ["\n"],
    ["'"],
    ["#"],
    [" the", "the "],
    ["a b", "b a"],
    ["e\n", "\n\n", "\n<e>"],
    ["'ll", "l"],
    ["é", "né", "\u3000"],
    ["你好", "好世"],
    ["🙃", "\u0301", "\u2028"],
    [".*", "[a-z]", "a|b", "(", "\\"],
    ["12345678", "!!!!!!!!"],
]


def texts(*more: str, max_size: int = 25) -> st.SearchStrategy[str]:
    """Texts of many scripts, with runs, whitespace and control characters of all kinds, and `more` strewn in."""
    fragment = st.sampled_from([*FRAGMENTS, *list(more) * (1 + len(FRAGMENTS) // (3 * max(len(more), 1)))])
    run = st.tuples(fragment, st.integers(2, 10)).map(lambda pair: pair[0] * pair[1])
    part = st.one_of(fragment, fragment, run, st.text(max_size=3))
    return st.lists(part, max_size=max_size).map("".join)


def settled(text: str) -> str:
    """The text without characters of late editions of Unicode, which libraries come to know one after the other."""
    known = set("".join(FRAGMENTS))
    return "".join(c for c in text if c in known or unicodedata.ucd_3_2_0.category(c) != "Cn")


def texts_with_special_tokens(max_size: int = 25) -> st.SearchStrategy[tuple[str, list[str]]]:
    """A text and special tokens of which some, and parts of some, stand in it."""

    def with_text(tokens: list[str]) -> st.SearchStrategy[tuple[str, list[str]]]:
        halves = [half for token in tokens for half in (token[: len(token) // 2], token[len(token) // 2 :])]
        return st.tuples(texts(*tokens, *tokens, *halves, max_size=max_size), st.just(tokens))

    return st.sampled_from(SPECIAL_SETS).flatmap(with_text)


def cuttings(text: str) -> st.SearchStrategy[list[str]]:
    """The text cut into chunks, some of them empty."""
    places = st.lists(st.integers(0, len(text)), max_size=12).map(sorted)
    return places.map(lambda at: [text[a:b] for a, b in zip([0, *at], [*at, len(text)])])


HANDOUT = {b"low": 5, b"lower": 2, b"widest": 3, b"newest": 6}
HANDOUT_MERGES = [
    *[(b"s", b"t"), (b"e", b"st"), (b"o", b"w"), (b"l", b"ow"), (b"w", b"est"), (b"n", b"e"), (b"ne", b"west")],
    *[(b"w", b"i"), (b"wi", b"d"), (b"wid", b"est"), (b"low", b"e"), (b"lowe", b"r")],
]
SEED_DOCUMENTS = [
    "The quick brown fox jumps over the lazy dog.",
    "Python is a great programming language.",
    "Deep learning requires lots of data.",
    "The best test is the best.",
]
SEED_TEXT = "".join(document + "<|endoftext|>" for document in SEED_DOCUMENTS)
PROSE = (
    "It was a bright cold day in April, and the clocks weren't striking 13.  'Who's there?' she'd asked.\n\n"
    "Über den Wolken\tmuß die Freiheit wohl grenzenlos sein;  naïve café, 12,345.67 €.\r\n"
    "Привет, мир! नमस्ते दुनिया 你好，世界。 こんにちは 🙃🙃 e\u0301a\u0300\u3000wide\u00a0space ... !!\n"
) * 3
