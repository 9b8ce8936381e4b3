"""All predictions, in the order of the notebooks. An entry in `LIST` is all that one takes."""

import io
import re

import bpe_lib
from bpe_course import corpora
from bpe_course.prediction import Prediction, by_id
from bpe_course.samples import SEED_SENTENCES, spell

NO_ERROR = "That would be the safe thing to do. But `astype` keeps the lowest 16 bits and says nothing."
EVEN_TEXT = b"I love AI<|endoftext|>Python is great<|endoftext|>"


def first_merge_of_banana() -> tuple[bytes, bytes]:
    """Return the first merge of one word."""
    return bpe_lib.train_naive({spell("banana"): 1}, 1)[0]


def count_in_aaaa() -> int:
    """Return how often (a, a) is counted in `aaaa`."""
    return bpe_lib.count_pairs({spell("aaaa"): 1})[(b"a", b"a")]


def aaaa_after_merging() -> list[bytes]:
    """Return what the merge of (a, a) makes of `aaaa`."""
    return list(bpe_lib.merge_pair(spell("aaaa"), (b"a", b"a")))


def first_merge_of_uncut_sentences() -> tuple[bytes, bytes]:
    """Return the first merge where each of the four sentences is one word."""
    return bpe_lib.train_naive({spell(sentence): 1 for sentence in SEED_SENTENCES}, 1)[0]


def words_with_first_merge() -> int:
    """Return in how many different words of the four sentences the first merge happens."""
    words = bpe_lib.count_pretokens("<|endoftext|>".join(SEED_SENTENCES), ["<|endoftext|>"])
    pair = bpe_lib.train_naive(words, 1)[0]
    return sum(pair in zip(word, word[1:]) for word in words)


def growth_of_table() -> float:
    """Return how many times as many different pre-tokens all stories have as the first twenty."""
    stories = corpora.text("stories").split(corpora.END_OF_TEXT)
    texts = (corpora.END_OF_TEXT.join(some) for some in (stories[:20], stories))
    first, whole = (bpe_lib.count_pretokens(text, [corpora.END_OF_TEXT]) for text in texts)
    return round(len(whole) / len(first), 2)


def bytes_of_message(language: str) -> int:
    """Return how long the message is in this language, in UTF-8."""
    return len(corpora.world_messages()[language].encode())


