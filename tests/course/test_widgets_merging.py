"""The merge stepper: its states against training from scratch, and what it shows of them."""

import re
from html import unescape

import pytest
from ipywidgets import HTML, Button, IntSlider
from test_widgets_heap import invented

from bpe_course import merge_stepper, show_merge
from bpe_course.widgets import boxes
from bpe_course.widgets.merge_states import BARS, GONE, WORDS, merge_steps
from bpe_course.widgets.merging import choice, draw, touched
from bpe_lib import count_pairs, merge_pair, train_naive
from bpe_lib.pretokenization import single_bytes

HANDOUT = {single_bytes(word): n for word, n in {b"low": 5, b"lower": 2, b"widest": 3, b"newest": 6}.items()}


def seen(html: str) -> str:
    """Return the text in HTML, without any whitespace."""
    return re.sub(r"\s|\xa0", "", unescape(re.sub(r"<[^>]*>", "", html)))


def parts(widget) -> tuple[IntSlider, dict[str, Button], HTML]:
    """Return a stepper's slider, its buttons by name, and what it shows."""
    row, shown = widget.children
    (slider,) = (control for control in row.children if isinstance(control, IntSlider))
    return slider, {b.description: b for b in row.children if isinstance(b, Button)}, shown


@pytest.mark.parametrize("seed", range(30))
def test_states_are_those_of_training_from_scratch(seed):
    words = invented(seed)
    merges = train_naive(words, 99)
    steps = merge_steps(words, 99)
    assert [step.chosen for step in steps] == [*merges, None]
    counts_before = {}
    for step in steps:
        state = dict(words)
        for merge in merges[: step.number]:
            state = {merge_pair(word, merge): n for word, n in state.items()}
        counts = count_pairs(state)
        assert dict(step.words) == state and step.word_count == len(state)
        live, gone = [bar for bar in step.bars if bar.count], [bar for bar in step.bars if not bar.count]
        lost = sorted((n for pair, n in counts_before.items() if pair not in counts), reverse=True)
        assert [bar.before for bar in gone] == lost[:GONE] and step.bars == (*live, *gone)
        assert [bar.count for bar in live] == sorted(counts.values(), reverse=True)[: BARS - len(gone)]
        assert all(counts.get(bar.pair, 0) == bar.count for bar in step.bars) and step.pair_count == len(counts)
        before = [counts_before.get(bar.pair, 0) for bar in step.bars] if step.number else [None] * len(step.bars)
        assert [bar.before for bar in step.bars] == before
        if step.chosen:
            best = {pair for pair, n in counts.items() if n == max(counts.values())}
            assert step.chosen == max(best) and set(step.ties) == best - {step.chosen}
            assert step.visited == tuple(b"".join(w) for w in state if merge_pair(w, step.chosen) != w)
        counts_before = counts


def test_training_that_is_cut_short_ends_with_the_choice_that_would_come_next():
    steps = merge_steps(HANDOUT, 3)
    assert [step.chosen for step in steps] == train_naive(HANDOUT, 4)
    assert {step.last for step in steps} == {3} and {step.scale for step in steps} == {9}


def test_of_many_words_those_that_change_are_shown():
    words = {single_bytes(b"ab%d" % i): 1 for i in range(20)} | {single_bytes(b"xyxyxyxyxyxyxyxyxyxyxyxy"): 2}
    step = merge_steps(words, 0)[0]
    assert step.chosen == (b"x", b"y") and step.words[0][1] == 2
    assert len(step.words) == WORDS and step.word_count == 21
    assert "and 13 more words" in draw(step).html and "and 13 more words" in draw(step).text
    assert f"and {step.pair_count - BARS} more pairs, none above 1" in draw(step).text


def test_the_choice_is_told_with_the_ties_it_beat():
    steps = merge_steps(HANDOUT, 12)
    assert choice(steps[0]) == "(s, t) is tied with (e, s) at 9. The greater pair wins: s is greater than e."
    assert choice(steps[1]) == "(e, st) has 9, more than any other pair."
    assert "tied with (n, e) and (e, w) at 6" in choice(steps[4]) and "w is greater than n" in choice(steps[4])
    assert choice(steps[12]).startswith("No pair is left")
    same = merge_steps({(b"a", b"b"): 1, (b"a", b"c"): 1}, 0)[0]
    assert choice(same).endswith("behind the same a, c is greater than b.")


