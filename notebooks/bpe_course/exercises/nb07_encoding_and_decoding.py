"""The exercises of notebook 07."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import regex

from bpe_course.exercise import Args, Complaint, exercise
from bpe_course.exercises.nb03_pretokenization_regex import random_sentence
from bpe_course.exercises.nb04_naive_merging import build_vocab, merge_pair, train_naive
from bpe_course.harness import breaks, returning
from bpe_course.samples import BITING, END, random_words
from bpe_lib import Tokenizer, pretokenize, split_on_special_tokens, vocabulary


@exercise(
    minutes=20,
    difficulty=3,
    hints=(
        "Start with single bytes. Of all pairs that stand there now and have a rank, which one merges first?",
        "Merge that pair everywhere, then look again: the new token has new neighbours. Stop when no pair has a rank.",
        "Let `pairs` hold only pairs that have a rank. Then `min(pairs, key=ranks.get)` has the lowest.",
    ),
)
def encode_pretoken(pretoken: bytes, ranks: dict[tuple[bytes, bytes], int]) -> list[bytes]:
    """Return the tokens of a pre-token: its bytes, merged by lowest rank first, equal pairs from left to right.

    >>> encode_pretoken(b"the", {(b"h", b"e"): 0, (b"t", b"h"): 1})
    [b't', b'he']
    """
    tokens = [bytes([byte]) for byte in pretoken]
    while True:
        pairs = [pair for pair in zip(tokens, tokens[1:]) if pair in ranks]
        if not pairs:
            return tokens
        left, right = min(pairs, key=ranks.get)
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == (left, right):
                tokens[i : i + 2] = [left + right]
            i += 1


def ranked(*merges: str) -> dict:
    """Return ranks for merges that are written `h e`."""
    return {tuple(half.encode() for half in merge.split()): rank for rank, merge in enumerate(merges)}


encode_pretoken.cases(
    (b"the", ranked("h e", "t h")),
    (b"", ranked("h e")),
    (b"the", ranked("t h", "th e")),
    (b"aaa", ranked("a a")),
    (b"acab", ranked("a b")),
    (b"newest", ranked("s t", "e st", "o w", "l ow", "w est", "n e")),
    (b"abab", ranked("a b")),
    (b"abc", ranked("b c", "a b", "a bc")),
    (b"xyz", {}),
    (b"aaaa", ranked("a a", "aa aa")),
    (b"abc", ranked("a b", "b c")),
    ("é".encode(), {(b"\xc3", b"\xa9"): 0}),
    (b"abcd", ranked("c d", "b c", "a b", "ab cd")),
    (b"abc", {(b"a", b"b"): 0, (b"x", b"bc"): 2, (b"b", b"c"): 1}),
    (b"aabc", ranked("a a", "b c", "a bc", "aa b")),
    (b"abc", ranked("a b", "b c", "a bc")),
    (b"aaab", ranked("a b", "a a", "aa b", "a ab")),
    (b"the", {(b"t", b"h"): 1, (b"h", b"e"): 0}),
    (b"a\0b\xff\xff", {(b"\xff", b"\xff"): 5, (b"a", b"\0"): 3}),
)


@encode_pretoken.random
def random_ranks(chance: Random) -> Args:
    """Return a pre-token and merges that were learned from words over the same letters."""
    letters = chance.choice(["ab", "abc", "abé"])
    merges = train_naive(random_words(chance, letters, 4), chance.randint(1, 6))
    text = "".join(chance.choices(letters, k=chance.randint(0, 7)))
    return text.encode(), {pair: rank for rank, pair in enumerate(merges)}


@encode_pretoken.valid
def ranks_are_possible(pretoken: bytes, ranks: dict) -> bool:
    """Tell whether both halves of each merge are bytes or earlier merges."""
    known = set()
    for pair in sorted(ranks, key=ranks.get):
        if not all(len(half) == 1 or half in known for half in pair):
            return False
        known.add(pair[0] + pair[1])
    return len(set(ranks.values())) == len(ranks)


@encode_pretoken.slip(
    "You take the longest known token from the left. Encoding replays the training: `h e` was learned before `t h`, so "
    "`the` is t·he. The lowest rank goes first, wherever it stands."
)
def longest_first(pretoken, ranks):
    known = {bytes([byte]) for byte in range(256)} | {left + right for left, right in ranks}
    tokens, start = [], 0
    while start < len(pretoken):
        end = next(end for end in range(len(pretoken), start, -1) if pretoken[start:end] in known)
        tokens.append(pretoken[start:end])
        start = end
    return tokens


def spell_out(data):
    return [bytes([byte]) for byte in data]


def one_merge_at_a_time(choose: Callable) -> Callable:
    """Return an encode_pretoken that merges at the place that `choose` takes from (rank, place) of all candidates."""

    def encode(pretoken, ranks):
        tokens = spell_out(pretoken)
        while True:
            found = [(ranks[pair], i) for i, pair in enumerate(zip(tokens, tokens[1:])) if pair in ranks]
            if not found:
                return tokens
            _, i = choose(found)
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]

    return encode


@encode_pretoken.slip(
    "You merge the first pair from the left that has a rank. The lowest rank goes first, wherever it stands."
)
@one_merge_at_a_time
def leftmost(found):
    return min(found, key=lambda candidate: candidate[1])


@encode_pretoken.same_slip
def one_pass(pretoken, ranks):
    tokens, i = spell_out(pretoken), 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) in ranks:
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
        else:
            i += 1
    return tokens


@encode_pretoken.slip(
    "You merge the highest rank first. The merge that was learned earliest, with the lowest rank, comes first."
)
@one_merge_at_a_time
def highest_rank(found):
    return max(found, key=lambda candidate: (candidate[0], -candidate[1]))


@encode_pretoken.slip("Where a pair stands several times you begin on the right. From left to right: `aaa` is aa·a.")
@one_merge_at_a_time
def from_the_right(found):
    return min(found, key=lambda candidate: (candidate[0], -candidate[1]))


@encode_pretoken.slip("You merge only the first occurrence of each pair. `abab` is ab·ab.")
def first_occurrence(pretoken, ranks):
    tokens = spell_out(pretoken)
    for pair in sorted(ranks, key=ranks.get):
        for i in range(len(tokens) - 1):
            if (tokens[i], tokens[i + 1]) == pair:
                tokens[i : i + 2] = [pair[0] + pair[1]]
                break
    return tokens


def merged(tokens, pair):
    return list(merge_pair(tuple(tokens), pair))


@encode_pretoken.slip(
    "You take the pair that is first in the alphabet. The one with the lowest rank goes first: `min` takes a `key`."
)
def alphabetically_first(pretoken, ranks):
    tokens = spell_out(pretoken)
    while pairs := [pair for pair in zip(tokens, tokens[1:]) if pair in ranks]:
        tokens = merged(tokens, min(pairs))
    return tokens


@encode_pretoken.slip(
    "You merge where the left token stands first, whatever follows it there. Look for both tokens of the pair."
)
def where_the_left_token_stands(pretoken, ranks):
    tokens = spell_out(pretoken)
    while pairs := [pair for pair in zip(tokens, tokens[1:]) if pair in ranks]:
        left, right = min(pairs, key=ranks.get)
        i = tokens.index(left)
        tokens[i : i + 2] = [left + right]
    return tokens


@encode_pretoken.slip("You return the bytes unmerged. Which pair has the lowest rank?")
def never_merged(pretoken, ranks):
    return spell_out(pretoken)


@encode_pretoken.slip("You return numbers. A token is bytes: `bytes([byte])`.")
def numbers(pretoken, ranks):
    return list(pretoken) if pretoken else []


@encode_pretoken.slip("You merge single bytes only. A merged token can merge again: after `t h` comes `th e`.")
def only_bytes_merge(pretoken, ranks):
    tokens = spell_out(pretoken)
    pairs = [pair for pair in sorted(ranks, key=ranks.get) if len(pair[0] + pair[1]) == 2]
    for pair in pairs:
        tokens = merged(tokens, pair)
    return tokens


@encode_pretoken.slip("You stop after one merge. Look again: the new token has new neighbours.")
def stops_after_one(pretoken, ranks):
    tokens = spell_out(pretoken)
    pairs = [pair for pair in zip(tokens, tokens[1:]) if pair in ranks]
    return merged(tokens, min(pairs, key=ranks.get)) if pairs else tokens


@encode_pretoken.slip(
    "You look up joined bytes, so `a` + `bc` counts as the merge `ab` + `c`. Only a pair that was learned merges."
)
def joined_candidates(pretoken, ranks):
    by_product = {}
    for pair, rank in ranks.items():
        by_product.setdefault(pair[0] + pair[1], rank)
    tokens = spell_out(pretoken)
    while True:
        found = [
            (by_product[left + right], i)
            for i, (left, right) in enumerate(zip(tokens, tokens[1:]))
            if left + right in by_product
        ]
        if not found:
            return tokens
        _, i = min(found)
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]


@encode_pretoken.slip(
    "You merge in the order in which the pairs stand in the dict. A dict may be in any order: its numbers are the "
    "ranks, and the lowest goes first."
)
def in_order_of_the_dict(pretoken, ranks):
    tokens = spell_out(pretoken)
    for pair in ranks:
        tokens = merged(tokens, pair)
    return tokens


@encode_pretoken.slip(
    "You leave out the pair whose rank is 0, the first one learned: `if ranks.get(pair)` holds 0 to be false. Ask "
    "`if pair in ranks`."
)
def rank_0_left_out(pretoken, ranks):
    return encode_pretoken(pretoken, {pair: rank for pair, rank in ranks.items() if rank})


@encode_pretoken.accept
def in_learned_order(pretoken, ranks):
    tokens = spell_out(pretoken)
    for pair in sorted(ranks, key=ranks.get):
        tokens = merged(tokens, pair)
    return tokens


encode_pretoken.accept(one_merge_at_a_time(min))


@exercise(
    minutes=8,
    difficulty=2,
    library=vocabulary.add_special_tokens,
    hints=(
        "Make a copy first. Which id is surely unused?",
        "`max(vocab) + 1` is above all ids, gaps or not. What is there to do for a token that is in it already?",
    ),
)
def add_special_tokens(vocab: dict[int, bytes], special_tokens: list[str]) -> dict[int, bytes]:
    """Return a new vocabulary in which each special token has an id; new ones get max + 1, max + 2, … in order.

    A token that has an id already keeps it. In an empty vocabulary the first new id is 0.

    >>> add_special_tokens({0: b"a", 7: b"b"}, ["<|endoftext|>", "a"])
    {0: b'a', 7: b'b', 8: b'<|endoftext|>'}
    """
    extended = dict(vocab)
    for token in special_tokens:
        data = token.encode()
        if data not in extended.values():
            extended[max(extended, default=-1) + 1] = data
    return extended


add_special_tokens.cases(
    ({0: b"a", 7: b"b"}, [END, "a"]),
    ({0: b"a", 1: b"b"}, [END]),
    ({0: b"a", 2: b"b"}, [END]),
    ({0: b"a"}, []),
    ({0: b"a"}, ["<s>", END]),
    ({0: b"a", 1: END.encode()}, [END, "<s>"]),
    ({5: b"a"}, [END, "<s>"]),
    ({}, [END]),
)


@add_special_tokens.random
def random_vocab(chance: Random) -> Args:
    """Return a vocabulary with gaps, and special tokens of which it may hold some."""
    tokens = [b"a", b"b", b"ab", END.encode(), b"<s>"]
    ids = chance.sample(range(12), chance.randint(1, 5))
    vocab = dict(zip(ids, chance.sample(tokens, len(ids))))
    return vocab, chance.sample([END, "<s>", "<pad>", "é!"], chance.randint(0, 4))


add_special_tokens.valid(lambda vocab, special_tokens: all(special_tokens) and all(vocab.values()))


@add_special_tokens.slip(
    "You give a new token the id `len(vocab)`. Where ids have gaps that id may be taken, and a token is overwritten. "
    "Which id is surely free?"
)
def ids_by_length(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        if token.encode() not in extended.values():
            extended[len(extended)] = token.encode()
    return extended


@add_special_tokens.same_slip
def ids_by_length_always_added(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        extended[len(extended)] = token.encode()
    return extended


@add_special_tokens.slip("You add a token that has an id already. It keeps that id.")
def always_added(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        extended[max(extended, default=-1) + 1] = token.encode()
    return extended


@add_special_tokens.slip(
    "The result is right, but you change the caller's vocabulary. Somebody may still use it: make a copy."
)
def into_the_callers(vocab, special_tokens):
    for token in special_tokens:
        if token.encode() not in vocab.values():
            vocab[max(vocab, default=-1) + 1] = token.encode()
    return vocab


def all_numbered_from(default):
    def add(vocab, special_tokens):
        first = max(vocab, default=default) + 1
        known = set(vocab.values())
        new = {first + i: token.encode() for i, token in enumerate(special_tokens)}
        return vocab | {id_: token for id_, token in new.items() if token not in known}

    return add


add_special_tokens.slip(
    "You number all special tokens. One that is there already uses no id: count on only for a new one.",
    all_numbered_from(-1),
    all_numbered_from(0),
)


@add_special_tokens.slip("You add the special tokens as text. A vocabulary holds bytes: encode them.")
def specials_as_text(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        if token not in extended.values() and token.encode() not in vocab.values():
            extended[max(extended, default=-1) + 1] = token
    return extended


@add_special_tokens.same_slip
def compared_as_text(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        if token not in extended.values():
            extended[max(extended, default=-1) + 1] = token
    return extended


@add_special_tokens.slip("You fill gaps between ids. New tokens go above all others: max + 1, then max + 2.")
def fills_gaps(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        if token.encode() not in extended.values():
            extended[next(id_ for id_ in range(10_000) if id_ not in extended)] = token.encode()
    return extended


@add_special_tokens.slip("You sort the special tokens. They get ids in the order given.")
def specials_sorted(vocab, special_tokens):
    return add_special_tokens(vocab, sorted(special_tokens))


@add_special_tokens.slip("You give ids in reverse. The first special token gets the lowest new id.")
def sorted_backwards(vocab, special_tokens):
    return add_special_tokens(vocab, special_tokens[::-1])


@add_special_tokens.slip("All new tokens get the same id, and only the last remains. Count on.")
def same_id_for_all(vocab, special_tokens):
    new = [token.encode() for token in special_tokens if token.encode() not in vocab.values()]
    return {**vocab, max(vocab, default=-1) + 1: new[-1]} if new else dict(vocab)


@add_special_tokens.slip("An empty vocabulary makes your function raise: it has no maximum. `max` takes a `default`.")
def nothing_in_empty(vocab, special_tokens):
    extended = dict(vocab)
    for token in special_tokens:
        if token.encode() not in extended.values():
            extended[max(extended) + 1] = token.encode()
    return extended


PRETOKENS = "import regex\n\nfrom bpe_lib import pretokenize"


@exercise(
    minutes=20,
    difficulty=3,
    imports=PRETOKENS,
    show="encode({0}, {1}, {2}, {3})",
    hints=(
        "The same steps as in training: split on special tokens, pre-tokenize, merge, and then look the ids up.",
        "The special tokens are wanted this time: brackets around the pattern make `regex.split` keep them.",
        "Build two dicts first: rank by pair, from `merges`; id by token, from `vocab`.",
    ),
)
def encode(
    text: str, vocab: dict[int, bytes], merges: list[tuple[bytes, bytes]], special_tokens: list[str]
) -> list[int]:
    """Return the ids of a text. Each special token in it is one id; the longest is tried first.

    The vocabulary holds every token that is needed, special tokens included.

    >>> vocab = {0: b"h", 1: b"i", 2: b"hi", 3: b"<|endoftext|>"}
    >>> encode("hi<|endoftext|>h", vocab, [(b"h", b"i")], ["<|endoftext|>"])
    [2, 3, 0]
    """
    ids = {token: id_ for id_, token in vocab.items()}
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    longest_first = sorted(special_tokens, key=len, reverse=True)
    pattern = "|".join(regex.escape(token) for token in longest_first)
    parts = regex.split(f"({pattern})", text) if special_tokens else [text]
    result = []
    for part in parts:
        if part in special_tokens:
            result.append(ids[part.encode()])
            continue
        for pretoken in pretokenize(part):
            result += [ids[token] for token in encode_pretoken(pretoken.encode(), ranks)]
    return result


THE_CAT = {
    "vocab": dict(enumerate([b" ", b"a", b"c", b"e", b"h", b"t", b"th", b" c", b" a", b"the", b" at"])),
    "merges": [(b"t", b"h"), (b" ", b"c"), (b" ", b"a"), (b"th", b"e"), (b" a", b"t")],
}


def full(merges: list, special_tokens: list[str]) -> dict[int, bytes]:
    """Return a vocabulary with some tokens that no merge builds."""
    vocab = build_vocab(merges, special_tokens)
    return vocab | {len(vocab): b"abc", len(vocab) + 1: b" hi hi"}


class SmallVocab(dict):
    """A vocabulary of which only what follows the bytes is shown."""

    def __repr__(self) -> str:
        rest = {id_: token for id_, token in self.items() if id_ > 255}
        if len(rest) == len(self):
            return super().__repr__()
        single = "{i: bytes([i]) for i in range(256)}"
        return f"{{**{single}, {str(rest)[1:-1]}}}" if rest else single

    def open(self) -> dict:
        """Return a plain dict."""
        return dict(self)

    def smaller(self) -> Iterator["SmallVocab"]:
        """Yield nothing: merges need what it holds."""
        yield from ()


def encode_case(text: str, merges: str, special_tokens: list[str]) -> Args:
    """Return a case for `encode`; merges are written `h e|t h`."""
    pairs = list(ranked(*merges.split("|"))) if merges else []
    return text, SmallVocab(full(pairs, special_tokens)), pairs, special_tokens


encode.cases(
    ("the cat ate", THE_CAT["vocab"], THE_CAT["merges"], []),
    encode_case("hi<|endoftext|>h", "h i", [END]),
    encode_case("", "", [END]),
    encode_case("abc", "a b", []),
    encode_case("hi hi", "h i", []),
    encode_case("a<e>x<e>b", "", ["<e>", "<e>x<e>"]),
    encode_case("the", "h e|t h", []),
    encode_case("a|b", "", [END]),
    encode_case("é🙃", "", []),
    encode_case("  a", "", []),
    ("a b", {**build_vocab([(b"a", b" ")], []), 300: b"z"}, [(b"a", b" ")], []),
    ("ab", {0: b"a", 1: b"b", 9: b"ab"}, [(b"a", b"b")], []),
    encode_case(END, "", [END]),
    ("a <e>", SmallVocab(full([(b" ", b"<")], ["<e>"])), [(b" ", b"<")], ["<e>"]),
    encode_case("axyzuvb", "", ["xyz", "yzuv"]),
    encode_case("acab", "a b|c a", []),
    encode_case("xyz", "y z|x yz|x y", []),
    encode_case("abcd", "b c|a b|c d|ab cd", []),
    encode_case("a<1>a<2>a<3>a<1>a<|ENDOFTEXT|>", "", ["<1>", "<2>", "<3>", END]),
    *(encode_case(f"{text}<e>{text}", "h e", ["<e>"]) for text in BITING),
)


@encode.random
def random_encoding(chance: Random) -> Args:
    """Return a text and a small tokenizer."""
    merges = train_naive(random_words(chance, "ab", 4), chance.randint(0, 6))
    specials = chance.choice([[], [END], ["<e>", "<e>x<e>"], ["<e>x<e>", "<e>"]])
    text = "".join(chance.choices(["a", "b", "ab", " ", "é", END, "<e>", "x", "c"], k=chance.randint(0, 7)))
    return text, SmallVocab(full(merges, specials)), merges, specials


@encode.valid
def encoding_is_possible(text: str, vocab: dict, merges: list, special_tokens: list[str]) -> bool:
    """Tell whether the tokenizer can be built."""
    return all(len(token) > 2 for token in special_tokens) and Tokenizer(vocab, merges, special_tokens) is not None


RETURNS_TOKENS = "You return tokens. One step is missing: their ids, from `vocab` turned round."


@encode.diagnose
def diagnose_encode(result, *_args):
    """Return what is wrong with a result that holds tokens."""
    return RETURNS_TOKENS if any(isinstance(item, (bytes, str)) for item in result) else ""


@encode.diagnose_error
def diagnose_encode_error(error: BaseException) -> str:
    """Return what is wrong where text is looked up or merged as if it were a token."""
    text_looked_up = isinstance(error, KeyError) and error.args and isinstance(error.args[0], str)
    text_spelled_out = isinstance(error, TypeError) and "'str' object cannot be interpreted as an integer" in str(error)
    if text_looked_up or text_spelled_out:
        return "Tokens and the keys made of them are bytes, and yours is text. Encode it first: `.encode()`."
    return ""


def split_and_keep(text, special_tokens):
    if not special_tokens:
        return [text]
    tokens = sorted(special_tokens, key=len, reverse=True)
    return regex.split("(" + "|".join(map(regex.escape, tokens)) + ")", text)


@encode.slip(
    "You take the longest entry of the vocabulary. It may hold entries that no merge builds, such as `abc` here: "
    "merges decide, not entries."
)
def by_vocabulary(text, vocab, merges, special_tokens):
    ids = {token: id_ for id_, token in vocab.items()}
    result = []
    for part in split_and_keep(text, special_tokens):
        if part in special_tokens and part:
            result.append(ids[part.encode()])
            continue
        for pretoken in pretokenize(part):
            data, start = pretoken.encode(), 0
            while start < len(data):
                end = next(end for end in range(len(data), start, -1) if data[start:end] in ids)
                result.append(ids[data[start:end]])
                start = end
    return result


def is_special(part, ids, special_tokens):
    return part != "" and part in special_tokens


def encoder(
    parts: Callable | None = None,
    pretokens: Callable = pretokenize,
    inside: Callable = encode_pretoken,
    whole: Callable = is_special,
) -> Callable:
    """Return an encode that is made of other parts."""

    def encode_with(text, vocab, merges, special_tokens):
        ids = {token: id_ for id_, token in vocab.items()}
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        result = []
        for part in (parts or split_and_keep)(text, special_tokens):
            if whole(part, ids, special_tokens):
                result.append(ids[part.encode()])
            else:
                result += [ids[token] for pretoken in pretokens(part) for token in inside(pretoken.encode(), ranks)]
        return result

    return encode_with


encode.slip(
    "You merge the first pair from the left that has a rank. The lowest rank goes first, wherever it stands.",
    encoder(inside=leftmost),
)

encode.slip(
    "Some pre-token is merged with the pair of rank 0 left out, the first one learned: `if ranks.get(pair)` holds 0 to "
    "be false. Ask `if pair in ranks`.",
    encoder(inside=rank_0_left_out),
)

encode.slip(
    "You take the longest token that merges can build. Merges are replayed in the order they were learned.",
    encoder(inside=longest_first),
)


def not_split(text, special_tokens):
    return [text]


def nothing_whole(part, ids, special_tokens):
    return False


encode.slip(
    "The special tokens are encoded as if they were text. Each is one id, whatever the merges say.",
    encoder(not_split),
    encoder(not_split, whole=nothing_whole),
)

encode.slip(
    "The special tokens are split off, but then you cut them like text. A part that is a special token is one id: look "
    "it up whole.",
    encoder(whole=nothing_whole),
)


def any_entry(part, ids, special_tokens):
    return part.encode() in ids


encode.slip(
    "You look up whole whatever the vocabulary holds, so `abc` becomes an entry that no merge builds. Only special "
    "tokens are looked up whole.",
    encoder(whole=any_entry),
)


@encode.same_slip
def pretokens_by_vocabulary(text, vocab, merges, special_tokens):
    entries = set(vocab.values())
    known = encoder(inside=lambda data, ranks: [data] if data in entries else encode_pretoken(data, ranks))
    return known(text, vocab, merges, special_tokens)


@encode.slip("The special tokens are gone. In training they are left out; here each becomes one id.")
@encoder
def specials_dropped(text, special_tokens):
    return split_on_special_tokens(text, special_tokens)


@encode.slip("You try special tokens in the order given, so `<e>` wins over `<e>x<e>`. The longest comes first.")
@encoder
def split_in_given_order(text, special_tokens):
    if not special_tokens:
        return [text]
    return regex.split("(" + "|".join(map(regex.escape, special_tokens)) + ")", text)


def whole_text(text):
    return [text] if text else []


encode.slip(
    "You merge across pre-tokens: `a` and the space after it never stand in one. Pre-tokenize first.",
    encoder(pretokens=whole_text),
)


def by_words(text):
    return text.split()


encode.slip("You split with `str.split`, and the spaces have no ids. Pre-tokenize.", encoder(pretokens=by_words))

encode.slip("You return bytes without merging them. Replay the merges in each pre-token.", encoder(inside=never_merged))


@encode.slip(
    "You work out ids from the order of merges. Special tokens stand between, and other vocabularies number "
    "differently: look the token up in `vocab`."
)
def position_of_merge(text, vocab, merges, special_tokens):
    tokens = Tokenizer(vocab, merges, special_tokens)
    shifted = {left + right: 256 + rank for rank, (left, right) in enumerate(merges)}
    return [shifted.get(vocab[id_], id_) for id_ in tokens.encode(text)]


@encode.slip(RETURNS_TOKENS)
def tokens_for_ids(text, vocab, merges, special_tokens):
    return [vocab[id_] for id_ in encode(text, vocab, merges, special_tokens)]


def unescaped_always(text, special_tokens):
    return [part or "" for part in regex.split("(" + "|".join(special_tokens) + ")", text)]


def unescaped(text, special_tokens):
    if not special_tokens:
        return [text]
    return unescaped_always(text, special_tokens)


def unescaped_longest_first(text, special_tokens):
    return unescaped(text, sorted(special_tokens, key=len, reverse=True))


encode.slip(
    "To a regex, `|` means *or*: the special token is torn apart. `regex.escape` makes it literal.",
    encoder(unescaped),
    encoder(unescaped_longest_first),
)


def empty_pattern(text, special_tokens):
    tokens = sorted(special_tokens, key=len, reverse=True)
    return regex.split("(" + "|".join(map(regex.escape, tokens)) + ")", text)


def unescaped_always_longest_first(text, special_tokens):
    return unescaped_always(text, sorted(special_tokens, key=len, reverse=True))


encode.slip(
    "Without special tokens your pattern is empty, matches between all characters, and tears the text apart. Treat an "
    "empty list of special tokens apart: the whole text is one part.",
    encoder(empty_pattern),
    encoder(unescaped_always),
    encoder(unescaped_always_longest_first),
)


@encode.slip(
    "You look for the longest special token in the whole text first, then for the others in the rest. The search goes "
    "from left to right; only where several begin at the same place the longest counts."
)
@encoder
def longest_in_the_whole_text(text, special_tokens):
    parts = [text]
    for token in sorted(special_tokens, key=len, reverse=True):
        pieces = [[p] if p in special_tokens else regex.split(f"({regex.escape(token)})", p) for p in parts]
        parts = [part for some in pieces for part in some]
    return parts


@encode.accept
def finished(text, vocab, merges, special_tokens):
    return Tokenizer(vocab, merges, special_tokens).encode(text)


encode.accept(encoder(), encoder(inside=in_learned_order))


@exercise(
    minutes=4,
    difficulty=1,
    hints=(
        "You have written the hard part in notebook 01.",
        "Look up each id, join, decode once with `errors='replace'`.",
    ),
)
def decode(ids: list[int], vocab: dict[int, bytes]) -> str:
    """Return the text of some ids; bytes that are not valid UTF-8 become U+FFFD.

    >>> decode([1, 0], {0: b"\\xa9", 1: b"caf\\xc3"})
    'café'
    """
    return b"".join(vocab[id_] for id_ in ids).decode(errors="replace")


BYTES = SmallVocab({byte: bytes([byte]) for byte in range(256)})
BYTES_VOCAB = {0: b"\xf0\x9f\x99", 1: b"\x83", 2: b" ", 3: b"\xff", 4: b"the", 5: b"\xc3", 6: b"\xa9", 7: b"caf"}
GAPS_VOCAB = {7: b"b", 2: b"a", 0: b"c"}

decode.cases(
    ([7, 5, 6], BYTES_VOCAB),
    ([], BYTES_VOCAB),
    ([0, 1], BYTES_VOCAB),
    ([3], BYTES_VOCAB),
    ([4, 2, 4], BYTES_VOCAB),
    ([1, 0], BYTES_VOCAB),
    ([0, 2], GAPS_VOCAB),
    ([7], GAPS_VOCAB),
    *((list(text.encode()), BYTES) for text in BITING),
)

decode.random(lambda chance: (chance.choices(list(BYTES_VOCAB), k=chance.randint(0, 6)), BYTES_VOCAB))


def decoder(finish: Callable) -> Callable:
    """Return a decode that does something else with the tokens."""

    def decode_with(ids, vocab):
        return finish([vocab[id_] for id_ in ids])

    return decode_with


decode.slip(
    "You decode token by token. The two bytes of `é` stand in two tokens here: join first, then decode.",
    decoder(lambda tokens: "".join(token.decode(errors="replace") for token in tokens)),
)

decode.slip(
    "You decode strictly, and a model's ids can be any: bad bytes must become U+FFFD, not an exception.",
    decoder(lambda tokens: b"".join(tokens).decode()),
)

decode.slip(
    "You drop bad bytes. U+FFFD shows that something was there.",
    decoder(lambda tokens: b"".join(tokens).decode(errors="ignore")),
)

decode.slip(
    "You turn each byte into a character with that number. A byte is not a character: `é` is two bytes. Decode the "
    "bytes as UTF-8, all at once.",
    decoder(lambda tokens: b"".join(tokens).decode("latin-1")),
)

decode.slip("You return bytes. One step is missing.", decoder(b"".join))

decode.slip(
    "You put spaces between tokens. They are inside the tokens already.",
    decoder(lambda tokens: b" ".join(tokens).decode(errors="replace")),
)


@decode.slip(
    "You take the token at a position in the vocabulary. Its entries may stand in any order, and its ids may have "
    "gaps: look the id up as a key."
)
def by_position(ids, vocab):
    tokens = list(vocab.values())
    return b"".join(tokens[id_] for id_ in ids).decode(errors="replace")


@decode.slip("You keep each id once. Every id stands for its token each time.")
def each_id_once(ids, vocab):
    return decode(list(dict.fromkeys(ids)), vocab)


@decode.slip("You sort the ids. Their order is the order of the text.")
def in_order_of_ids(ids, vocab):
    return decode(sorted(ids), vocab)


STREAM_MERGES = [(b"l", b"l"), (b"'", b"ll"), (b" ", b" "), (b" ", b"b"), (b"\n", b" "), (b"a", b"b"), (b"\n", b"\n")]


@exercise(
    minutes=20,
    difficulty=3,
    imports="from collections.abc import Iterable, Iterator\n\nimport regex\n\nfrom bpe_lib import Tokenizer",
    show=f"from bpe_lib import Tokenizer\nmerges = {STREAM_MERGES}\n"
    "tokens = [bytes([i]) for i in range(256)] + [left + right for left, right in merges]\n"
    "tokenizer = Tokenizer(dict(enumerate(tokens)), merges)\n"
    "[tokens[i] for i in encode_iterable(iter({0}), tokenizer)]",
    hints=(
        "Hold text back until you see a place where it may be cut whatever follows: the seam.",
        r"`regex.finditer(r'(?<=\S) (?=\S)', held)` finds all such spaces; cut at the last one.",
        "Encode and yield what stands before the cut, keep the rest, read on. At the end, encode what is left.",
    ),
)
def encode_iterable(chunks: Iterable[str], tokenizer: Tokenizer) -> Iterator[int]:
    """Yield the ids of `tokenizer.encode("".join(chunks))`, reading only as far as needed.

    GPT-2's pattern, and no special tokens: text may be cut before a space that stands between two characters that are
    not whitespace.

    >>> tokenizer = Tokenizer({0: b"a", 1: b" ", 2: b"b", 3: b" b"}, [(b" ", b"b")])
    >>> list(encode_iterable(["a ", "b a"], tokenizer))
    [0, 3, 1, 0]
    """
    held = ""
    for chunk in chunks:
        held += chunk
        seams = [match.start() for match in regex.finditer(r"(?<=\S) (?=\S)", held)]
        if seams:
            yield from tokenizer.encode(held[: seams[-1]])
            held = held[seams[-1] :]
    yield from tokenizer.encode(held)


class Chunks(list):
    """Chunks that are shown in short where one or two of them come again and again."""

    def __repr__(self) -> str:
        for period in (1, 2):
            times, rest = divmod(len(self), period)
            if times > 1 and not rest and self[:period] * times == self:
                return f"{self[:period]} * {times}"
        return super().__repr__()


LONG_STREAM = Chunks(["a b "] * 50)
STREAM_OF_CHARACTERS = Chunks(["a", " "] * 50)
STREAM_OF_WORDS = Chunks(["ab "] * 60)

encode_iterable.cases(
    (["a ", "b a"],),
    (["a\n  b"],),
    (["I'l", "l"],),
    ([],),
    (["ab"],),
    (["a", "b"],),
    (["a ", " b c"],),
    (["a", "\n", " ", " b"],),
    (["a\n", "\nb"],),
    (["a  ", "b"],),
    (["a b", "ab"],),
    (["", "a", ""],),
    (["a b c"],),
    (["a\n\nb"],),
    (LONG_STREAM,),
    (STREAM_OF_CHARACTERS,),
    (STREAM_OF_WORDS,),
    (Chunks(["abab abab "] * 200),),
    *(([text, text],) for text in BITING),
)


@encode_iterable.random
def random_stream(chance: Random) -> Args:
    """Return a text cut anywhere."""
    text = random_sentence(chance)[0] + chance.choice(["", " a", "'ll", "  b", "\n b"])
    chunks = []
    while text:
        length = chance.randint(1, 4)
        chunks.append(text[:length])
        text = text[length:]
    return (chunks,)


class WatchedTokenizer(Tokenizer):
    """A tokenizer that notes how many characters it was asked to encode."""

    encoded = 0

    def encode(self, text: str) -> list[int]:
        """Encode, and count."""
        self.encoded += len(text)
        return super().encode(text)


STREAM = WatchedTokenizer(build_vocab(STREAM_MERGES, []), STREAM_MERGES)
MOST_ENCODED = 10
"""How often each character of a long stream may be encoded."""
AGAIN = (
    "You encode {} characters for a stream of {}: at each chunk you encode again what came before. What has been given "
    "out is done; drop it, and encode only what stands between the last two cuts."
)
MOST_HELD = 40
"""Characters of a long stream that may be held back when the next chunk is read: ten chunks of it."""


@encode_iterable.harness
def call_encode_iterable(function: Callable, chunks: list[str]) -> Any:
    """Return the tokens of a stream, which can be read once; see to it that little of it is held back."""
    read = given = held = 0

    def stream() -> Iterator[str]:
        nonlocal read, held
        for chunk in chunks:
            held = max(held, read - given)
            read += len(chunk.encode())
            yield chunk

    STREAM.encoded = 0
    ids = function(stream(), STREAM)
    if ids is None:
        raise Complaint("Your function returns None. A generator gives its ids with `yield` or `yield from`.")
    tokens = []
    for id_ in ids:
        if isinstance(id_, (list, tuple)):
            raise Complaint("You yield a list of ids for each part. `yield from` gives them one by one.", id_)
        if isinstance(id_, (bytes, str)):
            raise Complaint("You yield text or tokens. The exercise asks for ids: `tokenizer.encode` gives them.", id_)
        tokens.append(STREAM.vocab.get(id_, id_))
        given += len(STREAM.vocab.get(id_, b""))
    length = len("".join(chunks))
    if len(chunks) >= len(LONG_STREAM) and STREAM.encoded > MOST_ENCODED * length:
        raise Complaint(AGAIN.format(STREAM.encoded, length))
    if len(chunks) >= len(LONG_STREAM) and held > MOST_HELD:
        raise Complaint(
            f"You hold back {held} characters of this stream at a time, and of a longer one you would hold more. "
            "After each chunk give out what is certain, up to the last seam.",
        )
    return tokens


@encode_iterable.slip(
    "You read the whole stream before you give the first id. It may be endless, or larger than memory: yield what is "
    "certain as you go."
)
def everything_first(chunks, tokenizer):
    yield from tokenizer.encode("".join(chunks))


@encode_iterable.same_slip
def a_list_of_all(chunks, tokenizer):
    return tokenizer.encode("".join(chunks))


@encode_iterable.slip(
    "You encode each chunk alone. A chunk can end inside a pre-token: `␣` and `b` come apart, and `␣b` is one token. "
    "Hold text back until it may be cut."
)
def chunk_by_chunk(chunks, tokenizer):
    for chunk in chunks:
        yield from tokenizer.encode(chunk)


@encode_iterable.slip(
    "You encode line by line. A run of whitespace can cross a newline: in `a⏎␣␣b` the pre-token is `⏎␣`, not `⏎`. Cut "
    "at the seam."
)
def line_by_line(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        *lines, held = held.split("\n")
        for line in lines:
            yield from tokenizer.encode(line + "\n")
    yield from tokenizer.encode(held)


@encode_iterable.slip(
    "You cut at the end of a line. Its newline belongs to the indentation behind it: in `a⏎␣␣b` the pre-token is `⏎␣`. "
    "Cut at the seam."
)
def up_to_the_last_newline(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        cut = held.rfind("\n") + 1
        if cut > 0:
            yield from tokenizer.encode(held[:cut])
            held = held[cut:]
    yield from tokenizer.encode(held)


@encode_iterable.slip(
    "You look for seams in the new chunk alone. A chunk of one character, or one that ends in a space, has none, so "
    "you hold back all of the stream. Look in what you hold, not in the chunk alone."
)
def seams_of_the_chunk(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        seams = [match.start() for match in regex.finditer(r"(?<=\S) (?=\S)", chunk)]
        if seams:
            yield from tokenizer.encode(held + chunk[: seams[-1]])
            held = chunk[seams[-1] :]
        else:
            held += chunk
    yield from tokenizer.encode(held)


@encode_iterable.slip(
    "You hold back only the last pre-token. One before it may be unfinished, too: what comes next can join the two. "
    "Hold back to the seam."
)
def last_pretoken_held(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        *pretokens, held = pretokenize(held + chunk) or [""]
        for pretoken in pretokens:
            yield from tokenizer.encode(pretoken)
    yield from tokenizer.encode(held)


@encode_iterable.slip("What you hold back at the end is never encoded. Encode the rest after the loop.")
def rest_forgotten(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        seams = [match.start() for match in regex.finditer(r"(?<=\S) (?=\S)", held)]
        if seams:
            yield from tokenizer.encode(held[: seams[-1]])
            held = held[seams[-1] :]


@encode_iterable.slip(
    "You cut at any space. More whitespace may stand before or after it, and a run must not be torn apart: look at the "
    "characters on both sides."
)
def at_any_space(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        cut = held.rfind(" ")
        if cut > 0:
            yield from tokenizer.encode(held[:cut])
            held = held[cut:]
    yield from tokenizer.encode(held)


@encode_iterable.slip("You cut behind a space. It belongs to the word that follows: `␣b` is one token. Cut before it.")
def after_the_space(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        cut = held.rfind(" ") + 1
        if cut > 0:
            yield from tokenizer.encode(held[:cut])
            held = held[cut:]
    yield from tokenizer.encode(held)


@encode_iterable.same_slip
def behind_the_seam(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        seams = [match.end() for match in regex.finditer(r"(?<=\S) (?=\S)", held)]
        if seams:
            yield from tokenizer.encode(held[: seams[-1]])
            held = held[seams[-1] :]
    yield from tokenizer.encode(held)


@encode_iterable.slip(
    "You cut at the first seam, and one chunk can hold several: what you hold back grows with the stream. Cut at the "
    "last one."
)
def at_the_first_seam(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        seam = regex.search(r"(?<=\S) (?=\S)", held)
        if seam:
            yield from tokenizer.encode(held[: seam.start()])
            held = held[seam.start() :]
    yield from tokenizer.encode(held)


@encode_iterable.slip(AGAIN.format(401_790, 2_000))
def all_of_it_again(chunks, tokenizer):
    text, given = "", 0
    for chunk in chunks:
        text += chunk
        seams = [match.start() for match in regex.finditer(r"(?<=\S) (?=\S)", text)]
        ids = tokenizer.encode(text[: seams[-1]]) if seams else []
        yield from ids[given:]
        given = max(given, len(ids))
    yield from tokenizer.encode(text)[given:]


@encode_iterable.accept
def the_librarys(chunks, tokenizer):
    return tokenizer.encode_iterable(chunks)


@encode_iterable.accept
def before_any_whitespace(chunks, tokenizer):
    held = ""
    for chunk in chunks:
        held += chunk
        seams = [match.start() for match in regex.finditer(r"(?<=\S)\s", held)]
        if seams:
            yield from tokenizer.encode(held[: seams[-1]])
            held = held[seams[-1] :]
    yield from tokenizer.encode(held)


@exercise(
    minutes=6,
    difficulty=2,
    collected=False,
    hints=(
        "Which pre-token can still change after another one has begun behind it?",
        "A contraction is tried before its apostrophe stands alone. What if it comes in two parts?",
    ),
)
def break_holdback() -> list[str]:
    """Return a text in parts, on which "hold back only the last pre-token" gives other pre-tokens than the whole.

    After each part, everything but the last pre-token is given out.

    >>> isinstance(break_holdback(), list)
    True
    """
    return ["I'l", "l"]


def pretokens_of_stream(chunks: list[str]) -> list[str]:
    """Return the pre-tokens where only the last one is held back."""
    pretokens, held = [], ""
    for chunk in chunks:
        *given, held = pretokenize(held + chunk) or [""]
        pretokens += given
    return pretokens + ([held] if held else [])


def check_chunks(value: object) -> str:
    """Return what is wrong with the reader's stream, or an empty string."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(chunk, str) for chunk in value):
        return f"You return {value!r}. The exercise asks for a list of texts."
    return ""


break_holdback.harness(
    breaks(
        lambda chunks: pretokenize("".join(chunks)),
        pretokens_of_stream,
        check_chunks,
        "holding back the last pre-token",
    )
)

break_holdback.slip("A word that is cut is held back whole, so nothing goes wrong.", returning(["hel", "lo"]))

break_holdback.slip("With one part there is nothing to go wrong: cut it.", returning(["I'll"]))

break_holdback.slip("You return a text. The exercise asks for a list of parts.", returning("I'll"))

break_holdback.slip(
    "Your cut leaves the apostrophe last, and it is held back. Cut one letter later.", returning(["I'", "ll"])
)

break_holdback.accept(returning(["we'r", "e"]), returning(["I'v", "e"]))
