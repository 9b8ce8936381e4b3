"""The exercises of notebook 05."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from heapq import heapify, heappop, heappush
from random import Random

import bpe_lib.indexed
from bpe_course.exercise import Args, Complaint, exercise
from bpe_course.exercises import nb04_naive_merging as nb04
from bpe_course.exercises.nb04_naive_merging import best_pair, check_words, count_pairs, merge_pair
from bpe_course.harness import breaks, returning
from bpe_course.samples import HANDOUT, random_word, spell, words
from bpe_course.work import ManyCounts, ManyEntries, ManyWords, Tally, WatchedCounts, WatchedEntry, measure
from bpe_course.wrong_trainers import indexed, with_heap
from bpe_lib.indexed import heap_entry


@exercise(
    minutes=8,
    difficulty=1,
    library=bpe_lib.indexed.build_pair_index,
    hints=(
        "Go through the list with `enumerate`: the number is what you want to note.",
        "`index.setdefault(pair, set())` gives the pair's set, a new one if there is none yet.",
    ),
)
def build_pair_index(words: list[tuple[bytes, ...]]) -> dict[tuple[bytes, bytes], set[int]]:
    """Return, for each pair, the positions in the list of the words that hold it.

    >>> build_pair_index([(b"a", b"b"), (b"a", b"b", b"a")])
    {(b'a', b'b'): {0, 1}, (b'b', b'a'): {1}}
    """
    index = {}
    for position, word in enumerate(words):
        for pair in zip(word, word[1:]):
            index.setdefault(pair, set()).add(position)
    return index


NEWEST = words(newest=1, yes=8, we=4, stop=6)

build_pair_index.cases(
    ([spell("ab"), spell("abab")],),
    ([spell("ab"), spell("aba")],),
    (list(NEWEST),),
    ([],),
    ([spell("a")],),
    ([spell("aaa"), spell("xaa")],),
    ([spell("n·e·west"), spell("low·est")],),
    ([spell("bab"), spell("ab")],),
    ([spell("ab"), spell("ab"), spell("bab"), spell("ab")],),
)

build_pair_index.random(lambda chance: ([random_word(chance, "abc ", 5) for _ in range(chance.randint(0, 4))],))

build_pair_index.valid(lambda words: all(word and all(word) for word in words))


@build_pair_index.slip(
    "`words.index(word)` gives the first position at which an equal word stands, so of two equal words the second is "
    "never named. `enumerate` gives each word its own position."
)
def index_of_equal_words(words):
    index = {}
    for word in words:
        for pair in zip(word, word[1:]):
            index.setdefault(pair, set()).add(words.index(word))
    return index


@build_pair_index.slip(
    "You let each word wrap round: its last token makes a pair with its first. `word[i - 1]` is the last token where i "
    "is 0. A word of n tokens has n - 1 pairs."
)
def index_wrapped_round(words):
    index = {}
    for position, word in enumerate(words):
        for i in range(len(word)):
            index.setdefault((word[i - 1], word[i]), set()).add(position)
    return index


def index_with(note: Callable) -> Callable:
    """Return a build_pair_index that notes other things; `note` gets the index, position, word and pair's place."""

    def build(words):
        index = {}
        for position, tokens in enumerate(words):
            for i, pair in enumerate(zip(tokens, tokens[1:])):
                note(index, pair, position, tokens, i)
        return index

    return build


@build_pair_index.slip(
    "You keep only the last word that holds a pair: each one overwrites those before. Add to the pair's set."
)
@index_with
def index_last_word(index, pair, position, tokens, i):
    index[pair] = {position}


@build_pair_index.slip("You keep only the first word that holds a pair. Add the others to its set.")
@index_with
def index_first_word(index, pair, position, tokens, i):
    index.setdefault(pair, {position})


@build_pair_index.slip(
    "You note where in its word a pair stands. The trainer must find the word: note its position in the list."
)
@index_with
def index_place_in_word(index, pair, position, tokens, i):
    index.setdefault(pair, set()).add(i)


@build_pair_index.slip(
    "You note the words themselves. They change with each merge, and then the index can't find them; their positions "
    "stay."
)
@index_with
def index_words(index, pair, position, tokens, i):
    index.setdefault(pair, set()).add(tokens)


@build_pair_index.slip("You count positions from 1. The first word has position 0.")
@index_with
def index_from_one(index, pair, position, tokens, i):
    index.setdefault(pair, set()).add(position + 1)


@build_pair_index.slip(
    "You keep lists, so a word that holds a pair twice stands there twice, and would be visited twice. A set holds it "
    "once."
)
@index_with
def index_lists(index, pair, position, tokens, i):
    index.setdefault(pair, []).append(position)


@build_pair_index.slip("You count how often a pair occurs. An index says where.")
@index_with
def index_counts(index, pair, position, tokens, i):
    index[pair] = index.get(pair, 0) + 1


@build_pair_index.slip(
    "Your keys are joined bytes. (b'a', b'bc') and (b'ab', b'c') are different pairs: keep them tuples."
)
@index_with
def index_joined(index, pair, position, tokens, i):
    index.setdefault(pair[0] + pair[1], set()).add(position)


@build_pair_index.slip(
    "You note the place inside the word as well. It moves with each merge; the word's position does not."
)
@index_with
def index_both_places(index, pair, position, tokens, i):
    index.setdefault(pair, set()).add((position, i))


@build_pair_index.slip("You index tokens. A merge looks for a pair: two neighbours.")
def index_tokens(words):
    index = {}
    for position, tokens in enumerate(words):
        for token in tokens:
            index.setdefault(token, set()).add(position)
    return index


@build_pair_index.slip(
    "You keep empty sets for pairs that stand nowhere. With thousands of tokens that is millions of them: leave them "
    "out."
)
def index_with_empty_sets(words):
    tokens = {token for tokens in words for token in tokens}
    index = {(left, right): set() for left in tokens for right in tokens}
    for pair, positions in build_pair_index(words).items():
        index[pair] = positions
    return index


