"""What a prediction is: a question with its answer, and what to say to likely wrong guesses."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from bpe_course.compare import same


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


def by_id(predictions: Iterable[Prediction]) -> dict[str, Prediction]:
    """Return predictions under their ids, in their order.

    Raises:
        ValueError: two of them have the same id.
    """
    found: dict[str, Prediction] = {}
    for prediction in predictions:
        if prediction.id in found:
            raise ValueError(f"there are two predictions {prediction.id!r}")
        found[prediction.id] = prediction
    return found
