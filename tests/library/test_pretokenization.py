import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_lib import GPT2_PATTERN, count_pretokens, pretokenize, split_on_special_tokens
from bpe_lib.pretokenization import WHITESPACE, iterate_pretokens
from oracles import (
    FRAGMENTS,
    GPT2,
    NO_WHITESPACE,
    PATTERNS,
    REGEX_WHITESPACE,
    counts_of,
    pretokens_of,
    single,
    split_plainly,
    texts,
    texts_with_special_tokens,
    tiktoken_encoding,
)


def test_the_pattern_is_the_one_promised():
    assert GPT2_PATTERN == r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""


def test_whitespace_is_what_regex_matches():
    assert sorted(WHITESPACE) == sorted(REGEX_WHITESPACE)
    assert len(set(WHITESPACE)) == 25


@pytest.mark.parametrize("character", NO_WHITESPACE, ids=ascii)
def test_what_others_hold_to_be_whitespace_is_ordinary(character):
    assert pretokenize(f"a {character}!") == ["a", f" {character}!"]


def test_stdlib_whitespace_is_wider():
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert set(re.findall(r"\s", everything)) - set(WHITESPACE) == set("\x1c\x1d\x1e\x1f")
    assert {character for character in everything if character.isspace()} - set(WHITESPACE) == set("\x1c\x1d\x1e\x1f")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("", []),
        ("some text that i'll pre-tokenize", ["some", " text", " that", " i", "'ll", " pre", "-", "tokenize"]),
        ("test it's", ["test", " it", "'s"]),
        (" a  b\n", [" a", " ", " b", "\n"]),
        ("a   b", ["a", "  ", " b"]),
        ("a\n  b", ["a", "\n ", " b"]),
        ("a  ", ["a", "  "]),
        ("a\tb", ["a", "\t", "b"]),
        ("'Tis I'LL we'really", ["'", "Tis", " I", "'", "LL", " we", "'re", "ally"]),
        ("abc123 4!?", ["abc", "123", " 4", "!?"]),
        ("x_y", ["x", "_", "y"]),
        ("e\u0301a", ["e", "\u0301", "a"]),
        ("日本語 です。", ["日本語", " です", "。"]),
        ("a\u00a0b", ["a", "\u00a0", "b"]),
        ("½²", ["½²"]),
        ("a\r\n\r\nb", ["a", "\r\n\r", "\n", "b"]),
    ],
)
def test_gpt2_pretokens(text, right):
    assert pretokenize(text) == right


@given(texts())
def test_nothing_is_lost_and_the_pretokens_are_gpt2s(text):
    pretokens = pretokenize(text)
    assert "".join(pretokens) == text
    assert all(pretokens)
    assert [pretoken.encode() for pretoken in pretokens] == pretokens_of(text)


@pytest.mark.parametrize("name", PATTERNS)
@given(texts())
def test_other_patterns(name, text):
    assert pretokenize(text, PATTERNS[name]) == [match[0] for match in regex.finditer(PATTERNS[name], text)]


@pytest.mark.parametrize("name", PATTERNS)
def test_tiktoken_cuts_alike(name):
    """Every pre-token as one token of its own, so that tiktoken's ids show where it cuts."""
    text = " ".join(FRAGMENTS) + "".join(FRAGMENTS[::-1])
    pretokens = [pretoken.encode() for pretoken in pretokenize(text, PATTERNS[name])]
    vocab = dict(enumerate(dict.fromkeys([*single(bytes(range(256))), *pretokens])))
    encoding = tiktoken_encoding(vocab, pattern=PATTERNS[name])
    assert [vocab[id_] for id_ in encoding.encode_ordinary(text)] == pretokens


def test_a_group_in_the_pattern_changes_nothing():
    assert pretokenize("ab 12", r"( ?(\p{L})+)|( ?\p{N}+)") == ["ab", " 12"]


def test_an_empty_match_is_no_pretoken():
    assert pretokenize("abba", r"a*|b*") == ["a", "bb", "a"]


@pytest.mark.parametrize(
    ("text", "place"), [("ab, cd", r"', cd' at character 2"), ("!ab", r"'!ab' at character 0"), ("ab!", "'!' at char")]
)
def test_text_that_a_pattern_leaves_unmatched_is_an_error(text, place):
    with pytest.raises(ValueError, match=rf"does not match {place}.*must not be lost"):
        pretokenize(text, r"\p{L}+| \p{L}+")