@exercise(
    minutes=12,
    difficulty=2,
    library=bpe_lib.indexed.count_changes,
    hints=(
        "The pairs of the old word go, the pairs of the new word come. What stays the same cancels out.",
        "Start with an empty dict: subtract for each pair of `old`, add for each pair of `new`.",
    ),
)
def count_changes(old: tuple[bytes, ...], new: tuple[bytes, ...], frequency: int) -> dict[tuple[bytes, bytes], int]:
    """Return by how much the count of each pair changes when `old` becomes `new` in a word with this frequency.

    A pair whose count does not change may be left out or stand there with 0.

    >>> count_changes((b"y", b"e", b"s"), (b"y", b"es"), 8)
    {(b'y', b'e'): -8, (b'e', b's'): -8, (b'y', b'es'): 8}
    """
    changes = {}
    for pair in zip(old, old[1:]):
        changes[pair] = changes.get(pair, 0) - frequency
    for pair in zip(new, new[1:]):
        changes[pair] = changes.get(pair, 0) + frequency
    return changes


count_changes.cases(
    (spell("yes"), spell("y·es"), 8),
    (spell("eded"), spell("ed·ed"), 3),
    (spell("aaaa"), spell("aa·aa"), 3),
    (spell("newest"), spell("n·e·w·es·t"), 1),
    (spell("we"), spell("we"), 4),
    (spell("ab"), (b"ab",), 2),
    (spell("aaa"), spell("aa·a"), 1),
    (spell("abab"), spell("ab·ab"), 5),
    (spell("xabxab"), spell("x·ab·x·ab"), 2),
)


@count_changes.random
def random_change(chance: Random) -> Args:
    """Return a word before and after a merge, and its frequency."""
    old = ()
    while len(old) < 2:
        old = random_word(chance, chance.choice(["a", "ab", "abc"]), 7)
    return old, merge_pair(old, chance.choice(list(zip(old, old[1:])))), chance.randint(1, 5)


@count_changes.valid
def is_merge(old: tuple, new: tuple, frequency: int) -> bool:
    """Tell whether one merge makes the new word of the old one, or there is nothing to merge."""
    pairs = zip(old, old[1:])
    return frequency > 0 and all(old) and len(old) > 1 and (old == new or new in [merge_pair(old, p) for p in pairs])


@count_changes.normal
def without_zeros(result: object, *_args: object) -> object:
    """Return the changes that are not zero."""
    return {pair: change for pair, change in result.items() if change} if isinstance(result, dict) else result


@count_changes.diagnose
def why_by_place(result: object, old: tuple, new: tuple, frequency: int) -> str:
    """Return what a pair that is nowhere, or is taken away too often, says about a count_changes."""
    if not isinstance(result, dict):
        return ""
    before, after = Counter(zip(old, old[1:])), Counter(zip(new, new[1:]))
    nowhere = [pair for pair, change in result.items() if change and pair not in {**before, **after}]
    if nowhere:
        return (
            f"{nowhere[0]!r} stands neither in the old word nor in the new one. You read a neighbour as it was before "
            "the merge beside it. Compare whole words: all pairs of `old`, and all pairs of `new`."
        )
    twice = [pair for pair, change in result.items() if change < -frequency * before[pair]]
    if not twice:
        return ""
    return (
        f"You take {twice[0]!r} away more often than it stands in the old word. It lies between two merges, and each "
        "of them takes it. Compare whole words: all pairs of `old`, and all pairs of `new`."
    )


@count_changes.slip("You forget the frequency. A word that occurs 8 times changes each count by 8.")
def changes_without_frequency(old, new, frequency):
    return count_changes(old, new, 1)


@count_changes.slip("Your signs are the wrong way round. Pairs of the old word are lost, so they count down.")
def changes_upside_down(old, new, frequency):
    return count_changes(new, old, frequency)


@count_changes.slip("You count only what comes. The pairs of the old word must be taken away.")
def changes_gained(old, new, frequency):
    return count_changes((), new, frequency)


@count_changes.same_slip
def new_counts(old, new, frequency):
    return count_pairs({new: frequency})


@count_changes.slip("You count only what goes. The new token has neighbours, too: pairs that must be added.")
def changes_lost(old, new, frequency):
    return count_changes(old, (), frequency)


@count_changes.slip("You count each pair once, even where it stands twice in the word. Every position counts.")
def changes_of_sets(old, new, frequency):
    before, after = set(zip(old, old[1:])), set(zip(new, new[1:]))
    return {pair: frequency * ((pair in after) - (pair in before)) for pair in before | after}


@count_changes.slip("A pair that stands in both words, or twice in one, is overwritten. Add to what is there already.")
def changes_overwritten(old, new, frequency):
    changes = {pair: -frequency for pair in zip(old, old[1:])}
    changes.update({pair: frequency for pair in zip(new, new[1:])})
    return changes


@count_changes.slip(
    "One half is missing: what is lost, or what is gained. Negative numbers count as well: a filter such as `n > 0` "
    "drops them, and so does `-` between two `Counter`s; their method `subtract` keeps them."
)
def changes_by_counter_minus(old, new, frequency):
    gained = Counter(zip(new, new[1:])) - Counter(zip(old, old[1:]))
    return {pair: frequency * change for pair, change in gained.items()}


@count_changes.same_slip
def changes_by_both_counters_minus(old, new, frequency):
    lost = Counter(zip(old, old[1:])) - Counter(zip(new, new[1:]))
    return {pair: -frequency * change for pair, change in lost.items()}


@count_changes.slip("A pair that is new to your table has no number yet, so `-=` raises KeyError. Start from 0.")
def changes_without_start(old, new, frequency):
    changes = {}
    for pair in zip(old, old[1:]):
        changes[pair] -= frequency
    return changes


@count_changes.slip("You return how large the changes are, without their signs. Lost pairs count down.")
def changes_in_size(old, new, frequency):
    return {pair: abs(change) for pair, change in count_changes(old, new, frequency).items()}


@count_changes.slip(
    "You don't count positions that overlap. In `aaaa` the pair (a, a) stands three times, and all three go."
)
def changes_without_overlap(old, new, frequency):
    before, after = nb04.without_overlap({old: frequency}), nb04.without_overlap({new: frequency})
    return {pair: after.get(pair, 0) - before.get(pair, 0) for pair in {**before, **after}}


