"""`check`: is this answer right, and if it isn't, why."""

import copy
import difflib
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from bpe_course import progress
from bpe_course.compare import plain, same, short
from bpe_course.exercise import Args, Exercise, Slip
from bpe_course.exercises import EXERCISES
from bpe_course.explain import details_of, other_exercise, reason, short_call
from bpe_course.result import NOT_ATTEMPTED, NOT_YET, PASSED, NotPassedError, Result
from bpe_course.run import Outcome, attempt, run
from bpe_course.shrink import shrink, size

EASY_TO_READ = 300
"""Characters up to which a chosen case is shown as it is."""
AT_A_GLANCE = 50
"""Characters up to which the first case, the docstring's example, is shown wherever it fails."""

Runner = Callable[[Callable[[], Any]], Outcome]


def check(exercise_id: str, answer: Any) -> Result:
    """Return what there is to say about a reader's answer to an exercise; a notebook shows it.

    Args:
        exercise_id: such as "merge_pair".
        answer: the function that the reader wrote.

    Raises:
        NotPassedError: anything but "passed", and the environment variable `BPE_STRICT` is 1.
    """
    exercise = EXERCISES.get(exercise_id)
    result = examine(exercise, answer) if exercise else unknown(exercise_id)
    if result.status == PASSED:
        progress.remember(exercise_id)
    elif os.environ.get("BPE_STRICT") == "1":
        raise NotPassedError(str(result))
    return result


def unknown(exercise_id: str) -> Result:
    """Return what to say where there is no such exercise."""
    close = difflib.get_close_matches(str(exercise_id), EXERCISES, n=1)
    question = f" Do you mean {close[0]!r}?" if close else ""
    return Result(str(exercise_id), NOT_YET, f"There is no exercise {exercise_id!r}.{question}")


def examine(exercise: Exercise, answer: Any) -> Result:
    """Return what there is to say about an answer to this exercise."""
    refusal = not_a_function(exercise, answer)
    if refusal:
        return Result(exercise.id, NOT_YET, refusal)
    as_new = renewed(answer)
    tried = try_cases(exercise, answer)
    first = tried[0][1]
    if isinstance(first.error, NotImplementedError):
        return not_attempted(exercise, answer, first.error)
    failing = [(args, outcome) for args, outcome in tried if not right(exercise, args, outcome)]
    if not failing:
        return Result(exercise.id, PASSED, praise(exercise, len(tried)))
    if memory := remembers(exercise, as_new, failing[0][0]):
        return memory
    slip = find_slip(exercise, tried)
    args, outcome = worth_showing(exercise, answer, failing, slip)
    case = exercise, answer, args, outcome, expected(exercise, args)
    return Result(exercise.id, NOT_YET, slip[0].message if slip else reason(*case), tuple(details_of(*case)))


REMEMBERS = (
    "Your function remembers earlier calls: called twice with the same arguments, it returns two different results. A "
    "default such as `counts={}` is made once, and so is a table outside the function. Make a new one in the function."
)


def renewed(answer: Any) -> Any:
    """Return the function as it was before its first call: defaults and global tables are copies."""
    if not inspect.isfunction(answer):
        return answer
    names = set(answer.__code__.co_names)
    tables = {name: value for name, value in answer.__globals__.items() if name in names}
    copies = {name: copy.deepcopy(value) for name, value in tables.items() if isinstance(value, (dict, list, set))}
    defaults = copy.deepcopy(answer.__defaults__)
    function = FunctionType(answer.__code__, answer.__globals__ | copies, answer.__name__, defaults, answer.__closure__)
    function.__kwdefaults__ = copy.deepcopy(answer.__kwdefaults__)
    return function


def remembers(exercise: Exercise, answer: Any, args: Args) -> Result | None:
    """Return what to say if the function's second call with the first case, or this one, ends unlike its first."""
    for case in (exercise.chosen[0], args):
        fresh_start = outcome_of(exercise, renewed(answer), case, run)
        first, second = (outcome_of(exercise, answer, case, run) for _ in range(2))
        # Two fresh starts that differ are chance, or objects that never are equal, such as generators.
        if first.kind == second.kind == "value" and agree(fresh_start, first) and not agree(first, second):
            call = ("call, twice", short_call(exercise.show_call(case)))
            details = (call, ("first, you return", short(first.value)), ("then you return", short(second.value)))
            return Result(exercise.id, NOT_YET, REMEMBERS, details)
    return None


def praise(exercise: Exercise, cases: int) -> str:
    """Return the message for an answer that passed."""
    if cases == 1:
        return f"{exercise.id} does it."
    return f"{exercise.id} gives the right answer in all {cases} cases."


def not_a_function(exercise: Exercise, answer: Any) -> str:
    """Return what is wrong with an answer that can't be called as the exercise demands, or an empty string."""
    remedy = f"Pass the function itself: check({exercise.id!r}, {exercise.id})."
    if isinstance(answer, type):
        return f"You pass the class {answer.__name__}, and the exercise asks for a function. {remedy}"
    if not callable(answer):
        kind = type(answer).__name__
        return f"You pass a value of type {kind}, perhaps the result of a call. {remedy}"
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):
        return ""
    wanted = list(inspect.signature(exercise.solution).parameters)
    try:
        signature.bind(*wanted)
    except TypeError:
        return other_exercise(exercise, answer) or (
            f"Your function takes {signature}, and the exercise calls it with {len(wanted)} "
            f"argument{'' if len(wanted) == 1 else 's'}: ({', '.join(wanted)})."
        )
    return ""


