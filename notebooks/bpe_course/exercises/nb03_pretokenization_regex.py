"""The exercises of notebook 03."""

import re
import unicodedata
from collections import Counter
from random import Random

import regex

import bpe_lib
from bpe_course.compare import a
from bpe_course.exercise import Args, Complaint, exercise
from bpe_course.exercises.nb01_text_is_bytes import MARKS, NEWLINES, NULS
from bpe_course.harness import breaks, returning
from bpe_course.samples import BITING, END, SEED_SENTENCES, WHITESPACE
from bpe_lib.pretokenization import GPT2_PATTERN


@exercise(
    minutes=4,
    difficulty=1,
    show="regex.findall(contractions(), {0})",
    hints=(
        "All seven begin alike. What follows is one of four letters, or one of three pairs of letters.",
        "`[sdmt]` is one of four letters; `a|b` is a choice. The apostrophe must stand before the whole choice.",
        "Brackets keep a choice together. Write them as `(?:…)`: `findall` returns what plain brackets hold instead "
        "of the whole match.",
    ),
)
def contractions() -> str:
    """Return a regex that finds 's, 'd, 'm, 't, 'll, 've and 're, each with its apostrophe.

    >>> import regex
    >>> regex.findall(contractions(), "we'll see, it's I've")
    ["'ll", "'s", "'ve"]
    """
    return r"'(?:[sdmt]|ll|ve|re)"


contractions.cases(
    ("we'll see, it's I've",),
    ("it's I'd I'm don't we'll I've you're",),
    ("stove llama dress",),
    ("",),
    ("rock'n'roll",),
    ("IT'S",),
    ("it’s",),
    ("'tis 'lone",),
)


@contractions.random
def random_contractions(chance: Random) -> Args:
    """Return a text with apostrophes."""
    parts = ["'s", "'d", "'m", "'t", "'ll", "'ve", "'re", "'", "I", " ", "stove", "'S", "'x", "’s", "'l", "'r"]
    return ("".join(chance.choices(parts, k=chance.randint(0, 6))),)


@contractions.harness
def call_findall(function, text: str) -> list[str]:
    """Return what the reader's regex finds in a text."""
    pattern = function()
    if pattern is None:
        raise Complaint("Your function returns None. Is there a return statement?")
    if not isinstance(pattern, (str, regex.Pattern)):
        kind = type(pattern).__name__
        raise Complaint(f"Your function returns {pattern!r}, of type {kind}. Return the regex itself, as a str.")
    try:
        return regex.findall(pattern, text)
    except regex.error as error:
        raise Complaint(f"The package `regex` can't read your regex: {error}.", pattern) from error


contractions.slip(
    "Your apostrophe is missing, so plain letters count as contractions, such as the `s` of `see`. One published "
    "version prints the regex so.",
    returning("(?:[sdmt]|ll|ve|re)"),
    returning("[sdmt]|ll|ve|re"),
)

contractions.slip(
    "`findall` returns what plain brackets hold instead of the whole match, so the apostrophe is lost. Brackets that "
    "only hold things together are written `(?:…)`.",
    returning("'([sdmt]|ll|ve|re)"),
)

contractions.slip(
    "Your apostrophe belongs to the first choice only; all others match without one, such as `ll` alone or `ve` alone. "
    "What keeps a choice together?",
    returning("'[sdmt]|ll|ve|re"),
    returning("'s|d|m|t|ll|ve|re"),
    returning("'ll|ve|re|[sdmt]"),
    returning("'ll|ve|re|s|d|m|t"),
)

contractions.slip(
    "`'?` is one apostrophe or none, so plain letters count as well, such as the `s` of `see`. The apostrophe must be "
    "there.",
    returning("'?(?:[sdmt]|ll|ve|re)"),
    returning("'?(?:ll|ve|re|[sdmt])"),
)

contractions.slip(
    "Square brackets match one character, so of `'ll` and `'ve` you find only the first letter, and `'r` counts as "
    "well. Pairs of letters need a choice with `|`.",
    returning("'[sdmtlvre]"),
    returning("'[sdmtlvr]"),
)

contractions.slip(
    "You find capitals, too. GPT-2's regex knows the lower-case endings only, and the course keeps to it.",
    returning("(?i)'(?:[sdmt]|ll|ve|re)"),
)

contractions.slip(
    "You take any letters after an apostrophe, `'n` and `'roll` among them. Only seven endings count.",
    returning(r"'\w+"),
    returning(r"'\p{L}+"),
    returning("'[a-z]+"),
)

contractions.slip(
    "You find the word before the apostrophe, too. The match should begin with the apostrophe: the word gets a branch "
    "of its own.",
    returning(r"\w+'(?:[sdmt]|ll|ve|re)"),
)

contractions.accept(returning("'s|'d|'m|'t|'ll|'ve|'re"), returning("'(?:[dmst]|[rv]e|ll)"))


@exercise(
    minutes=6,
    difficulty=2,
    show="regex.findall(whitespace_branch(), {0})",
    hints=(
        r"`\s+` takes as much as it can. You want it to give one character back if something else follows.",
        r"`(?!X)` means: what follows is not X. What is `\s+` forced to do if no non-space (`\S`) may follow?",
        "A single space before a word is left over then; a second branch takes it.",
    ),
)
def whitespace_branch() -> str:
    """Return a regex that finds whitespace as GPT-2 cuts it.

    A run of whitespace before anything else is cut in two: all but its last character, then the last. At the end of
    the text it stays whole.

    >>> import regex
    >>> regex.findall(whitespace_branch(), "a   b  ")
    ['  ', ' ', '  ']
    """
    return r"\s+(?!\S)|\s+"


