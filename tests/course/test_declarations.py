"""Exercises are declared so that nothing is forgotten: no slip unregistered, none lost, no name given twice."""

import ast
import copy
import json
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bpe_course import exercises
from bpe_course.exercise import EXERCISES, Slip, exercise, solution_source, stub_source

MODULES = sorted(Path(exercises.__file__).parent.glob("nb*.py"))
TREES = {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
INVENTORY = json.loads(Path(__file__).with_name("inventory.json").read_text(encoding="utf-8"))["exercises"]


@pytest.fixture
def double():
    @exercise(minutes=1, difficulty=1, hints=("Twice what?", "`2 * n`."), notebook="00")
    def double(n: int) -> int:
        """Return twice the number.

        >>> double(2)
        4
        """
        return 2 * n

    yield double
    EXERCISES.pop("double", None)


def triple(n):
    return 3 * n


def test_nothing_is_lost():
    """The inventory was taken before exercises were declared in this way."""
    assert list(INVENTORY) == list(EXERCISES)
    for id_, before in INVENTORY.items():
        now = EXERCISES[id_]
        assert (now.notebook, now.minutes, now.difficulty) == (
            before["notebook"],
            before["minutes"],
            before["difficulty"],
        )
        assert len(now.hints) >= before["hints"]
        assert len(now.chosen) >= before["cases"] and len(now.accepts) >= before["accepts"]
        functions = {slip.message: len(slip.functions) for slip in now.slips}
        wanted = dict(before["slips"])
        assert [message for message in functions if message in wanted] == list(wanted), "the first that fits is shown"
        assert all(functions[message] >= count for message, count in wanted.items()), id_


def used_names(node):
    """Return all names that are read in a node, as `name` or `module.name`."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    return {*names, *(part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute))}


def idle_functions(trees):
    """Return the functions that no exercise registers, and that nothing but themselves uses."""
    statements = [node for tree in trees for node in tree.body]
    uses = {id(node): used_names(node) for node in statements}
    functions = [node for node in statements if isinstance(node, ast.FunctionDef) and not node.decorator_list]
    return [
        function.name
        for function in functions
        if not any(function.name in uses[id(node)] for node in statements if node is not function)
    ]


def test_a_wrong_answer_that_nobody_registers_is_noticed():
    assert idle_functions(TREES.values()) == []
    assert idle_functions([ast.parse("def f(): return f()\n@e.slip('no')\ndef g(): return h()\ndef h(): ...")]) == ["f"]


@pytest.mark.parametrize("name", TREES)
def test_no_module_gives_a_name_twice(name):
    names = Counter(node.name for node in TREES[name].body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    assert [name for name, count in names.items() if count > 1] == []


def test_a_slip_stands_below_its_message_and_stays_a_function(double):
    @double.slip("You add one. Twice a number is the number added to itself.")
    def one_more(n):
        return n + 1

    assert one_more(5) == 6
    assert double.slips == [Slip("You add one. Twice a number is the number added to itself.", [one_more])]


def test_several_functions_share_a_message_and_slips_keep_their_order(double):
    first, last = double.slip("one", triple), double.slip("two")
    other = last(lambda n: n)
    assert first(abs) is abs and double.same_slip(round) is round
    double.same_slip(hash, len)
    assert double.slips == [Slip("one", [triple, abs]), Slip("two", [other, round, hash, len])]


def test_one_function_is_a_slip_of_two_exercises(double):
    merge_pair = EXERCISES["merge_pair"]
    wrong = merge_pair.slips[0].functions[0]
    assert double.slip("It merges.", wrong) and double.slips[0].functions == [wrong]


@pytest.mark.parametrize("register", ["slip", "same_slip", "accept"])
def test_a_function_is_registered_once(double, register):
    double.slip("You triple.", triple)
    double.accept(abs)
    for known in (triple, abs, double, double.solution):
        with pytest.raises(ValueError, match="registered twice with double"):
            double.slip("other", known) if register == "slip" else getattr(double, register)(known)


def test_a_slip_without_a_message_or_a_function_is_refused(double):
    with pytest.raises(TypeError, match=r"no message: write @double\.slip"):
        double.slip(triple)
    with pytest.raises(ValueError, match="no slip yet that triple"):
        double.same_slip(triple)
    with pytest.raises(TypeError, match="6 can't be an answer to double"):
        double.slip("You triple.", triple(2))
    with pytest.raises(TypeError, match="4 can't be an answer"):
        double.accept(4)


def test_a_part_is_set_once(double):
    double.valid(lambda n: n > 0)
    assert double.parts.valid(3) and not double.parts.valid(0)
    with pytest.raises(ValueError, match="double has two functions for 'valid'"):
        double.valid(lambda n: True)


def test_cases_are_asked_for(double):
    with pytest.raises(ValueError, match="double has no cases"):
        double.all_cases()
    double.cases((1,), (2,))
    assert double.all_cases() == [(1,), (2,)]
    double.random(lambda chance: (chance.random(),))
    assert len(double.all_cases(5)) == 7


def test_a_function_without_parameters_has_a_case():
    assert EXERCISES["break_window"].all_cases() == [()]


def test_an_id_is_given_once_and_a_notebook_is_named(double):
    declare = exercise(minutes=1, difficulty=1, hints=(), notebook="00")
    with pytest.raises(ValueError, match="two exercises 'double'"):
        declare(double.solution)
    with pytest.raises(ValueError, match=r'triple is in no module nbXX_…\.py: say .* notebook="04"'):
        exercise(minutes=1, difficulty=1, hints=())(triple)
    assert "triple" not in EXERCISES


def test_an_unknown_keyword_is_refused():
    with pytest.raises(TypeError, match="colected"):
        exercise(minutes=1, difficulty=1, hints=(), notebook="00", colected=False)(triple)


def test_an_exercise_is_called_like_its_solution(double):
    assert double(4) == 8 and double.__name__ == "double" and double.__doc__ == double.solution.__doc__


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_an_exercise_goes_to_a_worker_by_its_name(exercise_id):
    known = EXERCISES[exercise_id]
    assert pickle.loads(pickle.dumps(known)) is known and copy.deepcopy(known) is known


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_cells_begin_with_imports_or_the_function(exercise_id):
    """And not with the decorators that declare the exercise."""
    for source in (solution_source(EXERCISES[exercise_id]), stub_source(EXERCISES[exercise_id])):
        assert source.startswith(("import ", "from ", f"def {exercise_id}("))
        assert "\n@" not in source and source == source.strip()


def test_what_collect_leaves_out_says_so():
    left_out = [exercise.id for exercise in EXERCISES.values() if not exercise.collected]
    assert left_out == ["invalid_utf8", *(id_ for id_ in EXERCISES if id_.startswith("break_"))]


IMPORTS = """
import sys
called = set()
sys.setprofile(lambda frame, event, arg: called.add(frame.f_code.co_name) if event == "call" else None)
import bpe_course
at_import = called & {"train", "train_naive", "train_indexed", "train_bpe", "learn_merges"}
from bpe_course.exercises.nb05_inverted_index import naive_work
naive_work()
print(sorted(at_import), "train_naive" in called)
"""


def test_importing_the_course_trains_nothing():
    run = subprocess.run([sys.executable, "-c", IMPORTS], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[] True"