def not_attempted(exercise: Exercise, answer: Any, error: NotImplementedError) -> Result:
    """Return what to say where the stub, or a stub that the answer calls, raises `NotImplementedError`."""
    traceback = error.__traceback__
    while traceback and traceback.tb_next:
        traceback = traceback.tb_next
    name = traceback.tb_frame.f_code.co_name if traceback else exercise.id
    if name in EXERCISES and name not in (exercise.id, getattr(answer, "__name__", "")):
        message = f"Your {exercise.id} calls {name}, which still raises NotImplementedError. Write that one first."
        return Result(exercise.id, NOT_YET, message)
    message = "Replace the line `raise NotImplementedError` by your code, run that cell, then this one."
    return Result(exercise.id, NOT_ATTEMPTED, message)


def try_cases(exercise: Exercise, answer: Any) -> list[tuple[Args, Outcome]]:
    """Return how the answer ends on each case, up to the first that has to be stopped."""
    tried = []
    for args in exercise.all_cases():
        outcome = outcome_of(exercise, answer, args, run)
        tried.append((args, outcome))
        if outcome.kind == "stopped" or isinstance(outcome.error, NotImplementedError):
            break
    return tried


def outcome_of(exercise: Exercise, function: Callable, args: Args, runner: Runner = attempt) -> Outcome:
    """Return how a function ends on one case; a result is in its normal form."""
    given = tuple(map(fresh, args))
    before = tuple(map(snapshot, given))

    returned = []

    def call_and_normalize() -> Any:
        returned.append(exercise.parts.harness(function, *given))
        return exercise.parts.normal(returned[0], *args)

    outcome = runner(call_and_normalize)
    if outcome.kind == "value" and isinstance(returned[0], (list, tuple, str, bytes)):
        outcome = replace(outcome, returned=(returned[0],))
    changed = [i for i, arg in enumerate(given) if i not in exercise.may_change and snapshot(arg) != before[i]]
    if changed and outcome.kind == "value" and same(outcome.value, expected(exercise, args)):
        return Outcome("changed", changed[0], printed=outcome.printed)
    return outcome


def fresh(arg: Any) -> Any:
    """Return an argument that may be changed without harm: opened if it is a file's content, else copied."""
    return arg.open() if hasattr(arg, "smaller") else copy.deepcopy(arg)


def snapshot(arg: Any) -> Any:
    """Return what an argument holds, so that a change shows. Order counts, too."""
    value = plain(copy.deepcopy(arg)) if isinstance(arg, (Mapping, list, tuple, set)) else None
    return list(value.items()) if isinstance(value, dict) else value


def expected(exercise: Exercise, args: Args) -> Any:
    """Return the right result for one case."""
    return exercise.parts.normal(exercise.parts.harness(exercise.solution, *map(fresh, args)), *args)


def right(exercise: Exercise, args: Args, outcome: Outcome) -> bool:
    """Tell whether an outcome is the right one."""
    return outcome.kind == "value" and same(outcome.value, expected(exercise, args))


def agree(first: Outcome, second: Outcome) -> bool:
    """Tell whether two outcomes are the same: equal values, or errors of the same type."""
    if first.kind != second.kind:
        return False
    if first.kind == "raised":
        return type(first.error) is type(second.error)
    return same(first.value, second.value)


def find_slip(exercise: Exercise, tried: list[tuple[Args, Outcome]]) -> tuple[Slip, Callable] | None:
    """Return the slip, and that function of it, which agrees with the answer on every case."""
    for slip in exercise.slips:
        for function in slip.functions:
            if all(agree(outcome, outcome_of(exercise, function, args)) for args, outcome in tried):
                return slip, function
    return None


def worth_showing(
    exercise: Exercise, answer: Any, failing: list[tuple[Args, Outcome]], slip: tuple[Slip, Callable] | None
) -> tuple[Args, Outcome]:
    """Return the failing case to show: with a slip, the plainest of the chosen ones; else the smallest to be found."""
    chosen = [case for case in failing if any(case[0] is args for args in exercise.chosen)]
    if slip and chosen and size(chosen[0][0]) < EASY_TO_READ:
        return chosen[0]
    if chosen and chosen[0][0] is exercise.chosen[0] and size(chosen[0][0]) < AT_A_GLANCE:
        return chosen[0]
    args, outcome = min(failing, key=lambda case: (is_empty(case[0]), size(case[0])))
    if outcome.kind == "stopped":
        return args, outcome
    return smallest(exercise, answer, args, outcome, slip)


def is_empty(args: Args) -> bool:
    """Tell whether the first argument has nothing in it, which seldom shows what is wrong."""
    return bool(args) and hasattr(args[0], "__len__") and not len(args[0])


def smallest(
    exercise: Exercise, answer: Any, args: Args, outcome: Outcome, slip: tuple[Slip, Callable] | None
) -> tuple[Args, Outcome]:
    """Return the smallest case found on which the answer fails in the same way, and how it ends there."""
    found = [(args, outcome)]

    def fails(candidate: Args) -> bool:
        if is_empty(candidate) or not keeps_contract(exercise, candidate):
            return False
        now = outcome_of(exercise, answer, candidate, run)
        failed = now.kind == outcome.kind and type(now.error) is type(outcome.error)
        failed = failed and not right(exercise, candidate, now)
        if failed and slip:
            failed = agree(now, outcome_of(exercise, slip[1], candidate))
        if failed:
            found.append((candidate, now))
        return failed

    shrink(args, fails)
    return found[-1]


def keeps_contract(exercise: Exercise, args: Args) -> bool:
    """Tell whether these arguments may be asked of the reader's function."""
    outcome = attempt(lambda: exercise.parts.valid(*args) and [expected(exercise, args)])
    return outcome.kind == "value" and bool(outcome.value)