whitespace_branch.cases(
    ("a   b  ",),
    ("a b",),
    ("a   b",),
    ("a  !",),
    ("a  7",),
    ("a  é",),
    ("a\n  b",),
    ("  ",),
    ("",),
    ("ab",),
    (" a",),
    ("a \n",),
    ("a\u00a0\u00a0b",),
    *((text,) for text in BITING),
    *((f"a{space}{space}b",) for space in WHITESPACE),
)


@whitespace_branch.random
def random_spaces(chance: Random) -> Args:
    """Return a text full of whitespace."""
    parts = [" ", " ", " ", "\n", "\t", "\u00a0", "a", "b", "!", "7", "é", "_"]
    return ("".join(chance.choices(parts, k=chance.randint(0, 8))),)


@whitespace_branch.harness
def call_with_order(function, text: str) -> list[str]:
    """Return what the reader's regex finds, unless its first branch is one that leaves nothing to the second."""
    pattern = function()
    if isinstance(pattern, str) and pattern.startswith((r"\s+|", r"(?:\s+)|", r"\s|")):
        raise Complaint(
            "The first branch that matches wins, and your first one matches any whitespace: the others never get "
            "their turn. Which branch must come first?",
            pattern,
        )
    return call_findall(function, text)


whitespace_branch.slip(
    "You take the whole run. Between `a` and `b` it should come in two pieces: all but its last character, then that "
    "one. Which kind of branch made a run of `a` give one back?",
    returning(r"\s+"),
    returning(r"\s+(?!\s)|\s+"),
    returning(r"\s+(?=\S)|\s+"),
)

whitespace_branch.slip(
    "The first branch that matches wins, and your first one matches any whitespace: the others never get their turn. "
    "Which branch must come first?",
    returning(r"\s+|\s+(?!\S)"),
)

whitespace_branch.slip(
    "What follows a run may be any character that is not whitespace: `!`, a digit, `é`. Yours looks out for some of "
    "them only. What stands for all?",
    *(
        returning(rf"\s+(?!{what})|\s{plus}")
        for what in ["b", r"\w", r"\p{L}", "[a-z]", "[a-zA-Z]", r"[\p{L}\p{N}]"]
        for plus in ["+", ""]
    ),
)

whitespace_branch.slip(
    "At the end of the text a run stays whole. Yours asks for whitespace behind it, and at the end there is none. Say "
    "what must *not* follow instead.",
    returning(r"\s+(?=\s)|\s"),
    returning(r"\s+(?=\s)|\s+"),
)

whitespace_branch.slip(
    "A single space before a word is lost, and so is the last one of each run: nothing matches them. Add a branch for "
    "what the first one leaves over.",
    returning(r"\s+(?!\S)"),
    returning(r"\s+(?=\s|\Z)"),
)

whitespace_branch.slip(
    "You take whitespace one character at a time. A run stays together, except for its last character.",
    returning(r"\s"),
)

whitespace_branch.slip(
    r"You know only U+0020. Newlines, tabs and U+00A0 are whitespace as well: `\s`.",
    returning(" +(?! )| +"),
    returning(r" +(?!\S)| +"),
    returning(" +(?![^ ])| +"),
)

whitespace_branch.slip(
    r"`(?=\S)` demands that something else follows, and so takes the whole run. You want the opposite.",
    returning(r"\s+(?=\S)"),
)

whitespace_branch.slip(
    "`*` matches nothing as well, so `findall` gives empty strings everywhere. At least one: `+`.",
    returning(r"\s*(?!\S)|\s*"),
    returning(r"\s*(?!\S)|\s+"),
    returning(r"\s*(?!\S)"),
    returning(r"\s*"),
)

whitespace_branch.slip(
    "Plain brackets make `findall` return what they hold. `(?!…)` needs no brackets around it.",
    returning(r"\s+(?!\S)|(\s+)"),
    returning(r"(\s+)(?!\S)|\s+"),
    returning(r"(\s+(?!\S))|(\s+)"),
)

whitespace_branch.accept(returning(r"\s+(?!\S)|\s"), returning(r"\s+(?=\s|\Z)|\s"))


@exercise(
    minutes=7,
    difficulty=2,
    imports="import re",
    library=bpe_lib.split_on_special_tokens,
    hints=(
        "`re.split(pattern, text)` gives the stretches between matches. The pattern is a choice of all special tokens.",
        "`<|endoftext|>` holds `|`, which means something in a regex. `re.escape` makes a string literal.",
        "A choice tries its parts from left to right: which of `<e>` and `<e>x<e>` should come first? And what if "
        "there are none?",
    ),
)
def split_on_special_tokens(text: str, special_tokens: list[str]) -> list[str]:
    """Return the stretches of text between special tokens, in order, without the special tokens.

    The search goes from left to right; where several special tokens begin at the same place, the longest one counts.
    Without special tokens the text stays whole. Empty stretches may be kept or left out.

    >>> split_on_special_tokens("one<|endoftext|>two", ["<|endoftext|>"])
    ['one', 'two']
    """
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    pattern = "|".join(re.escape(token) for token in longest_first)
    return re.split(pattern, text)


