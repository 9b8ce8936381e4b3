"""`try_cuts` finds what is wrong with a rule, and nothing wrong with those of the library."""

from dataclasses import replace
from itertools import product

import pytest
import regex

from bpe_course import try_cuts
from bpe_lib import PATTERNS, pretokenize
from bpe_lib.patterns import CUT_RULES

NAMES = [name for name, pattern in PATTERNS.items() if pattern in CUT_RULES]
every_rule = pytest.mark.parametrize("rule", [CUT_RULES[PATTERNS[name]] for name in NAMES], ids=NAMES)


@every_rule
def test_a_rule_is_tried_on_short_texts(rule):
    assert try_cuts(rule.pattern, rule, longest=3) is None
    for pair in map("".join, product(rule.kinds, repeat=2)):
        if pair not in rule.cuts.split():
            wrong = try_cuts(rule.pattern, replace(rule, cuts=f"{rule.cuts} {pair}"), longest=4)
            assert wrong is not None or pair in MIGHT_BE_CUT.get(rule.pattern, "").split(), pair
            check_counterexample(rule, pair, wrong)


MIGHT_BE_CUT = {PATTERNS["qwen2"]: "NN"}
"""Pairs of kinds that are not cut though they might be: to look at each digit of a number alone gains nothing."""


def check_counterexample(rule, pair, wrong):
    """Fail unless cutting the text between two such characters changes its pre-tokens."""
    if wrong is not None:
        before, after = (rule.kinds[kind] for kind in pair)
        places = [match.start() for match in regex.finditer(f"(?V1)(?<={before})(?={after})", wrong)]
        whole = pretokenize(wrong, rule.pattern)
        halves = [
            [token for part in (wrong[:at], wrong[at:]) for token in pretokenize(part, rule.pattern)] for at in places
        ]
        assert any(cut != whole for cut in halves)
