"""What a prediction is: a question with its answer, and what to say to likely wrong guesses."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from bpe_course.compare import same
from bpe_course.plain_guess import plain_guess


@dataclass(frozen=True)
class Prediction:
    """A question with its answer.

    A guess that is right in substance is right in any form: see `plain_guess`.

    Attributes:
        id: number of the notebook and a word, such as "04-banana".
        question: one sentence.
        answer: the answer, or a function that works it out.
        why: why that is the answer; one or two sentences.
        example: how a guess is written, on other data.
        wrong: likely wrong guesses, each with what it gets wrong; also right ones in another form than is usual, with
            what to say of the form.
        otherwise: what to say to any other wrong guess.
        any_order: a list or set of numbers is asked for, and their order does not matter.
        near: how far from the answer a number may be and still be right.
        names: words that stand for an answer or a wrong guess, such as names of languages for their numbers.
    """

    id: str
    question: str
    answer: Any
    why: str
    example: Any
    wrong: list[tuple[Any, str]] = field(default_factory=list)
    otherwise: str = ""
    any_order: bool = False
    near: float = 0
    names: Mapping[str, Any] = field(default_factory=dict)

    def right_answer(self) -> Any:
        """Return the answer."""
        return self.answer() if isinstance(self.answer, Callable) else self.answer

    def comment(self, guess: Any) -> str:
        """Return what to say about a guess; about a right one only where its form is one that was thought of."""
        if self.agrees(guess, self.right_answer()):
            return next((text for likely, text in self.wrong if same(likely, guess)), "")
        thought_of = [text for likely, text in self.wrong if same(likely, guess)]
        thought_of += [text for likely, text in self.wrong if self.agrees(guess, likely)]
        text = thought_of[0] if thought_of else self.otherwise
        return " ".join(filter(None, (text, self.which_are_wrong(guess))))

    def which_are_wrong(self, guess: Any) -> str:
        """Return which numbers of a guessed set are wrong and which are missing; empty where no set is asked for."""
        if not self.any_order:
            return ""
        mine, right = set(as_tuple(self.plain(guess))), set(as_tuple(self.plain(self.right_answer())))
        parts = []
        for numbers, what in ((mine - right, "Listed, but not to be"), (right - mine, "Missing from your list")):
            if numbers:
                parts.append(f"{what}: {', '.join(map(str, sorted(numbers)))}.")
        return " ".join(parts)

    def plain(self, guess: Any) -> Any:
        """Return a guess in its plainest form, read as an answer to this question."""
        if isinstance(guess, str) and self.names:
            guess = self.names.get(guess.strip().casefold(), guess)
        return plain_guess(guess, self.right_answer())

    def takes(self, guess: Any) -> bool:
        """Tell whether a guess has the form of an answer, or of some guess that was thought of; a word must be one."""
        known = [self.plain(other) for other in (self.right_answer(), self.example, *(one for one, _ in self.wrong))]
        guess = self.plain(guess)
        if isinstance(guess, str) and not isinstance(self.plain(self.right_answer()), tuple):
            return any(self.agrees(guess, word) for word in known)
        if self.any_order:
            return all(map(is_number, as_tuple(guess)))
        return any(alike(guess, other) for other in known)

    def agrees(self, guess: Any, known: Any) -> bool:
        """Tell whether a guess says the same as a known one: words in any case, numbers in any order if that is free.

        >>> Prediction("", "", "code", "", "").agrees(" Code ", "code")
        True
        >>> Prediction("", "", [1, 2], "", [3], any_order=True).agrees({2, 1}, [1, 2])
        True
        """
        guess, known = self.plain(guess), self.plain(known)
        if isinstance(guess, str) and isinstance(known, str):
            return guess.strip().casefold() == known.strip().casefold()
        if is_number(guess) and is_number(known):
            return abs(guess - known) <= max(self.near, 1e-6 * abs(known))
        if self.any_order or isinstance(self.right_answer(), (set, frozenset)):
            return set(as_tuple(guess)) == set(as_tuple(known))
        return same(guess, known)

    def form(self) -> str:
        """Return how a guess must be written."""
        if isinstance(self.right_answer(), str):
            return "Write one of the words that the question names, and nothing else, then run this again."
        return f"A guess looks like `{self.example!r}`: write yours in that form, then run this again."


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, and not True or False."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_tuple(value: Any) -> tuple:
    """Return a tuple as it is, anything else as the only item of one."""
    return value if isinstance(value, tuple) else (value,)


def alike(first: Any, second: Any) -> bool:
    """Tell whether two guesses in their plainest form have the same form, whatever they say.

    >>> alike((1, 2), (3,)), alike("True", True), alike(1, True), alike(("a",), (1,)), alike(1, (2, 3))
    (True, False, False, False, False)
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        return not second or all(any(alike(item, other) for other in second) for item in first)
    if is_number(first) and is_number(second):
        return True
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