LIST = [
    Prediction(
        "00-corpus",
        "Which tokenizer needs fewer tokens for a line of Python code: the one trained on 'english' or on 'code'?",
        "code",
        "A tokenizer merges what was frequent in its corpus, so it is good at more of the same. "
        "The corpus decides the tokens.",
        "english",
        [
            (
                "english",
                "Code is made of words, too, but four spaces in a row, `self.` and `):` are frequent only in code.",
            )
        ],
    ),
    Prediction(
        "00-round-trip",
        "Does decode(encode(text)) give the text back for a word the tokenizer has never seen: True or False?",
        True,
        "All 256 bytes are tokens from the beginning, so any text can be written; an unseen word only takes more "
        "tokens.",
        False,
        [(False, "Nothing can be unknown to a tokenizer whose smallest tokens are bytes.")],
    ),
    Prediction(
        "01-length",
        "How many bytes have é, 牛 and 🙃 in UTF-8?",
        lambda: [len(character.encode()) for character in "é牛🙃"],
        "UTF-8 takes one byte for ASCII, two up to U+07FF, three up to U+FFFF and four beyond.",
        [1, 1, 1],
        [
            ([1, 1, 1], "That is what `len` says of the text: it counts code points, not bytes."),
            ([2, 2, 2], "Two bytes each would be UTF-16 for the first two; UTF-8 has lengths from one to four."),
            ([4, 4, 4], "Four bytes each is UTF-32. UTF-8 is shorter wherever it can be."),
            ([2, 2, 4], "Those are the lengths in UTF-16."),
            ([1, 2, 4], "`é` is no ASCII character, so one byte is not enough for it."),
            ([1, 3, 4], "`é` is no ASCII character, so one byte is not enough for it."),
            ([2, 3, 3], "`🙃` lies beyond U+FFFF."),
        ],
    ),
    Prediction(
        "01-accent",
        "é can be one code point or an e with a combining accent. How many bytes has the second?",
        lambda: len("e\u0301".encode()),
        "`e` is one byte, U+0301 two. Both look the same on the screen, and a tokenizer sees two different texts.",
        7,
        [
            (2, "That is the single code point U+00E9. Here there are two code points."),
            (1, "Even the plain `e` takes one byte."),
            (4, "The `e` is ASCII, one byte; only the accent needs two."),
        ],
    ),
    Prediction(
        "01-family",
        "👨‍👩‍👧 is three emoji, joined by invisible signs. How many bytes is it?",
        lambda: len("👨‍👩‍👧".encode()),
        "Three people of four bytes each, and two invisible joiners (U+200D) of three bytes each.",
        7,
        [
            (4, "Four bytes are one emoji; this one is put together from three."),
            (12, "Those are the people alone; what joins them takes bytes, too."),
            (5, "That is the number of code points."),
            (3, "Three people, yes, but each takes four bytes, and something must join them."),
        ],
    ),
    Prediction(
        "01-cut",
        "The two bytes of é are cut apart and each is decoded with errors='replace'. How many characters come out?",
        lambda: len(b"\xc3".decode(errors="replace") + b"\xa9".decode(errors="replace")),
        "Neither byte is valid alone, so each becomes one U+FFFD: `��`.",
        7,
        [
            (1, "It would be one if the bytes were joined before they are decoded."),
            (0, "That is what errors='ignore' does: the letter disappears."),
        ],
    ),
    Prediction(
        "02-even",
        "Where do the boundaries of these 50 bytes end up, if three chunks are wanted?",
        lambda: bpe_lib.find_chunk_boundaries(io.BytesIO(EVEN_TEXT), 3, b"<|endoftext|>"),
        "Both even boundaries, 16 and 32, move to the next special token that begins at or after them: 16 lies inside "
        "the first one (9 to 22), so it goes on to 37, and so does 32. Two boundaries become one.",
        [0, 100],
        [
            ([0, 16, 32, 50], "These are the even boundaries before they move: 16 cuts a special token in two."),
            ([0, 9, 37, 50], "9 lies *before* 16. Boundaries only move forward, and 16 is inside that token."),
            ([0, 22, 37, 50], "22 is where the first special token ends. Boundaries go to where one starts."),
            ([0, 22, 50], "You go to where special tokens end. Boundaries go to where one starts."),
            ([0, 37, 37, 50], "Two boundaries at 37 would make an empty chunk, so one of them goes."),
        ],
    ),
    Prediction(
        "02-split",
        "'the theme' is cut into 'the the' and 'me'. How often do the two workers together count the word 'the'?",
        2,
        "The beginning of `theme` looks like one more `the`, and `theme` itself is counted nowhere: there are two "
        "different words as before, and three pieces where there were two. count(A) + count(B) is not count(AB).",
        7,
        [
            (
                1,
                "So it is in the whole. But the first worker sees no `me`, and takes its part of `theme` for a word.",
            ),
            (3, "The first worker finds two; `me` holds no `the`."),
        ],
    ),
    Prediction(
        "03-unsplit",
        "The four sentences are not cut at all. Which two neighbours are merged first?",
        first_merge_of_uncut_sentences,
        "Five words that are not the last of their sentence end in `s`, and so `s␣` stands there five times; no other "
        "pair of bytes stands there more than four times.",
        (b"x", b"y"),
        [
            ((b"h", b"e"), "(h, e) comes first once the text is cut. It stands there four times, `s␣` five times."),
            ((b"t", b"h"), "(t, h) stands there three times; `The` with its capital does not count for it."),
            ((b"e", b"s"), "(e, s) stands there four times, `s␣` five times."),
            ((b"e", b" "), "(e, space) stands there four times, `s␣` five times."),
            (("s", " "), "That is the right pair, written as text; tokens are bytes: (b's', b' ')."),
        ],
    ),
    Prediction(
        "03-spaces",
        "What does GPT-2's regex make of `a␣␣␣b`, with three spaces?",
        lambda: bpe_lib.pretokenize("a   b"),
        "All spaces but the last stay together, and the last one joins the word: `␣b` is the same pre-token whether "
        "one space stands before it or three.",
        ["x", " y"],
        [
            (["a", "   ", "b"], r"So it is with `\s+` alone: the spaces stay together, and `b` has none."),
            (["a", "   b"], "A word takes at most one space with it: `␣?` is one or none."),
            (["a", " ", " ", " b"], "The spaces before the last one come as one run, not one by one."),
            (["a", "b"], "Nothing is lost: joined, the pre-tokens are the text again."),
            (["a", " ", "  b"], "A word takes at most one space with it, the last one."),
        ],
    ),
    Prediction(
        "03-dont",
        "What does GPT-2's regex make of \"DON'T\"?",
        lambda: bpe_lib.pretokenize("DON'T"),
        "The contractions are written in lower case only: `'t` is one, `'T` is not. GPT-4's regex mends that.",
        ["we", "'ll"],
        [
            (["DON", "'T"], "So it is for `don't`. The pattern knows `'t`, not `'T`."),
            (["DO", "N'T"], "The regex knows no grammar: it takes all letters up to the apostrophe."),
            (["DON'T"], "The apostrophe is no letter, so the letters end before it."),
        ],
    ),
    Prediction(
        "03-curly",
        "And of it’s, with a curly apostrophe (U+2019)?",
        lambda: bpe_lib.pretokenize("it’s"),
        "To the regex U+2019 is a sign like any other, so it stands alone and the `s` becomes a word of its own.",
        ["we", "'ll"],
        [(["it", "’s"], "So it is for the straight apostrophe. The pattern does not know the curly one.")],
    ),
    Prediction(
        "03-misprint",
        'Without its first apostrophe the regex begins (?:[sdmt]|ll|ve|re). What does it make of "test it\'s"?',
        ["t", "est", " it", "'", "s"],
        "A `t` at the beginning now counts as a contraction and is cut off; after a space the letter branch "
        "still wins.",
        ["we", "'ll"],
        [
            (["test", " it", "'s"], "That is the right regex. Without the apostrophe, what may `[sdmt]` match?"),
            (["test", " it", "'", "s"], "Look at the first letter: `[sdmt]` comes first and matches `t`."),
            (["t", "est", " it", "'s"], "`'s` needs the apostrophe in the pattern, which is just what is missing."),
            (
                ["t", "es", "t", " it", "'", "s"],
                r"After the `t`, `est` begins with no contraction: `\p{L}+` takes it all.",
            ),
        ],
    ),
    Prediction(
        "03-special",
        'What does re.split("<|e|>", "a<|e|>b") return?',
        lambda: re.split("<|e|>", "a<|e|>b"),
        "In a regex `|` means or: the pattern is `<` or `e` or `>`. The text is split at those three, and the two "
        "`|` are left over.",
        ["x", "y"],
        [
            (["a", "b"], "That is what you want. But `|` is no plain sign in a regex."),
            (["a<|e|>b"], "The pattern does match: it means `<` or `e` or `>`."),
            (["a", "|", "b"], "Two `|` are left over, one on each side of the `e`."),
            (["a|", "|b"], "The pattern holds `<` and `>` as well, so the text is split at these, too."),
        ],
    ),
    Prediction(
        "03-seam",
        "'ab cd' is cut in two at offset 1, 2, 3 or 4. At which one do the counts of the parts add up?",
        2,
        "The pre-tokens are `ab` and `␣cd`. Only before the space does the cut fall between them.",
        7,
        [
            (
                3,
                "Behind the space the parts are `ab␣` and `cd`, and the space stands alone: the word `␣cd` has "
                "lost it.",
            ),
            (1, "Offset 1 is inside `ab`: the parts count `a` and `b`, which the whole does not."),
            (4, "Offset 4 is inside `cd`."),
            ([2, 3], "2 is right. Behind the space, at 3, the parts are `ab␣` and `cd`: `␣cd` has lost its space."),
        ],
    ),
    Prediction(
        "04-banana",
        "Which pair is merged first in banana?",
        first_merge_of_banana,
        "(a, n) and (n, a) both stand there twice. The greater pair wins a tie, and n comes after a.",
        (b"x", b"y"),
        [
            ((b"a", b"n"), "(a, n) stands there twice, but so does (n, a): a tie, and the greater pair wins."),
            ((b"b", b"a"), "(b, a) comes first in the word, but it stands there only once."),
            (("n", "a"), "That is the right pair, written as text; tokens are bytes: (b'n', b'a')."),
            (("a", "n"), "Tokens are bytes, written b'a'. And (n, a) stands there just as often."),
            ((b"an", b"an"), "At first all tokens are single bytes; `an` can only be made by a merge."),
        ],
    ),
    Prediction(
        "04-aaaa",
        "How often is the pair (a, a) counted in aaaa?",
        count_in_aaaa,
        "Every adjacent position counts, whether it overlaps with another or not: positions 0, 1 and 2.",
        7,
        [
            (2, "Two merges can happen, because they can't overlap. Counting does not care about that."),
            (4, "There are four letters, but only three places between them."),
            (1, "The pair stands at three positions; `dict` has it once, with the count 3."),
        ],
    ),
    Prediction(
        "04-aaaa-merged",
        "And what is left of aaaa once (a, a) is merged?",
        aaaa_after_merging,
        "From left to right, and no letter twice: positions 0 and 1, then 2 and 3. Counted three times, merged twice.",
        [b"x", b"yx"],
        [
            ([b"aa", b"aa", b"aa"], "A letter can be in one token only. After a merge, go on behind both letters."),
            ([b"aaaa"], "That takes one merge more, of (aa, aa)."),
            ([b"aa", b"a", b"a"], "All occurrences are merged, not only the first."),
        ],
    ),
    Prediction(
        "04-handout",
        "low×5 lower×2 widest×3 newest×6: (e, s) and (s, t) both count 9. Nothing tells yet: which would you merge "
        "first?",
        lambda: bpe_lib.best_pair({(b"e", b"s"): 9, (b"s", b"t"): 9}),
        "Ties go to the greatest pair of bytes, and `s` comes after `e`.",
        (b"x", b"y"),
        [((b"e", b"s"), "(e, s) comes first in the word, but that is no rule: ties go to the greater pair.")],
    ),
    Prediction(
        "04-changed",
        "The 24 different words of the four sentences learn (h, e) first. In how many of them does that pair stand?",
        words_with_first_merge,
        "Only `The` and `␣the` hold it; all others are read through at the next count though nothing in them changed.",
        7,
        [
            (
                4,
                "Four is how often the pair is counted: `The` and `␣the` occur twice each. As words in the table "
                "they are two.",
            ),
            (24, "All 24 are looked at, but the pair stands in few of them."),
        ],
    ),
    Prediction(
        "05-waste",
        "The first of 43 merges, (h, e), changes 2 of the 24 words. How many does the last one change: 1, 4 or 12?",
        1,
        "Frequent pairs come first, and those that come late stand in few words. All 24 are read for each of "
        "them, and 63 of the 1,032 visits change a word.",
        50,
        [
            (0, "A pair that stands in no word can't be chosen."),
            (2, "As many as the first? Its pair stood there four times, the pairs that come last only once or twice."),
            (4, "That is as many as any of them changes, the third."),
            (12, "Tokens grow, and long ones are rarer: the last pair stands in fewer words than the first."),
        ],
    ),
    Prediction(
        "05-index",
        "0 newest, 1 yes, 2 we, 3 stop: which numbers belong to the pair (w, e)?",
        {0, 2},
        "`we` holds it, and so does `newest`, between its first e and its second.",
        {1, 3},
        [
            ({2}, "Look into `newest` once more: ne-we-st."),
            ({0}, "`newest`, yes, and `we` itself."),
            ([0, 2], "The right numbers, and the index keeps them in a set: {0, 2}."),
            ({1, 3}, "Positions are counted from 0: `newest` is 0 and `we` is 2."),
        ],
    ),
    Prediction(
        "05-changes",
        "(e, s) is merged in newest, yes, we and stop. How many pairs get another count?",
        7,
        "Four fall: (e, s), (w, e), (s, t), (y, e). Three are new: (w, es), (es, t), (y, es).",
        20,
        [
            (1, "(e, s) itself is one. But its neighbours have lost a neighbour."),
            (2, "Two words change. Each changes several counts."),
            (3, "Three pairs are new; others have fallen."),
            (4, "Four pairs fall. The new token has neighbours, too, and they make three new pairs."),
            (6, "Six beside (e, s) itself, whose count becomes 0."),
        ],
    ),
    Prediction(
        "05-eded",
        "(d, e) stands once in eded. After (e, d) is merged place by place, which count is left of it?",
        -1,
        "Both merges touch (d, e), one from its left, one from its right, and each takes it away.",
        5,
        [
            (0, "So it should be. But both merges have (d, e) as a neighbour, and each one takes it away."),
            (1, "(d, e) is gone from `ed·ed`. The question is how often it was taken away."),
        ],
    ),
    Prediction(
        "05-forgets",
        "Counts are kept up to date, the index is built only once. Which is the first merge to be chosen wrongly?",
        3,
        "(s, t) is found in the index. (e, st) is chosen rightly, but no word is found, so no count changes, and the "
        "third choice is (e, st) again.",
        7,
        [
            (1, "(s, t) stood in the words from the beginning, so the index knows it."),
            (2, "(e, st) is chosen rightly, from the counts. That the index does not know it shows one merge later."),
            (4, "It takes one merge less: (e, st) finds no word, and the next choice is wrong."),
        ],
    ),
    Prediction(
        "05-next",
        "Which step of the indexed trainer looks at most pairs on the stories: best_pair, merge_pair or count_changes?",
        "best_pair",
        "It goes through the whole table of counts at every merge, while the other two stay in the visited words.",
        "no_pair",
        [
            ("merge_pair", "It visits only the words that the index names."),
            ("count_changes", "It visits only the words that the index names."),
        ],
    ),
    Prediction(
        "05-stale",
        "The heap holds (a, b) with 9, (c, d) with 5, (e, f) with 2. Today (a, b) has 3. Which pair is the best today?",
        (b"c", b"d"),
        "5 is more than 3 and 2. The entry on the top is (a, b), with a count that is no longer true.",
        (b"x", b"y"),
        [
            ((b"a", b"b"), "Its entry promises 9, but that is an old count. Today it has 3."),
            ((b"e", b"f"), "Its entry is true, but its count is the lowest."),
            (("c", "d"), "That is the right pair, written as text; tokens are bytes: (b'c', b'd')."),
        ],
    ),
    Prediction(
        "06-union",
        'One chunk has {"the": 2}, another {"the": 3}. What does {**a, **b} say of "the"?',
        3,
        "A dict has one value for each key, and the later one replaces the earlier. 2 occurrences are lost.",
        9,
        [
            (5, "That is the sum, and what you want. But `{**a, **b}` does not add."),
            (2, "The later table wins, not the earlier one."),
        ],
    ),
    Prediction(
        "06-cell",
        "A function is defined in a cell of this notebook. Can a freshly started process run it: True or False?",
        False,
        "It is sent as an address, `__main__` and its name, and the `__main__` of a fresh process has no such name.",
        True,
        [(True, "Only its name is sent, and the other process has to find it in a module that it can import.")],
    ),
    Prediction(
        "06-amdahl",
        "60 % of the work can be shared, on 8 workers. How many times as fast is it, to one decimal place?",
        lambda: round(1 / (0.4 + 0.6 / 8), 1),
        "The other 40 % take as long as before, so that is 0.4 + 0.6 / 8 = 0.475 of the time: 2.1 times as fast.",
        9.9,
        [
            (2.105, "That is it, to more digits than you need."),
            (2.11, "That is it, to one digit more."),
            (2, "Near, but one decimal place is asked for."),
            (8.0, "So it would be if everything could be shared."),
            (8, "So it would be if everything could be shared."),
            (4.8, "60 % of 8 is no speedup: the 40 % that remain are waited for, whole."),
            (2.5, "That is the limit for any number of workers, 1 / 0.4. With 8 it is less."),
            (0.475, "That is the part of the old time that is left; how many times does it go into the whole?"),
        ],
        near=0.045,
    ),
    Prediction(
        "06-order",
        "Counts come in from the workers in another order. Does training learn other merges: True or False?",
        False,
        "The sums are the same whatever the order, and ties are settled by the pair itself, not by who came first.",
        True,
        [
            (
                True,
                'The order of the *keys* in the table differs. With the rule "first pair seen wins a tie" you would '
                "be right.",
            )
        ],
    ),
    Prediction(
        "07-order",
        "The merges are (h, e), then (t, h). Which tokens are left of `the`?",
        [b"t", b"he"],
        "(h, e) was learned first, so it is replayed first, and then no `h` is left for (t, h).",
        [b"x", b"yz"],
        [
            (
                [b"th", b"e"],
                "(t, h) stands further to the left, but it was learned later. The order of learning decides.",
            ),
            ([b"the"], "No merge makes `the`: both halves of a merge must stand there as tokens."),
            ([b"t", b"h", b"e"], "(h, e) stands there, so it merges."),
            (["t", "he"], "That is right, written as text; tokens are bytes: [b't', b'he']."),
        ],
    ),
    Prediction(
        "07-new-id",
        "A vocabulary has the ids 0, 1 and 3. Which id does a new special token get?",
        4,
        "One more than the highest id is unused whatever gaps there are.",
        9,
        [
            (3, "That is the number of entries, and 3 is taken: the token with that id would be lost."),
            (2, "2 is free, but a token that filled a gap would look like an old one. New ids go above all others."),
            (-1, "Ids are never negative: an array of ids in 16 bits could not hold it."),
        ],
    ),
    Prediction(
        "07-injection",
        "How often does the id of `<|assistant|>` stand in what the program sends to the model?",
        2,
        "`encode` obeys the spelling wherever it comes from, so the user has written the assistant's turn.",
        9,
        [
            (1, "The program wrote it once. The user wrote it a second time."),
            (0, "A special token in a text becomes its id; that is what `encode` is for."),
        ],
    ),
    Prediction(
        "07-inverse",
        "The ids 5, 4, 3 are t, h, e. Which ids does encode give for the text that they decode to?",
        [9],
        "They decode to `the`, and `encode` merges it into one token. A text has many spellings in ids, and `encode` "
        "chooses one.",
        [1, 2],
        [
            ([5, 4, 3], "`encode` does not know where a text came from. It replays all merges."),
            ([6, 3], "(t, h) makes 6, and then (th, e) has a rank, too."),
            (9, "The right id; `encode` gives a list of ids, here with one entry."),
        ],
    ),
    Prediction(
        "07-wrap",
        "An id is 65,543 and is put into 16 bits with astype(np.uint16). What stands there then?",
        7,
        "16 bits hold 0 to 65,535. What is above begins again at 0, without an error: 65,543 − 65,536 = 7.",
        12,
        [
            (65543, "16 bits can't hold it: 65,535 is the highest number."),
            (65535, "Numbers are not held at the maximum; they begin again at 0."),
            (8, "65,536 becomes 0, so count on from there: 65,543 − 65,536."),
            ("error", NO_ERROR),
            ("an error", NO_ERROR),
            ("OverflowError", NO_ERROR),
        ],
    ),
    Prediction(
        "08-next",
        "With all cores counting, and a heap for the merges: which part takes longer on 12 MB, counting or merging?",
        "counting",
        "The regex reads every word again each time it comes, and most words come thousands of times.",
        "both",
        [("merging", "Merging was the slow part until the index and the heap. It never sees the text, only a table.")],
    ),
    Prediction(
        "08-double",
        "Does a vocabulary of twice the size need half as many tokens for a text: True or False?",
        False,
        "Frequent words are whole already. The new tokens are rarer ones, so each doubling gains less than the one "
        "before.",
        True,
        [(True, "That would be so if the new tokens were as frequent as the old ones.")],
    ),
    Prediction(
        "08-language",
        "Under a tokenizer trained on English, who pays most: German (1), Russian (2), Chinese (3) or Hindi (4)?",
        lambda: 1 + max(range(4), key=lambda i: bytes_of_message(["German", "Russian", "Chinese", "Hindi"][i])),
        "Without merges a token is a byte, and Devanagari takes three bytes a sign, vowel signs included. Bengali and "
        "Thai do, too, and pay the same within a few tokens.",
        1,
        [
            (3, "Three bytes a sign, but few signs: Chinese says it in 87 characters."),
            (2, "No merges, but only two bytes a letter."),
            (1, "Long words, but of the letters that English has: some merges help."),
        ],
        names={"german": 1, "russian": 2, "chinese": 3, "hindi": 4},
    ),
    Prediction(
        "08-referee",
        "Which of the nine claims are false, by number?",
        [1, 2, 3, 6, 8, 9],
        "(4), (5) and (7) hold. (3) gives good advice for a false reason, so it is false. You have the experiments; a "
        "claim that you can't test deserves a source.",
        [4, 5],
        [
            (
                [1, 2, 3, 5, 6, 8, 9],
                "An index that is never cleaned wastes visits and is not wrong: see (5).",
            ),
            ([1, 3, 6, 8, 9], "Look at (2) again, sign by sign: what stands before `(?:` in GPT-2's pattern?"),
            (
                [1, 2, 6, 8, 9],
                "(3) gives good advice for a wrong reason: such a cut joins nothing.",
            ),
        ],
        any_order=True,
    ),
    Prediction(
        "09-table",
        "24 times the text: about how many times as many different pre-tokens?",
        growth_of_table,
        "Nearly every word of a new story has been seen before. A table grows more slowly than its text.",
        50,
        [
            (24, "So it would be if no story used a word of another one."),
            (1, "Nearly: but names and rarer words go on coming."),
            (3, "It is a little under two and a half."),
            (5, "Somewhat less. The stories have few words, and soon use most of them."),
            (12, "Far less: words that come again make the text longer and the table not."),
        ],
        "Most words of a new story are those that you have seen before.",
        near=0.6,
    ),
    Prediction(
        "09-machines",
        "1 TB on 1,000 machines: how many times as fast is it, nearest to 10, 100 or 1000?",
        10,
        "What one machine must do alone takes a quarter of an hour, and a thousand others wait for it.",
        50,
        [
            (1000, "So it would be if everything were shared."),
            (100, "So it would be if the part that isn't shared took a hundredth of the time. It takes more."),
        ],
        near=8,
    ),
]

PREDICTIONS = by_id(LIST)