def test_a_pattern_that_only_matches_empty_text_is_an_error():
    with pytest.raises(ValueError, match="does not match 'b' at character 0"):
        pretokenize("b", "a*")


def test_an_invalid_pattern_is_an_error():
    with pytest.raises(ValueError, match=r"package `regex` can't read the pattern '\(a'"):
        pretokenize("a", "(a")


def test_pretokens_come_one_by_one():
    first = next(iterate_pretokens("the cat " * 1_000_000))
    assert first == "the"


# --- special tokens ---


@pytest.mark.parametrize(
    ("text", "tokens", "right"),
    [
        ("a<|endoftext|>b", ["<|endoftext|>"], ["a", "b"]),
        ("a<e>x<e>b", ["<e>", "<e>x<e>"], ["a", "b"]),
        ("a<e>x<e>b", ["<e>x<e>", "<e>"], ["a", "b"]),
        ("a<e>x<e", ["<e>", "<e>x<e>"], ["a", "x<e"]),
        ("a---b", ["--"], ["a", "-b"]),
        ("ab", [], ["ab"]),
        ("", ["<e>"], [""]),
        ("<e>", ["<e>"], ["", ""]),
        ("a.b|c", [".", "|"], ["a", "b", "c"]),
        ("a\nb", ["\n"], ["a", "b"]),
        ("naïve", ["ï"], ["na", "ve"]),
    ],
)
def test_split_takes_the_longest_special_token_literally(text, tokens, right):
    assert split_on_special_tokens(text, tokens) == right


@given(texts_with_special_tokens())
def test_split_equals_the_oracle(text_and_tokens):
    text, tokens = text_and_tokens
    plain = [part for is_special, part in split_plainly(text, tokens) if not is_special]
    assert split_on_special_tokens(text, tokens) == plain


@given(st.text("a.*[](){}\\|^$?+-#& \n\té"), st.text("a.*[](){}\\|^$?+-#& \n\té", min_size=1, max_size=4))
def test_special_tokens_are_escaped(text, token):
    assert split_on_special_tokens(text + token + text, [token]) == (text + token + text).split(token)


def test_an_empty_special_token_is_an_error():
    with pytest.raises(ValueError, match="special token is empty: give each at least one character"):
        split_on_special_tokens("ab", ["<e>", ""])


def test_a_repeated_special_token_is_an_error():
    with pytest.raises(ValueError, match="'<e>' is given more than once: give each once"):
        count_pretokens("ab", ["<e>", "<x>", "<e>"])


def test_one_string_for_the_list_of_special_tokens_is_an_error():
    with pytest.raises(TypeError, match=r"list of strings, such as \['<e>'\], not one string"):
        split_on_special_tokens("ab", "<e>")


def test_a_special_token_of_another_type_is_an_error():
    with pytest.raises(TypeError, match=r"a special token is a str, and b'<e>' is a bytes"):
        split_on_special_tokens("ab", [b"<e>"])


@given(texts_with_special_tokens())
def test_counts_equal_the_oracle(text_and_tokens):
    text, tokens = text_and_tokens
    right = {tuple(single(pretoken)): count for pretoken, count in counts_of(text, tokens).items()}
    assert count_pretokens(text, tokens) == right


def test_counts_are_of_single_bytes():
    assert count_pretokens("éé é") == {
        (b"\xc3", b"\xa9", b"\xc3", b"\xa9"): 1,
        (b" ", b"\xc3", b"\xa9"): 1,
    }


def test_counts_under_another_pattern():
    text = "a!\nb 12345"
    assert count_pretokens(text, [], PATTERNS["cl100k_base"]) == {
        tuple(single(pretoken)): 1 for pretoken in [b"a", b"!\n", b"b", b" ", b"123", b"45"]
    }


def test_the_patterns_of_the_oracle_and_the_library_agree_on_every_short_text():
    alphabet = "a'slvre1! \n\u00a0\u0301"
    for first in alphabet:
        for second in alphabet:
            for third in alphabet:
                text = f"{first}{second}{third}l "
                assert pretokenize(text) == [match[0] for match in regex.finditer(GPT2, text)]


@pytest.mark.parametrize("pattern", ["a{1000000000}", r"(?:a{300}){300}|[\s\S]", "a{,99999}", "a{99999,}"])
def test_patterns_that_would_take_all_memory_are_refused(pattern):
    with pytest.raises(ValueError, match="multiply to more than 10,000"):
        pretokenize("a", pattern)


def test_counted_repeats_in_use_are_taken():
    assert pretokenize("12345", r"\p{N}{1,3}|\D") == ["123", "45"]