split_on_special_tokens.cases(
    ("one<|endoftext|>two", [END]),
    ("hi<|end|>\nho", ["<|end|>", "<|end|>\n"]),
    ("a<e>x<e>b", ["<e>", "<e>x<e>"]),
    ("ab", []),
    ("a<e>b<f>c", ["<e>", "<f>"]),
    ("a<e>b<f>c", ["<f>", "<e>"]),
    ("", [END]),
    (" a <|endoftext|>\nb ", [END]),
    ("a<|endoftext|><|endoftext|>b<|endoftext|>", [END]),
    ("x.y xzy", ["x.y"]),
    ("a<e>x<e>b", ["<e>x<e>", "<e>"]),
    ("a|b", [END]),
    ("abcd", ["ab", "bcd"]),
    ("abcd", ["bcd", "ab"]),
    ("one\n---\n\ntwo", ["\n---", "---\n\n"]),
    ("one<|ENDOFTEXT|>two<|endoftext|>three", [END]),
    ("a|b.c||d", ["|"]),
    ("aaaab", ["aaa"]),
    ("a<1>b<2>c<3>d<4>e<5>f", ["<1>", "<2>", "<3>", "<4>", "<5>"]),
    ("a<e>b<e>c<e>d<e>e<e>f<e>g", ["<e>"]),
    *((f"{text}<e>{text}", ["<e>"]) for text in BITING),
)


@split_on_special_tokens.random
def random_overlaps(chance: Random) -> Args:
    """Return a text and special tokens, of which some hold one another and some overlap."""
    if chance.random() < 0.7:
        return random_specials(chance)
    tokens = chance.sample(["ab", "bcd", "abc", "<e>", "cc"], chance.randint(1, 3))
    return "".join(chance.choices("abcd", k=chance.randint(1, 9))), tokens


def distinct(tokens: list[str]) -> bool:
    """Tell whether no special token is empty or repeated."""
    return all(tokens) and len(set(tokens)) == len(tokens)


split_on_special_tokens.valid(lambda text, tokens: distinct(tokens))


@split_on_special_tokens.normal
def without_empty(result: object, *_args: object) -> object:
    """Return the stretches that are not empty."""
    return [part for part in result if part not in ("", b"")] if isinstance(result, (list, tuple)) else result


@split_on_special_tokens.slip(
    "You delete the special token, and what stands before and after it becomes one: `one` and `two` turn into "
    "`onetwo`. Split there instead."
)
def special_deleted(text, special_tokens):
    for token in sorted(special_tokens, key=len, reverse=True):
        text = text.replace(token, "")
    return [text]


@split_on_special_tokens.same_slip
def special_deleted_in_order(text, special_tokens):
    for token in special_tokens:
        text = text.replace(token, "")
    return [text]


@split_on_special_tokens.same_slip
def special_deleted_at_once(text, special_tokens):
    return ["".join(split_on_special_tokens(text, special_tokens))]


@split_on_special_tokens.slip(
    "You split on one special token after another, the longest first. In `abcd` that finds `bcd`; but from left to "
    "right `ab` comes first, and takes the `b`. Search for all of them at once."
)
def split_one_after_another(text, special_tokens):
    parts = [text]
    for token in sorted(special_tokens, key=len, reverse=True):
        parts = [stretch for part in parts for stretch in part.split(token)]
    return parts


@split_on_special_tokens.slip(
    "You split on one special token after another, in the given order: what the first one takes is gone. Search for "
    "all of them at once; where several begin at the same place, the longest counts."
)
def split_one_after_another_in_order(text, special_tokens):
    parts = [text]
    for token in special_tokens:
        parts = [stretch for part in parts for stretch in part.split(token)]
    return parts


@split_on_special_tokens.slip(
    "You escape the whole choice, and its `|` with it: now it is a plain sign, and your pattern only matches all "
    "tokens in a row. Escape each token, then join them."
)
def escaped_as_a_whole(text, special_tokens):
    return re.split(re.escape("|".join(sorted(special_tokens, key=len, reverse=True))), text)


@split_on_special_tokens.same_slip
def escaped_as_a_whole_with_guard(text, special_tokens):
    return escaped_as_a_whole(text, special_tokens) if special_tokens else [text]


@split_on_special_tokens.same_slip
def escaped_in_order(text, special_tokens):
    return re.split(re.escape("|".join(special_tokens)), text)


@split_on_special_tokens.same_slip
def escaped_in_order_with_guard(text, special_tokens):
    return escaped_in_order(text, special_tokens) if special_tokens else [text]


@split_on_special_tokens.slip(
    "You put a space in place of the special token, so the documents become one text, with a space that no document "
    "has. Split there instead."
)
def special_to_space(text, special_tokens):
    for token in sorted(special_tokens, key=len, reverse=True):
        text = text.replace(token, " ")
    return [text]


@split_on_special_tokens.slip(
    "To a regex, `|` means *or*: your pattern matches `<`, or `endoftext`, or `>`. `re.escape` makes a special token "
    "literal."
)
def not_escaped(text, special_tokens):
    if not special_tokens:
        return [text]
    return regex.split("|".join(sorted(special_tokens, key=len, reverse=True)), text)


@split_on_special_tokens.same_slip
def not_escaped_at_all(text, special_tokens):
    return regex.split("|".join(special_tokens), text)


@split_on_special_tokens.slip(
    "A choice tries its parts from left to right, and yours come in the given order: `<|end|>` wins, and `<|end|>` "
    "with its newline never gets a turn. Sort them first."
)
def in_given_order(text, special_tokens):
    if not special_tokens:
        return [text]
    return re.split("|".join(map(re.escape, special_tokens)), text)