def changes_by_place(merged_left: bool, merged_right: bool) -> Callable:
    """Return a count_changes that goes merge by merge; neighbours are read from before the merge, or after it."""

    def change(old, new, frequency):
        changes, i = Counter(), 0
        for j, token in enumerate(new):
            if token == old[i]:
                i += 1
                continue
            (a, b), left, right = old[i : i + 2], old[i - 1 : i], old[i + 2 : i + 3]
            changes[a, b] -= frequency
            for before in left:
                changes[before, a] -= frequency
                changes[new[j - 1] if merged_left else before, token] += frequency
            for after in right:
                changes[b, after] -= frequency
                changes[token, new[j + 1] if merged_right else after] += frequency
            i += 2
        return changes

    return change


count_changes.slip(
    "You go place by place, and where two merges stand side by side, as in `eded`, both take away what lies between "
    "them, and read a neighbour that the other has changed. Compare whole words: all pairs of `old`, and all pairs of "
    "`new`.",
    changes_by_place(merged_left=False, merged_right=False),
    changes_by_place(merged_left=True, merged_right=False),
    changes_by_place(merged_left=False, merged_right=True),
    changes_by_place(merged_left=True, merged_right=True),
)


@count_changes.accept
def changes_by_counters(old, new, frequency):
    before, after = Counter(zip(old, old[1:])), Counter(zip(new, new[1:]))
    differences = {pair: frequency * (after[pair] - before[pair]) for pair in {**before, **after}}
    return {pair: change for pair, change in differences.items() if change}


@exercise(
    minutes=30,
    difficulty=3,
    imports="from bpe_lib import best_pair, count_pairs, merge_pair",
    library=bpe_lib.train_indexed,
    hints=(
        "Count everything once, at the beginning. From then on only changes are added to that table.",
        "For each merge: the index names the words; for each of them, merge, add its `count_changes`, and keep the "
        "new word.",
        "Two things are easy to forget: the new word's pairs belong into the index, and a pair whose count becomes 0 "
        "must leave the table.",
    ),
)
def train_indexed(words: dict[tuple[bytes, ...], int], num_merges: int) -> list[tuple[bytes, bytes]]:
    """Return the merges of `train_naive`, visiting only the words that a merge changes.

    >>> train_indexed({(b"l", b"o", b"w"): 5, (b"l", b"o", b"t"): 2}, 2)
    [(b'l', b'o'), (b'lo', b'w')]
    """
    tokens, frequencies = list(words), list(words.values())
    counts, index = count_pairs(words), build_pair_index(tokens)
    merges = []
    while len(merges) < num_merges and counts:
        pair = best_pair(counts)
        merges.append(pair)
        for position in index.pop(pair):
            old = tokens[position]
            new = tokens[position] = merge_pair(old, pair)
            for changed, change in count_changes(old, new, frequencies[position]).items():
                counts[changed] = counts.get(changed, 0) + change
                if counts[changed] == 0:
                    del counts[changed]
            for made in zip(new, new[1:]):
                index.setdefault(made, set()).add(position)
    return merges


def many_words() -> ManyWords:
    """Return some hundred words over few letters: much to recount, little that one merge changes."""
    word = "tuple(bytes([chance.randrange(97, 111)]) for _ in range(chance.randint(1, 12)))"
    words = f"{{{word}: chance.randint(1, 9) for _ in range(300)}}"
    return ManyWords(f"(lambda chance: {words})(__import__('random').Random(13))")


MANY, MANY_MERGES = many_words(), 15
"""A case large enough to count work on."""

train_indexed.cases(
    ({spell("low"): 5, spell("lot"): 2}, 2),
    ({spell("low"): 5, spell("lot"): 2}, 1),
    (HANDOUT, 3),
    ({spell("abxy"): 1, spell("ab"): 1, spell("xy"): 1}, 4),
    (HANDOUT, 30),
    (NEWEST, 12),
    ({spell("eded"): 3, spell("xy"): 2}, 2),
    ({spell("baaa"): 1}, 2),
    ({spell("aaac"): 1}, 2),
    ({spell("mn"): 2, spell("ab"): 2, spell("xy"): 2}, 1),
    ({spell("ab"): 1}, 5),
    ({}, 3),
    ({spell("ab"): 1}, 0),
    ({spell("caaa"): 2, spell("aca"): 1}, 4),
    ({spell(" a"): 1, spell("bc"): 1}, 1),
    ({spell("abab"): 1, spell("ab"): 1}, 4),
    (MANY, MANY_MERGES),
)

train_indexed.random(nb04.random_training)

train_indexed.valid(
    lambda words, n: n >= 0 and all(words) and all(len(token) == 1 for tokens in words for token in tokens)
)


@cache
def naive_work() -> tuple[Tally, list[tuple[bytes, bytes]]]:
    """Return what the naive trainer needs for the large case, and the merges it learns; measured when first asked."""
    return measure(nb04.train_naive, MANY, MANY_MERGES)


PERMITTED = 0.5
"""The part of the naive trainer's lookups and comparisons that an indexed one may need; it is plenty."""
RECOUNTS = (
    "Your merges are right, but after each of them you go through all words and count their pairs again, as the naive "
    "trainer does. Count once; from then on add only the changes in the words that the index names."
)
VISITS_ALL = (
    "Your merges are right, but you visit every word at every merge, to see whether it changes. Ask the index which "
    "words hold the pair, and visit only those."
)
LOOKS_UP_ALL = (
    "Your merges are right, but for each of them you look up nearly all pairs again: you rebuild the index, count "
    "everything, or search all words for the pair. Build and count once; then visit the words that the index names."
)
WASTE = {(True, True): RECOUNTS, (True, False): VISITS_ALL, (False, True): LOOKS_UP_ALL}
"""What to say to a reader who visits every word, looks up every pair, or both, at every merge."""


