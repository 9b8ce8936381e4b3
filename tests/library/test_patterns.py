"""Where text may be cut under a pattern: each rule is proven, by exhausting short texts over all kinds."""

import random
import sys
from itertools import product

import pytest
import regex
from hypothesis import given

from bpe_lib import GPT2_PATTERN, Tokenizer, pretokenize
from bpe_lib.fast import pieces
from bpe_lib.parallel import Counting, count_task
from bpe_lib.patterns import (
    CUT_RULES,
    EDGE,
    OTHER_SPELLINGS,
    PATTERNS,
    cut_rule,
    usual_spelling,
)
from oracles import REGEX_WHITESPACE, counts_of, texts

every_rule = pytest.mark.parametrize(
    "rule", CUT_RULES.values(), ids=[name for name in PATTERNS if cut_rule(PATTERNS[name])]
)

CL100K_MEMBERS = ["s", "中", "1", "²", "'", "!", "\u0301", "\n", "\r", " ", "\u3000"]
MEMBERS = {
    PATTERNS["gpt2"]: ["s", "é", "中", "1", "²", "'", "!", "\u0301", "\x1c", " ", "\n", "\u3000"],
    PATTERNS["cl100k_base"]: CL100K_MEMBERS,
    PATTERNS["llama3"]: CL100K_MEMBERS,
    PATTERNS["qwen2"]: CL100K_MEMBERS,
    PATTERNS["o200k_base"]: [*"sSéÉ中", "\u0301", *"1²'!/–", "\n", " ", "\u3000"],
}
"""For each pattern with a rule, characters of every kind, one, two and three bytes long; `s` makes a contraction."""


def edges(text, pattern):
    """Return the offsets in bytes at which pre-tokens begin and end, as the pattern alone finds them."""
    ends, at = {0}, 0
    for pretoken in pretokenize(text, pattern):
        at += len(pretoken.encode())
        ends.add(at)
    return ends


def offsets(text):
    """Return the offset in bytes of each character, and of the end."""
    return [len(text[:i].encode()) for i in range(len(text) + 1)]


def all_cuts(rule, text):
    """Return the offsets in characters at which the rule cuts, as `last_cut` finds them one after another."""
    found = [len(text)]
    while match := rule.last_cut.search(text, 0, found[-1]):  # a cut is between characters that it can see
        found.append(match.start())
    return found[1:]


@every_rule
@pytest.mark.parametrize("length", [2, 3, 4])
def test_text_is_cut_only_where_a_pretoken_always_ends(rule, length):
    """Every text of up to four characters of all kinds: the cut text has the pre-tokens of the whole."""
    for characters in product(MEMBERS[rule.pattern], repeat=length):
        check_cuts(rule, "".join(characters))


@every_rule
def test_longer_texts_are_cut_only_where_a_pretoken_always_ends(rule):
    chance = random.Random(5)
    for _ in range(5_000):
        check_cuts(rule, "".join(chance.choices(MEMBERS[rule.pattern], k=chance.randint(5, 9))))


def check_cuts(rule, text):
    """Fail if a text has other pre-tokens when it is cut at one of the rule's places."""
    data, whole = text.encode(), pretokenize(text, rule.pattern)
    for place in rule.cut_places(data).tolist():
        parts = data[:place].decode(), data[place:].decode()
        assert [token for part in parts for token in pretokenize(part, rule.pattern)] == whole, (text, place)


@every_rule
@given(texts())
def test_texts_are_cut_only_at_edges_of_pretokens(rule, text):
    assert set(rule.cut_places(text.encode()).tolist()) <= edges(text, rule.pattern)


@every_rule
@given(texts())
def test_characters_tell_more_than_bytes(rule, text):
    """The cuts among characters are edges of pre-tokens, and those among bytes are some of them."""
    at = offsets(text)
    cuts = {at[place] for place in all_cuts(rule, text)}
    assert set(rule.cut_places(text.encode()).tolist()) <= cuts <= edges(text, rule.pattern)