@split_on_special_tokens.same_slip
def given_order_empty_pattern(text, special_tokens):
    return re.split("|".join(map(re.escape, special_tokens)), text)


@split_on_special_tokens.slip(
    "You try the shortest special token first, so `<|end|>` with its newline is never found whole. The longest must "
    "come first."
)
def shortest_first(text, special_tokens):
    if not special_tokens:
        return [text]
    return re.split("|".join(map(re.escape, sorted(special_tokens, key=len))), text)


@split_on_special_tokens.slip(
    "Without special tokens your pattern is empty, and an empty pattern matches between all characters. With nothing "
    "to split on, the text stays whole."
)
def empty_pattern(text, special_tokens):
    return re.split("|".join(re.escape(token) for token in sorted(special_tokens, key=len, reverse=True)), text)


@split_on_special_tokens.slip(
    "Your special tokens are still there: brackets in a pattern make `split` return what it split on. Leave the "
    "brackets out."
)
def tokens_kept(text, special_tokens):
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)


@split_on_special_tokens.slip("You split on one special token only. All of them are boundaries; join them with `|`.")
def first_token_only(text, special_tokens):
    return text.split(special_tokens[0]) if special_tokens else [text]


@split_on_special_tokens.same_slip
def last_token_only(text, special_tokens):
    parts = [text]
    for token in special_tokens:
        parts = text.split(token)
    return parts


@split_on_special_tokens.slip("You strip the stretches. Spaces and newlines belong to the text.")
def stripped_parts(text, special_tokens):
    return [part.strip() for part in split_on_special_tokens(text, special_tokens)]


@split_on_special_tokens.slip("Without special tokens you return nothing. The text is one stretch then.")
def without_specials_nothing(text, special_tokens):
    return split_on_special_tokens(text, special_tokens) if special_tokens else []


@split_on_special_tokens.slip(
    "You take no notice of capitals, perhaps by `re.I`. `<|ENDOFTEXT|>` is no special token but text: only the exact "
    "characters count."
)
def capitals_ignored(text, special_tokens):
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.split("|".join(map(re.escape, longest_first)), text, flags=re.I)


@split_on_special_tokens.accept
def by_finding(text, special_tokens):
    parts, start = [], 0
    i = 0
    while i < len(text):
        here = [token for token in special_tokens if text.startswith(token, i)]
        if here:
            parts.append(text[start:i])
            start = i = i + len(max(here, key=len))
        else:
            i += 1
    return [part for part in [*parts, text[start:]] if part]


PRETOKEN_IMPORTS = "import regex\n\nfrom bpe_lib import GPT2_PATTERN"


@exercise(
    minutes=2,
    difficulty=1,
    imports=PRETOKEN_IMPORTS,
    library=bpe_lib.pretokenize,
    hints=(
        "You have built the regex; here it is whole, as `GPT2_PATTERN`. Which function finds all matches?",
        r"The package is `regex`: `re` does not know `\p{L}`.",
    ),
)
def pretokenize(text: str) -> list[str]:
    """Return the pre-tokens of a text that holds no special tokens; joined, they are the text again.

    >>> pretokenize("some text that i'll pre-tokenize")
    ['some', ' text', ' that', ' i', "'ll", ' pre', '-', 'tokenize']
    """
    return regex.findall(GPT2_PATTERN, text)


pretokenize.cases(
    ("some text that i'll pre-tokenize",),
    ("test it's",),
    ("a   b",),
    (" a  b\n",),
    ("",),
    ("DON'T",),
    ("the the",),
    ("été 牛 2024",),
    ("x_y",),
    ("Hi!! 🙃",),
    *((text,) for text in BITING),
)


@pretokenize.random
def random_sentence(chance: Random) -> Args:
    """Return a text with words, contractions, numbers, signs and whitespace."""
    parts = ["the", "cat", "é", "牛", "I", "'ll", "'s", "t", "12", "3", "!", "-", " ", "  ", "\n", "\u00a0", "🙃", "’"]
    return ("".join(chance.choices(parts, k=chance.randint(0, 8))),)


pretokenize.slip(
    r"Python's own `re` can't read `\p{L}`. The package `regex` can, and is used in the same way.",
    lambda text: re.findall(GPT2_PATTERN, text),
)

pretokenize.slip(
    "`regex.split` gives what stands *between* the matches, and this regex leaves nothing there. You want the matches "
    "themselves.",
    lambda text: regex.split(GPT2_PATTERN, text),
    lambda text: [pretoken for pretoken in regex.split(GPT2_PATTERN, text) if pretoken],
)

pretokenize.slip(
    "You find the first match only. The pre-tokens are all of them.",
    lambda text: [found[0]] if (found := regex.search(GPT2_PATTERN, text)) else [],
    lambda text: [found[0]] if (found := regex.match(GPT2_PATTERN, text)) else [],
)


@pretokenize.slip(
    "`str.split` throws whitespace away, and what is lost can't be learned. The space before a word belongs to its "
    "pre-token; joined, the pre-tokens must be the text again."
)
def str_split(text):
    return text.split()


@pretokenize.same_slip
def split_at_spaces(text):
    return text.split(" ")


def with_pattern(pattern):
    """Return a pretokenize that uses another regex."""

    def pretokenize_with(text):
        return regex.findall(pattern, text)

    return pretokenize_with


