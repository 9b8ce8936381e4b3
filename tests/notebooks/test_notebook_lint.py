"""Rules that every notebook keeps, whatever it teaches. Each rule is tried on a notebook that breaks it.

A rule gets a notebook and yields what breaks it, one line for each finding that begins with the cell's id.
"""

import ast
import copy
import io
import json
import re
import statistics
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode
from nbformat.v4 import new_notebook, new_output

from bpe_course import EXERCISES, code_cell, exercise_cells, markdown_cell, predict, setup_cell, solution_source
from bpe_course.refresh import is_folded, put_away, shown
from notebook_tools import (
    Book,
    about,
    bound_names,
    count_words,
    headings,
    load,
    needed_names,
    output_texts,
    paths,
    prose,
    read_names,
    statements,
    tags,
    without_code_blocks,
)

Rule = Callable[[Book], Iterable[str]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Make a function a rule for all notebooks."""
    RULES[function.__name__] = function
    return function


# What a run leaves in a notebook.


@rule
def is_valid(book: Book) -> Iterator[str]:
    """It keeps the format's schema; its kernel is `python3`; nothing in it says when and where it was run."""
    try:
        nbformat.validate(book.node)
    except nbformat.ValidationError as error:
        yield f"notebook: {error.message}"
    if book.node.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "notebook: kernelspec is not python3"
    if set(book.node.metadata.get("language_info", {})) - {"name"}:
        yield "notebook: language_info tells more than the language's name"
    yield from (f"{cell.id}: holds times of execution" for cell in book.cells if "execution" in cell.metadata)


@rule
def ids_are_unique(book: Book) -> Iterator[str]:
    """Each cell has an id of its own."""
    yield from (f"{id_}: {n} cells have this id" for id_, n in Counter(c.id for c in book.cells).items() if n > 1)


@rule
def begins_with_the_cell_that_installs(book: Book) -> Iterator[str]:
    """The first code cell is the one that helps those who opened the notebook alone, and no other is."""
    found = [cell.id for cell in book.code if about(cell, "setup")]
    if found != [book.code[0].id] or book.code[0].source != setup_cell().source:
        yield f"{book.code[0].id}: expected the cell of setup_cell(), and only there"


@rule
def was_run_from_top_to_bottom(book: Book) -> Iterator[str]:
    """Execution counts are 1, 2, 3 …; a cell with a folded output has none, as if it had not been run."""
    for number, cell in enumerate(book.code, start=1):
        if not is_folded(cell) and cell.execution_count != number:
            yield f"{cell.id}: execution count {cell.execution_count}, expected {number}"


@rule
def shows_nothing_folded(book: Book) -> Iterator[str]:
    """What is folded ships without output, since JupyterLab shows its first line, or its HTML as text."""
    for cell in filter(is_folded, book.code):
        if cell.outputs or cell.execution_count is not None:
            yield f"{cell.id}: ships with a folded output; refresh the notebook"
        elif "nbval-ignore-output" not in tags(cell) and not cell.metadata.get("bpe", {}).get("folded"):
            yield f"{cell.id}: nothing to compare its output with in metadata.bpe.folded; refresh the notebook"


@rule
def shows_no_errors(book: Book) -> Iterator[str]:
    """No output is a traceback, and nothing goes to stderr."""
    for cell in book.code:
        for output in cell.outputs:
            if output.output_type == "error" or output.get("name") == "stderr":
                yield f"{cell.id}: {output.output_type} {output.get('ename', output.get('text'))}"


@rule
def has_no_widget_state(book: Book) -> Iterator[str]:
    """No state of widgets is saved: it is large and goes stale. Nor a view of it, which shows nothing without it."""
    if "widgets" in book.node.metadata:
        yield "notebook: metadata holds the state of widgets"
    for cell in book.code:
        if any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for output in cell.outputs):
            yield f"{cell.id}: holds a view of a widget"


PICTURE = re.compile(r"base64,[A-Za-z0-9+/=\s]+|(?<=\"image/png\": \")[^\"]*")
PLACES = re.compile(r"(?<![\w.])/(?:root|home|work|tmp|Users|var/folders)\b|[A-Z]:\\+Users|site-packages")
INDEXES = re.compile(r"https?://(?:[\w.-]*\.)?(?:pypi|pythonhosted|anaconda)\.\w+|https?://[^\s\"')]*/simple\b")


@rule
def names_no_place_of_one_machine(book: Book) -> Iterator[str]:
    """No folder of the author's machine, and no address of a package index, in any source, output or metadata."""
    for cell in book.cells:
        text = PICTURE.sub("", json.dumps(cell, ensure_ascii=False))
        yield from (f"{cell.id}: {found}" for found in PLACES.findall(text) + INDEXES.findall(text))


