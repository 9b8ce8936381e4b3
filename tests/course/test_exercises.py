"""Every exercise keeps its promises: slips are told apart, right answers pass, stub and solution agree."""

import ast
import inspect
import itertools

import pytest

import bpe_lib
from bpe_course.check import agree, check, expected, outcome_of, right
from bpe_course.compare import same
from bpe_course.exercise import solution_source, stub_source
from bpe_course.exercises import EXERCISES
from bpe_course.run import attempt

ALL = list(EXERCISES.values())
WITH_CASES = [exercise for exercise in ALL if exercise.chosen[0]]
"""All but the "break it" exercises, which have a single case; their slips are examples of what does not do."""
SLIPS = [(exercise, slip, function) for exercise in ALL for slip in exercise.slips for function in slip.functions]
ACCEPTED = [(exercise, function) for exercise in ALL for function in exercise.accepts]


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("BPE_STRICT", raising=False)


def names(parameters):
    return [
        "-".join(getattr(part, "id", getattr(part, "__name__", "")) for part in row if not hasattr(part, "message"))
        for row in parameters
    ]


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_the_solution_passes(exercise):
    result = check(exercise.id, exercise.solution)
    assert result.status == "passed", result


@pytest.mark.parametrize(("exercise", "slip", "function"), SLIPS, ids=names(SLIPS))
def test_a_slip_gets_its_own_message(exercise, slip, function):
    result = check(exercise.id, function)
    assert (result.status, result.message) == ("not yet", slip.message), result
    assert result.details


@pytest.mark.parametrize("exercise", WITH_CASES, ids=lambda exercise: exercise.id)
def test_cases_tell_all_slips_apart(exercise):
    cases = exercise.all_cases()
    outcomes = [
        [[outcome_of(exercise, function, args) for args in cases] for function in slip.functions]
        for slip in exercise.slips
    ]
    for first, second in itertools.combinations(range(len(outcomes)), 2):
        for one, other in itertools.product(outcomes[first], outcomes[second]):
            pair = exercise.slips[first].message, exercise.slips[second].message
            assert not all(map(agree, one, other)), pair


@pytest.mark.parametrize(("exercise", "function"), ACCEPTED, ids=names(ACCEPTED))
def test_other_right_answers_pass(exercise, function):
    result = check(exercise.id, function)
    assert result.status == "passed", result


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_slips_have_messages_of_their_own_to_the_reader(exercise):
    messages = [slip.message for slip in exercise.slips]
    assert len(set(messages)) == len(messages) >= 3
    for slip in exercise.slips:
        assert slip.functions
        assert slip.message.strip() == slip.message and slip.message[-1] in ".?", slip.message
        assert 20 <= len(slip.message) <= 330, slip.message


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_hints_minutes_and_difficulty(exercise):
    assert 2 <= len(exercise.hints) <= 3
    assert exercise.difficulty in (1, 2, 3) and exercise.minutes > 0
    body = ast.unparse(ast.parse(solution_source(exercise)).body[-1].body[-1])
    assert not any(body in hint for hint in exercise.hints)


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_stub_and_solution_agree(exercise):
    stub, solution = ast.parse(stub_source(exercise)), ast.parse(solution_source(exercise))
    mine, theirs = stub.body[-1], solution.body[-1]
    assert mine.name == theirs.name == exercise.id
    assert ast.dump(mine.args) == ast.dump(theirs.args)
    assert ast.dump(mine.returns) == ast.dump(theirs.returns)
    assert ast.get_docstring(mine) == ast.get_docstring(theirs)
    assert ast.get_docstring(mine).count(">>> ") >= 1
    assert ast.unparse(mine.body[1:]) == "raise NotImplementedError"
    assert [ast.dump(node) for node in stub.body[:-1]] == [ast.dump(node) for node in solution.body[:-1]]


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_the_stub_is_not_attempted(exercise):
    namespace = {}
    exec(stub_source(exercise), namespace)
    result = check(exercise.id, namespace[exercise.id])
    assert result.status == "not attempted"
    assert "\n" not in repr(result)


def test_a_function_of_a_solution_is_short():
    for exercise in ALL:
        code = inspect.getsource(exercise.solution).replace(inspect.getdoc(exercise.solution) or "", "")
        assert len(stub_source(exercise).split("\n")) <= 25, exercise.id
        assert len(code.split("\n")) <= 40, exercise.id


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_cases_are_valid_and_the_same_every_time(exercise):
    first, second = exercise.all_cases(), exercise.all_cases()
    assert repr(first) == repr(second)
    for args in first:
        assert len(args) == len(inspect.signature(exercise.solution).parameters) or exercise.show
        assert exercise.parts.valid(*args), args
        assert right(exercise, args, attempt(lambda args=args: expected(exercise, args)))


FINISHED = [exercise for exercise in ALL if exercise.library]


def test_the_library_finishes_what_the_course_teaches():
    assert len(FINISHED) >= 18
    assert all(exercise.library.__name__ == exercise.id for exercise in FINISHED)
    assert all(exercise.library.__module__.startswith("bpe_lib") for exercise in FINISHED)


@pytest.mark.parametrize("exercise", FINISHED, ids=lambda exercise: exercise.id)
def test_solutions_and_the_finished_code_give_the_same(exercise):
    for args in exercise.all_cases():
        outcome = outcome_of(exercise, exercise.library, args)
        assert same(outcome.value, expected(exercise, args)), (args, outcome)


def test_the_solution_of_train_indexed_is_train_naive():
    exercise = EXERCISES["train_indexed"]
    for args in exercise.all_cases():
        assert expected(exercise, args) == bpe_lib.train_naive(dict(args[0]), args[1])
        assert expected(exercise, args) == bpe_lib.train_indexed(dict(args[0]), args[1])


def test_facts_of_the_course():
    handout = {tuple(bytes([b]) for b in w.encode()): n for w, n in dict(low=5, lower=2, widest=3, newest=6).items()}
    train = EXERCISES["train_naive"].solution
    assert [b" ".join(pair).decode() for pair in train(handout, 12)] == [
        *("s t", "e st", "o w", "l ow", "w est", "n e", "ne west", "w i", "wi d", "wid est", "low e", "lowe r")
    ]
    assert EXERCISES["split_on_special_tokens"].solution("a<e>x<e>b", ["<e>", "<e>x<e>"]) == ["a", "b"]
