"""Predictions: the reader guesses, runs the answer, and is told what that very guess says about it.

    predict("04-banana", None)      # the reader writes a guess in place of None: predict("04-banana", (b"b", b"a"))
    ...                             # cells that lead to the answer
    reveal("04-banana")             # the answer, and why the guess is right or tempting

Guesses live in memory only, so a committed notebook always looks the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bpe_course.compare import same, short
from bpe_course.result import box, with_code


@dataclass(frozen=True)
class Prediction:
    """A question with its answer.

    Attributes:
        id: number of the notebook and a word, such as "04-banana".
        question: one sentence.
        answer: the answer, or a function that works it out.
        why: why that is the answer; one or two sentences.
        example: how a guess is written, on other data.
        wrong: likely wrong guesses, each with what it gets wrong.
        otherwise: what to say to any other wrong guess.
        any_order: a list or set of numbers is asked for, and their order does not matter.
    """

    id: str
    question: str
    answer: Any
    why: str
    example: Any
    wrong: list[tuple[Any, str]] = field(default_factory=list)
    otherwise: str = ""
    any_order: bool = False

    def right_answer(self) -> Any:
        """Return the answer."""
        return self.answer() if isinstance(self.answer, Callable) else self.answer

    def comment(self, guess: Any) -> str:
        """Return what to say about a guess."""
        for likely, text in self.wrong:
            if self.agrees(likely, guess):
                return text
        return self.otherwise

    def takes(self, guess: Any) -> bool:
        """Tell whether a guess has the form of an answer, or of some guess that was thought of; a word must be one."""
        known = [self.right_answer(), self.example, *(likely for likely, _ in self.wrong)]
        if isinstance(guess, str):
            return any(self.agrees(guess, word) for word in known)
        if self.any_order and isinstance(guess, (set, frozenset)):
            guess = list(guess)
        return any(alike(guess, other) for other in known)

    def agrees(self, guess: Any, known: Any) -> bool:
        """Tell whether a guess says the same as a known one: words in any case, numbers in any order if that is free.

        >>> Prediction("", "", "code", "", "").agrees(" Code ", "code")
        True
        >>> Prediction("", "", [1, 2], "", [3], any_order=True).agrees({2, 1}, [1, 2])
        True
        """
        if isinstance(guess, str) and isinstance(known, str):
            return guess.strip().casefold() == known.strip().casefold()
        collections = (list, tuple, set, frozenset)
        if self.any_order and isinstance(guess, collections) and isinstance(known, collections):
            return set(guess) == set(known)
        return same(guess, known)

    def form(self) -> str:
        """Return how a guess must be written."""
        if isinstance(self.right_answer(), str):
            return "Write one of the words that the question names, and nothing else, then run this again."
        return f"A guess looks like `{self.example!r}`: write yours in that form, then run this again."


def alike(first: Any, second: Any) -> bool:
    """Tell whether two guesses have the same form, whatever they say.

    >>> alike([1, 2], (3,)), alike("True", True), alike(1, True), alike([b"a"], ["a"])
    (True, False, False, False)
    """
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return not second or all(any(alike(item, other) for other in second) for item in first)
    numbers = (int, float)
    if isinstance(first, numbers) and isinstance(second, numbers):
        return isinstance(first, bool) == isinstance(second, bool)
    return type(first) is type(second)


@dataclass(frozen=True)
class Note:
    """A sentence or two about a prediction, as a box in a notebook and as text elsewhere."""

    sign: str
    heading: str
    text: str
    colour: str = "#56606b"

    def __repr__(self) -> str:
        return f"{self.sign} {self.heading} {self.text}".strip()

    def _repr_html_(self) -> str:
        heading = f'<strong style="color:{self.colour}">{self.sign} {with_code(self.heading)}</strong>'
        return box(self.colour, f"{heading} {with_code(self.text)}", "prediction")


GUESSES: dict[str, Any] = {}


def find(prediction_id: str) -> Prediction:
    """Return the prediction with this id.

    Raises:
        ValueError: there is none.
    """
    from bpe_course.predictions import PREDICTIONS

    if prediction_id not in PREDICTIONS:
        raise ValueError(f"there is no prediction {prediction_id!r}; there are {', '.join(PREDICTIONS)}")
    return PREDICTIONS[prediction_id]


def predict(prediction_id: str, guess: Any = None) -> Note:
    """Remember a guess until `reveal`, without telling yet whether it is right; one of another form doesn't count.

    Args:
        prediction_id: such as "04-banana".
        guess: whatever the question asks for; None for no guess.
    """
    prediction = find(prediction_id)
    GUESSES[prediction_id] = guess
    if guess is None:
        example = f"Write your guess in place of None (it looks like `{prediction.example!r}`), then run this again."
        return Note("?", prediction.question, example)
    if not prediction.takes(guess):
        del GUESSES[prediction_id]
        return Note("?", prediction.question, f"`{short(guess)}` isn't counted. {prediction.form()}")
    return Note("?", prediction.question, f"Your guess: `{short(guess)}`. Run on to see.")


def reveal(prediction_id: str, answer: Any = None) -> Note:
    """Return the answer, and what the reader's own guess says about it.

    Args:
        prediction_id: such as "04-banana".
        answer: what the notebook computed; left out, the declared answer is shown.
    """
    prediction = find(prediction_id)
    answer = prediction.right_answer() if answer is None else answer
    guess = GUESSES.get(prediction_id)
    shown = f"The answer is `{short(answer)}`."
    if guess is None:
        return Note("○", "No guess yet.", f"{shown} {prediction.why}")
    if prediction.agrees(guess, answer):
        return Note("✓", "You guessed right.", f"{shown} {prediction.why}", "#006b4f")
    comment = prediction.comment(guess)
    text = f"{shown} {comment} {prediction.why}" if comment else f"{shown} {prediction.why}"
    return Note("✗", f"You guessed `{short(guess)}`.", text, "#b34700")
