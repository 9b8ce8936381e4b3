"""What an exercise is: one declaration, from which its stub, its check, its hints and its solution are made."""

import ast
import functools
import inspect
import re
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

Args = tuple[Any, ...]
Function = TypeVar("Function", bound=Callable)


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
    functions: list[Callable] = field(default_factory=list)


def call(function: Callable, *args: Any) -> Any:
    """Call the function: the harness of an ordinary exercise."""
    return function(*args)


def as_it_is(result: Any, *_args: Any) -> Any:
    """Return the result: the normal form of an ordinary exercise."""
    return result


def anything(*_args: Any) -> bool:
    """Tell that these arguments keep the contract, as all do."""
    return True


def nothing_to_say(*_args: Any) -> str:
    """Return no diagnosis."""
    return ""


@dataclass
class Parts:
    """The functions of which the check of an exercise is made; the methods of `Exercise` with these names set them."""

    random: Callable[[Random], Args] | None = None
    harness: Callable = call
    normal: Callable = as_it_is
    valid: Callable[..., bool] = anything
    diagnose: Callable[..., str] = nothing_to_say
    diagnose_error: Callable[[BaseException], str] = nothing_to_say


@dataclass(eq=False, repr=False)
class Exercise:
    """One exercise, whole. `@exercise(…)` makes it of its solution, and it can be called like that function.

    Attributes:
        solution: a function with the exercise's id for its name. Signature and docstring are the stub's, too; its
            answers are the right ones. The docstring holds one example.
        minutes: how long it takes.
        difficulty: 1 to 3.
        hints: two or three, from vague to concrete, none of them the solution.
        imports: lines that stand above the function in the notebook's cell.
        show: how a call is shown; `{0}` is the first argument, and so on. Empty: `id(first, second, …)`.
        may_change: positions of arguments that an answer may change.
        collected: whether the answer belongs into the module that `collect` makes.
        library: the library's function that gives the same, if there is one; the tests compare them.
        notebook: the notebook it belongs to, such as "04".
        chosen: its cases, set by `cases`.
        slips: its known mistakes, in the order in which they were declared.
        accepts: its other right answers.
        parts: the functions of its check.
    """

    solution: Callable
    minutes: int
    difficulty: int
    hints: Sequence[str]
    imports: str = ""
    show: str = ""
    may_change: Sequence[int] = ()
    collected: bool = True
    library: Callable | None = None
    notebook: str = ""
    chosen: list[Args] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)
    accepts: list[Callable] = field(default_factory=list)
    parts: Parts = field(default_factory=Parts)

    def __post_init__(self) -> None:
        functools.update_wrapper(self, self.solution)
        if not inspect.signature(self.solution).parameters:
            self.chosen = [()]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.solution(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<exercise {self.id}>"

    def __reduce__(self) -> str:
        """Pickle and copy it like a function: by its name."""
        return self.id

    @property
    def id(self) -> str:
        """The name of the function that the reader writes."""
        return self.solution.__name__

    @property
    def text(self) -> str:
        """The exercise in one sentence: the first line of the docstring."""
        return (inspect.getdoc(self.solution) or "").split("\n")[0]

    def cases(self, *cases: Args) -> None:
        """Set the chosen cases: tuples of arguments, the plainest first.

        A function without parameters needs none, unless its harness gets arguments.
        """
        self.chosen = list(cases)

    def random(self, function: Function) -> Function:
        """Set what makes one more case of a `random.Random`; many of them are run, always the same ones."""
        return self._set("random", function)

    def harness(self, function: Function) -> Function:
        """Set what gets the answer and the arguments of a case, and returns what is compared with the solution's.

        It raises `Complaint` where a rule is broken. It can count, open files, use up a generator.
        """
        return self._set("harness", function)

    def normal(self, function: Function) -> Function:
        """Set what gets a result and the arguments, and returns the same for results that are equally right."""
        return self._set("normal", function)

    def valid(self, function: Function) -> Function:
        """Set what tells whether arguments keep the contract, so that failing cases can be made smaller."""
        return self._set("valid", function)

    def diagnose(self, function: Function) -> Function:
        """Set what gets a wrong result and the arguments, where no slip fits; it returns what is wrong, or ""."""
        return self._set("diagnose", function)

    def diagnose_error(self, function: Function) -> Function:
        """Set what gets an exception of the answer, where no slip fits; it returns what is wrong, or ""."""
        return self._set("diagnose_error", function)

    def _set(self, part: str, function: Function) -> Function:
        if getattr(self.parts, part) is not getattr(Parts, part):
            raise ValueError(f"{self.id} has two functions for {part!r}")
        setattr(self.parts, part, function)
        return function

    def slip(self, message: str, *functions: Callable) -> Callable[[Function], Function]:
        """Register wrong answers with the message that explains them; as a decorator, the function below it.

        The message stands in the list of slips from its first use on; more functions may be added under it.

        Raises:
            TypeError: the message is missing, or a function is none.
            ValueError: a function is known to be something else.
        """
        if not isinstance(message, str):
            raise TypeError(f'a slip of {self.id} has no message: write @{self.id}.slip("You …")')
        slip = next((slip for slip in self.slips if slip.message == message), None)
        if slip is None:
            slip = Slip(message)
            self.slips.append(slip)

        def add(function: Function) -> Function:
            self._must_be_new(function)
            slip.functions.append(function)
            return function

        for function in functions:
            add(function)
        return add

    def same_slip(self, function: Function, *more: Callable) -> Function:
        """Register more wrong answers under the message that was declared last; also as a decorator.

        Raises:
            ValueError: there is no slip before it.
        """
        if not self.slips:
            raise ValueError(f"{self.id} has no slip yet that {function.__name__} could be the same as")
        self.slip(self.slips[-1].message, function, *more)
        return function

    def accept(self, function: Function, *more: Callable) -> Function:
        """Register other right answers, for the tests; also as a decorator."""
        for right in (function, *more):
            self._must_be_new(right)
            self.accepts.append(right)
        return function

    def _must_be_new(self, function: Callable) -> None:
        if not callable(function):
            raise TypeError(f"{function!r} can't be an answer to {self.id}: it is no function")
        known = [self.solution, self, *self.accepts, *(wrong for slip in self.slips for wrong in slip.functions)]
        if any(function is other for other in known):
            raise ValueError(f"{function.__name__} is registered twice with {self.id}")

    def show_call(self, args: Args) -> str:
        """Return how a call with these arguments is written."""
        shown = [with_accents_escaped(repr(arg)) for arg in args]
        return self.show.format(*shown) if self.show else f"{self.id}({', '.join(shown)})"

    def all_cases(self, extra: int = 60) -> list[Args]:
        """Return the chosen cases and `extra` random ones, the same ones every time.

        Raises:
            ValueError: no cases were declared.
        """
        if not self.chosen:
            raise ValueError(f"{self.id} has no cases: write {self.id}.cases((…,), (…,))")
        if self.parts.random is None:
            return list(self.chosen)
        chance = Random(f"cases of {self.id}")
        return [*self.chosen, *(self.parts.random(chance) for _ in range(extra))]


EXERCISES: dict[str, Exercise] = {}
"""All exercises that are declared, by id; `bpe_course.exercises` holds and loads the course's."""


def exercise(
    *, minutes: int, difficulty: int, hints: Sequence[str], notebook: str = "", **more: Any
) -> Callable[[Callable], Exercise]:
    """Return a decorator that makes an exercise of its solution, and registers it.

    Args:
        minutes: how long it takes.
        difficulty: 1 to 3.
        hints: two or three, from vague to concrete.
        notebook: such as "04"; a module `nb04_….py` says it by its name.
        more: `imports`, `show`, `may_change`, `collected`, `library`, where they are needed: see `Exercise`.
    """

    def declare(solution: Callable) -> Exercise:
        declared = Exercise(solution, minutes, difficulty, hints, **more)
        return register(declared, notebook or notebook_of(solution))

    return declare


def notebook_of(solution: Callable) -> str:
    """Return the number of the notebook to which a solution belongs.

    Raises:
        ValueError: the name of its module doesn't say it.
    """
    found = re.search(r"(?:^|\.)nb(\d\d)_\w+$", solution.__module__)
    if not found:
        raise ValueError(f'{solution.__name__} is in no module nbXX_….py: say of which notebook it is, notebook="04"')
    return found[1]


def register(exercise: Exercise, notebook: str) -> Exercise:
    """Add an exercise to a notebook, and return it.

    Raises:
        ValueError: another exercise has this id.
    """
    if exercise.id in EXERCISES:
        raise ValueError(f"there are two exercises {exercise.id!r}")
    exercise.notebook = notebook
    EXERCISES[exercise.id] = exercise
    return exercise


def with_accents_escaped(code: str) -> str:
    r"""Return code with combining characters escaped: otherwise two texts that differ may look the same.

    >>> print(with_accents_escaped("'e\u0301'"))
    'e\u0301'
    """
    return "".join(f"\\u{ord(char):04x}" if unicodedata.combining(char) else char for char in code)


def solution_source(exercise: Exercise) -> str:
    """Return the source of a cell that solves the exercise."""
    lines, _ = lines_of(exercise.solution)
    return with_imports(exercise, "\n".join(lines))


def stub_source(exercise: Exercise) -> str:
    """Return the source of the cell that sets the exercise: signature, docstring and `raise NotImplementedError`."""
    lines, function = lines_of(exercise.solution)
    end_of_docstring = function.body[0].end_lineno or 0
    stub = lines[: end_of_docstring - function.lineno + 1]
    return with_imports(exercise, "\n".join([*stub, "    raise NotImplementedError"]))


def lines_of(solution: Callable) -> tuple[list[str], ast.FunctionDef]:
    """Return the lines of a solution without its decorators, and its syntax tree."""
    source = textwrap.dedent(inspect.getsource(solution)).rstrip()
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef), solution
    return source.split("\n")[function.lineno - 1 :], function


def with_imports(exercise: Exercise, source: str) -> str:
    """Return the source with the exercise's import lines above it."""
    return f"{exercise.imports.strip()}\n\n\n{source}" if exercise.imports else source