pretokenize.slip(
    r"Your regex has no `\s+(?!\S)`: in `a   b` three spaces stay together, and `b` stands there without its own. The "
    "last space belongs to the word.",
    with_pattern(GPT2_PATTERN.replace(r"|\s+(?!\S)", "")),
)

MISPRINT = GPT2_PATTERN.removeprefix("'")
"""GPT-2's pattern as one published version prints it: without its first apostrophe."""

pretokenize.slip(
    "Your regex has lost its first apostrophe, so the `t` of `test` counts as a contraction. One published version "
    "prints it so.",
    with_pattern(MISPRINT),
)

pretokenize.slip(
    "`findall` returns what brackets hold instead of the whole match. Brackets that only hold things together are "
    "written `(?:…)`.",
    with_pattern(GPT2_PATTERN.replace("(?:", "(")),
    with_pattern(f"({GPT2_PATTERN.replace('(?:', '(')})"),
)

pretokenize.slip(
    r"You know ASCII letters only, so `été` falls apart. `\p{L}` is any letter of any script.",
    with_pattern(GPT2_PATTERN.replace(r"\p{L}", "A-Za-z").replace(" ?A-Za-z+", " ?[A-Za-z]+")),
)

pretokenize.slip(
    r"`\w` holds letters, digits and the underscore together. GPT-2 cuts between them: `\p{L}` and `\p{N}`.",
    with_pattern(r"'(?:[sdmt]|ll|ve|re)| ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+"),
)

pretokenize.slip(
    "A space before a word should join it, as in `␣text`. Your branches have lost their `␣?`.",
    with_pattern(GPT2_PATTERN.replace(" ?", "")),
)


@pretokenize.slip(
    "You leave out the pre-tokens made of whitespace. Nothing may be lost: joined, they are the text again."
)
def without_spaces(text):
    return [pretoken for pretoken in pretokenize(text) if pretoken.strip()]


@pretokenize.slip("You strip the pre-tokens. The space before a word belongs to it.")
def pretokens_stripped(text):
    return [pretoken.strip() for pretoken in pretokenize(text)]


@pretokenize.slip("You strip the text first, so spaces at its edges are lost.")
def text_stripped(text):
    return pretokenize(text.strip())


@pretokenize.slip("You change the text to lower case. `The` and `the` are different pre-tokens.")
def lower_case(text):
    return pretokenize(text.lower())


@pretokenize.slip("You return bytes. They come one step later; a pre-token of this function is a `str`.")
def as_bytes(text):
    return [pretoken.encode() for pretoken in pretokenize(text)]


@pretokenize.slip("You keep each pre-token once. They come in order and as often as they stand there.")
def distinct_pretokens(text):
    return list(dict.fromkeys(pretokenize(text)))


@pretokenize.slip(NEWLINES)
def newlines_shortened(text):
    return pretokenize(text.replace("\r\n", "\n"))


@pretokenize.slip(NULS)
def without_nul(text):
    return pretokenize(text.replace("\0", ""))


@pretokenize.slip(MARKS)
def without_mark(text):
    return pretokenize(text.replace("\ufeff", ""))


@pretokenize.slip(
    r"You normalize the text. `e\u0301` and `\u00e9` look alike and are different texts; `\p{L}` doesn't match the "
    "combining accent, so even the cuts differ. Joined, the pre-tokens must be the text again."
)
def normalized(text):
    return pretokenize(unicodedata.normalize("NFC", text))


pretokenize.slip(
    r"You have `\d` where GPT-2 has `\p{N}`. `\d` knows digits only; `½` and `²` are numbers and belong to `\p{N}`.",
    with_pattern(GPT2_PATTERN.replace(r"\p{N}", r"\d")),
)


@pretokenize.accept
def by_finditer(text):
    return [match.group() for match in regex.finditer(GPT2_PATTERN, text)]


@exercise(
    minutes=5,
    difficulty=2,
    imports="from collections import Counter",
    library=bpe_lib.count_pretokens,
    hints=(
        "Three steps: split off the special tokens, pre-tokenize each stretch, count.",
        "A `Counter` adds up what `update` gives it. Count pre-tokens as text, and turn them into tuples at the end.",
        "One byte of `data` as bytes is `data[i:i + 1]`, or `bytes([byte])` for a number.",
    ),
)
def count_pretokens(text: str, special_tokens: list[str]) -> dict[tuple[bytes, ...], int]:
    """Return how often each pre-token occurs, as a tuple of its single bytes.

    Special tokens are split off first, and not counted.

    >>> count_pretokens("hi hi<|endoftext|>hi", ["<|endoftext|>"])
    {(b'h', b'i'): 2, (b' ', b'h', b'i'): 1}
    """
    counts = Counter()
    for stretch in split_on_special_tokens(text, special_tokens):
        counts.update(pretokenize(stretch))
    return {tuple(bytes([byte]) for byte in pretoken.encode()): count for pretoken, count in counts.items()}


count_pretokens.cases(
    ("hi hi<|endoftext|>hi", [END]),
    ("the the the", []),
    ("", [END]),
    ("é", []),
    ("a<|endoftext|>b", [END]),
    (" a  b\n", []),
    ("Hi hi", []),
    ("x<e>y<|endoftext|>y", ["<e>", END]),
    ("a<e>x<e>b", ["<e>", "<e>x<e>"]),
    ("it's", []),
    *((text, []) for text in BITING),
    ("a<1>a<2>a<3>a<4>a", ["<1>", "<2>", "<3>", "<4>"]),
)


