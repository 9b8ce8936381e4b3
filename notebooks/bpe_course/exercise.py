"""What an exercise is: one declaration, from which its stub, its check, its hints and its solution are made."""

import ast
import inspect
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Args = tuple[Any, ...]


class Complaint(Exception):
    """Raised by a harness: the answer breaks a rule of the contract; the text says which, to the reader.

    Args:
        text: what to say.
        returned: what the reader's function returned, if that is worth showing.
    """

    def __init__(self, text: str, *returned: Any) -> None:
        super().__init__(text)
        self.returned = returned


@dataclass(frozen=True)
class Slip:
    """A known mistake: the message that explains it, and one or more functions that make it.

    Attributes:
        message: to the reader: two or three short sentences in the second person and present tense.
        functions: wrong answers. The message is shown to a reader whose answers agree with one of them on every case.
    """

    message: str
    functions: tuple[Callable, ...]

    def __init__(self, message: str, *functions: Callable) -> None:
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "functions", functions)


def call(function: Callable, *args: Any) -> Any:
    """Call the function: the harness of an ordinary exercise."""
    return function(*args)


def as_it_is(result: Any, *_args: Any) -> Any:
    """Return the result: the normal form of an ordinary exercise."""
    return result


@dataclass(frozen=True)
class Exercise:
    """One exercise, whole.

    Attributes:
        solution: a function with the exercise's id for its name. Signature and docstring are the stub's, too; its
            answers are the right ones. The docstring holds one example.
        minutes: how long it takes.
        difficulty: 1 to 3.
        hints: two or three, from vague to concrete, none of them the solution.
        cases: tuples of arguments. The first one should be the plainest.
        random: makes one more case from a `random.Random`; many of them are run, always the same ones.
        slips: known mistakes, each told from all others by some case.
        accepts: other right answers, for the tests.
        imports: lines that stand above the function in the notebook's cell.
        harness: gets the function and the arguments of a case and returns what is compared with what the solution
            gives; raises `Complaint` where a rule is broken. It can count, open files, use up a generator.
        show: how a call is shown; `{0}` is the first argument, and so on. Empty: `id(first, second, …)`.
        normal: gets a result and the arguments; returns the same for results that are equally right.
        valid: tells whether arguments keep the contract, so that failing cases can be made smaller.
        diagnose: gets a wrong result and the arguments, where no slip fits; returns what is wrong, or "".
        diagnose_error: gets an exception that the answer raises, where no slip fits; returns what is wrong, or "".
        may_change: positions of arguments that an answer may change.
        notebook: the notebook it belongs to, such as "04"; the registry fills it in.
    """

    solution: Callable
    minutes: int
    difficulty: int
    hints: Sequence[str]
    cases: Sequence[Args]
    random: Callable[[Random], Args] | None = None
    slips: Sequence[Slip] = ()
    accepts: Sequence[Callable] = ()
    imports: str = ""
    harness: Callable = call
    show: str = ""
    normal: Callable = as_it_is
    valid: Callable[..., bool] = lambda *args: True
    diagnose: Callable[..., str] = lambda result, *args: ""
    diagnose_error: Callable[[BaseException], str] = lambda error: ""
    may_change: Sequence[int] = ()
    notebook: str = ""

    @property
    def id(self) -> str:
        """The name of the function that the reader writes."""
        return self.solution.__name__

    @property
    def text(self) -> str:
        """The exercise in one sentence: the first line of the docstring."""
        return (inspect.getdoc(self.solution) or "").split("\n")[0]

    def show_call(self, args: Args) -> str:
        """Return how a call with these arguments is written."""
        shown = [with_accents_escaped(repr(arg)) for arg in args]
        return self.show.format(*shown) if self.show else f"{self.id}({', '.join(shown)})"

    def all_cases(self, extra: int = 60) -> list[Args]:
        """Return the chosen cases and `extra` random ones, the same ones every time."""
        if self.random is None:
            return list(self.cases)
        chance = Random(f"cases of {self.id}")
        return [*self.cases, *(self.random(chance) for _ in range(extra))]


def with_accents_escaped(code: str) -> str:
    r"""Return code with combining characters escaped: otherwise two texts that differ may look the same.

    >>> print(with_accents_escaped("'e\u0301'"))
    'e\u0301'
    """
    return "".join(f"\\u{ord(char):04x}" if unicodedata.combining(char) else char for char in code)


def solution_source(exercise: Exercise) -> str:
    """Return the source of a cell that solves the exercise."""
    return with_imports(exercise, textwrap.dedent(inspect.getsource(exercise.solution)).rstrip())


def stub_source(exercise: Exercise) -> str:
    """Return the source of the cell that sets the exercise: signature, docstring and `raise NotImplementedError`."""
    source = textwrap.dedent(inspect.getsource(exercise.solution))
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef), exercise.id
    lines = source.split("\n")[: function.body[0].end_lineno]
    return with_imports(exercise, "\n".join([*lines, "    raise NotImplementedError"]))


def with_imports(exercise: Exercise, source: str) -> str:
    """Return the source with the exercise's import lines above it."""
    return f"{exercise.imports.strip()}\n\n\n{source}" if exercise.imports else source
