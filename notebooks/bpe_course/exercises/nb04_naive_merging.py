"""The exercises of notebook 04."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import bpe_lib
from bpe_course.compare import a
from bpe_course.exercise import Args, exercise
from bpe_course.harness import breaks, returning
from bpe_course.samples import END, HANDOUT, random_word, random_words, spell, words
from bpe_lib import vocabulary
from bpe_lib.formats import to_printable


@exercise(
    minutes=10,
    difficulty=1,
    library=bpe_lib.count_pairs,
    hints=(
        "Go through the words; in each, through its adjacent pairs; and add something for each pair.",
        "`zip(word, word[1:])` gives all pairs of neighbours, overlapping ones, too.",
        "What you add is not 1: a word that occurs five times holds each of its pairs five times as often.",
    ),
)
def count_pairs(words: dict[tuple[bytes, ...], int]) -> dict[tuple[bytes, bytes], int]:
    """Return how often each pair of neighbouring tokens occurs.

    Every adjacent position counts, times the frequency of its word.

    >>> count_pairs({(b"a", b"b", b"a"): 5, (b"b", b"a"): 2})
    {(b'a', b'b'): 5, (b'b', b'a'): 7}
    """
    counts = {}
    for word, frequency in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


count_pairs.cases(
    ({spell("aba"): 5, spell("ba"): 2},),
    ({spell("aaaa"): 1},),
    ({spell("aaaaa"): 1, spell("bc"): 2},),
    (HANDOUT,),
    ({},),
    ({spell("a"): 3},),
    ({spell("est·est·est"): 2, spell("n·e·west"): 4},),
    ({spell("␣l·ow"): 1, spell("é"): 3},),
    ({spell("abab"): 1},),
)

count_pairs.random(lambda chance: (random_words(chance, "abé ÿ", 4, 0.3),))


@count_pairs.slip(
    "You count each word once, however often it occurs. `newest` stands there six times, and so does each of its "
    "pairs: add the word's count."
)
def frequency_forgotten(words):
    return count_pairs(dict.fromkeys(words, 1))


@count_pairs.slip(
    "You don't count positions that overlap. (b'a', b'a') stands in `aaaa` at positions 0, 1 and 2: three times. "
    "Overlap matters when you merge, not when you count."
)
def without_overlap(words):
    counts = {}
    for tokens, frequency in words.items():
        last = None
        for i, pair in enumerate(zip(tokens, tokens[1:])):
            if last == (pair, i - 1):
                last = None
                continue
            counts[pair] = counts.get(pair, 0) + frequency
            last = pair, i
    return counts


@count_pairs.same_slip
def without_repetition(words):
    counts = {}
    for tokens, frequency in words.items():
        last = None
        for pair in zip(tokens, tokens[1:]):
            if pair != last:
                counts[pair] = counts.get(pair, 0) + frequency
            last = pair
    return counts


@count_pairs.slip(
    "You count with `bytes.count`, which skips occurrences that overlap, and sees bytes, not tokens. Walk through the "
    "word, from each token to the next one."
)
def by_bytes_count(words):
    counts = {}
    for tokens, frequency in words.items():
        for pair in dict.fromkeys(zip(tokens, tokens[1:])):
            counts[pair] = counts.get(pair, 0) + b"".join(tokens).count(b"".join(pair)) * frequency
    return counts


@count_pairs.slip(
    "Your loop goes one step too far: the last token has no right neighbour. A word of n tokens has n - 1 pairs."
)
def beyond_the_end(words):
    counts = {}
    for tokens, frequency in words.items():
        for i in range(len(tokens)):
            pair = tokens[i], tokens[i + 1]
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


@count_pairs.same_slip
def half_a_pair_at_the_end(words):
    counts = {}
    for tokens, frequency in words.items():
        for i in range(len(tokens)):
            pair = tokens[i : i + 2]
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


@count_pairs.slip("You count a pair once for each word, even where it stands there twice. Every position counts.")
def once_a_word(words):
    counts = {}
    for tokens, frequency in words.items():
        for pair in dict.fromkeys(zip(tokens, tokens[1:])):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


@count_pairs.slip("A later word overwrites the count of an earlier one. A pair that stands in two words gets the sum.")
def overwritten(words):
    return {pair: frequency for tokens, frequency in words.items() for pair in zip(tokens, tokens[1:])}


@count_pairs.slip("You keep the count from the first place where you saw a pair. What comes later must be added.")
def first_count_kept(words):
    counts = {}
    for tokens, frequency in words.items():
        for pair in zip(tokens, tokens[1:]):
            counts.setdefault(pair, frequency)
    return counts


@count_pairs.slip(
    "Your keys are joined bytes, so (b'a', b'ab') and (b'aa', b'b') become the same. A pair stays a tuple of two "
    "tokens."
)
def joined_keys(words):
    counts = {}
    for pair, count in count_pairs(words).items():
        counts[pair[0] + pair[1]] = counts.get(pair[0] + pair[1], 0) + count
    return counts


@count_pairs.slip("You go on by two tokens, and miss every other pair. In `aba` there are two: (a, b) and (b, a).")
def every_other(words):
    counts = {}
    for tokens, frequency in words.items():
        for pair in zip(tokens[::2], tokens[1::2]):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


@count_pairs.slip("You miss the last pair of each word. A word of n tokens has n - 1 pairs.")
def last_pair_missed(words):
    return count_pairs({tokens[:-1]: frequency for tokens, frequency in words.items()})


@count_pairs.slip(
    "You count pairs that reach from one word into the next. No merge ever does: go through each word alone."
)
def across_words(words):
    row = [(token, frequency) for tokens, frequency in words.items() for token in tokens]
    counts = {}
    for (left, frequency), (right, _) in zip(row, row[1:]):
        counts[left, right] = counts.get((left, right), 0) + frequency
    return counts


@count_pairs.same_slip
def across_words_right(words):
    row = [(token, frequency) for tokens, frequency in words.items() for token in tokens]
    counts = {}
    for (left, _), (right, frequency) in zip(row, row[1:]):
        counts[left, right] = counts.get((left, right), 0) + frequency
    return counts


@count_pairs.same_slip
def across_words_once(words):
    row = [token for tokens in words for token in tokens]
    counts = {}
    for pair in zip(row, row[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


@count_pairs.slip(
    "You take the tokens apart into bytes again. After a few merges a token is longer than a byte, and `est` is one "
    "token, not three."
)
def single_bytes_again(words):
    counts = {}
    for tokens, frequency in words.items():
        data = b"".join(tokens)
        for i in range(len(data) - 1):
            pair = data[i : i + 1], data[i + 1 : i + 2]
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


@count_pairs.slip("You treat (a, b) and (b, a) as the same. The order of a pair counts.")
def sorted_pairs(words):
    counts = {}
    for pair, count in count_pairs(words).items():
        pair = tuple(sorted(pair))
        counts[pair] = counts.get(pair, 0) + count
    return counts


@exercise(
    minutes=8,
    difficulty=2,
    library=bpe_lib.best_pair,
    hints=(
        "`max` takes a `key`. What should be compared first, and what second?",
        "Tuples are compared from left to right, so a key that is a tuple settles ties in its second place.",
        "The key of a pair: its count, then the pair itself. No joining, no ids.",
    ),
)
def best_pair(pair_counts: dict[tuple[bytes, bytes], int]) -> tuple[bytes, bytes]:
    """Return the pair with the highest count; of several, the greatest pair, compared as a tuple of bytes.

    >>> best_pair({(b"x", b"y"): 2, (b"a", b"b"): 2, (b"z", b"z"): 1})
    (b'x', b'y')
    """
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair))


TIES = {(b"m", b"n"): 2, (b"a", b"b"): 2, (b"x", b"y"): 2}

best_pair.cases(
    (TIES,),
    ({(b"e", b"s"): 9, (b"s", b"t"): 9, (b"w", b"e"): 8},),
    ({(b"a", b"c"): 1, (b"aa", b"a"): 1},),
    ({(b" ", b"a"): 1, (b"b", b"c"): 1},),
    ({(b"a", b"b"): 3},),
    ({(b"a", b"b"): 3, (b"z", b"z"): 1},),
    ({(b"b", b"a"): 2, (b"a", b"c"): 2},),
    ({(b"abc", b"d"): 1, (b"b", b"a"): 1},),
    ({(b"x", b"y"): 2, (b"a", b"b"): 2, (b"m", b"n"): 2},),
    ({("é".encode(), b"a"): 1, (b"~", b"a"): 1},),
    ({(b"a", b"x"): 1, (b"a", b"z"): 1, (b"a", b"y"): 1},),
    ({(b"\xc3", b"\xa9"): 1, (b"t", b"h"): 1},),
    ({(b"b", b"a"): 1, (b"c", b"a"): 1},),
    ({(b"a", b"ab"): 1, (b"aa", b"b"): 1},),
    ({(b"a", b"b"): 1, (b"Z", b"z"): 1},),
    ({(b"a", b"\0"): 1, (b"a", b"\r\n"): 1},),
)


@best_pair.random
def random_counts(chance: Random) -> Args:
    """Return some pairs of tokens, half characters among them, with low counts, so that there are ties."""
    tokens = [b"a", b"b", b"ab", b"aab", b"ba", b" ", b" a", b"~", "é".encode(), b"zz", b"\xc3", b"\xa9", b"\xff"]
    pairs = [(chance.choice(tokens), chance.choice(tokens)) for _ in range(chance.randint(1, 6))]
    return ({pair: chance.randint(1, 3) for pair in pairs},)


best_pair.valid(lambda counts: len(counts) > 0 and all(map(all, counts)) and all(len(pair) == 2 for pair in counts))

TIE_MESSAGES = {
    "first": "You take the first pair with the highest count, so the result depends on the order of the dict. "
    "Of several, the greatest pair wins, compared as a tuple of bytes.",
    "last": "You take the last pair with the highest count, so the result depends on the order of the dict. "
    "Of several, the greatest pair wins, compared as a tuple of bytes.",
    "smallest": "The count is right, but of several pairs with that count you take the smallest. The greatest wins: "
    "(b'x', b'y') before (b'a', b'b').",
    "joined": "You break ties by the joined bytes. (b'a', b'c') joins to `ac` and (b'aa', b'a') to `aaa`; as tuples "
    "their first halves are compared, and `aa` is greater than `a`. Compare the pair itself.",
    "printable": "You break ties on GPT-2's printable characters, in which a space is `Ġ` and sorts above all letters. "
    "Compare bytes: a space is 32, below them.",
    "id": "You break ties by token id. A new token has a high id whatever its bytes are: `aa` gets 256 and beats `b`, "
    "though b'b' is greater. Compare the bytes.",
}


@best_pair.slip(TIE_MESSAGES["first"])
def first_wins(pair_counts):
    return max(pair_counts, key=pair_counts.get)


@best_pair.slip(TIE_MESSAGES["last"])
def last_wins(pair_counts):
    return max(reversed(pair_counts), key=pair_counts.get)


@best_pair.slip(TIE_MESSAGES["smallest"])
def smallest_wins(pair_counts):
    return min(pair_counts, key=lambda pair: (-pair_counts[pair], pair))


@best_pair.slip(TIE_MESSAGES["joined"])
def joined_bytes_win(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], b"".join(pair)))


@best_pair.same_slip
def joined_bytes_then_last(pair_counts):
    return max(reversed(pair_counts), key=lambda pair: (pair_counts[pair], b"".join(pair)))


@best_pair.slip(TIE_MESSAGES["printable"])
def printable_wins(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], tuple(map(to_printable, pair))))


@best_pair.same_slip
def printable_joined_wins(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], to_printable(b"".join(pair))))


@best_pair.slip("Of several pairs you take the longest. Length has no say: the greatest tuple of bytes wins.")
def longest_wins(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], len(b"".join(pair)), pair))


@best_pair.slip("You return the pair with the lowest count. The most frequent pair is merged first.")
def lowest_count(pair_counts):
    return min(pair_counts, key=lambda pair: (pair_counts[pair], pair))


@best_pair.same_slip
def lowest_count_first(pair_counts):
    return min(pair_counts, key=pair_counts.get)


@best_pair.slip("You return the greatest pair, whatever its count. The count comes first.")
def greatest_pair(pair_counts):
    return max(pair_counts)


@best_pair.slip("You return the count along with the pair. The contract asks for the pair alone.")
def with_its_count(pair_counts):
    return max((count, pair) for pair, count in pair_counts.items())


@best_pair.same_slip
def with_its_count_behind(pair_counts):
    pair = best_pair(pair_counts)
    return pair, pair_counts[pair]


@best_pair.slip("You return the highest count. Which pair has it?")
def count_alone(pair_counts):
    return max(pair_counts.values())


@best_pair.slip("You return the joined token. The pair itself is needed, to know where to merge.")
def joined_result(pair_counts):
    return b"".join(best_pair(pair_counts))


@best_pair.slip(
    "You compare the right halves first. A tuple is compared from left to right: the left half decides, unless it is "
    "equal."
)
def right_half_first(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair[::-1]))


@best_pair.slip(
    "You compare the left halves only. Where they are equal the right halves decide: compare the whole pair."
)
def first_half_only(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair[0]))


@best_pair.same_slip
def first_half_then_last(pair_counts):
    return max(reversed(pair_counts), key=lambda pair: (pair_counts[pair], pair[0]))


@best_pair.slip("You compare the right halves only. A tuple is compared from left to right: compare the whole pair.")
def second_half_only(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair[1]))


@best_pair.slip(
    r"You decode the tokens, and a token may be half a character, such as b'\xc3'. Bytes can be compared as they are."
)
def decoded(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair[0].decode(), pair[1].decode()))


@best_pair.same_slip
def decoded_half(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair[0].decode()))


@best_pair.same_slip
def decoded_forgiving(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], *(half.decode(errors="replace") for half in pair)))


@best_pair.same_slip
def decoded_ignoring(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], *(half.decode(errors="ignore") for half in pair)))


@count_pairs.slip(
    "You let each word wrap round: its last token makes a pair with its first. `word[i - 1]` is the last token where i "
    "is 0. A word of n tokens has n - 1 pairs."
)
def wrapped_round(words):
    counts = {}
    for word, frequency in words.items():
        for i in range(len(word)):
            counts[word[i - 1], word[i]] = counts.get((word[i - 1], word[i]), 0) + frequency
    return counts


@best_pair.slip(
    "You break ties without regard to capitals. Bytes are compared as they are: all capitals, 65 to 90, come before "
    "all small letters, 97 to 122."
)
def capitals_ignored(pair_counts):
    return max(pair_counts, key=lambda pair: (pair_counts[pair], tuple(map(bytes.lower, pair))))


@best_pair.accept
def by_sorting(pair_counts):
    return sorted(pair_counts.items(), key=lambda item: (item[1], item[0]))[-1][0]


@exercise(
    minutes=15,
    difficulty=2,
    library=bpe_lib.merge_pair,
    hints=(
        "Walk through the word with an index, and build a new list. At each step there are two possibilities.",
        "If the pair stands here, add the joined token. How far must the index go on then, and how far otherwise?",
        "`word[i:i + 2] == pair` is safe at the end, where it is shorter. A `while` loop lets you choose the step.",
    ),
)
def merge_pair(word: tuple[bytes, ...], pair: tuple[bytes, bytes]) -> tuple[bytes, ...]:
    """Return the word with every occurrence of the pair merged, from left to right, without overlap.

    >>> merge_pair((b"b", b"a", b"n", b"a", b"n", b"a"), (b"a", b"n"))
    (b'b', b'an', b'an', b'a')
    """
    merged = []
    i = 0
    while i < len(word):
        if word[i : i + 2] == pair:
            merged.append(word[i] + word[i + 1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return tuple(merged)


merge_pair.cases(
    (spell("banana"), (b"a", b"n")),
    (spell("aaa"), (b"a", b"a")),
    (spell("abab"), (b"a", b"b")),
    (spell("aaaa"), (b"a", b"a")),
    (spell("abc"), (b"x", b"y")),
    ((b"a",), (b"a", b"a")),
    ((), (b"a", b"b")),
    (spell("n·e·w·est"), (b"w", b"est")),
    (spell("a·bc·ab·c"), (b"ab", b"c")),
    (spell("xab"), (b"a", b"b")),
    (spell("abx"), (b"a", b"b")),
    ((b" ", b"a", b" ", b"a"), (b" ", b"a")),
    ((b"a ", b"b", b"a", b" b"), (b"a", b" b")),
    (spell("abba"), (b"a", b"b")),
    (spell("aaab"), (b"a", b"a")),
    (spell("aaabaa"), (b"a", b"a")),
)


@merge_pair.random
def random_merge(chance: Random) -> Args:
    """Return a word midway through training and a pair that perhaps stands in it."""
    tokens = random_word(chance, chance.choice(["a", "ab", "ab ", "aéÿ"]), 8)
    if len(tokens) > 1 and chance.random() < 0.9:
        i = chance.randrange(len(tokens) - 1)
        return tokens, tokens[i : i + 2]
    return tokens, (b"a", b"b")


merge_pair.valid(lambda word, pair: len(pair) == 2 and all(pair) and all(word))


@merge_pair.slip(
    "After a merge you go on by one token, so the right half is used again. Both halves are inside the new token now: "
    "skip both."
)
def on_by_one(word, pair):
    merged, i = [], 0
    while i < len(word):
        if word[i : i + 2] == pair:
            merged.append(pair[0] + pair[1])
        else:
            merged.append(word[i])
        i += 1
    return tuple(merged)


@merge_pair.slip(
    "After a merge you look again at the right half, and let it begin another merge. In `aaa` the middle `a` can be in "
    "one token only: skip both halves."
)
def on_by_one_but_no_rest(word, pair):
    merged, skip = [], False
    for i in range(len(word)):
        if word[i : i + 2] == pair:
            merged.append(pair[0] + pair[1])
            skip = True
        elif skip:
            skip = False
        else:
            merged.append(word[i])
    return tuple(merged)


@merge_pair.slip("You merge only the first occurrence. All of them become tokens: `abab` is ab·ab.")
def first_only(word, pair):
    for i in range(len(word)):
        if word[i : i + 2] == pair:
            return (*word[:i], pair[0] + pair[1], *word[i + 2 :])
    return word


@merge_pair.slip("You merge only the last occurrence. All of them become tokens: `abab` is ab·ab.")
def last_only(word, pair):
    for i in reversed(range(len(word))):
        if word[i : i + 2] == pair:
            return (*word[:i], pair[0] + pair[1], *word[i + 2 :])
    return word


def merge_right(word, pair):
    merged, i = [], len(word) - 1
    while i >= 0:
        if i and word[i - 1 : i + 1] == pair:
            merged.append(pair[0] + pair[1])
            i -= 2
        else:
            merged.append(word[i])
            i -= 1
    return tuple(reversed(merged))


@merge_pair.slip(
    "You merge from right to left. `aaa` is then a·aa, and the tokenizers of the world say aa·a: begin at the left."
)
def from_the_right(word, pair):
    return merge_pair(word[::-1], pair[::-1])[::-1] if pair[0] != pair[1] else merge_right(word, pair)


@merge_pair.slip(
    "You compare joined bytes, so (b'a', b'bc') counts as (b'ab', b'c'). They are different pairs: compare each half."
)
def equal_when_joined(word, pair):
    merged, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and word[i] + word[i + 1] == pair[0] + pair[1]:
            merged.append(word[i] + word[i + 1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return tuple(merged)


@merge_pair.slip("The last token is lost when it is not part of a merge. Your loop ends one step too early.")
def last_token_lost(word, pair):
    merged, i = [], 0
    while i < len(word) - 1:
        if word[i : i + 2] == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return tuple(merged)


@merge_pair.slip("A pair at the very end is not merged. Your loop ends one step too early.")
def last_pair_not_merged(word, pair):
    head = merge_pair(word[:-1], pair)
    return (*head, *word[-1:]) if word[-2:] == pair else merge_pair(word, pair)


@merge_pair.slip(
    "You put the pair itself into the word, a tuple inside a tuple. The new token is the two halves joined: `left + "
    "right`."
)
def pair_inside(word, pair):
    merged, i = [], 0
    while i < len(word):
        if word[i : i + 2] == pair:
            merged.append(pair)
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return tuple(merged)


@merge_pair.slip("You merge (b, a) as well as (a, b). The order of a pair counts.")
def either_order(word, pair):
    merged, i = [], 0
    while i < len(word):
        if word[i : i + 2] in (pair, pair[::-1]):
            merged.append(word[i] + word[i + 1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return tuple(merged)


@merge_pair.slip("You join the whole word. Only the pair is merged; all other tokens stay.")
def joined_word(word, pair):
    return b"".join(word)


@merge_pair.slip(
    "You join the tokens with spaces and replace. A token can hold a space itself, and then its pieces fall apart. "
    "Work on the tuple."
)
def by_replacing_text(word, pair):
    joined = b" ".join(word).replace(pair[0] + b" " + pair[1], pair[0] + pair[1])
    return tuple(joined.split(b" ")) if word else ()


@merge_pair.same_slip
def by_replacing_and_splitting(word, pair):
    return tuple(b" ".join(word).replace(b" ".join(pair), b"".join(pair)).split())


@merge_pair.slip("You return the word as it is. Where the pair stands, one token should take the place of two.")
def not_merged(word, pair):
    return word


@merge_pair.accept
def by_building_a_list(word, pair):
    tokens = list(word)
    i = 0
    while i < len(tokens) - 1:
        if tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            tokens[i : i + 2] = [pair[0] + pair[1]]
        i += 1
    return tokens


@exercise(
    minutes=3,
    difficulty=1,
    library=vocabulary.num_merges,
    hints=(
        "Three kinds of tokens share the vocabulary. How many are there of the first two?",
        "Each byte has an id, and each special token has one.",
    ),
)
def num_merges(vocab_size: int, special_tokens: list[str]) -> int:
    """Return how many merges there is room for in a vocabulary beside 256 bytes and the special tokens.

    >>> num_merges(260, ["<|endoftext|>"])
    3
    """
    return vocab_size - 256 - len(special_tokens)


num_merges.cases(
    (260, [END]),
    (300, []),
    (1000, [END, "<pad>"]),
    (256, []),
    (257, [END]),
)

num_merges.random(lambda chance: (chance.randint(260, 999), chance.sample([END, "<pad>", "<s>"], chance.randint(0, 3))))

num_merges.valid(lambda size, tokens: size >= 256 + len(tokens))


@num_merges.slip(
    "You forget the special tokens. Each takes an id, too: 260 ids, less 256 bytes and one special token, leave 3 "
    "merges."
)
def specials_forgotten(vocab_size, special_tokens):
    return vocab_size - 256


@num_merges.slip("You forget the 256 bytes, which are tokens from the beginning.")
def bytes_forgotten(vocab_size, special_tokens):
    return vocab_size - len(special_tokens)


@num_merges.slip("`vocab_size` counts all tokens, and 256 bytes and the special tokens are among them.")
def all_of_it(vocab_size, special_tokens):
    return vocab_size


@num_merges.slip("There are 256 bytes, from 0 to 255.")
def wrong_by_one(vocab_size, special_tokens):
    return vocab_size - 255 - len(special_tokens)


@num_merges.slip("You add the special tokens. They take room away from the merges.")
def specials_added(vocab_size, special_tokens):
    return vocab_size - 256 + len(special_tokens)


@num_merges.slip("You count the characters of the special tokens. Each is one token, however long.")
def characters_of_specials(vocab_size, special_tokens):
    return vocab_size - 256 - sum(map(len, special_tokens))


@num_merges.slip("You count one special token, whatever the list holds.")
def always_one_special(vocab_size, special_tokens):
    return vocab_size - 257


@exercise(
    minutes=15,
    difficulty=2,
    library=bpe_lib.train_naive,
    hints=(
        "You have the three parts: count, choose, merge. Training repeats them.",
        "After each merge every word must be replaced by its merged form, in a new dict.",
        "When does it stop? After `num_merges` merges, or when `count_pairs` finds nothing.",
    ),
)
def train_naive(words: dict[tuple[bytes, ...], int], num_merges: int) -> list[tuple[bytes, bytes]]:
    """Return up to `num_merges` merges in the order in which they are learned; fewer if no pair is left.

    >>> train_naive({(b"l", b"o", b"w"): 5, (b"l", b"o", b"t"): 2}, 2)
    [(b'l', b'o'), (b'lo', b'w')]
    """
    merges = []
    while len(merges) < num_merges:
        pair_counts = count_pairs(words)
        if not pair_counts:
            break
        pair = best_pair(pair_counts)
        merges.append(pair)
        words = {merge_pair(word, pair): frequency for word, frequency in words.items()}
    return merges


train_naive.cases(
    ({spell("low"): 5, spell("lot"): 2}, 2),
    (HANDOUT, 6),
    (HANDOUT, 30),
    ({spell("banana"): 1}, 1),
    ({spell("baaa"): 1}, 2),
    ({spell("aaac"): 1}, 2),
    ({spell(" a"): 1, spell("bc"): 1}, 1),
    ({spell("aaaa"): 1, spell("bc"): 2}, 1),
    ({}, 3),
    ({spell("ab"): 1}, 5),
    ({spell("ab"): 1}, 0),
    ({spell("eded"): 3, spell("xy"): 2}, 3),
    ({spell("mn"): 1, spell("ab"): 1, spell("xy"): 1}, 1),
    ({spell("abab"): 1}, 2),
)


@train_naive.random
def random_training(chance: Random) -> Args:
    """Return a few words of single bytes, and how many merges to learn."""
    return random_words(chance, chance.choice(["ab", "abc", "aéÿ "]), 4), chance.randint(0, 8)


train_naive.valid(lambda words, n: n >= 0 and all(len(token) == 1 for tokens in words for token in tokens))


def trainer(count: Callable = count_pairs, best: Callable = best_pair, merge: Callable = merge_pair) -> Callable:
    """Return a trainer that is made of other parts."""

    def train(words: Mapping, num_merges: int) -> list:
        merges = []
        while len(merges) < num_merges and (pair_counts := count(words)):
            pair = best(pair_counts)
            merges.append(pair)
            merged: dict = {}
            for tokens, frequency in words.items():
                new = tuple(merge(tokens, pair))
                merged[new] = merged.get(new, 0) + frequency
            words = merged
        return merges

    return train


train_naive.slip(TIE_MESSAGES["first"], trainer(best=first_wins))

train_naive.slip(TIE_MESSAGES["last"], trainer(best=last_wins))

train_naive.slip(TIE_MESSAGES["smallest"], trainer(best=smallest_wins))


@train_naive.slip(TIE_MESSAGES["id"])
def by_token_id(words, num_merges):
    ids = {bytes([byte]): byte for byte in range(256)}

    def best(pair_counts):
        return max(pair_counts, key=lambda pair: (pair_counts[pair], ids[pair[0]], ids[pair[1]]))

    def merge(tokens, pair):
        ids.setdefault(pair[0] + pair[1], len(ids))
        return merge_pair(tokens, pair)

    return trainer(best=best, merge=merge)(words, num_merges)


train_naive.slip(
    TIE_MESSAGES["joined"],
    trainer(best=joined_bytes_win),
    trainer(best=joined_bytes_then_last),
)

train_naive.slip(
    TIE_MESSAGES["printable"],
    trainer(best=printable_wins),
    trainer(best=printable_joined_wins),
)

train_naive.slip(
    "You count each word once, however often it occurs. `newest` stands there six times: add its count.",
    trainer(count=frequency_forgotten),
)

train_naive.slip(
    "You don't count positions that overlap: in `aaaa`, (b'a', b'a') stands three times. Use your `count_pairs`.",
    trainer(count=without_overlap),
)

train_naive.slip(
    "You count a pair once for each word, even where it stands there twice. Every position counts.",
    trainer(count=once_a_word),
)

train_naive.slip("You merge only the first occurrence in each word. Use your `merge_pair`.", trainer(merge=first_only))


@train_naive.slip(
    "Your function raises when no pair is left. Words of one token have no pairs: stop there, with fewer merges than "
    "were asked for."
)
def raises_when_done(words, num_merges):
    merges = []
    for _ in range(num_merges):
        pair = best_pair(count_pairs(words))
        merges.append(pair)
        words = {merge_pair(tokens, pair): frequency for tokens, frequency in words.items()}
    return merges


@train_naive.slip(
    "You stop at pairs that occur once. They are merged as well; only an empty table ends the training early."
)
def stops_at_one(words, num_merges):
    merges = []
    while len(merges) < num_merges and (pair_counts := count_pairs(words)):
        pair = best_pair(pair_counts)
        if pair_counts[pair] < 2:
            break
        merges.append(pair)
        words = {merge_pair(tokens, pair): frequency for tokens, frequency in words.items()}
    return merges


@train_naive.slip(
    "You count once and take the best pairs of that table. Each merge changes the counts, and makes new pairs: count "
    "again after each."
)
def counted_once(words, num_merges):
    pair_counts = count_pairs(words)
    ranked = sorted(pair_counts, key=lambda pair: (pair_counts[pair], pair), reverse=True)
    return ranked[:num_merges]


@train_naive.slip("You learn one merge too many. Look at when your loop ends.")
def one_too_many(words, num_merges):
    return train_naive(words, num_merges + 1)


@train_naive.slip("You learn one merge too few. Look at when your loop ends.")
def one_too_few(words, num_merges):
    return train_naive(words, num_merges - 1)


@train_naive.slip("You return joined tokens. A merge is the pair: encoding needs to know both halves.")
def merges_joined(words, num_merges):
    return [left + right for left, right in train_naive(words, num_merges)]


@train_naive.slip("Your merges come in reverse order. The first one learned comes first.")
def reversed_merges(words, num_merges):
    return train_naive(words, num_merges)[::-1]


@train_naive.slip("The merges are right, but you change the caller's `words`. Build a new dict for each merge.")
def input_changed(words, num_merges):
    merges = []
    while len(merges) < num_merges and (pair_counts := count_pairs(words)):
        pair = best_pair(pair_counts)
        merges.append(pair)
        for tokens in list(words):
            words[merge_pair(tokens, pair)] = words.pop(tokens)
    return merges


@train_naive.slip(
    "You learn the same pair again and again: the merged words are never kept. Put them into a new dict, and count "
    "that one next."
)
def words_not_replaced(words, num_merges):
    merges = []
    while len(merges) < num_merges and (pair_counts := count_pairs(words)):
        pair = best_pair(pair_counts)
        merges.append(pair)
        for tokens in words:
            tokens = merge_pair(tokens, pair)
    return merges


train_naive.accept(trainer())


@exercise(
    minutes=5,
    difficulty=1,
    library=vocabulary.build_vocab,
    hints=(
        "Build one long list of tokens in the right order; ids are positions in it.",
        "`bytes([byte])` is one byte. `dict(enumerate(tokens))` numbers a list.",
    ),
)
def build_vocab(merges: list[tuple[bytes, bytes]], special_tokens: list[str]) -> dict[int, bytes]:
    """Return the vocabulary: ids 0 to 255 are the bytes, then come the special tokens, then one id for each merge.

    >>> vocab = build_vocab([(b"h", b"e")], ["<|endoftext|>"])
    >>> vocab[104], vocab[256], vocab[257]
    (b'h', b'<|endoftext|>', b'he')
    """
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [token.encode() for token in special_tokens]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens))


build_vocab.cases(
    ([(b"h", b"e")], [END]),
    ([], []),
    ([(b"a", b"b"), (b"ab", b"c")], [END, "<pad>"]),
    ([], ["é!"]),
    ([(b"a", b"b")], []),
)


@build_vocab.random
def random_merges(chance: Random) -> Args:
    """Return the merges of a few words, and some special tokens."""
    tokens = chance.sample([END, "<pad>", "é!"], chance.randint(0, 3))
    return train_naive(random_words(chance, "abc", 4), chance.randint(0, 6)), tokens


build_vocab.valid(
    lambda merges, tokens: all(map(all, merges)) and all(map(len, tokens)) and len({*tokens}) == len(tokens)
)


def vocab_of(tokens: Callable) -> Callable:
    """Return a build_vocab that numbers other tokens."""

    def build(merges: list, special_tokens: list[str]) -> dict[int, Any]:
        return dict(enumerate(tokens(merges, special_tokens)))

    return build


BYTES = [bytes([byte]) for byte in range(256)]


def joined(merges):
    return [left + right for left, right in merges]


def encoded(special_tokens):
    return [token.encode() for token in special_tokens]


build_vocab.slip(
    "Your merges come before the special tokens. The order is bytes, special tokens, merges, so that special tokens "
    "keep their ids however many merges there are.",
    vocab_of(lambda merges, specials: [*BYTES, *joined(merges), *encoded(specials)]),
)

build_vocab.slip(
    "Your special tokens come first, so no byte has its own number for an id. The order is bytes, special tokens, "
    "merges.",
    vocab_of(lambda merges, specials: [*encoded(specials), *BYTES, *joined(merges)]),
)

build_vocab.slip(
    "Your special tokens are text. All tokens of a vocabulary are bytes: encode them.",
    vocab_of(lambda merges, specials: [*BYTES, *specials, *joined(merges)]),
)

build_vocab.slip(
    "You make bytes with `chr(…).encode()`, which gives two bytes from 128 on. `bytes([128])` is one.",
    vocab_of(
        lambda merges, specials: [
            *(chr(b).encode() for b in range(256)),
            *encoded(specials),
            *joined(merges),
        ]
    ),
)

build_vocab.slip(
    "You put pairs into the vocabulary. A merge makes one token: the two halves joined.",
    vocab_of(lambda merges, specials: [*BYTES, *encoded(specials), *merges]),
)

build_vocab.slip(
    "You leave out the special tokens. They stand between bytes and merges.",
    vocab_of(lambda merges, specials: [*BYTES, *joined(merges)]),
)

build_vocab.slip(
    "You leave out the 256 bytes. Without them there is text that can't be written.",
    vocab_of(lambda merges, specials: [*encoded(specials), *joined(merges)]),
)

build_vocab.slip(
    "You have 255 bytes; there are 256, from 0 to 255. `range(256)` ends at 255.",
    vocab_of(lambda merges, specials: [*BYTES[:255], *encoded(specials), *joined(merges)]),
)


@build_vocab.slip("You map tokens to ids. The vocabulary goes from ids to tokens.")
def turned_round(merges, special_tokens):
    return {token: id_ for id_, token in build_vocab(merges, special_tokens).items()}


@build_vocab.slip("Your ids begin at 1. Byte 0 has id 0.")
def starts_at_one(merges, special_tokens):
    return {id_ + 1: token for id_, token in build_vocab(merges, special_tokens).items()}


@build_vocab.slip("You return a list. The contract asks for a dict from id to token.")
def as_a_list(merges, special_tokens):
    return list(build_vocab(merges, special_tokens).values())


@exercise(
    minutes=4,
    difficulty=1,
    collected=False,
    hints=(
        "A tie is all it takes: two pairs with the same count. Which shortest word has two pairs?",
        "If the two pairs don't touch, both are merged, one after the other; the order of the merges differs, too.",
    ),
)
def break_smallest_tie() -> dict[tuple[bytes, ...], int]:
    """Return words and their counts on which "the smallest pair wins a tie" learns other merges.

    Words are tuples of single bytes, as `count_pretokens` makes them.

    >>> words = break_smallest_tie()
    >>> isinstance(words, dict)
    True
    """
    return {(b"a", b"b", b"c"): 1}


def check_words(value: object) -> str:
    """Return what is wrong with the reader's words, or an empty string."""
    if not isinstance(value, Mapping):
        return f"You return {value!r}, {a(type(value).__name__)}. Words are a dict, such as {{(b'h', b'i'): 2}}."
    for tokens, frequency in value.items():
        if not isinstance(tokens, tuple) or not all(isinstance(t, bytes) and len(t) == 1 for t in tokens):
            return f"The key {tokens!r} is no tuple of single bytes, such as (b'h', b'i')."
        if not isinstance(frequency, int) or frequency < 1:
            return f"The count of {tokens!r} is {frequency!r}; it must be a whole number, 1 or more."
    if not any(len(tokens) > 1 for tokens in value):
        return "No word here has two tokens, so there is nothing to merge."
    return ""


SOME_MERGES = 12
"""Merges that are compared in "break it" exercises."""


def train_some(train: Callable) -> Callable:
    """Return a function that learns the first merges of some words."""
    return lambda words: train(words, SOME_MERGES)


break_smallest_tie.harness(
    breaks(
        train_some(train_naive),
        train_some(trainer(best=smallest_wins)),
        check_words,
        'the trainer with "smallest wins"',
    )
)

break_smallest_tie.slip(
    "There is no tie here: each time one pair has the highest count alone, or only one is left.",
    returning(words(ab=1)),
    returning(words(aaaa=1)),
    returning(words(ab=2, cd=1)),
)

break_smallest_tie.slip(
    "No word here has two tokens, so there is nothing to merge.",
    returning({}),
    returning(words(a=3)),
)

break_smallest_tie.slip(
    "Your words are no tuples of single bytes. `hi` is written (b'h', b'i').",
    returning({"abc": 1}),
    returning({b"abc": 1}),
    returning({("a", "b", "c"): 1}),
)

break_smallest_tie.accept(returning(words(mn=2, ab=2, xy=2)), returning({spell("banana"): 1}))