def test_what_a_merge_touches_is_told():
    steps = merge_steps(HANDOUT, 12)
    assert touched(steps[0]).startswith("2 of 4 words: widest and newest. Only they will change;")
    assert touched(steps[0]).endswith("the naive trainer reads the other 2 as well.")
    assert touched(steps[4]).startswith("1 of 4 words: newest.") and touched(steps[4]).endswith("the other 3 as well.")
    assert touched(merge_steps({(b"a", b"b"): 1}, 0)[0]) == "1 of 1 word: ab. None is read for nothing."


def test_text_and_picture_say_the_same():
    shown = [draw(step) for step in merge_steps(HANDOUT, 12)]
    assert len({panel.html for panel in shown}) == len({panel.text for panel in shown}) == 13
    for panel, step in zip(shown, merge_steps(HANDOUT, 12)):
        text, picture = panel.text, seen(panel.html)
        for said in (choice(step), touched(step)):
            assert said in text and seen(said) in picture
        for word, frequency in step.words:
            assert f"{frequency:>5,} × {'·'.join(t.decode() for t in word)}" in text
            assert f"{frequency}×{b''.join(word).decode()}" in picture
        for bar in step.bars:
            first, second = (token.decode() for token in bar.pair)
            assert re.search(rf"^[▶ ] +{bar.count}   \({first}, {second}\)", text, flags=re.M)
            assert f"{first}{second}{bar.count}" in picture
        assert text.count("●") == picture.count("●") == len(step.visited)


def test_boxes_are_as_many_as_tokens_and_the_new_one_is_marked():
    html = show_merge(HANDOUT, 2).html
    words = re.findall(r'<span role="img" aria-label="([^"]*)"', html.partition(">Words<")[2])
    assert words == ["l·o·w", "l·o·w·e·r", "w·i·d·est", "n·e·w·est"]
    assert html.count("font-weight:bold;white-space") == 3  # est, above and in two words


def test_all_states_are_equally_high():
    assert len({draw(step).html.count("<tr") for step in merge_steps(HANDOUT, 12)}) == 1


def test_a_pair_that_falls_to_nothing_is_shown_for_one_step():
    shown = [show_merge(HANDOUT, step) for step in range(5)]
    assert ["(w, e)" in panel.text for panel in shown] == [True, True, True, True, False]
    assert re.search(r"^ +0   \(w, e\)  gone, was 2$", shown[3].text, flags=re.M)
    assert re.search(r"^ +0   \(o, w\)  merged, was 7$", shown[3].text, flags=re.M)
    assert "we0gone,was2" in seen(shown[3].html) and "ow0merged,was7" in seen(shown[3].html)


def test_chosen_and_tied_pairs_look_in_the_bars_as_in_the_key():
    html = show_merge(HANDOUT, 4).html
    bars = re.findall(r"<tr.*?</tr>", html.partition("Pairs, counted")[2])
    looks = {
        note: [f"background:{look[0]};border:{look[1]}" in bar for look in (boxes.NEXT, boxes.TIED, boxes.MADE)]
        for bar in bars
        for note in ("chosen", "tied")
        if f">{note}</span>" in bar
    }
    assert looks == {"chosen": [True, False, False], "tied": [False, True, False]}


def test_text_is_escaped():
    panel = show_merge({(b"<script>", b"&amp;"): 3, single_bytes("é🙃".encode()): 1}, 0)
    assert "<script" not in panel._repr_html_() and "(&lt;script&gt;, &amp;amp;)" in panel.html
    assert "(<script>, &amp;)" in panel.text and "‹c3›" in panel.html


@pytest.mark.parametrize(("step", "message"), [(-1, "0 or more, not -1"), (13, "at most 12, .* not 13")])
def test_a_step_that_is_not_there_is_refused(step, message):
    with pytest.raises(ValueError, match=message):
        show_merge(HANDOUT, step)


def test_words_without_pairs_are_shown_too():
    assert "No pair is left" in show_merge({(b"a",): 2}, 0).text
    assert "No pair is left" in show_merge({}, 0).text


def test_the_widget_shows_the_state_of_its_slider_and_buttons():
    slider, buttons, shown = parts(merge_stepper(HANDOUT, 99))
    assert (slider.value, slider.max) == (0, 12)
    states = [show_merge(HANDOUT, step)._repr_html_() for step in range(13)]
    for step in (5, 12, 0):
        slider.value = step
        assert shown.value == states[step]
    buttons["◀ Back"].click()
    assert shown.value == states[0]
    buttons["Forward ▶"].click()
    assert (slider.value, shown.value) == (1, states[1])
    assert slider.description == "merges so far"