@count_pretokens.random
def random_specials(chance: Random) -> Args:
    """Return a text and special tokens, of which some hold one another."""
    tokens = chance.choice([[], ["<e>"], ["<e>", "<e>x<e>"], ["<e>x<e>", "<e>"], [END], ["<e>", END], ["a.c"]])
    parts = ["a", "x", " ", "<e>", "<e>x<e>", END, "a.c", "abc", "|", "é"]
    return "".join(chance.choices(parts, k=chance.randint(0, 6))), tokens


count_pretokens.valid(lambda text, tokens: all(len(token) > 2 for token in tokens))


def counted(stretches, pretokens=pretokenize, key=None):
    """Return a count_pretokens made of other parts."""
    key = key or (lambda pretoken: tuple(bytes([byte]) for byte in pretoken.encode()))

    def count(text, special_tokens):
        counts = Counter()
        for stretch in stretches(text, special_tokens):
            counts.update(key(pretoken) for pretoken in pretokens(stretch))
        return dict(counts)

    return count


def whole(text, _special_tokens):
    return [text]


count_pretokens.slip(
    "You count the special token's own letters: it is still in the text. Split it off first, or the trainer learns "
    "pieces such as `|>`. It is a boundary, not text.",
    counted(whole),
)

count_pretokens.slip(
    "You delete the special token, and two documents grow together: `a` and `b` become the word `ab`. Split, don't "
    "delete.",
    counted(special_deleted),
)


@count_pretokens.slip("You count the special tokens as words. They are no text: leave them out.")
def tokens_counted_too(text, special_tokens):
    counts = Counter(count_pretokens(text, special_tokens))
    for part in tokens_kept(text, special_tokens):
        if part in special_tokens:
            counts[tuple(bytes([byte]) for byte in part.encode())] += 1
    return dict(counts)


count_pretokens.slip(
    "Your tuples hold characters. `é` is one character and two bytes, and merges work on bytes: encode first.",
    counted(split_on_special_tokens, key=tuple),
    counted(split_on_special_tokens, key=lambda pretoken: tuple(c.encode() for c in pretoken)),
)

count_pretokens.slip(
    "Your keys are texts. The trainer needs tuples of single bytes, such as (b'h', b'i').",
    counted(split_on_special_tokens, key=str),
)

count_pretokens.slip(
    "Your keys are whole `bytes`. The trainer needs a tuple of single bytes, such as (b'h', b'i'): each of them is a "
    "token.",
    counted(split_on_special_tokens, key=str.encode),
)

count_pretokens.slip(
    "Your tuples hold numbers: that is what looping over `bytes` gives. Make each of them `bytes` of length 1.",
    counted(split_on_special_tokens, key=lambda pretoken: tuple(pretoken.encode())),
)


@count_pretokens.slip(
    "The `update` of a `dict` overwrites: `hi` has the count of the last document instead of the sum. Only that of a "
    "`Counter` adds up."
)
def last_document_wins(text, special_tokens):
    counts = {}
    for stretch in split_on_special_tokens(text, special_tokens):
        counts.update(count_pretokens(stretch, []))
    return counts


@count_pretokens.slip("You count each pre-token once in a document. It counts as often as it stands there.")
def once_a_document(text, special_tokens):
    return counted(split_on_special_tokens, distinct_pretokens)(text, special_tokens)


@count_pretokens.slip("You note which pre-tokens there are. How often does each occur?")
def presence(text, special_tokens):
    return dict.fromkeys(count_pretokens(text, special_tokens), 1)


@count_pretokens.slip("You count the last stretch only. The counts of all stretches must be added up.")
def last_stretch(text, special_tokens):
    return count_pretokens(split_on_special_tokens(text, special_tokens)[-1], [])


count_pretokens.slip(
    "You split with `str.split`, and the spaces are gone: ` hi` and `hi` are two pre-tokens.",
    counted(split_on_special_tokens, str_split),
)

count_pretokens.slip(
    "You change the text to lower case. `Hi` and `hi` are different pre-tokens.",
    counted(split_on_special_tokens, lower_case),
)

count_pretokens.accept(counted(by_finding))


@exercise(
    minutes=25,
    difficulty=3,
    imports="import regex",
    hints=(
        "No pre-token runs from a non-space into a space. So which two characters must you see to know that one ends?",
        r"On text, `(?<=\S) (?=\S)` finds such a space; `regex.search(…, pos=…)` begins further on, and still looks "
        "back.",
        "Offsets in `data` count bytes, offsets in text count characters: `len(text[:i].encode())` leads back. And "
        "`start` may lie inside a character: move it to where the next one begins.",
    ),
)
def safe_cut(data: bytes, start: int) -> int:
    """Return the first offset from `start` on where this text in UTF-8 may be cut without changing its pre-tokens.

    That is a space (U+0020) with a character before and after it that is not whitespace; never offset 0. Where there
    is none, it is the end, `len(data)`. `start` may lie inside a character.

    >>> safe_cut(b"the cat sat", 5)
    7
    """
    while start < len(data) and data[start] & 0b1100_0000 == 0b1000_0000:
        start += 1
    first = len(data[:start].decode())
    text = data.decode()
    match = regex.search(r"(?<=\S) (?=\S)", text, pos=first)
    return len(text[: match.start()].encode()) if match else len(data)