@rule
def has_descriptions_of_pictures(book: Book) -> Iterator[str]:
    """Every picture has alt text. So outputs hold pictures in HTML only, where that is possible."""
    for cell in book.cells:
        html = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
        html += [without_code_blocks(cell.source)] if cell.cell_type == "markdown" else []
        for image in re.findall(r"<img\b[^>]*>", "\n".join(html)):
            if not re.search(r"\balt=(\"[^\"]*[^\"\s][^\"]*\"|'[^']*[^'\s][^']*')", image):
                yield f"{cell.id}: no alt in {PICTURE.sub('…', image)}"
        yield from (
            f"{cell.id}: no alt in {image}" for image in re.findall(r"!\[\s*\]\([^)]*\)", html[-1] if html else "")
        )
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})}
        yield from (f"{cell.id}: bare {kind}; use show_figure" for kind in kinds if kind.startswith("image/"))


# Code cells.

LONGEST, MEDIAN = 25, 5


def lines(cell: NotebookNode) -> int:
    """Return how many lines of a cell are not blank."""
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def authors_cells(book: Book) -> list[NotebookNode]:
    """Return the code cells that are not made from an exercise's declaration."""
    return [cell for cell in book.code if not about(cell, "exercise") and not about(cell, "check")]


@rule
def has_short_cells(book: Book) -> Iterator[str]:
    """No cell has over 25 lines, the median of those that the author wrote is 5 or less. Blank ones don't count."""
    yield from (f"{cell.id}: {lines(cell)} lines" for cell in book.code if lines(cell) > LONGEST)
    median = statistics.median(map(lines, authors_cells(book)))
    if median > MEDIAN:
        yield f"notebook: the median code cell has {median} lines"


@rule
def is_plain_python(book: Book) -> Iterator[str]:
    """No magics, no `!`, no `?`: IPython leaves the source as it is; and it is valid Python."""
    for cell in book.code:
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            yield f"{cell.id}: {error}"
            continue
        if TransformerManager().transform_cell(cell.source).strip() != cell.source.strip():
            yield f"{cell.id}: IPython changes it before it runs"


@rule
def ends_no_line_with_a_semicolon(book: Book) -> Iterator[str]:
    """No line ends in `;`: nbval takes it for an error, and `_ = …` says the same."""
    for cell in book.code:
        tokens = list(tokenize.generate_tokens(io.StringIO(cell.source + "\n").readline))
        for one, after in zip(tokens, tokens[1:]):
            if one.string == ";" and after.type in (tokenize.NEWLINE, tokenize.COMMENT, tokenize.NL):
                yield f"{cell.id}: line {one.start[0]} ends in ;"


ALLOWED_TAGS = {"exercise", "check", "nbval-ignore-output"}


@rule
def has_known_tags_only(book: Book) -> Iterator[str]:
    """No `raises-exception`, which nbval does not run, no `nbval-skip`, no such comment, and no misspelt tag."""
    for cell in book.cells:
        yield from (f"{cell.id}: tag {tag}" for tag in tags(cell) if tag not in ALLOWED_TAGS)
        yield from (
            f"{cell.id}: comment {comment}" for comment in re.findall(r"#\s*(?:NBVAL_|PYTEST_)\w+", cell.source)
        )


THROW_AWAY = {"text", "word", "line", "data", "pair", "token", "_"}
"""Names that a cell may use for the moment. It gives them a value in the cell before it reads them, or in the last."""


@rule
def redefines_nothing_that_another_cell_needs(book: Book) -> Iterator[str]:
    """A name that some cell takes from another has one definition: cells can be run again in any order."""
    definitions: dict[str, dict[str, str]] = {}
    for cell in book.code:
        for statement in statements(cell):
            for name in bound_names(statement):
                definitions.setdefault(name, {}).setdefault(source_of(statement, name), cell.id)
    needed = set().union(*map(needed_names, book.code))
    for name in sorted(needed - THROW_AWAY):
        cells = list(dict.fromkeys(definitions.get(name, {}).values()))
        if len(cells) > 1:
            yield f"{cells[-1]}: gives {name} another value than {cells[0]}, and other cells read it"


def source_of(statement: ast.stmt, name: str) -> str:
    """Return what gives a name its value; for an import, only the part with this name."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        aliases = [alias for alias in statement.names if name in bound_names(alias)]
        return f"import {getattr(statement, 'module', '')} {ast.unparse(aliases[0])}"
    return ast.unparse(statement)


@rule
def redefines_no_builtin(book: Book) -> Iterator[str]:
    """No cell gives `list`, `bytes`, `max` … another meaning, which the reader's code would meet."""
    builtins = set(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__) - {"_"}
    for cell in book.code:
        names = set().union(*map(bound_names, statements(cell)))
        yield from (f"{cell.id}: redefines {name}" for name in sorted(names & builtins))


MACHINE = re.compile(
    r"corpora\.(?:path|text)\(\s*[\"'](?:python|english)|perf_counter|process_time|monotonic|\btime\.time\(|timeit"
    r"|cProfile|cpu_count|sys\.version|platform\.\w|getsizeof|psutil|tracemalloc|\.now\(|\.today\(|os\.environ|getcwd"
    r"|Path\.cwd|\bhash\(|\bprogress\(\)|\bclimb\("
)
"""What gives other values on another machine, on another day, or to another reader."""


