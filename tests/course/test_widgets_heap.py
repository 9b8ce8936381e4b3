"""The heap inspector: its states against counting from scratch, and what it shows of them."""

import random
import re

import pytest

from bpe_course import heap_stepper, show_pop
from bpe_course.widgets.heap import draw, index_says, outcome
from bpe_course.widgets.heap_states import ENTRIES, WORDS, Training, heap_pops
from bpe_lib import count_pairs, merge_pair, train_naive
from bpe_lib.indexed import pop_best
from bpe_lib.pretokenization import single_bytes

FOUR = {single_bytes(word): n for word, n in {b"newest": 1, b"yes": 8, b"we": 4, b"stop": 6}.items()}


def invented(seed: int) -> dict[tuple[bytes, ...], int]:
    """Return a few words over two or three letters, full of ties, runs and merges side by side."""
    chance = random.Random(seed)
    letters = chance.choice(["ab", "abc"])
    words = ["".join(chance.choices(letters, k=chance.randint(1, 8))) for _ in range(5)]
    return {single_bytes(word.encode()): chance.randint(1, 4) for word in words}


def replay(words, merges):
    """Return the words after some merges, in their order."""
    state = list(words)
    for merge in merges:
        state = [merge_pair(word, merge) for word in state]
    return state


@pytest.mark.parametrize("seed", range(30))
def test_states_are_those_of_counting_from_scratch(seed):
    words = invented(seed)
    pops = heap_pops(words, 99)
    assert list(pops[-1].merges) == train_naive(words, 99)
    for pop, after in zip(pops, pops[1:]):
        state = replay(words, pop.merges)
        counts = count_pairs(dict(zip(state, words.values())))
        top = pop.entries[0]
        assert [word.word for word in pop.words] == state
        assert all(entry.today == counts.get(entry.pair, 0) for entry in pop.entries)
        assert top.promised >= max(counts.values(), default=0), "an entry promises too little"
        holding = {i for i, word in enumerate(state) if top.pair in zip(word, word[1:])}
        assert holding <= {word.position for word in pop.words if word.named}
        assert pop.held_count == len(holding) and pop.named_count == sum(word.named for word in pop.words)
        won = top.promised == counts.get(top.pair, 0)
        assert after.merges == ((*pop.merges, top.pair) if won else pop.merges)


@pytest.mark.parametrize("seed", range(30))
def test_pops_up_to_a_winner_do_what_pop_best_does(seed):
    training = Training(invented(seed))
    while any(training.counts.values()):
        heap, learned = list(training.heap), len(training.merges)
        best = pop_best(heap, training.counts)
        while len(training.merges) == learned:
            training.pop()
        assert training.merges[-1] == best
        assert set(heap) <= set(training.heap), "an entry is lost"
    with pytest.raises(IndexError):
        pop_best(training.heap, training.counts)


def test_a_stale_entry_comes_back_where_the_inspector_says():
    pops = heap_pops(FOUR, 99)
    stale = [pop for pop in pops if pop.back]
    assert [(pop.entries[0].pair, pop.entries[0].today) for pop in stale] == [((b"s", b"t"), 6), ((b"w", b"e"), 4)]
    for pop in stale:
        entry = pops[pop.number + 1].entries[pop.back - 1]
        assert (entry.pair, entry.promised, entry.state) == (pop.entries[0].pair, pop.entries[0].today, "fresh")
        assert pops[pop.number + 1].entry_count == pop.entry_count


def test_the_four_words_show_all_that_can_happen():
    pops = heap_pops(FOUR, 99)
    states = [pop.entries[0].state for pop in pops[:-1]]
    assert states[:5] == ["fresh", "fresh", "dead", "stale", "fresh"]
    assert (states.count("fresh"), states.count("stale"), states.count("dead")) == (10, 2, 8)
    assert pops[-1].entries == ()
    assert [(entry.pair, entry.promised) for entry in pops[0].pushed] == [
        ((b"y", b"es"), 8),
        ((b"w", b"es"), 1),
        ((b"es", b"t"), 1),
    ]


def test_what_a_pop_does_is_told():
    pops = heap_pops(FOUR, 99)
    assert outcome(pops[0]) == (
        "Winner. (e, s) promises 9 and has 9 today. Its merge pushes (y, es) with 8, (w, es) with 1 and (es, t) with 1."
    )
    assert outcome(pops[1]).endswith("has 8 today. Its merge makes no new pair.")
    assert outcome(pops[2]).startswith("Dead. (y, e) promises 8 and stands nowhere today")
    assert outcome(pops[3]) == "Stale. (s, t) promises 7 and has 6 today: back it goes, with 6, to place 2 of 8."
    assert "heap is empty" in outcome(pops[-1])