@train_indexed.harness
def train_and_count(function: Callable, words: dict, num_merges: int) -> list:
    """Return the merges; on a large case, see to it that they took less work than counting everything again."""
    if len(words) < len(MANY):
        return function(words, num_merges)
    naive, right = naive_work()
    needed, merges = measure(function, words, num_merges)
    if merges == right:
        visits_all = needed.comparisons > PERMITTED * naive.comparisons
        looks_up_all = needed.lookups > PERMITTED * naive.lookups
        if visits_all or looks_up_all:
            raise Complaint(WASTE[visits_all, looks_up_all])
    return merges


def same_merge_twice(result: object, *_args: object) -> str:
    """Return what a merge that is learned twice says about a trainer."""
    if not isinstance(result, list) or any(not isinstance(pair, tuple) for pair in result):
        return ""
    twice = [pair for number, pair in enumerate(result) if pair in result[:number]]
    if not twice:
        return ""
    return (
        f"You learn {twice[0]!r} twice. So its count never fell, or it fell to 0 and was not taken out, or the index "
        "did not name its words, or these were not stored as merged. Print its count and its entry after the first."
    )


ZEROS = (
    "Pairs whose count has fallen to 0 stay in your counts. When no other pair is left, `best_pair` offers them. Take "
    "them out as soon as their count is 0."
)


@train_indexed.diagnose
def why_other_merges(result: object, words: dict, num_merges: int) -> str:
    """Return what a merge that is learned twice, or of a pair that is nowhere, says about a trainer."""
    if text := same_merge_twice(result):
        return text
    for number, pair in enumerate(result if isinstance(result, list) else ()):
        if not isinstance(pair, tuple):
            return ""
        if pair not in count_pairs(words):
            return f"You learn {pair!r} as merge {number + 1}, and by then it stands nowhere. {ZEROS}"
        words = {merge_pair(word, pair): 1 for word in words}
    return ""


def visiting_all(careful: bool) -> Callable:
    """Return a trainer that changes counts rightly, but visits every word; `careful` skips words that stay the same."""

    def train(words, num_merges):
        tokens, frequencies = list(words), list(words.values())
        counts, merges = count_pairs(words), []
        while len(merges) < num_merges and counts:
            pair = best_pair(counts)
            merges.append(pair)
            for position, old in enumerate(tokens):
                new = tokens[position] = merge_pair(old, pair)
                if careful and new == old:
                    continue
                for changed, change in count_changes(old, new, frequencies[position]).items():
                    counts[changed] = counts.get(changed, 0) + change
                    if counts[changed] == 0:
                        del counts[changed]
        return merges

    return train


train_indexed.slip(
    RECOUNTS,
    nb04.train_naive,
    nb04.trainer(),
    visiting_all(careful=False),
)

train_indexed.slip(VISITS_ALL, visiting_all(careful=True))


@train_indexed.slip(LOOKS_UP_ALL)
def rebuilding(words, num_merges):
    tokens, frequencies = list(words), list(words.values())
    counts, merges = count_pairs(words), []
    while len(merges) < num_merges and counts:
        pair = best_pair(counts)
        merges.append(pair)
        for position in build_pair_index(tokens)[pair]:
            old = tokens[position]
            new = tokens[position] = merge_pair(old, pair)
            for changed, change in count_changes(old, new, frequencies[position]).items():
                counts[changed] = counts.get(changed, 0) + change
                if counts[changed] == 0:
                    del counts[changed]
    return merges


train_indexed.slip(
    "Your index does not learn the new pairs. After a merge the word holds pairs such as (b'e', b'st'): add the word's "
    "position to their sets, or the next merge finds no word, and (b'e', b'st') is chosen again and again.",
    indexed(extend=False),
    indexed(extend=False, drop=True),
)


def strict(
    find: Callable, add: Callable, extend: bool = True, zeros: bool = False, drop: bool = False, least: int = 0
) -> Callable:
    """Return a trainer that looks words up with `find`, and changes counts with `add`.

    Args:
        find: gets the index and a pair.
        add: gets the counts, a pair and by how much its count changes.
        extend: the index learns the pairs of new words.
        zeros: pairs whose count is 0 stay in the counts.
        drop: the chosen pair leaves the counts, whatever its count is.
        least: training stops at a pair with a lower count.
    """

    def train(words, num_merges):
        tokens, frequencies = list(words), list(words.values())
        counts, index = count_pairs(words), build_pair_index(tokens)
        merges = []
        while len(merges) < num_merges and counts:
            pair = best_pair(counts)
            if counts[pair] < least:
                break
            merges.append(pair)
            for position in sorted(find(index, pair)):
                old = tokens[position]
                new = tokens[position] = merge_pair(old, pair)
                for changed, change in count_changes(old, new, frequencies[position]).items():
                    add(counts, changed, change)
                    if not zeros and counts[changed] == 0:
                        del counts[changed]
                for made in zip(new, new[1:]) if extend else ():
                    index.setdefault(made, set()).add(position)
            if drop:
                counts.pop(pair, None)
        return merges

    return train


def read_entry(index, pair):
    return index[pair]


def add_to_any(counts, pair, change):
    counts[pair] = counts.get(pair, 0) + change


def take_entry(index, pair):
    return index.pop(pair)


train_indexed.slip(
    "The index has no entry for the pair that you chose, so `index[pair]` raises KeyError. It is new: after each "
    "merge, add the word's position to the sets of all its new pairs.",
    strict(read_entry, add_to_any, extend=False),
    strict(take_entry, add_to_any, extend=False),
)


def add_to_known(counts, pair, change):
    counts[pair] += change


train_indexed.slip(
    "A pair that a merge has made stands neither in the counts nor in the index yet, so `counts[pair] += …` and "
    "`index[pair].add(…)` raise KeyError. Start from nothing: `counts.get(pair, 0)`, `index.setdefault(pair, set())`.",
    strict(read_entry, add_to_known),
)


def find_entry(index, pair):
    return index.get(pair, ())


train_indexed.slip(
    ZEROS,
    strict(find_entry, add_to_any, zeros=True),
    strict(take_entry, add_to_any, zeros=True),
    strict(find_entry, add_to_any, zeros=True, drop=True),
)