def depends_on_machine(book: Book) -> dict[str, set[str]]:
    """Return, for each code cell that depends on the machine, itself or through names from other cells, why."""
    tainted: set[str] = set()
    why: dict[str, set[str]] = {}
    for cell in book.code:
        for statement in statements(cell):
            source = ast.unparse(statement)
            reasons = set(MACHINE.findall(source)) | (read_names(statement) & tainted)
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                continue
            if reasons:
                why.setdefault(cell.id, set()).update(reasons)
                tainted |= bound_names(statement) | set(
                    re.findall(r"^(\w+)(?:\.(?:append|add|update|extend)\(|\[)", source)
                )
            else:
                tainted -= bound_names(statement)
    return why


@rule
def tags_what_depends_on_the_machine(book: Book) -> Iterator[str]:
    """Where an output depends on the reader's machine, and only there, it isn't compared: tag nbval-ignore-output."""
    why = depends_on_machine(book)
    for cell in book.code:
        ignored = "nbval-ignore-output" in tags(cell)
        if shown(cell).outputs and cell.id in why and not ignored:
            yield f"{cell.id}: needs the tag nbval-ignore-output, for {', '.join(sorted(why[cell.id]))}"
        if ignored and cell.id not in why:
            yield f"{cell.id}: is tagged nbval-ignore-output, and nothing in it depends on the machine"


# Exercises.


@rule
def has_whole_exercises(book: Book) -> Iterator[str]:
    """Exercise, check and hints follow each other, with their fixed ids, tags and protection; no other cell checks."""
    for i, cell in enumerate(book.cells):
        id_ = about(cell, "exercise")
        if id_:
            wanted = exercise_cells(id_) if id_ in EXERCISES else []
            found = book.cells[i : i + 3]
            if [(c.id, c.metadata) for c in found] != [(c.id, c.metadata) for c in wanted]:
                yield f"{cell.id}: exercise, check and hints of {id_} are not the three cells of exercise_cells()"
        if cell.cell_type != "code":
            continue
        if not id_ and ("exercise" in tags(cell) or "raise NotImplementedError" in cell.source):
            yield f"{cell.id}: looks like an exercise, and metadata.bpe.exercise is missing"
        if re.search(r"\bcheck\(", cell.source) and not is_check(cell):
            yield f"{cell.id}: a check that is not alone, not protected or not tagged"


def is_check(cell: NotebookNode) -> bool:
    """Tell whether a cell is a check as it should be: one call, protected, tagged, of its own exercise."""
    id_ = about(cell, "check")
    protected = cell.metadata.get("editable") is False and cell.metadata.get("deletable") is False
    return bool(id_) and cell.source == f'check("{id_}", {id_})' and protected and tags(cell) == ["check"]


@rule
def keeps_solutions_out_of_sight(book: Book) -> Iterator[str]:
    """No cell or text output holds what solves an exercise of its notebook, and none but its stub defines it."""
    for id_ in filter(None, (about(cell, "exercise") for cell in book.cells)):
        if id_ not in EXERCISES:
            continue
        needles = solution_needles(solution_source(EXERCISES[id_]))
        shape = function_shape(ast.parse(solution_source(EXERCISES[id_])).body[-1])
        for cell in book.cells:
            texts = squeezed("\n".join([cell.source, *output_texts(cell)]))
            functions = [node for block in python_blocks(cell) for node in ast.walk(block)]
            functions = [node for node in functions if isinstance(node, ast.FunctionDef)]
            if any(needle in texts for needle in needles) or any(function_shape(f) == shape for f in functions):
                yield f"{cell.id}: holds the solution of {id_}"
            elif any(f.name == id_ for f in functions) and about(cell, "exercise") != id_:
                yield f"{cell.id}: defines {id_}"


def squeezed(text: str) -> str:
    """Return a text without any whitespace."""
    return re.sub(r"\s+", "", text)


