"""What the notebooks show and check with; `bpe_lib` imports nothing of it.

A notebook imports what it needs from here: `from bpe_course import check, corpora, predict, reveal, show_tokens`. The
names below stand in groups: what checks and answers, what shows, what draws, what comes with the course, and what you
need to write notebooks (`.github/CONTRIBUTING.md` says how).

Environment: `BPE_STRICT=1` makes `check` raise on anything but passed; `BPE_PROGRESS` names the progress file;
`BPE_TIME_LIMIT` sets the seconds after which a call is held to be endless (3).
"""

from bpe_course import corpora
from bpe_course.benchmark import benchmark_chart, growth_chart, read_benchmark
from bpe_course.cells import (
    check_cell,
    code_cell,
    exercise_cell,
    exercise_cells,
    hints_cell,
    markdown_cell,
    setup_cell,
    stub,
)
from bpe_course.charts import brick_wall, byte_shapes, dumbbells, ladder_chart, piano_roll
from bpe_course.check import check
from bpe_course.cut_rules import try_cuts
from bpe_course.exercise import Complaint, Exercise, Slip, solution_source, stub_source
from bpe_course.exercises import EXERCISES, register
from bpe_course.figures import COLOURS, new_figure, show_figure
from bpe_course.hints import finished, hint, hints, hints_markdown, solution
from bpe_course.ladder import RUNGS, Rung, climb, merge_with_index
from bpe_course.library_code import finished_code
from bpe_course.notebooks import NOTEBOOKS
from bpe_course.predict import predict, reveal
from bpe_course.progress import progress
from bpe_course.result import Result
from bpe_course.samples import SEED_SENTENCES
from bpe_course.tasks import count_chunk
from bpe_course.tokens import TokenView, show_pretokens, show_tokens, visible
from bpe_course.widgets.chunks import chunk_slider, show_chunks
from bpe_course.widgets.encoding import encode_stepper, show_encoding
from bpe_course.widgets.heap import heap_stepper, show_pop
from bpe_course.widgets.merging import merge_stepper, show_merge
from bpe_course.widgets.playground import regex_playground, show_branches
from bpe_course.widgets.tokenizer import show_sizes, tokenizer_playground

__all__ = [  # noqa: RUF022 (in groups, not in the order of the alphabet)
    # exercises and predictions
    "check",
    "hint",
    "hints",
    "solution",
    "finished",
    "finished_code",
    "progress",
    "predict",
    "reveal",
    "Result",
    # views, and widgets that move them
    "show_tokens",
    "show_pretokens",
    "visible",
    "TokenView",
    "show_chunks",
    "chunk_slider",
    "show_branches",
    "regex_playground",
    "show_merge",
    "merge_stepper",
    "show_pop",
    "heap_stepper",
    "show_encoding",
    "encode_stepper",
    "show_sizes",
    "tokenizer_playground",
    "try_cuts",
    # figures
    "new_figure",
    "show_figure",
    "COLOURS",
    "dumbbells",
    "byte_shapes",
    "piano_roll",
    "brick_wall",
    "ladder_chart",
    "benchmark_chart",
    "growth_chart",
    # texts, and what is measured on them
    "corpora",
    "SEED_SENTENCES",
    "count_chunk",
    "climb",
    "Rung",
    "RUNGS",
    "merge_with_index",
    "read_benchmark",
    # for those who write notebooks and exercises
    "NOTEBOOKS",
    "EXERCISES",
    "Exercise",
    "Slip",
    "Complaint",
    "register",
    "code_cell",
    "markdown_cell",
    "setup_cell",
    "exercise_cells",
    "exercise_cell",
    "check_cell",
    "hints_cell",
    "hints_markdown",
    "stub",
    "stub_source",
    "solution_source",
]
