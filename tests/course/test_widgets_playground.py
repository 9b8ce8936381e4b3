"""The playground for patterns: who took what, against one regex with a group for each branch; faults; time limits."""

import re
from html import unescape

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import oracles
from bpe_course import regex_playground, show_branches
from bpe_course.widgets import branches
from bpe_course.widgets.branches import cut, different
from bpe_course.widgets.patterns import NAMES, PATTERNS, split_branches
from bpe_course.widgets.playground import OWN

names = st.sampled_from(sorted(PATTERNS))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", [""]),
        ("a|b", ["a", "b"]),
        ("a|", ["a", ""]),
        (r"a\|b|c", [r"a\|b", "c"]),
        (r"[|]|[^|]|[]|]|[^]|]", ["[|]", "[^|]", "[]|]", "[^]|]"]),
        (r"[\]|]|x", [r"[\]|]", "x"]),
        (r"[[:alpha:]|]|x", ["[[:alpha:]|]", "x"]),
        (r"(a|(b|c))|(?:d|e)|(?!f|g)", ["(a|(b|c))", "(?:d|e)", "(?!f|g)"]),
        (r"(?#a|b)c|\(|d", ["(?#a|b)c", r"\(", "d"]),
    ],
)
def test_branches_are_split_at_bars_outside_of_brackets(pattern, expected):
    assert split_branches(pattern) == expected


def test_the_patterns_are_those_of_their_tokenizers():
    assert PATTERNS["o200k_base"] == oracles.O200K
    assert PATTERNS["GPT-2, misprinted"] == PATTERNS["GPT-2"].removeprefix("'")
    for pattern in PATTERNS.values():
        assert all(branch in NAMES for branch in split_branches(pattern))


@given(oracles.texts(), st.sampled_from([("GPT-2", oracles.GPT2), ("cl100k_base", oracles.CL100K)]))
def test_pieces_are_the_pretokens(text, named):
    name, pattern = named
    text = oracles.settled(text)
    stretches = cut(PATTERNS[name], text, seconds=60, most=10**6).stretches
    assert [stretch.text for stretch in stretches] == regex.findall(pattern, text)


@given(oracles.texts(), names)
def test_the_branch_is_the_group_that_matched(text, name):
    whole = "|".join(f"({branch})" for branch in split_branches(PATTERNS[name]))
    expected = [(match.start(), match[0], match.lastindex) for match in regex.finditer(whole, text)]
    found = cut(PATTERNS[name], text, seconds=60, most=10**6)
    assert [(stretch.start, stretch.text, stretch.branch) for stretch in found.stretches] == expected
    assert sum(found.taken(number + 1) for number in range(len(found.branches))) == len(found.stretches)


@given(oracles.texts(), st.sampled_from([r"\p{L}+", r"\s+|\d", r"(?i)A+|b", r"a*", r"(a)(b)?|c", ""]))
def test_nothing_is_hidden_what_no_branch_takes_is_lost(text, pattern):
    found = cut(pattern, text, seconds=60, most=10**6)
    assert "".join(stretch.text for stretch in found.stretches) == text
    lost = [stretch.text for stretch in found.stretches if stretch.branch == 0]
    assert lost == [stretch for stretch in regex.split(f"(?:{pattern})(?<=.)", text) if stretch] or pattern not in (
        r"\p{L}+",
        r"\s+|\d",
    )
    assert [stretch.text for stretch in found.stretches if stretch.branch != 0] == [
        match[0] for match in regex.finditer(pattern, text) if match[0]
    ]


@pytest.mark.parametrize(("pattern", "text"), [("a*", "bc"), ("", "bc"), (r"\d", "bc\n")])
def test_a_pattern_that_matches_nothing_says_so(pattern, text):
    panel = show_branches(text, "GPT-2", OWN, pattern)
    for shown in (panel.html, panel.text):
        assert shown.count("The pattern matches nothing here") == 1
    assert "nothing here" not in show_branches(text + "a7", OWN, OWN, f"a|{pattern}").text
    assert "nothing here" not in show_branches("", OWN, OWN, pattern).text


def test_flags_at_the_beginning_hold_for_every_branch():
    assert [stretch.branch for stretch in cut("(?i)a|b", "AB").stretches] == [1, 2]


def test_a_branch_that_makes_no_sense_alone_is_not_guessed():
    assert [stretch.branch for stretch in cut(r"(a)|(b)\2", "abb").stretches] == [1, None]