@every_rule
def test_each_character_is_of_one_kind(rule):
    everything = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    kinds = {kind: regex.findall(characters, everything) for kind, characters in rule.kinds.items()}
    assert sum(map(len, kinds.values())) == len(everything) == len(set().union(*kinds.values()))
    assert {*kinds["S"], *kinds.get("R", "")} == set(REGEX_WHITESPACE)
    beyond = {kind for kind, members in kinds.items() if kind != "S" and any(ord(member) > 127 for member in members)}
    assert beyond == set(rule.beyond)
    assert {pair for pair in rule.cuts.split() if not set(pair) <= set(rule.kinds) or len(pair) != 2} == set()


@every_rule
def test_the_kinds_of_the_proof_are_all_kinds(rule):
    """The texts above hold characters of every kind, within ASCII and beyond."""
    for kind, characters in rule.kinds.items():
        members = [member for member in MEMBERS[rule.pattern] if regex.fullmatch(characters, member)]
        has_ascii = any(regex.fullmatch(characters, chr(code)) for code in range(128))
        assert any(member.isascii() for member in members) == has_ascii
        assert kind not in rule.beyond or any(not member.isascii() for member in members)


@every_rule
def test_ascii_is_read_by_pythons_own_re_as_by_regex(rule):
    chance = random.Random(7)
    members = [chr(code) for code in range(128)]
    texts = ["".join(characters) for n in (1, 2) for characters in product(members, repeat=n)]
    texts += ["".join(chance.choices("sSdDlLaZ 1'!_/(\n\r\t\x1c", k=chance.randint(3, 9))) for _ in range(20_000)]
    for text in texts:
        assert rule.pretokens(text.encode()) == [token.encode() for token in pretokenize(text, rule.pattern)], text


@every_rule
def test_the_first_cut_is_the_first_from_there_on(rule):
    chance = random.Random(3)
    for _ in range(300):
        data = "".join(chance.choice(MEMBERS[rule.pattern]) for _ in range(12)).encode()
        places = rule.cut_places(data).tolist()
        for start in range(len(data)):
            assert rule.first_cut(data, start) == next((place for place in places if place >= start), None)


@pytest.mark.parametrize("count", [4_080, 4_095, 4_096, 4_097, 9_000])
@pytest.mark.parametrize("letter", ["a", "中", "\u3000"])
def test_a_cut_far_away_is_found(letter, count):
    rule, data = cut_rule(GPT2_PATTERN), letter.encode() * count
    assert rule.first_cut(data, 1) is None
    assert rule.first_cut(data + "中 a".encode(), 1) == len(data) + 3


def test_an_edge_is_cut_on_both_sides():
    assert cut_rule(GPT2_PATTERN).cut_places(b"a" + EDGE + b"!" + EDGE * 2).tolist() == [1, 2, 3, 4]


# --- patterns and their spellings ---


@given(texts())
def test_other_spellings_cut_every_text_alike(text):
    for spelling, usual in OTHER_SPELLINGS.items():
        assert pretokenize(text, spelling) == pretokenize(text, usual)
        assert usual_spelling(spelling) == usual and usual in PATTERNS.values()


@pytest.mark.parametrize("spelling", OTHER_SPELLINGS)
def test_other_spellings_take_the_quick_way_too(spelling, text_file, monkeypatch):
    """Counting pieces and encoding in bulk are what makes the known pattern quick, in every spelling."""
    text = "it's  7:30, the cat\n" * 2_000
    path = text_file(text)
    blocks = []
    add = pieces.PieceCounter.add
    monkeypatch.setattr(pieces.PieceCounter, "add", lambda self, data: [blocks.append(data), add(self, data)])
    task = (str(path), 0, len(text))
    assert count_task(task, Counting(pattern=spelling)) == counts_of(text)
    assert b"".join(blocks) == text.encode()
    vocab = {byte: bytes([byte]) for byte in range(256)}
    assert Tokenizer(vocab, [], pattern=spelling)._bulk is not None
    assert Tokenizer(vocab, [], pattern=spelling).encode(text) == list(text.encode())


@pytest.mark.parametrize("pattern", [r"\p{N}{1,3}|\P{N}+", r"\s+|\S+", ""])
def test_a_pattern_of_which_nothing_is_proven_has_no_rule(pattern):
    assert cut_rule(pattern) is None