@train_indexed.slip(
    "You overwrite counts with their changes, perhaps by `counts.update(…)`, which adds only on a `Counter`. Add each "
    "change to the count that stands there."
)
def overwriting(words, num_merges):
    """Overwrite counts with changes, and go on while one is above 0."""
    tokens, frequencies = list(words), list(words.values())
    counts, index = count_pairs(words), build_pair_index(tokens)
    merges = []
    while len(merges) < num_merges and counts:
        pair = best_pair(counts)
        merges.append(pair)
        for position in sorted(index[pair]):
            old = tokens[position]
            new = tokens[position] = merge_pair(old, pair)
            counts.update(count_changes(old, new, frequencies[position]))
            for made in zip(new, new[1:]):
                index.setdefault(made, set()).add(position)
        counts = {pair: count for pair, count in counts.items() if count > 0}
    return merges


def overwrite(counts, pair, change):
    counts[pair] = change


train_indexed.same_slip(
    strict(find_entry, overwrite),
    strict(find_entry, overwrite, zeros=True),
    strict(find_entry, overwrite, drop=True),
)

train_indexed.slip(
    "You stop at pairs with count 1. A pair with count 1 still merges; only when no pair is left does training end "
    "early.",
    strict(find_entry, add_to_any, least=2),
)

train_indexed.slip(
    "You never store the merged word, so the next merge finds it as it was in the beginning. Put it back into the "
    "list, at its position.",
    indexed(store=False),
    indexed(store=False, drop=True),
)


def count_tokens(old, start, token):
    """Return how many tokens of the old word, from `start` on, make up one token of the new word."""
    return 1 if old[start] == token else 2


def phantom_changes(old, new, frequency):
    """Count what one merge changes, but read the right neighbour from before the merge."""
    changes = count_changes(old, new, frequency)
    i = 0
    for token, after in zip(new, new[1:]):
        width = count_tokens(old, i, token)
        next_width = count_tokens(old, i + width, after)
        if width == 2 and next_width == 2:
            changes[token, after] = changes.get((token, after), 0) - frequency
            phantom = token, old[i + 2]
            changes[phantom] = changes.get(phantom, 0) + frequency
        i += width
    return changes


@train_indexed.slip(
    "Where two merges stand side by side, as in `ed·ed`, you read the right neighbour from before the merge, and count "
    "a pair (b'ed', b'e') that is nowhere. Use the word as it is after the merge."
)
def phantom_in_the_end(words, num_merges):
    return indexed(changes=phantom_changes)(words, num_merges)


def pairs_added_only(old, new, frequency):
    return {pair: change for pair, change in count_changes(old, new, frequency).items() if change > 0}


train_indexed.slip(
    "You add new pairs, but never take the old ones away. After (e, s) is merged in `yes`, (y, e) is gone: count it "
    "down.",
    indexed(changes=pairs_added_only),
    indexed(changes=pairs_added_only, drop=True),
)


def pairs_removed_only(old, new, frequency):
    return {pair: change for pair, change in count_changes(old, new, frequency).items() if change < 0}


train_indexed.slip(
    "You take old pairs away, but never add the new ones: the new token has neighbours, too.",
    indexed(changes=pairs_removed_only),
    indexed(changes=pairs_removed_only, drop=True),
)

train_indexed.slip(
    "You forget how often a word occurs when you change the counts. Its pairs change by its frequency.",
    indexed(changes=changes_without_frequency),
    indexed(changes=changes_without_frequency, drop=True),
)

train_indexed.slip(
    "You change the count of a pair once for each word, even where it stands there twice.",
    indexed(changes=changes_of_sets),
    indexed(changes=changes_of_sets, drop=True),
)

train_indexed.slip(
    "You merge only the first occurrence in each word. Use `merge_pair`.", indexed(merge=nb04.first_only)
)

train_indexed.slip(nb04.TIE_MESSAGES["smallest"], indexed(best=nb04.smallest_wins))

train_indexed.slip(nb04.TIE_MESSAGES["joined"], indexed(best=nb04.joined_bytes_win))

train_indexed.slip(nb04.TIE_MESSAGES["printable"], indexed(best=nb04.printable_wins))

train_indexed.slip(nb04.TIE_MESSAGES["first"], indexed(best=nb04.first_wins))

train_indexed.slip(
    "A stale heap entry is thrown away, and its pair with it, though the pair still occurs. Push it back with today's "
    "count.",
    with_heap(throw_away=True),
)


@train_indexed.slip("Your function raises when no pair is left. Stop there, with fewer merges than were asked for.")
def indexed_raising(words, num_merges):
    merges = train_indexed(words, num_merges)
    if len(merges) < num_merges:
        return max([])
    return merges


@train_indexed.slip("Your merges come in reverse order. The first one learned comes first.")
def order_of_places(words, num_merges):
    return train_indexed(words, num_merges)[::-1]


def looking_through(words, num_merges):
    """Train rightly, but look through every word at every merge for those that hold the pair."""
    tokens, frequencies = list(words), list(words.values())
    counts, merges = count_pairs(words), []
    while len(merges) < num_merges and counts:
        pair = best_pair(counts)
        merges.append(pair)
        for position, old in enumerate(tokens):
            if pair not in set(zip(old, old[1:])):
                continue
            new = tokens[position] = merge_pair(old, pair)
            for changed, change in count_changes(old, new, frequencies[position]).items():
                counts[changed] = counts.get(changed, 0) + change
                if counts[changed] == 0:
                    del counts[changed]
    return merges


train_indexed.slip(LOOKS_UP_ALL, looking_through)


def merging_first(words, num_merges):
    """Train, but merge the first occurrence of the pair in each word only."""
    tokens, frequencies = list(words), list(words.values())
    counts, index = count_pairs(words), build_pair_index(tokens)
    merges = []
    while len(merges) < num_merges and counts:
        pair = best_pair(counts)
        merges.append(pair)
        for position in sorted(index.get(pair, ())):
            old = tokens[position]
            new = tokens[position] = tuple(nb04.first_only(old, pair))
            for changed, change in count_changes(old, new, frequencies[position]).items():
                counts[changed] = counts.get(changed, 0) + change
                if counts[changed] == 0:
                    del counts[changed]
            for made in zip(new, new[1:]):
                index.setdefault(made, set()).add(position)
    return merges


