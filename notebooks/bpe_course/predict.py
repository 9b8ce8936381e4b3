"""Predictions: the reader guesses, runs the answer, and is told what that very guess says about it.

    predict("04-banana", None)      # the reader writes a guess in place of None: predict("04-banana", (b"b", b"a"))
    ...                             # cells that lead to the answer
    reveal("04-banana")             # the answer, and why the guess is right or tempting

Guesses live in memory only, so a committed notebook always looks the same.
"""

from dataclasses import dataclass
from typing import Any

from bpe_course.compare import short
from bpe_course.prediction import Prediction
from bpe_course.predictions import PREDICTIONS
from bpe_course.result import box, with_code


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
    if prediction_id not in PREDICTIONS:
        raise ValueError(f"there is no prediction {prediction_id!r}; there are {', '.join(PREDICTIONS)}")
    return PREDICTIONS[prediction_id]


def predict(prediction_id: str, guess: Any = None) -> Note:
    """Remember a guess until `reveal`, without telling yet whether it is right; what can't be one isn't counted.

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
    text = " ".join(filter(None, (shown, prediction.comment(guess), prediction.why)))
    if prediction.agrees(guess, answer):
        return Note("✓", "You guessed right.", text, "#006b4f")
    return Note("✗", f"You guessed `{short(guess)}`.", text, "#b34700")
