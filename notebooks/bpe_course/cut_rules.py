"""Trying a rule of where text may be cut under a pattern: is there a text that it cuts wrongly?"""

from itertools import product

import regex

from bpe_lib.patterns import CutRule
from bpe_lib.pretokenization import pretokenize

SAMPLES = "s中S1²'!\u0301/–é\n\r \u3000ʰÉ\u20dd\t\x85_"
"""Characters of many kinds, of one, two and three bytes; `s` makes a contraction."""


def try_cuts(pattern: str, rule: CutRule, longest: int = 4) -> str | None:
    """Return a short text that a rule cuts where the pattern does not, or None if there is none.

    All texts of up to `longest` characters are tried, with two characters of each kind: the halves of a cut text must
    have the pre-tokens of the whole. That finds what a rule gets wrong about neighbours; it is no proof.

    >>> from bpe_lib.patterns import CL100K_CUTS, CL100K_PATTERN, GPT2_CUTS
    >>> try_cuts(CL100K_PATTERN, CL100K_CUTS, longest=3), try_cuts(CL100K_PATTERN, GPT2_CUTS)
    (None, "'\\n")
    """
    kinds = {kind: regex.findall(characters, SAMPLES)[:2] for kind, characters in rule.kinds.items()}
    kind_of = {character: kind for kind, characters in kinds.items() for character in characters}
    cuts = set(rule.cuts.split())
    for length in range(2, longest + 1):
        for characters in product(kind_of, repeat=length):
            places = [i for i in range(1, length) if kind_of[characters[i - 1]] + kind_of[characters[i]] in cuts]
            text = "".join(characters)
            whole = pretokenize(text, pattern) if places else []
            if any(pretokenize(text[:at], pattern) + pretokenize(text[at:], pattern) != whole for at in places):
                return text
    return None