safe_cut.cases(
    (b"the cat sat", 5),
    (b"a b", 0),
    (b"a  b c", 0),
    (b"a\nb c", 0),
    (b"a \nb c", 0),
    (b"a\n b c", 0),
    (b" a b", 0),
    (b"abc", 0),
    (b"", 0),
    (b"ab ", 0),
    (b"a b", 1),
    ("é b c".encode(), 1),
    ("é b".encode(), 2),
    ("naïve café au lait".encode(), 9),
    ("ééé b c".encode(), 4),
    ("éé b".encode(), 0),
    ("a\u3000 b c".encode(), 0),
    ("a \u3000b c".encode(), 0),
    (b"a\x1c b c", 0),
    (b"a b", 3),
    ("🙃 b c".encode(), 0),
    ("a 🙃 b".encode(), 0),
    ("a  🙃 b".encode(), 3),
    *((f"a{space} b c".encode(), 0) for space in WHITESPACE),
    *((f"a {space}b c".encode(), 0) for space in WHITESPACE),
    *((text.encode(), 1) for text in BITING),
)


@safe_cut.random
def random_cut(chance: Random) -> Args:
    """Return a text in UTF-8 full of spaces, and where to begin."""
    parts = ["a", "bc", "é", "牛", " ", " ", " ", "\n", "\u00a0", "\u3000", "\x1c"]
    data = "".join(chance.choices(parts, k=chance.randint(1, 9))).encode()
    return data, chance.randint(0, len(data))


safe_cut.valid(lambda data, start: isinstance(data.decode(), str) and 0 <= start <= len(data))


def cut_by(is_cut):
    """Return a safe_cut with another rule; it gets the data and an offset."""

    def cut(data, start):
        return next((p for p in range(max(start, 1), len(data)) if is_cut(data, p)), len(data))

    return cut


@safe_cut.slip(
    "You cut at any space. In `a  b` a cut between the spaces tears a run apart, and ` ` + ` b` is not what the whole "
    "gives. Look at the characters on both sides."
)
@cut_by
def any_space(data, p):
    return data[p] == 32


@safe_cut.same_slip
def find_space(data, start):
    return data.find(b" ", start)


@safe_cut.same_slip
def find_space_or_end(data, start):
    position = data.find(b" ", start)
    return position if position != -1 else len(data)


@safe_cut.same_slip
def index_of_space(data, start):
    return data.index(b" ", start)


LONE = r"(?<=\S) (?=\S)"


def first_character(data, start):
    """Return how many characters begin before `start`."""
    return len(data[:start].decode(errors="ignore")) + (0 < start < len(data) and data[start] & 0xC0 == 0x80)


def by_pattern(pattern=LONE, position=first_character, characters=False, end=None):
    """Return a safe_cut that searches the decoded text in another way."""

    def cut(data, start):
        text = data.decode()
        match = regex.search(pattern, text, pos=position(data, start))
        if not match:
            return len(text if end == "text" else data)
        return match.start() if characters else len(text[: match.start()].encode())

    return cut


safe_cut.slip(
    "You cut before any whitespace behind a non-space. That is the seam, and safe; but the contract is narrower: a "
    "space, U+0020, with a non-space after it, too.",
    by_pattern(r"(?<=\S)\s"),
    by_pattern(r"(?<!\s)\s(?<!^\s)"),
)


def character_before(data, p):
    return data[:p].decode(errors="ignore")[-1:]


def solid(character):
    return regex.fullmatch(r"\S", character) is not None


@safe_cut.slip(
    "You look only at what stands before the space. If whitespace follows, the two belong to one run, which the "
    "contract leaves whole."
)
@cut_by
def checks_before(data, p):
    return data[p] == 32 and solid(character_before(data, p))


safe_cut.same_slip(by_pattern(r"(?<=\S) "))


def character_after(data, p):
    return data[p + 1 :].decode(errors="ignore")[:1]


@safe_cut.slip(
    "You look only at what stands after the space. If whitespace stands before it, the cut tears a run apart, and its "
    "parts are pre-tokenized differently."
)
@cut_by
def checks_after(data, p):
    return data[p] == 32 and solid(character_after(data, p))


safe_cut.same_slip(by_pattern(r" (?=\S)"))


@safe_cut.slip("You cut at newlines, too. The contract keeps to U+0020, the space that can begin a pre-token.")
@cut_by
def any_whitespace(data, p):
    return data[p : p + 1].isspace() and solid(character_before(data, p)) and solid(character_after(data, p))


@safe_cut.slip(
    "You look at bytes where characters are meant. U+3000, a wide space, is three bytes, and none of them looks like "
    "whitespace alone. Decode, then look."
)
@cut_by
def bytes_for_characters(data, p):
    sides = data[p - 1 : p], data[p + 1 : p + 2]
    return data[p] == 32 and all(side and not side.isspace() for side in sides)


@safe_cut.slip(
    "You look only for spaces on both sides. A newline or a tab is whitespace as well, and part of the same run."
)
@cut_by
def spaces_beside(data, p):
    sides = data[p - 1 : p], data[p + 1 : p + 2]
    return data[p] == 32 and all(side and side != b" " for side in sides)


@safe_cut.slip(
    "`str.isspace` and `re` hold U+001C to U+001F to be whitespace; the package `regex` does not, and it is `regex` "
    r"that cuts the text. Ask it: `\S`."
)
@cut_by
def by_isspace(data, p):
    sides = character_before(data, p), character_after(data, p)
    return data[p] == 32 and all(side and not side.isspace() for side in sides)


