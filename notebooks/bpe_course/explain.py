"""The words for an answer that is not right yet."""

import ast
import inspect
import linecache
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from bpe_course.compare import difference, differing_rows, short, wrong_type
from bpe_course.exercise import EXERCISES, Args, Exercise
from bpe_course.harness import TOLD_APART
from bpe_course.run import Outcome, attempt

Details = list[tuple[str, str]]
MOST_LINES = 8


def details_of(exercise: Exercise, answer: Any, args: Args, outcome: Outcome, expected: Any) -> Details:
    """Return the rows below the message on a failing case: the call, its result, the right result, what was printed."""
    details: Details = [("call", short_call(exercise.show_call(args)))]
    rows = differing_rows(expected, outcome.value) if outcome.kind == "value" else ""
    if rows:
        details.append(("at these keys", rows))
    elif outcome.returned:
        details.append(("you return", short(outcome.returned[0])))
    elif outcome.kind == "value":
        details.append(("you return", short(outcome.value)))
    elif outcome.kind == "raised":
        details += raised(answer, outcome.error)
    if not rows and outcome.kind in ("value", "raised", "stopped") and expected is not TOLD_APART:
        details.append(("right is", short(expected)))
    if outcome.printed.strip():
        details.append(("printed", shortened(outcome.printed)))
    return details


def reason(exercise: Exercise, answer: Any, args: Args, outcome: Outcome, expected: Any) -> str:
    """Return the message where no slip explains the failure."""
    if outcome.kind == "complaint":
        return outcome.value
    if outcome.kind == "stopped":
        return "Your function does not come back, and was stopped. Which loop can run for ever, and what should end it?"
    if outcome.kind == "changed":
        return (
            f"The result is right, but your function changes its argument number {outcome.value + 1}, which the caller "
            "may still need. Work on a copy, or build a new one."
        )
    if outcome.kind == "raised":
        return exercise.parts.diagnose_error(outcome.error) or reason_of_error(outcome.error)
    if other := other_exercise(exercise, answer):
        return other
    if habit := habit_of(answer, outcome, expected):
        return habit
    diagnosis = attempt(lambda: exercise.parts.diagnose(outcome.value, *args)).value
    return diagnosis or wrong_type(expected, outcome.value) or difference(expected, outcome.value)


def habit_of(answer: Any, outcome: Outcome, expected: Any) -> str:
    """Return a sentence on a habit that shows in the result or in the source, or an empty string."""
    if outcome.value is None and outcome.printed.strip():
        return (
            "Your function prints something and returns None. `print` shows a value to people, `return` hands it back "
            "to the caller: end with `return`."
        )
    if returns_in_a_loop(answer):
        return (
            "A `return` stands inside your loop, with no condition, so the loop ends in its first round. Move it to "
            "the left, below the loop."
        )
    zeros = {b"\0" * length for length in range(2, 256)}
    if any(token in zeros for token in tokens_in(outcome.value)) and not zeros & set(tokens_in(expected)):
        return "`bytes(3)` is three zero bytes. One byte with the value 3 is `bytes([3])`: a list of one number."
    return ""


def tokens_in(value: Any) -> Iterator[bytes]:
    """Yield all bytes objects in a result."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*tokens_in(key), *tokens_in(item))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from tokens_in(item)


def returns_in_a_loop(answer: Any) -> bool:
    """Tell whether a loop of the answer has a `return` among its own statements, under no condition."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError):
        return False
    loops = (node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While)))
    return any(isinstance(loop.body[-1], ast.Return) and not skips(loop) for loop in loops)


def skips(loop: ast.AST) -> bool:
    """Tell whether a loop goes on to its next round somewhere before its end."""
    return any(isinstance(node, ast.Continue) for node in ast.walk(loop))


def other_exercise(exercise: Exercise, answer: Any) -> str:
    """Return a sentence if the answer has the name of another exercise, or an empty string."""
    name = getattr(answer, "__name__", "")
    if name == exercise.id or name not in EXERCISES:
        return ""
    return f"You pass {name}, and this is the check of {exercise.id}. Pass {exercise.id}."


def reason_of_error(error: BaseException | None) -> str:
    """Return the message for an exception that the reader's function raises."""
    if isinstance(error, RecursionError):
        return "Your function calls itself without end. Which call is the last, and does each one get closer to it?"
    if isinstance(error, SystemExit):
        return "Your function calls exit(). Let it return its result instead."
    if isinstance(error, UnicodeDecodeError):
        return (
            "Your function decodes bytes that are no whole characters, and raises UnicodeDecodeError. Where may "
            "a character be cut in two?"
        )
    if isinstance(error, TypeError) and str(error).startswith("unhashable type: 'list'"):
        return "A list can't be a key of a dict or an item of a set. Make a tuple of it: `tuple(…)`."
    if isinstance(error, NotImplementedError):
        return "Some way through your function still raises NotImplementedError."
    return f"Your function raises {type(error).__name__} on this call. The line below is where."


def raised(answer: Any, error: BaseException | None) -> Details:
    """Return rows on an exception and the line of the reader's function that raised it."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    rows = [("it raises", shortened(text))]
    filename = getattr(getattr(answer, "__code__", None), "co_filename", None)
    number = None
    traceback = error.__traceback__ if error else None
    while traceback:
        if traceback.tb_frame.f_code.co_filename == filename:
            number = traceback.tb_lineno
        traceback = traceback.tb_next
    line = linecache.getline(filename, number).strip() if filename and number else ""
    if line:
        rows.append((f"in line {number}", line))
    return rows


def short_call(text: str, limit: int = 600) -> str:
    """Return a call with its middle left out where it is long."""
    return text if len(text) <= limit else f"{text[: limit * 2 // 3]} … {text[-limit // 3 :]}"


def shortened(text: str) -> str:
    """Return the first lines of a text."""
    lines = text.strip().split("\n")
    more = [f"… and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
    return "\n".join(line[:200] for line in [*lines[:MOST_LINES], *more])