train_indexed.slip(
    "You merge only the first occurrence in each word. Use `merge_pair`.",
    merging_first,
)

train_indexed.accept(
    indexed(),
    indexed(drop=True),
    indexed(changes=changes_by_counters),
    strict(take_entry, add_to_any),
    strict(find_entry, add_to_any),
    with_heap(),
)


@train_indexed.accept
def eager_heap(words, num_merges):
    """Throw stale entries away, and push a fresh one at every change: right, too."""
    tokens, frequencies = list(words), list(words.values())
    counts, index = count_pairs(words), build_pair_index(tokens)
    heap = [heap_entry(pair, count) for pair, count in counts.items()]
    heapify(heap)
    merges = []
    while heap and len(merges) < num_merges:
        entry = heappop(heap)
        pair = entry[-1]
        if counts.get(pair, 0) != -entry[0]:
            continue
        merges.append(pair)
        for position in index.pop(pair):
            old = tokens[position]
            new = tokens[position] = merge_pair(old, pair)
            for changed, change in changes_by_counters(old, new, frequencies[position]).items():
                counts[changed] = counts.get(changed, 0) + change
                if counts[changed] > 0:
                    heappush(heap, heap_entry(changed, counts[changed]))
                else:
                    del counts[changed]
            for made in zip(new, new[1:]):
                index.setdefault(made, set()).add(position)
    return merges


@exercise(
    minutes=15,
    difficulty=3,
    imports="from heapq import heappop, heappush\n\nfrom bpe_lib.indexed import heap_entry",
    show="heap = sorted(heap_entry(pair, count) for pair, count in {0})\ncounts = {1}\n"
    "while True:  # until IndexError\n    pair = pop_best(heap, counts)\n    print(pair)\n    counts.pop(pair, None)",
    may_change=(0,),
    library=bpe_lib.indexed.pop_best,
    hints=(
        "Take the top entry. Compare its count, `-entry[0]`, with today's: `pair_counts.get(pair, 0)`.",
        "Three cases: equal, and above 0: that is the winner. Different, and above 0: it must come back later, with "
        "today's count. 0: it is gone.",
        "A `while True` loop around `heappop`. An empty heap raises IndexError all by itself.",
    ),
)
def pop_best(heap: list[tuple], pair_counts: dict[tuple[bytes, bytes], int]) -> tuple[bytes, bytes]:
    """Take the pair with the highest count of today off the heap, and return it.

    The heap holds entries `heap_entry(pair, count)`: `entry[0]` is the count with a minus sign, `entry[-1]` the pair.
    `pair_counts` holds today's counts; a pair that is missing there has 0. An entry whose count is not today's is
    stale: take it off, and push the pair back with today's count if that is above 0. Where no live pair is left, an
    empty heap raises `IndexError`.

    >>> heap = [heap_entry((b"a", b"b"), 9), heap_entry((b"c", b"d"), 5)]
    >>> pop_best(heap, {(b"a", b"b"): 3, (b"c", b"d"): 5})
    (b'c', b'd')
    """
    while True:
        entry = heappop(heap)
        pair = entry[-1]
        count = pair_counts.get(pair, 0)
        if count == -entry[0] and count > 0:
            return pair
        if count > 0:
            heappush(heap, heap_entry(pair, count))


PAIRS = "for i in range(97, 107) for j in range(10)"
MANY_ENTRIES = ManyEntries(f"[((bytes([i]), bytes([j])), 1 + (7 * i + j) % 90) {PAIRS}]")
MANY_COUNTS = ManyCounts(
    f"{{(bytes([i]), bytes([j])): 1 + (7 * i + j) % 90 - (1 + (7 * i + j) % 90) % 3 // 2 {PAIRS}}}"
)
"""A heap large enough to count what is looked up, with a stale entry in three."""

pop_best.cases(
    ([((b"a", b"b"), 9), ((b"c", b"d"), 5)], {(b"a", b"b"): 3, (b"c", b"d"): 5}),
    ([((b"a", b"b"), 2), ((b"x", b"y"), 2)], {(b"a", b"b"): 2, (b"x", b"y"): 2}),
    (
        [((b"a", b"b"), 9), ((b"c", b"d"), 8), ((b"e", b"f"), 2)],
        {(b"a", b"b"): 3, (b"c", b"d"): 1, (b"e", b"f"): 2},
    ),
    ([], {}),
    ([((b"a", b"b"), 4)], {}),
    ([((b"a", b"b"), 4)], {(b"a", b"b"): 0}),
    ([((b"a", b"b"), 4), ((b"c", b"d"), 4)], {(b"a", b"b"): 3, (b"c", b"d"): 2}),
    ([((b"a", b"b"), 5)], {(b"a", b"b"): 5}),
    ([((b"a", b"b"), 5), ((b"a", b"b"), 3)], {(b"a", b"b"): 3}),
    ([((b"a", b"b"), 5), ((b"c", b"d"), 3)], {(b"a", b"b"): 3, (b"c", b"d"): 3}),
    (MANY_ENTRIES, MANY_COUNTS),
)


@pop_best.random
def random_heap(chance: Random) -> Args:
    """Return entries for a heap, and today's counts, none of them above an entry of its pair."""
    tokens = [b"a", b"b", b"ab", b"c"]
    entries, counts = {}, {}
    for _ in range(chance.randint(0, 5)):
        pair = chance.choice(tokens), chance.choice(tokens)
        entries[pair] = chance.randint(1, 6)
        if chance.random() < 0.85:
            counts[pair] = chance.randint(0, entries[pair])
    return list(entries.items()), {pair: count for pair, count in counts.items() if pair in entries}


@pop_best.valid
def heap_is_kept(entries: list, counts: dict) -> bool:
    """Tell whether each live pair has an entry with a count of at least today's."""
    highest = {}
    for pair, count in entries:
        highest[pair] = max(count, highest.get(pair, 0))
    good = all(len(pair) == 2 and all(pair) and count > 0 for pair, count in entries)
    return good and all(count <= highest.get(pair, 0) for pair, count in counts.items())