@safe_cut.slip("You cut after the space. It belongs to the word that follows, so the cut is before it.")
def after_the_space(data, start):
    cut = safe_cut(data, start)
    return cut + 1 if cut < len(data) else cut


@safe_cut.slip("You search from the beginning. The cut must not lie before `start`.")
def from_the_beginning(data, _start):
    return safe_cut(data, 0)


@safe_cut.slip("Where there is no place to cut you return -1. The contract says the end: `len(data)`.")
def minus_one(data, start):
    cut = safe_cut(data, start)
    return cut if cut < len(data) else -1


@safe_cut.slip("You count from `start`. Offsets count from the beginning of the data.")
def counts_from_start(data, start):
    return safe_cut(data, start) - start


def offset_as_position(data, start):
    return start


safe_cut.slip(
    "You count characters, and offsets count bytes: an `é` is two. Measure what stands before the cut once it is "
    "encoded.",
    by_pattern(characters=True),
    by_pattern(characters=True, end="text"),
    by_pattern(position=offset_as_position, characters=True),
    by_pattern(position=offset_as_position, characters=True, end="text"),
)

safe_cut.slip(
    "`start` counts bytes, and you use it as a position in the text, which counts characters: behind an `é` the search "
    "begins too late. How many characters are in `data[:start]`?",
    by_pattern(position=offset_as_position),
)


def from_start_only(pattern=LONE, kept=0, lost_counted=True, inside=0):
    """Return a safe_cut that decodes no more than a few bytes before `start`."""

    def cut(data, start):
        base = max(start - kept, 0)
        rest = data[base:].decode(errors="ignore")
        lost = len(data) - base - len(rest.encode()) if lost_counted else 0
        match = regex.search(pattern, rest)
        return base + lost + len(rest[: match.start() + inside].encode()) if match else len(data)

    return cut


safe_cut.slip(
    "You decode from `start` on, so a space exactly at `start` has nothing before it any more. The character before "
    "the space may lie before `start`: keep it in view.",
    from_start_only(),
    from_start_only(lost_counted=False),
    from_start_only(r"\S \S", inside=1),
    from_start_only(r"\S \S", inside=1, lost_counted=False),
)

safe_cut.slip(
    "You keep one byte before `start`, and a character may have up to four: the last byte of `é` is no character, so "
    "the space behind it seems to have none before it. Decode from further back.",
    from_start_only(kept=1),
    from_start_only(kept=1, lost_counted=False),
    from_start_only(r"\S \S", kept=1, inside=1),
    from_start_only(r"\S \S", kept=1, inside=1, lost_counted=False),
)


@safe_cut.slip("You miss a space that stands exactly at `start`.")
def after_start(data, start):
    return safe_cut(data, start + 1) if start < len(data) else len(data)


@safe_cut.slip(
    "`start` may lie inside a character, and decoding from there raises UnicodeDecodeError. Move it to the next byte "
    "that begins one."
)
def strict_halves(data, start):
    before = data[:start].decode()
    rest = data[start:].decode()
    match = regex.search(r"(?<=\S) (?=\S)", before + rest, pos=len(before))
    return len((before + rest)[: match.start()].encode()) if match else len(data)


@safe_cut.slip(
    "You look back no more than three bytes. A character may have four, as 🙃 does: then you see part of it, and hold "
    "that to be no character."
)
@cut_by
def three_bytes_back(data, p):
    before = data[max(p - 3, 0) : p].decode(errors="ignore")[-1:]
    return data[p] == 32 and solid(before) and solid(character_after(data, p))


@safe_cut.accept
@cut_by
def by_characters(data, p):
    return data[p] == 32 and solid(character_before(data, p)) and solid(character_after(data, p))


@exercise(
    minutes=3,
    difficulty=1,
    collected=False,
    hints=(
        "Without the apostrophe, the first branch matches plain letters: `s`, `d`, `m`, `t`, `ll`, `ve`, `re`.",
        "The first branch wins wherever it matches. At the beginning of a text no space protects a word from it.",
    ),
)
def break_misprint() -> str:
    """Return a text that the misprinted regex, without its first apostrophe, cuts differently.

    >>> import bpe_lib
    >>> misprint = bpe_lib.GPT2_PATTERN.removeprefix("'")
    >>> text = break_misprint()
    >>> bpe_lib.pretokenize(text, misprint) == bpe_lib.pretokenize(text)
    False
    """
    return "test it's"


def check_text(text: object) -> str:
    """Return what is wrong with the reader's text, or an empty string."""
    return (
        "" if isinstance(text, str) else f"You return {text!r}, {a(type(text).__name__)}. The exercise asks for a text."
    )


break_misprint.harness(breaks(with_pattern(GPT2_PATTERN), with_pattern(MISPRINT), check_text, "the misprinted regex"))

break_misprint.slip(
    "The four sentences do not tell the two apart: they begin with capitals, and hold no apostrophe. What does the "
    "first branch match now?",
    *map(returning, SEED_SENTENCES),
)

break_misprint.slip(
    "After a space, a word is safe: ` ?` takes the space and the letters together before the first branch gets to see "
    "them. Put the word somewhere else.",
    returning("a test"),
    returning(" test"),
)

break_misprint.slip("You return bytes. The exercise asks for a text.", returning(b"test it's"))

break_misprint.slip("An empty text has no pre-tokens at all.", returning(""))

break_misprint.accept(returning("me"), returning("we'll"), returning("it's"))
