'''What the notebooks show and check with. Nothing else in `bpe_lib` imports this package.

**Guide for writers of notebooks** (one import cell: `from bpe_course import check, predict, reveal, …`)

- `check("merge_pair", merge_pair)` checks the reader's function. It stands alone in a check cell, which shows it.
- `predict("04-banana", None)` asks; the reader replaces None. `reveal("04-banana")` in the cell with the answer
  (`jupyter.outputs_hidden: true`) tells what that very guess gets right or wrong. Declared in `predictions.py`.
- `show_tokens(tokenizer, text_or_ids)`: tokens in colour, with ids. `show_pretokens(pretokens)`: the same without ids.
- `figure, axes = new_figure()`, draw, then `show_figure(figure, alt, caption)` last in the cell.
- `progress()`: the board. `hint(id)`, `hints(id)`, `solution(id)`: on demand.
- Cells, made with nbformat: `exercise_cell(id)`, `check_cell(id)`, `hints_cell(id)`, or all three in order with
  `exercise_cells(id)`; `code_cell(source, name)` and `markdown_cell(source, name)` with fixed ids. Regenerate exercise
  and check cells from here, and a notebook can't disagree with the declaration.
- A stub's types are spelled out (`tuple[bytes, ...]`), so it needs no imports but those in its own cell.
- `python -m bpe_course solve OUT [NOTEBOOKS]` writes solved copies; `python -m bpe_course collect NOTEBOOKS
  -o my_bpe.py` joins the reader's passed functions into a module.

Environment: `BPE_STRICT=1` makes `check` raise on anything but passed; `BPE_PROGRESS` names the progress file;
`BPE_TIME_LIMIT` sets the seconds after which a call is held to be endless (3).

**Adding an exercise** takes one declaration in `exercises/nbXX_….py`:

    def shout(text: str) -> str:
        """Return the text in capitals, with an exclamation mark. (Here follows one example, as for doctest.)"""
        return text.upper() + "!"

    def no_mark(text):
        return text.upper()

    EXERCISES = [
        Exercise(
            solution=shout,                     # its name is the id; its signature and docstring are the stub
            minutes=2, difficulty=1,
            hints=("Strings can do this themselves.", "See `str.upper`."),
            cases=[("stop",), ("",), ("É",)],
            random=lambda chance: (random_text(chance, 0, 8),),
            slips=[Slip("The exclamation mark is missing. What does the docstring say comes last?", no_mark)],
        ),
    ]

The tests then hold the exercise to its promises: every slip gets its own message, cases tell all slips apart, solution
and stub agree. `Exercise` documents the rest: `harness`, `normal`, `diagnose`, `accepts`, `imports`, `show`.
'''

from bpe_course.benchmark import benchmark_chart, growth_chart, read_benchmark
from bpe_course.cells import (
    check_cell,
    code_cell,
    exercise_cell,
    exercise_cells,
    hints_cell,
    markdown_cell,
    stub,
)
from bpe_course.charts import byte_shapes, dumbbells, ladder_chart
from bpe_course.check import check
from bpe_course.exercise import Complaint, Exercise, Slip, solution_source, stub_source
from bpe_course.exercises import EXERCISES, register
from bpe_course.figures import new_figure, show_figure
from bpe_course.hints import hint, hints, hints_markdown, solution
from bpe_course.ladder import RUNGS, climb
from bpe_course.notebooks import NOTEBOOKS
from bpe_course.predict import predict, reveal
from bpe_course.progress import progress
from bpe_course.result import Result
from bpe_course.tasks import count_chunk
from bpe_course.tokens import TokenView, show_pretokens, show_tokens
from bpe_course.widgets.chunks import chunk_slider, show_chunks
from bpe_course.widgets.encoding import encode_stepper, show_encoding
from bpe_course.widgets.heap import heap_stepper, show_pop
from bpe_course.widgets.merging import merge_stepper, show_merge
from bpe_course.widgets.playground import regex_playground, show_branches
from bpe_course.widgets.tokenizer import show_sizes, tokenizer_playground

__all__ = [
    "EXERCISES",
    "NOTEBOOKS",
    "RUNGS",
    "Complaint",
    "Exercise",
    "Result",
    "Slip",
    "TokenView",
    "benchmark_chart",
    "byte_shapes",
    "check",
    "check_cell",
    "chunk_slider",
    "climb",
    "code_cell",
    "count_chunk",
    "dumbbells",
    "encode_stepper",
    "exercise_cell",
    "exercise_cells",
    "growth_chart",
    "heap_stepper",
    "hint",
    "hints",
    "hints_cell",
    "hints_markdown",
    "ladder_chart",
    "markdown_cell",
    "merge_stepper",
    "new_figure",
    "predict",
    "progress",
    "read_benchmark",
    "regex_playground",
    "register",
    "reveal",
    "show_branches",
    "show_chunks",
    "show_encoding",
    "show_figure",
    "show_merge",
    "show_pop",
    "show_pretokens",
    "show_sizes",
    "show_tokens",
    "solution",
    "solution_source",
    "stub",
    "stub_source",
    "tokenizer_playground",
]