UNREAD = (
    "You never read the heap: you take the best pair out of `pair_counts`, and so go through the whole table at every "
    "call. Begin with the entry on the top of the heap."
)


def look_at_heap(before: list[tuple], heap: list[tuple], pair: object) -> None:
    """Raise a complaint if a call that returned this pair left its entry in the heap."""
    pairs = [entry[-1] for entry in heap]
    if heap == before and pair in pairs[1:]:
        raise Complaint(UNREAD, pair)
    if pair in pairs and pairs.count(pair) >= [entry[-1] for entry in before].count(pair):
        raise Complaint("The winner is still in the heap. Take its entry off, or it will win again.", pair)


MOST_LOOKS = 10
"""How often, for each entry, a pair may be looked up until the heap is empty; it is plenty."""
CHANGED = "You change `pair_counts`. Today's counts belong to the caller; only the heap is yours."
READS_ALL = (
    "The pairs are right, but you read the whole of `pair_counts` at every call, perhaps to build the heap anew. "
    "The heap is there to save that: look up only the pair on its top, and go on from there."
)


MOST_COMPARISONS = 30
"""How often, for each entry, two entries may be compared until the heap is empty; twice what `heappop` needs."""
SORTS = (
    "The pairs are right, but you compare entries {} times for each pair that you return: you sort or search the whole "
    "list. It is a heap already; `heappop` and `heappush` keep it one with a few comparisons."
)
NO_PAIR = (
    "Your function returns None where there is a live pair. Does every way through it end in `return`? A function that "
    "calls itself must return what that call returns: `return pop_best(heap, pair_counts)`."
)