@pytest.mark.parametrize(
    ("pattern", "at", "why"),
    [
        ("a(b", 3, "missing )"),
        ("a)b", 1, "parenthesis"),
        ("[ab", 3, "unterminated character set"),
        ("*a", 0, "repeat"),
        (r"a|\p{Nope}", 10, "property"),
    ],
)
def test_an_invalid_pattern_is_explained(pattern, at, why):
    found = cut(pattern, "abc")
    assert why in found.fault[0] and found.fault[1] == at
    panel = show_branches("abc", "GPT-2", OWN, pattern)
    for words in (unescape(panel.html), panel.text):
        assert f"This is no pattern: {found.fault[0]} at character {at}." in words
    assert "Nothing to compare" in panel.text and "Traceback" not in panel.html


def test_a_pattern_nested_too_deeply_is_explained():
    assert "nested too deeply" in show_branches("a", "GPT-2", OWN, "(" * 990 + "a" + ")" * 990).text


def test_an_endless_search_ends():
    text = "a" * 40_000 + "b"
    found = cut(r"(a+)+$", text, seconds=0.05)
    assert "not done after 0.05 seconds" in found.stopped and not found.fault
    panel = show_branches(text, OWN, "GPT-2", r"(a+)+$")
    assert "✗ Stopped at character 0" in panel.html and "✗ Stopped at character 0" in panel.text


def test_time_is_counted_over_all_matches(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(branches.time, "process_time", lambda: next(clock) / 10)
    found = cut("a", "a" * 100, seconds=1)
    assert 0 < len(found.stretches) < 10 and "Stopped at character" in found.stopped


def test_a_long_text_is_cut_for_the_display():
    found = cut("ab", "ab" * 10_000)
    assert len(found.stretches) == branches.MOST and found.stopped == "Only the first 120 pre-tokens are shown."
    panel = show_branches("x" * 100_000, "GPT-2", "cl100k_base")
    assert len(panel.html) < 20_000 and "(100,000 characters)" in panel.html and "Both cut alike." in panel.text


def test_what_differs_is_marked_on_both_sides():
    one, other = cut(PATTERNS["GPT-2"], "we DON'T"), cut(PATTERNS["cl100k_base"], "we DON'T")
    assert [one.stretches[i].text for i in different(one, other)] == ["'", "T"]
    assert [other.stretches[i].text for i in different(other, one)] == ["'T"]
    panel = show_branches("we DON'T")
    assert panel.html.count(">≠</strong>") == 3 == panel.text.count(" ≠ ")
    assert "They part first at character 6: 'T" in panel.text
    assert "≠" not in show_branches("we do").html


def test_texts_and_patterns_are_escaped():
    nasty = "<script>alert('x')</script>"
    for arguments in ((nasty,), ("a", OWN, OWN, nasty), (nasty, OWN, OWN, f"({nasty}")):
        html = show_branches(*arguments)._repr_html_()
        assert "<script" not in html and "&lt;" in html


def test_picture_and_text_name_the_same_pieces():
    panel = show_branches("So  I'll pay 42€.\n\nNow")
    read = unescape(re.sub(r"<[^>]+>", "|", panel.html))
    rows = re.findall(r"^ *\d+ (?:≠| ) (\S+) +(\d.*)$", panel.text, flags=re.M)
    assert len(rows) == len(cut(PATTERNS["GPT-2"], "So  I'll pay 42€.\n\nNow").stretches) + len(
        cut(PATTERNS["cl100k_base"], "So  I'll pay 42€.\n\nNow").stretches
    )
    for stretch, branch in rows:
        assert f"|{stretch}||{branch}|" in read


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="GPT-2, misprinted"):
        show_branches("a", "GPT-3")


def test_the_playground_moves():
    widget = regex_playground("it's")
    (text,), (first, second), (own,) = (line.children for line in widget.children[0].children)
    shown = widget.children[1]
    assert all(control.description for control in (text, first, second, own))
    assert "Both cut alike." in shown.value
    text.value = "DON'T"
    assert "They part first at character 3" in shown.value
    second.value = OWN
    assert "lost" in shown.value
    own.value = "("
    assert "This is no pattern" in shown.value
    first.value, own.value = OWN, "(a+)+$"
    text.value = "a" * 5000 + "!"
    assert "Stopped at character 0" in shown.value
    text.value = ""
    assert "Type a text." in shown.value


@pytest.mark.parametrize("pattern", ["a{1000000000}", "(?:a{3000}){3000}", "a" * 50_000])
def test_patterns_that_take_too_much_are_explained_at_once(pattern):
    assert cut(pattern, "aab").fault
    assert "✗" in show_branches("aab", "your own", "GPT-2", pattern).text
