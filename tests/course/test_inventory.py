"""Nothing was lost when the house was rebuilt: what there was then, by name, is there still."""

import importlib
import json
from pathlib import Path

import pytest

import bpe_course
import bpe_lib
from bpe_course import corpora
from bpe_course.exercises import EXERCISES
from bpe_course.predictions import PREDICTIONS

INVENTORY = json.loads(Path(__file__).with_name("inventory.json").read_text(encoding="utf-8"))
"""What there was: names, exercises with their slips, and predictions with how many wrong guesses each answers."""
RENAMED = {"show_pieces": "show_pretokens"}
"""Names that were changed for better ones; until then, the old one may stand."""
GENERATORS = {
    *("generate_stories", "segmentation", "segmentations", "surface_segmentation"),
    *("HELD_OUT_COMPOUNDS", "HELD_OUT_WORDS"),
}
"""What writes and takes apart the stories: a maintainer's tool now, in tests/benchmarks/stories."""


def missing(names, thing) -> list[str]:
    """Return those names that are not to be had from a thing, neither as they were nor as they are called now."""
    return [name for name in names if not hasattr(thing, name) and not hasattr(thing, RENAMED.get(name, name))]


def test_the_library_keeps_its_names():
    assert missing(INVENTORY["bpe_lib"], bpe_lib) == []
    assert set(INVENTORY["bpe_lib"]) <= set(bpe_lib.__all__)


def test_a_tokenizer_keeps_its_methods():
    assert missing(INVENTORY["Tokenizer"], bpe_lib.Tokenizer) == []


def test_the_course_keeps_its_names():
    assert missing(INVENTORY["lessons"], bpe_course) == []


def test_corpora_keep_their_names_and_the_generator_its():
    assert missing(set(INVENTORY["corpora"]) - GENERATORS, corpora) == []
    assert set(INVENTORY["corpora"]) >= GENERATORS
    assert missing(GENERATORS, importlib.import_module("stories")) == []


@pytest.mark.parametrize("name", INVENTORY["exercises"])
def test_an_exercise_is_still_there(name):
    before, now = INVENTORY["exercises"][name], EXERCISES[name]
    assert (now.notebook, now.minutes, now.difficulty) == (before["notebook"], before["minutes"], before["difficulty"])
    assert len(now.hints) >= before["hints"]


@pytest.mark.parametrize("name", INVENTORY["predictions"])
def test_a_prediction_still_answers_its_wrong_guesses(name):
    assert len(PREDICTIONS[name].wrong) >= INVENTORY["predictions"][name]


def test_what_is_missing_is_found():
    assert missing(["check", "no_such_name", "show_pieces"], bpe_course) == ["no_such_name"]
