"""The exercise of notebook 00."""

from random import Random

from bpe_course.exercise import Args, exercise
from bpe_course.samples import random_text


@exercise(
    minutes=5,
    difficulty=1,
    hints=(
        "Two numbers are all you need: how many bytes the text has, and how many tokens stand for it.",
        "`len(text)` counts characters. A text becomes bytes with `.encode()`, and those have a length, too.",
        "Divide with `/`, not `//`: 3.5 bytes per token is an answer.",
    ),
)
def bytes_per_token(text: str, ids: list[int]) -> float:
    """Return how many bytes of UTF-8 a token of this text stands for, on average.

    >>> bytes_per_token("the cat", [257, 290])
    3.5
    """
    return len(text.encode()) / len(ids)


bytes_per_token.cases(
    ("the cat", [257, 290]),
    ("café", [99, 300]),
    ("aa aa", [5, 5, 5]),
    ("the cat sat", [7, 8]),
)


@bytes_per_token.random
def random_case(chance: Random) -> Args:
    """Return a text and some ids."""
    text = random_text(chance, 1, 12)
    return text, [chance.randrange(300) for _ in range(chance.randint(1, 6))]


bytes_per_token.valid(lambda text, ids: len(text) > 0 and len(ids) > 0)


@bytes_per_token.slip(
    "You count characters. `é` is one character and two bytes, and a tokenizer sees bytes. What does the text look "
    "like once it is encoded?"
)
def characters_per_token(text, ids):
    return len(text) / len(ids)


@bytes_per_token.slip(
    "You divide the wrong way round: this is tokens per byte. More bytes per token means that fewer tokens are needed, "
    "so the bytes belong on top."
)
def tokens_per_byte(text, ids):
    return len(ids) / len(text.encode())


@bytes_per_token.slip(
    "You lose what comes after the decimal point. 7 bytes in 2 tokens are 3.5 bytes per token; `//` makes 3 of it."
)
def whole_number(text, ids):
    return len(text.encode()) // len(ids)


@bytes_per_token.slip(
    "You round to a whole number. Two tokenizers may differ by 0.3 bytes per token, and that is a lot: return the "
    "quotient as it is."
)
def rounded(text, ids):
    return round(len(text.encode()) / len(ids))


@bytes_per_token.slip(
    "You count different ids, and each id once. A token that stands in the text three times is three tokens: what is "
    "the length of the list?"
)
def distinct_ids(text, ids):
    return len(text.encode()) / len(set(ids))


@bytes_per_token.slip("You count words where bytes are asked for. Encode the text and take the length.")
def words_per_token(text, ids):
    return len(text.split()) / len(ids)