@pop_best.harness
def pop_everything(function: Callable, entries: list[tuple], pair_counts: dict) -> list:
    """Return the pairs that come off the heap one after another, and how it ends."""
    tally = Tally()
    heap = [WatchedEntry(heap_entry(pair, count), tally) for pair, count in entries]
    heapify(heap)
    tally.comparisons = 0
    counts, popped, looked_up = dict(pair_counts), [], 0
    while len(popped) <= len(entries):
        before, given = list(heap), WatchedCounts(counts)
        try:
            pair = function(heap, given)
        except IndexError:
            popped.append("IndexError")
            break
        popped.append(pair)
        looked_up += given.looked_up
        if pair is None:
            raise Complaint(NO_PAIR, pair)
        if given != counts:
            raise Complaint(CHANGED, pair)
        look_at_heap(before, heap, pair)
        counts.pop(pair, None) if isinstance(pair, tuple) else None
    if len(entries) >= len(MANY_ENTRIES) and looked_up > MOST_LOOKS * len(entries):
        raise Complaint(READS_ALL)
    if len(entries) >= len(MANY_ENTRIES) and tally.comparisons > MOST_COMPARISONS * len(entries):
        raise Complaint(SORTS.format(tally.comparisons // len(popped)))
    return popped


@pop_best.slip("You take the top entry for granted. Its count may be an old one: compare it with today's.")
def pop_without_look(heap, pair_counts):
    return heappop(heap)[-1]


@pop_best.slip(
    "You throw a stale entry away, and its pair with it. The pair still occurs, only less often: push it back with "
    "today's count."
)
def pop_throwing_away(heap, pair_counts):
    while True:
        entry = heappop(heap)
        if pair_counts.get(entry[-1], 0) == -entry[0]:
            return entry[-1]


@pop_best.slip(
    "You take the first pair that still occurs. Its count may have fallen below another's: an entry wins only if its "
    "count is today's."
)
def pop_any_live(heap, pair_counts):
    while True:
        pair = heappop(heap)[-1]
        if pair_counts.get(pair, 0) > 0:
            return pair


@pop_best.slip(
    "The winner stays in the heap, and would win again. Take entries off the top until one is live, and leave that one "
    "off."
)
def pop_leaves_winner(heap, pair_counts):
    pair = pop_best(heap, pair_counts)
    heappush(heap, heap_entry(pair, pair_counts[pair]))
    return pair


@pop_best.slip(UNREAD)
def pop_without_heap(heap, pair_counts):
    live = {pair: count for pair, count in pair_counts.items() if count > 0}
    if not live:
        raise IndexError
    return best_pair(live)


@pop_best.same_slip
def pop_highest_of_table(heap, pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair))


@pop_best.same_slip
def pop_highest_or_error(heap, pair_counts):
    if not pair_counts:
        raise IndexError
    return pop_highest_of_table(heap, pair_counts)


@pop_best.same_slip
def pop_first_highest_of_table(heap, pair_counts):
    return max(pair_counts, key=pair_counts.get)


@pop_best.same_slip
def pop_greatest_pair(heap, pair_counts):
    return max(pair_counts)


@pop_best.slip(READS_ALL)
def pop_rebuilding(heap, pair_counts):
    heap[:] = [heap_entry(pair, count) for pair, count in pair_counts.items() if count > 0]
    heapify(heap)
    return heappop(heap)[-1]


@pop_best.same_slip
def pop_rebuilding_with_dead(heap, pair_counts):
    heap[:] = [heap_entry(pair, count) for pair, count in pair_counts.items()]
    heapify(heap)
    return heappop(heap)[-1]


@pop_best.slip("You look at one entry only. The next one may be stale, too: go on until one is live.")
def pop_looking_once(heap, pair_counts):
    entry = heappop(heap)
    count = pair_counts.get(entry[-1], 0)
    if count == -entry[0]:
        return entry[-1]
    if count > 0:
        heappush(heap, heap_entry(entry[-1], count))
    return heappop(heap)[-1]


@pop_best.slip(
    "You append the entry, and the order of the heap is lost: the entry on the top is no longer the best. `heappush` "
    "keeps it."
)
def pop_appending(heap, pair_counts):
    while True:
        entry = heappop(heap)
        count = pair_counts.get(entry[-1], 0)
        if count == -entry[0] and count > 0:
            return entry[-1]
        if count > 0:
            heap.append(heap_entry(entry[-1], count))


@pop_best.slip("You return the entry. The contract asks for the pair, `entry[-1]`.")
def pop_returns_entry(heap, pair_counts):
    pair = pop_best(heap, pair_counts)
    return heap_entry(pair, pair_counts[pair])


@pop_best.slip(
    "A pair that is gone from `pair_counts` makes your function raise KeyError. `pair_counts.get(pair, 0)` says 0 for "
    "it."
)
def pop_key_error(heap, pair_counts):
    while True:
        entry = heappop(heap)
        count = pair_counts[entry[-1]]
        if count == -entry[0] and count > 0:
            return entry[-1]
        if count > 0:
            heappush(heap, heap_entry(entry[-1], count))


@pop_best.slip(
    "You push `(-count, pair)` back. Beside the other entries it has the wrong shape, and ties go wrong or raise "
    "TypeError. `heap_entry(pair, count)` makes an entry."
)
def pop_pushing_plain(heap, pair_counts):
    while True:
        entry = heappop(heap)
        count = pair_counts.get(entry[-1], 0)
        if count == -entry[0] and count > 0:
            return entry[-1]
        if count > 0:
            heappush(heap, (-count, entry[-1]))


@pop_best.slip("Where no live pair is left you return None. The contract says IndexError.")
def pop_none(heap, pair_counts):
    try:
        return pop_best(heap, pair_counts)
    except IndexError:
        return None


@pop_best.slip("You return a pair whose count is 0. It is nowhere any more: leave it off the heap and go on.")
def pop_keeps_zero(heap, pair_counts):
    while True:
        entry = heappop(heap)
        count = pair_counts.get(entry[-1], 0)
        if count == -entry[0]:
            return entry[-1]
        heappush(heap, heap_entry(entry[-1], count))


@pop_best.slip(
    "`list.pop()` takes the last entry of the list, which is any entry at all. The best one stands at the front of a "
    "heap, and `heappop(heap)` takes it off."
)
def pop_last(heap, pair_counts):
    while True:
        pair = heap.pop()[-1]
        if pair_counts.get(pair, 0) > 0:
            return pair


@pop_best.same_slip
def pop_last_with_todays_count(heap, pair_counts):
    while True:
        entry = heap.pop()
        pair, count = entry[-1], pair_counts.get(entry[-1], 0)
        if count == -entry[0] and count > 0:
            return pair
        if count > 0:
            heappush(heap, heap_entry(pair, count))


@pop_best.same_slip
def pop_last_whatever_it_is(heap, pair_counts):
    return heap.pop()[-1]


@pop_best.accept
def pop_peeking(heap, pair_counts):
    while heap[0][0] != -pair_counts.get(heap[0][-1], 0) or heap[0][0] == 0:
        entry = heappop(heap)
        if pair_counts.get(entry[-1], 0) > 0:
            heappush(heap, heap_entry(entry[-1], pair_counts[entry[-1]]))
    return heappop(heap)[-1]


@exercise(
    minutes=8,
    difficulty=3,
    collected=False,
    hints=(
        "You need a pair that stands on the heap with an old, higher count, and is still frequent enough to win later.",
        "A merge that takes away some occurrences of another pair, but not all, makes such an entry: try one word "
        "that holds both, and another one that holds the second pair alone. Seven bytes are enough.",
        "For example, (a, b) in `abc` falls when (b, c) is merged first. Where else should (a, b) stand?",
    ),
)
def break_stale_heap() -> dict[tuple[bytes, ...], int]:
    """Return words and their counts on which a trainer that throws stale heap entries away learns other merges.

    There are at most three words, of 8 bytes in all. Words are tuples of single bytes. (The trainer pushes an entry
    whenever a count rises, none when it falls.)

    >>> words = break_stale_heap()
    >>> isinstance(words, dict)
    True
    """
    return {(b"a", b"b", b"c"): 3, (b"b", b"c"): 3, (b"a", b"b"): 2}


MOST_WORDS, MOST_BYTES = 3, 8
TOO_MANY = (
    f"Your words are more than the exercise permits: at most {MOST_WORDS} words, of {MOST_BYTES} bytes in all. So few "
    "can be followed with pencil and paper. The counts may be as high as you like."
)
NOTHING_STALE = (
    "No entry of a living pair is thrown away on these words: where a count falls, it falls to 0. Let one merge take "
    "some occurrences of another pair, but not all, and let these win later."
)


def check_stale(value: object) -> str:
    """Return what is wrong with the reader's words, and if it is not their form, which half of the task is missing."""
    problem = check_words(value)
    if problem:
        return problem
    if len(value) > MOST_WORDS or sum(map(len, value)) > MOST_BYTES:
        return TOO_MANY
    thrown = []
    right, wrong = nb04.train_some(nb04.train_naive), nb04.train_some(with_heap(throw_away=True, thrown=thrown))
    if right(value) != wrong(value):
        return ""
    if not thrown:
        return NOTHING_STALE
    return (
        f"Half of it is there: the entry of {thrown[0]!r} gets stale and is thrown away. But the pair is not missed, "
        "since its last occurrences vanish in other merges or it gets a new entry. Let some of them win later."
    )


break_stale_heap.harness(
    breaks(nb04.train_some(nb04.train_naive), nb04.train_some(with_heap(throw_away=True)), check_stale, "that trainer")
)

break_stale_heap.slip(
    NOTHING_STALE,
    returning(words(ab=1)),
    returning(words(abc=1)),
    returning(words(abab=1)),
)

break_stale_heap.slip(
    TOO_MANY,
    returning(words(abc=2, bc=1, ab=1, a=1)),
    returning(words(abc=2, bc=1, abxyz=1)),
)

break_stale_heap.slip("No word here has two tokens, so there is nothing to merge.", returning({}))

break_stale_heap.slip(
    "Your words are no tuples of single bytes. `hi` is written (b'h', b'i').",
    returning({"abc": 1}),
    returning({b"abc": 1}),
)

break_stale_heap.accept(returning(words(abc=2, bc=1, ab=1)), returning(words(caaa=2, aca=1)))
