"""How `stories`, one of the course's corpora, was written: by a generator, from a lexicon and templates.

A tool for maintainers; the course ships what it wrote. After a change of the lexicon or the templates, in the folder
`tests/benchmarks`: `python -m stories FILE`, then look at the file before it takes the place of
`notebooks/bpe_course/data/stories.txt`.
"""

from stories.generator import generate_stories
from stories.lexicon import lexicon, segmentation, segmentations, surface_segmentation

HELD_OUT_WORDS = lexicon().held_out
HELD_OUT_COMPOUNDS = lexicon().held_out_compounds

__all__ = [
    "HELD_OUT_COMPOUNDS",
    "HELD_OUT_WORDS",
    "generate_stories",
    "lexicon",
    "segmentation",
    "segmentations",
    "surface_segmentation",
]