def function_body(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return a function's statements, without its docstring."""
    return function.body[1:] if ast.get_docstring(function) else function.body


def solution_needles(source: str) -> list[str]:
    """Return what gives a solution away: its body; and its expression, where it is one that is long enough to tell."""
    lines = source.split("\n")
    body = function_body(ast.parse(source).body[-1])
    needles = [squeezed("\n".join(lines[body[0].lineno - 1 :]))]
    expression = re.sub(r"^return", "", needles[0])
    return needles + ([expression] if len(body) == 1 and len(expression) > 24 else [])


def function_shape(function: ast.FunctionDef) -> str:
    """Return a function's code with its own names made equal, so that another choice of names changes nothing."""
    tree = copy.deepcopy(ast.Module(function_body(function), []))
    names = [arg.arg for arg in function.args.args]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in names:
            names.append(node.id)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            node.id = f"name{names.index(node.id)}"
    return ast.dump(tree)


def python_blocks(cell: NotebookNode) -> list[ast.Module]:
    """Return the Python in a cell: its code, or the fenced blocks of its Markdown."""
    if cell.cell_type == "code":
        return [ast.Module(statements(cell), [])]
    blocks = re.findall(r"^```(?:python|py)?\n(.*?)^```", cell.source, flags=re.M | re.S)
    return [ast.Module(statements(NotebookNode(source=block)), []) for block in blocks]


@rule
def answers_its_predictions(book: Book) -> Iterator[str]:
    """Each `predict("NN-…", None)` has one `reveal` below, whose output is folded; and none is revealed unasked."""
    sources = [(cell, cell.source) for cell in book.code]
    asked = {id_: cell for cell, source in sources for id_ in re.findall(r'\bpredict\("([^"]*)", None\)', source)}
    answers = [(id_, cell) for cell, source in sources for id_ in re.findall(r'\breveal\("([^"]*)"', source)]
    order = {cell.id: i for i, cell in enumerate(book.code)}
    for cell, source in sources:
        if len(re.findall(r"\bpredict\(", source)) != len(re.findall(r'\bpredict\("[^"]*", None\)', source)):
            yield f"{cell.id}: a prediction is shipped with the guess None"
    for id_, cell in asked.items():
        folded = [c for name, c in answers if name == id_ and c.metadata.get("jupyter", {}).get("outputs_hidden")]
        if len(folded) != 1 or order[folded[0].id] <= order[cell.id]:
            yield f"{cell.id}: {id_} needs one reveal below, in a cell with jupyter.outputs_hidden"
        if not id_.startswith(book.name[:2]):
            yield f"{cell.id}: {id_} belongs to another notebook"
    yield from (f"{cell.id}: {id_} is revealed and was never asked" for id_, cell in answers if id_ not in asked)


@rule
def has_time_for_its_exercises(book: Book) -> Iterator[str]:
    """The minutes of the exercises add up to no more than the notebook's."""
    ids = [about(cell, "exercise") for cell in book.cells]
    minutes = sum(EXERCISES[id_].minutes for id_ in ids if id_ in EXERCISES)
    if minutes > book.plan.minutes:
        yield f"notebook: its exercises take {minutes} of {book.plan.minutes} minutes"


# Prose.

ENOUGH, TOO_MUCH, ANY = 25, 60, 10**6


def words_wanted(book: Book, cell: NotebookNode, previous: NotebookNode | None) -> tuple[int, int]:
    """Return how many words of prose may stand between the previous code cell and this one, at least and at most.

    This is the whole rule. Words are counted as `prose` and `count_words` do: no headings, tables, code blocks,
    nothing folded, no hints. 25 to 60 of them stand before a code cell, except that
    - the first code cell follows the opening, and the one that imports follows that: any number;
    - a check follows its exercise at once: none;
    - an exercise may need more words, never fewer: from 25, up to twice as many as other cells;
    - the cell right below a prediction answers what was asked there, and a cell may do no more than reveal an answer:
      from none;
    - the finished code ends the notebook, behind questions of any length: what counts is below its own heading.
    Where a heading stands between two code cells, what is above it winds up the first and what is below it leads to
    the second: the most holds for each part alone.
    """
    if cell is book.code[0] or cell is book.code[1]:
        return 0, ANY
    if about(cell, "check"):
        return 0, 0
    if about(cell, "exercise"):
        return ENOUGH, 2 * TOO_MUCH
    answers = cell.source.startswith("reveal(") or (previous and "predict(" in previous.source)
    return (0 if answers else ENOUGH), TOO_MUCH


@rule
def introduces_each_code_cell(book: Book) -> Iterator[str]:
    """There are enough words before a code cell, and not too many: see `words_wanted`."""
    texts, previous = "", None
    for cell in book.cells:
        texts += prose(cell) + "\n"
        if cell.cell_type == "code":
            parts = [count_words(part) for part in re.split(r"^#+ .*$", texts, flags=re.M)]
            parts = parts[-1:] if shows_finished_code(cell) else parts
            least, most = words_wanted(book, cell, previous)
            if sum(parts) < least or max(parts) > most:
                yield f"{cell.id}: {' + '.join(map(str, parts))} words before it, expected {least} to {most}"
            texts, previous = "", cell


@rule
def opens_with_goals_time_and_needs(book: Book) -> Iterator[str]:
    """Before the first code cell: three or four goals, the minutes of the course's table, what one needs first."""
    wanted = {
        "You will be able to": r"\*\*You will be able to:?\*\*:?\s*\n\n?(?:[-*] [^\n]+\n(?:  +[^\n]+\n)*){3,4}",
        f"Time: {book.plan.minutes} minutes": rf"\*\*Time:?\*\*:?\s+(?:about )?{book.plan.minutes} min",
        "You need": r"\*\*You need:?\*\*:?\s+\S",
    }
    for name, pattern in wanted.items():
        if not re.search(pattern, book.opening + "\n"):
            yield f"{book.cells[0].id}: the opening lacks **{name}**"


def shows_finished_code(cell: NotebookNode) -> bool:
    """Tell whether a cell does no more than show code of the library."""
    return bool(re.fullmatch(r'finished_code\(\s*("[\w.]+",?\s*)+\)', cell.source))


@rule
def shows_finished_code_at_the_end(book: Book) -> Iterator[str]:
    """Under "The finished code" one cell shows one to four parts of the library, and no other does."""
    cells = [cell for cell in book.code if "finished_code(" in cell.source]
    if len(cells) != 1 or not shows_finished_code(cells[0]):
        yield f"notebook: {len(cells)} cells show finished code, expected one that does nothing else"
        return
    (cell,) = cells
    above = [text for where, _, text in headings(book) if book.cells.index(where) < book.cells.index(cell)]
    if above[-1:] != ["The finished code"]:
        yield f"{cell.id}: stands under {above[-1:]}"
    if not 1 <= len(re.findall('"', cell.source)) // 2 <= 4:
        yield f"{cell.id}: shows more than four parts"


ENDING = ["What you can do now", "Test yourself", "The finished code", "Next"]


@rule
def ends_with_the_four_sections(book: Book) -> Iterator[str]:
    """The last four sections are those of the course, and two or three questions have folded answers."""
    sections = [text for _, level, text in headings(book) if level == 2]
    if sections[-4:] != ENDING:
        yield f"{book.cells[-1].id}: ends with the sections {sections[-4:]}"
    source = "\n".join(cell.source for cell in book.markdown)
    questions = source.partition("## Test yourself")[2].partition("## The finished code")[0]
    if not 2 <= questions.count("<details>") <= 3:
        yield f"{book.cells[-1].id}: {questions.count('<details>')} folded answers in Test yourself, expected 2 or 3"


@rule
def has_a_tree_of_headings(book: Book) -> Iterator[str]:
    """The first line is the only H1 and has the notebook's number and title; levels don't jump; no emoji."""
    levels = [(None, 0, ""), *headings(book)]
    for (_, before, _), (cell, level, text) in zip(levels, levels[1:]):
        if level > before + 1 or (level == 1 and before):
            yield f"{cell.id}: H{level} “{text}” after H{before}"
        if re.search("[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]", text):
            yield f"{cell.id}: emoji in the heading “{text}”"
    title = f"# {book.plan.number} · {book.plan.title}"
    if book.cells[0].source.split("\n")[0] != title:
        yield f"{book.cells[0].id}: the first line isn't {title}"


@rule
def has_working_links(book: Book) -> Iterator[str]:
    """Relative links lead to files that exist, and to headings that exist if they lead to this notebook."""
    anchors = {re.sub(r"\s", "-", text).lower() for _, _, text in headings(book)}
    for cell in book.markdown:
        source = re.sub(r"`[^`\n]+`", "", without_code_blocks(cell.source))
        found = re.findall(r"\]\(([^)\s]+)[^)]*\)", source) + re.findall(r"\b(?:href|src)=[\"']([^\"']+)", source)
        for link in found:
            target, _, anchor = link.partition("#")
            if re.match(r"https?://|mailto:|data:|attachment:", link):
                continue
            if target not in book.files | {"", f"{book.name}.ipynb"}:
                yield f"{cell.id}: {link} leads nowhere"
            elif anchor and target in ("", f"{book.name}.ipynb") and anchor.lower() not in anchors:
                yield f"{cell.id}: there is no heading {anchor}"


@rule
def has_room_around_folded_markdown(book: Book) -> Iterator[str]:
    """Blank lines stand inside `<details>` and `<div>`, or else their Markdown isn't rendered; both are closed."""
    for cell in book.markdown:
        source = without_code_blocks(cell.source)
        for name in ("details", "div"):
            opened, closed = len(re.findall(rf"<{name}\b", source)), source.count(f"</{name}>")
            if opened != closed:
                yield f"{cell.id}: {opened} <{name}> and {closed} </{name}>"
        starts = re.findall(r"<details[^>]*>(?!\s*<summary>[^\n]*</summary>[ \t]*\n[ \t]*\n)", source)
        starts += re.findall(r"<div[^>]*>(?![ \t]*\n[ \t]*\n)", source)
        ends = re.findall(r"(?<!\n\n)</(?:details|div)>", source)
        yield from (f"{cell.id}: no blank line at {found}" for found in starts + ends)


FILLER = re.compile(r"\b(?:simply|just|let['’]s|obviously|of course|basically|needless)\b", re.I)


@rule
def has_no_filler(book: Book) -> Iterator[str]:
    """No word that says that something is easy."""
    for cell in book.markdown:
        source = re.sub(r"`[^`\n]+`", "", without_code_blocks(cell.source))
        yield from (f"{cell.id}: “{found}”" for found in FILLER.findall(source))


# All rules, on all notebooks.


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_notebook(path, name):
    findings = list(RULES[name](load(path)))
    assert not findings, "\n" + "\n".join(findings)


# Each rule, on a notebook that keeps all rules, and on that notebook with something broken.

TWENTY_FIVE = "Some words that lead to the code below. " * 2 + "There are twenty-five of them here, and no less."
OPENING = """# 00 · Start here

A text becomes tokens.

**You will be able to**

- train
- encode
- decode

**Time** 20 minutes

**You need** nothing."""
QUESTION = "**1.** Why?\n\n<details><summary>Answer</summary>\n\nBecause.\n\n</details>"


def good_book() -> Book:
    """Return a small notebook that keeps all rules."""
    cells = [
        markdown_cell(OPENING, "opening"),
        setup_cell(),
        code_cell(
            "import time\n\nfrom bpe_course import check, corpora\nfrom bpe_course import predict, reveal",
            "imports",
        ),
        markdown_cell(f"## Tokens\n\n{TWENTY_FIVE}", "ask"),
        code_cell('predict("00-corpus", None)', "guess"),
        code_cell('reveal("00-corpus")', "answer", jupyter={"outputs_hidden": True}),
        markdown_cell(f"### Counting\n\n{TWENTY_FIVE}\n\n[01](01_text_is_bytes.ipynb)", "prose"),
        code_cell("word = 'low'\nletters = len(word)\nprint(letters)", "code"),
        markdown_cell(TWENTY_FIVE, "task"),
        *exercise_cells("bytes_per_token"),
        markdown_cell("## What you can do now\n\nCount.", "end"),
        markdown_cell(f"## Test yourself\n\n{QUESTION}\n\n{QUESTION}", "test"),
        markdown_cell(f"## The finished code\n\n{TWENTY_FIVE}", "finished"),
        code_cell('finished_code("naive.best_pair")', "finished"),
        markdown_cell("## Next\n\n[01](01_text_is_bytes.ipynb)", "next"),
    ]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
    book = Book("00_start_here", new_notebook(cells=cells, metadata=metadata), frozenset({"01_text_is_bytes.ipynb"}))
    for number, cell in enumerate(book.code, start=1):
        cell.execution_count = number
        cell.outputs = [new_output("stream", text="3")]
        put_away(cell)
    return book


Change = Callable[[dict[str, NotebookNode], Book], object]
BREAKS: dict[str, list[tuple[str, Change]]] = {}


def put(cell: str, source: str) -> Change:
    """Return a change that gives a cell another source."""
    return lambda cells, book: cells[cell].update(source=source)


def add(cell: str, source: str) -> Change:
    """Return a change that adds a line to a cell's source."""
    return lambda cells, book: cells[cell].update(source=f"{cells[cell].source}\n\n{source}")


def mark(cell: str, **metadata: object) -> Change:
    """Return a change of a cell's metadata."""
    return lambda cells, book: cells[cell].metadata.update(metadata)


def show(cell: str, kind: str = "stream", **content: object) -> Change:
    """Return a change of a cell's output."""
    return lambda cells, book: cells[cell].update(outputs=[new_output(kind, **content)])


def show_html(cell: str, html: str) -> Change:
    """Return a change of a cell's output to HTML."""
    return show(cell, "display_data", data={"text/html": html})


def insert(before: str, cell: NotebookNode) -> Change:
    """Return a change that inserts a cell."""
    return lambda cells, book: book.cells.insert(book.cells.index(cells[before]), copy.deepcopy(cell))


def drop(cell: str) -> Change:
    """Return a change that removes a cell."""
    return lambda cells, book: book.cells.remove(cells[cell])


def about_notebook(**metadata: object) -> Change:
    """Return a change of the notebook's metadata."""
    return lambda cells, book: book.node.metadata.update(metadata)


def code_then(*more: str) -> Change:
    """Return a change that puts code cells below the one that counts letters."""
    return lambda cells, book: [insert("text-task", code_cell(source))(cells, book) for source in more]


STUB, CHECK, HINTS = (f"{kind}-bytes-per-token" for kind in ("exercise", "check", "hints"))
SOLUTION = solution_source(EXERCISES["bytes_per_token"])
OTHER_NAMES = SOLUTION.replace("def bytes_per_token(text", "def quotient(s").replace("text", "s").replace("ids", "row")
LONG = "\n".join(f"a{i} = {i}" for i in range(26))
PNG = {"image/png": "aGk="}

BREAKS = {
    "is_valid": [
        lambda cells, book: cells["code-code"].pop("outputs"),
        about_notebook(kernelspec={"name": "conda", "display_name": "x"}),
        about_notebook(language_info={"name": "python", "version": "3.11.2"}),
        mark("code-code", execution={"iopub.status.busy": "today"}),
    ],
    "ids_are_unique": [lambda cells, book: cells["text-end"].update(id="text-task")],
    "begins_with_the_cell_that_installs": [
        drop("code-setup"),
        put("code-setup", "import sys"),
        mark("code-code", bpe={"setup": True}),
        insert("text-opening", code_cell("1")),
    ],
    "shows_nothing_folded": [
        show("code-answer", text="3"),
        mark("code-answer", bpe={}),
        lambda cells, book: cells["code-answer"].update(execution_count=2),
    ],
    "was_run_from_top_to_bottom": [
        lambda cells, book: cells["code-code"].update(execution_count=None),
        lambda cells, book: book.cells.reverse(),
    ],
    "shows_no_errors": [
        show("code-code", "error", ename="ValueError", evalue="", traceback=[]),
        show("code-code", name="stderr", text="warning"),
    ],
    "has_no_widget_state": [
        about_notebook(widgets={}),
        show("code-code", "display_data", data={"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}),
    ],
    "names_no_place_of_one_machine": [
        show("code-code", text="File /home/me/x.py"),
        show("code-code", text="lib/site-packages/x"),
        show("code-code", text="'C:\\Users\\me'"),
        show_html("code-code", "<b title='/tmp/x'>"),
        put("code-code", "open('/work/x')"),
        add("text-prose", "See /root/x."),
        add("text-prose", "See https://pypi.org/project/x."),
        add("text-prose", "See {}://127.0.0.1:99/root/simple/.".format("http")),
    ],
    "has_descriptions_of_pictures": [
        show_html("code-code", "<img src='x'>"),
        show_html("code-code", "<img alt='' src='x'>"),
        show("code-code", "display_data", data=PNG),
        add("text-prose", "![](x.png)"),
        add("text-prose", '<img src="x.png">'),
    ],
    "has_short_cells": [put("code-code", LONG), put(STUB, LONG), code_then(*["\n".join("abcdef")] * 6)],
    "is_plain_python": [
        put("code-code", "%time x"),
        put("code-code", "!ls"),
        put("code-code", "len?"),
        put("code-code", "%%html\n<b>"),
        put("code-code", "x = !ls"),
        put("code-code", "x ="),
    ],
    "ends_no_line_with_a_semicolon": [put("code-code", "letters;"), put("code-code", "x = 1;  # so\nprint(x)")],
    "has_known_tags_only": [
        mark("code-code", tags=["raises-exception"]),
        mark("code-code", tags=["nbval-skip"]),
        mark("code-code", tags=["nbval-ignore-outputs"]),
        put("code-code", "# NBVAL_SKIP\nletters"),
    ],
    "redefines_nothing_that_another_cell_needs": [
        code_then("letters = 4", "print(letters)"),
        code_then("letters += 1"),
        code_then("letters = letters * 2"),
        code_then("def check(*_): pass"),
        code_then("for letters in 'ab':\n    pass", "print([letters for x in 'ab'])"),
        code_then("from bpe_lib import encode as bytes_per_token"),
    ],
    "redefines_no_builtin": [put("code-code", "bytes = 3"), put("code-code", "for id in 'ab': pass")],
    "tags_what_depends_on_the_machine": [
        put("code-code", "print(time.perf_counter())"),
        put("code-code", 'corpora.path("python").stat().st_size'),
        put("code-code", "start = time.perf_counter()\nprint(1)"),
        put("code-code", "for rung in climb(path, 9):\n    print(rung.total)"),
        put("code-code", "progress()"),
        mark("code-code", tags=["nbval-ignore-output"]),
    ],
    "has_whole_exercises": [
        drop(CHECK),
        drop(HINTS),
        mark(CHECK, editable=True),
        mark(CHECK, deletable=True),
        mark(CHECK, tags=[]),
        mark(STUB, tags=[]),
        mark(STUB, bpe={}),
        mark(STUB, bpe={"exercise": "bytes_for_token"}),
        lambda cells, book: cells[STUB].update(id="a1b2"),
        insert(CHECK, markdown_cell("Now check.")),
        put(CHECK, 'check("bytes_per_token", len)'),
        put("code-code", 'check("bytes_per_token", len)'),
        put("code-code", "def f():\n    raise NotImplementedError"),
    ],
    "keeps_solutions_out_of_sight": [
        put(STUB, SOLUTION),
        put("code-code", SOLUTION),
        put("code-code", OTHER_NAMES),
        add("text-prose", f"```python\n{SOLUTION}\n```"),
        add("text-prose", f"<details>\n\n```\n{OTHER_NAMES}\n```\n\n</details>"),
        show("code-code", text=SOLUTION),
        put("code-code", "def bytes_per_token(text, ids):\n    return 4"),
        put("code-code", f"quotient = {SOLUTION.rpartition('return ')[2]}"),
    ],
    "answers_its_predictions": [
        put("code-guess", 'predict("00-corpus", "code")'),
        put("code-guess", 'predict("01-length", None)'),
        put("code-guess", "3"),
        mark("code-answer", jupyter={}),
        drop("code-answer"),
        lambda cells, book: book.cells.reverse(),
        put("code-code", 'reveal("00-round-trip")'),
    ],
    "has_time_for_its_exercises": [
        lambda cells, book: book.cells.extend(
            c
            for id_ in ("character_starts", "utf8_bytes", "invalid_utf8", "decode_tokens")
            for c in exercise_cells(id_)
        )
    ],
    "introduces_each_code_cell": [
        put("text-prose", f"# {TWENTY_FIVE}\n\nToo few words."),
        put("text-prose", f"<details>\n\n{TWENTY_FIVE}\n\n</details>\n\n| {TWENTY_FIVE} |"),
        put("text-prose", f"```\n{TWENTY_FIVE}\n```"),
        add("text-prose", f"{TWENTY_FIVE} {TWENTY_FIVE}"),
        put("text-prose", f"{TWENTY_FIVE} {TWENTY_FIVE} {TWENTY_FIVE}\n\n## Next\n\n{TWENTY_FIVE}"),
        put("text-prose", TWENTY_FIVE.partition(" ")[2]),
        put("text-task", "So it is.\n\n## Next\n\nGo on."),
        put("text-task", "Write it."),
        put("text-finished", "## The finished code\n\nLook."),
        add("text-task", " ".join([TWENTY_FIVE] * 4)),
        insert(CHECK, markdown_cell("Now check.")),
        code_then("letters"),
    ],
    "opens_with_goals_time_and_needs": [
        put("text-opening", OPENING.replace("**You will be able to**", "Goals")),
        put("text-opening", OPENING.replace("- train\n", "")),
        put("text-opening", OPENING.replace("20", "25")),
        put("text-opening", OPENING.replace("**You need** nothing.", "")),
    ],
    "ends_with_the_four_sections": [
        drop("text-end"),
        put("text-finished", "## Next\n\nGo on."),
        add("text-next", "## One more"),
        put("text-test", f"## Test yourself\n\n{QUESTION}"),
        add("text-test", f"{QUESTION}\n\n{QUESTION}"),
    ],
    "shows_finished_code_at_the_end": [
        drop("code-finished"),
        put("code-finished", "print(finished_code('naive.best_pair'))"),
        put("code-finished", 'finished_code("a", "b", "c", "d", "e")'),
        code_then('finished_code("naive.best_pair")'),
        put("text-finished", f"## The finished code\n\n{TWENTY_FIVE}\n\n## Next\n\nGo on."),
    ],
    "has_a_tree_of_headings": [
        add("text-prose", "# Another"),
        add("text-task", "##### Too deep"),
        put("text-opening", OPENING.replace("# 00", "# 01")),
        put("text-opening", OPENING.replace("Start here", "Begin here")),
        put("text-opening", f"Hello.\n\n{OPENING}"),
        put("text-opening", OPENING.replace("# ", "## ")),
        add("text-task", "### 🚀 Faster"),
    ],
    "has_working_links": [
        add("text-prose", "[02](02_chunks.ipynb)"),
        add("text-prose", "[above](#Nothing)"),
        add("text-prose", '<a href="x.html">x</a>'),
    ],
    "has_room_around_folded_markdown": [
        put("text-test", QUESTION.replace("</summary>\n", "</summary>")),
        put("text-test", QUESTION.replace("\n\n</details>", "\n</details>")),
        put("text-test", QUESTION.replace("</details>", "")),
        add("text-prose", '<div class="alert alert-block alert-info">\nNote.\n\n</div>'),
        add("text-prose", '<div class="alert alert-block alert-info">\n\nNote.</div>'),
    ],
    "has_no_filler": [
        add("text-prose", f"{word} go on.") for word in ("Just", "Simply", "Let's", "Let’s", "Of course")
    ],
}


def test_every_rule_is_tried():
    assert set(BREAKS) == set(RULES)
    assert all(BREAKS.values())


@pytest.mark.parametrize("name", RULES)
def test_a_rule_lets_a_good_notebook_pass(name):
    assert list(RULES[name](good_book())) == []


CASES = [pytest.param(name, change, id=f"{name}-{i}") for name in BREAKS for i, change in enumerate(BREAKS[name])]


@pytest.mark.parametrize(("name", "change"), CASES)
def test_a_rule_finds_what_breaks_it(name, change):
    book = good_book()
    change({cell.id: cell for cell in book.cells}, book)
    assert list(RULES[name](book))


def test_what_depends_on_the_machine_is_followed_through_names():
    clock, sums = "def clock():\n    return time.time()", "rows = {}\nrows['a'] = [clock()]"
    book = good_book()
    code_then(clock, sums, "print(rows)", "rows = {}", "print(rows)")({cell.id: cell for cell in book.cells}, book)
    added = [cell.id for cell in book.code if cell.execution_count is None and not is_folded(cell)]
    assert list(depends_on_machine(book)) == added[:3]


def test_predictions_of_the_good_notebook_exist():
    assert predict("00-corpus", None)


@pytest.mark.parametrize(
    "source",
    [
        "print(`x`)".replace("`", ""),
        "for i in range(3):\n    total = i\nprint(total, letters)",
        "word = 'other'\nprint(word)",
        "letters_again = [letters for letters in 'ab']",
        "def f(letters):\n    return letters",
        "import time\nx = '%s' % 3\nprint('a; b!')",
    ],
)
def test_what_rules_allow(source):
    book = good_book()
    code_then(source)({cell.id: cell for cell in book.cells}, book)
    for name in ("redefines_nothing_that_another_cell_needs", "is_plain_python", "ends_no_line_with_a_semicolon"):
        assert list(RULES[name](book)) == []
