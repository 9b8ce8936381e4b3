"""Hints and solutions, shown when the reader asks for them."""

from collections.abc import Callable
from dataclasses import dataclass

from bpe_course.exercise import solution_source
from bpe_course.exercises import EXERCISES
from bpe_course.highlight import highlighted
from bpe_course.result import box, with_code

DIFFICULTIES = {1: "●○○ easy", 2: "●●○ medium", 3: "●●● hard"}


def difficulty_words(difficulty: int) -> str:
    """Return a difficulty as signs and a word."""
    return DIFFICULTIES[difficulty]


def hints_markdown(exercise_id: str) -> str:
    """Return Markdown with the exercise's minutes and difficulty, and its hints, each folded away."""
    exercise = EXERCISES[exercise_id]
    parts = [f"`{exercise_id}`: {exercise.minutes} min, {difficulty_words(exercise.difficulty)}"]
    for number, text in enumerate(exercise.hints, start=1):
        parts.append(f"<details><summary>Hint {number} of {len(exercise.hints)}</summary>\n\n{text}\n\n</details>")
    parts.append(
        "<details><summary>Solution</summary>\n\nTried for a while? Run this in a cell of your own:\n\n"
        f'```python\nsolution("{exercise_id}")\n```\n\n</details>'
    )
    return "\n\n".join(parts)


@dataclass(frozen=True)
class Hints:
    """Some hints, as a list."""

    exercise: str
    texts: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join(f"{number}. {text}" for number, text in enumerate(self.texts, start=1))

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{with_code(text)}</li>" for text in self.texts)
        return box("#56606b", f"<ol style='margin:0'>{items}</ol>", f"hints for {self.exercise}")


def hint(exercise_id: str, number: int = 1) -> Hints:
    """Return the first hints of an exercise, `number` of them."""
    return Hints(exercise_id, tuple(find(exercise_id).hints[:number]))


def hints(exercise_id: str) -> Hints:
    """Return all hints of an exercise, from vague to concrete."""
    return hint(exercise_id, len(find(exercise_id).hints))


@dataclass(frozen=True)
class Solution:
    """The source of a solution, highlighted in a notebook."""

    exercise: str
    source: str

    def __repr__(self) -> str:
        return self.source

    def _repr_html_(self) -> str:
        return box("#56606b", highlighted(self.source), f"solution of {self.exercise}")


def solution(exercise_id: str) -> Solution:
    """Return the solution of an exercise."""
    return Solution(exercise_id, solution_source(find(exercise_id)))


def find(exercise_id: str):
    """Return the exercise with this id.

    Raises:
        ValueError: there is none.
    """
    if exercise_id not in EXERCISES:
        raise ValueError(f"there is no exercise {exercise_id!r}; there are {', '.join(EXERCISES)}")
    return EXERCISES[exercise_id]


class Finished:
    """The course's own answers, so that no cell depends on the reader's: `finished.add_counts` is a function."""

    def __getattr__(self, exercise_id: str) -> Callable:
        if exercise_id not in EXERCISES:
            raise AttributeError(f"there is no exercise {exercise_id!r}; there are {', '.join(EXERCISES)}")
        return EXERCISES[exercise_id].solution

    def __dir__(self) -> list[str]:
        return list(EXERCISES)


finished = Finished()