def test_what_the_index_is_worth_is_told():
    pops = heap_pops(FOUR, 99)
    assert index_says(pops[0]) == "The index names 2 words for this pair: 2 change, 0 visited for nothing."
    assert index_says(pops[3]).startswith("The index names 2 words for this pair; 1 still holds it.")
    late = next(pop for pop in pops if pop.entries[0].pair == (b"w", b"e") and pop.entries[0].state == "fresh")
    assert index_says(late) == "The index names 2 words for this pair: 1 changes, 1 visited for nothing."
    assert index_says(pops[-1]) == "10 merges, 20 pops."


def test_text_and_picture_say_the_same():
    pops = heap_pops(FOUR, 99)
    shown = [draw(pop, 9) for pop in pops]
    assert len({panel.html for panel in shown}) == len({panel.text for panel in shown}) == 21
    for panel, pop in zip(shown, pops):
        rows = re.findall(r"<tr.*?</tr>", panel.html)
        cells = [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
        for i, entry in enumerate(pop.entries):
            first, second = (token.decode() for token in entry.pair)
            said = f"({first}, {second}) promises {entry.promised}, today {entry.today}: {entry.state}"
            assert f"{' ' if i else '▶'} {said}" in panel.text
            wanted = [f"{'' if i else '▶ '}{first} {second}", str(entry.promised), str(entry.today)]
            assert [cell[3].split()[-1] for cell in cells if cell[:3] == wanted] == [entry.state]
        assert outcome(pop) in panel.text and outcome(pop) in panel.html
        assert index_says(pop) in panel.text and index_says(pop) in panel.html
        for note in ("named in vain", "not named"):
            assert panel.text.count(note) == panel.html.count(note)


def test_all_states_are_equally_high():
    assert len({draw(pop, 9).html.count("<tr") for pop in heap_pops(FOUR, 99)}) == 1


def test_of_many_words_those_that_the_index_names_are_shown():
    words = {single_bytes(b"q%d" % i): 1 for i in range(20)} | {single_bytes(b"xy%d" % i): 9 for i in range(10)}
    pop = heap_pops(words, 0)[0]
    assert pop.entries[0].pair == (b"x", b"y") and pop.named_count == 10
    assert [word.position for word in pop.words] == list(range(20, 20 + WORDS))
    assert len(pop.entries) == ENTRIES and f"and {pop.entry_count - ENTRIES} more" in draw(pop, 90).html
    assert "and 2 more<" in draw(pop, 90).html
    assert [line for line in draw(pop, 90).text.splitlines() if line.startswith("  and")] == [
        f"  and {pop.entry_count - ENTRIES} more",
        "  and 2 more",
    ]
    assert len({draw(pop, 90).html.count("<tr") for pop in heap_pops(words, 99)}) == 1


def test_text_is_escaped():
    panel = show_pop({(b"<script>", b"&amp;"): 3}, 0)
    assert "<script" not in panel._repr_html_() and "(&lt;script&gt;, &amp;amp;)" in panel.html
    assert "(<script>, &amp;)" in panel.text


@pytest.mark.parametrize(("pop", "message"), [(-1, "0 or more, not -1"), (21, "at most 20, .* not 21")])
def test_a_pop_that_is_not_there_is_refused(pop, message):
    with pytest.raises(ValueError, match=message):
        show_pop(FOUR, pop)


def test_words_without_pairs_are_shown_too():
    assert "The heap is empty" in show_pop({(b"a",): 2}, 0).text
    assert "The heap is empty" in show_pop({}, 0).text


def test_the_widget_shows_the_state_of_its_slider():
    row, shown = heap_stepper(FOUR, 99).children
    back, forward, slider = row.children
    assert (slider.value, slider.max, slider.description) == (0, 20, "entries taken off")
    states = [show_pop(FOUR, pop)._repr_html_() for pop in range(21)]
    for pop in (3, 20, 0):
        slider.value = pop
        assert shown.value == states[pop]
    forward.click()
    assert (slider.value, shown.value) == (1, states[1])
    back.click()
    back.click()
    assert (slider.value, shown.value) == (0, states[0])
