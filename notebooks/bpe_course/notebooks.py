"""The notebooks, in their order. An entry here is all that the board, the tests and README's table know of one.

Which exercises a notebook has, and in which order, is said by their declarations in `bpe_course.exercises`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Notebook:
    """One notebook as the course plans it.

    Attributes:
        name: its file, without `.ipynb`; it begins with the notebook's number.
        title: its title, as behind the number in its first line.
        minutes: how long it takes, exercises included.
        builds: what the reader builds, in a few words.
        modules: where in `bpe_lib` the finished code stands, such as "chunking".
    """

    name: str
    title: str
    minutes: int
    builds: str
    modules: tuple[str, ...]

    @property
    def number(self) -> str:
        """Its number, two digits."""
        return self.name[:2]

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.ipynb"

    @property
    def label(self) -> str:
        """Its number and title in a line.

        >>> NOTEBOOKS["01"].label
        '01 Text is bytes'
        """
        return f"{self.number} {self.title}"


TABLE = [
    Notebook(
        "00_start_here", "Start here", 20, "two tokenizers in a minute; the corpus decides the tokens", ("training",)
    ),
    Notebook("01_text_is_bytes", "Text is bytes", 45, "the bytes under every character", ()),
    Notebook(
        "02_chunk_boundaries", "Chunk boundaries", 75, "cuts in a file that don't change its counts", ("chunking",)
    ),
    Notebook(
        "03_pretokenization_regex",
        "The pre-tokenization regex",
        80,
        "GPT-2's pattern, branch by branch",
        ("pretokenization",),
    ),
    Notebook("04_naive_merging", "Naive merging", 85, "a whole tokenizer, slow but yours", ("naive", "vocabulary")),
    Notebook(
        "05_inverted_index_merging",
        "Inverted-index merging",
        110,
        "the same merges for a fraction of the work",
        ("indexed", "fast.row"),
    ),
    Notebook("06_parallelism", "Parallelism", 60, "counting on all cores", ("parallel",)),
    Notebook(
        "07_encoding_and_decoding",
        "Encoding and decoding",
        100,
        "ids from text, exactly, and from streams",
        ("encoding", "tokenizer", "fast.stream"),
    ),
    Notebook(
        "08_your_tokenizer",
        "Your tokenizer",
        90,
        "the last idea for speed, and a tokenizer for your own text",
        ("fast.pieces", "training", "datasets", "formats"),
    ),
    Notebook(
        "09_beyond_one_machine",
        "Beyond one machine",
        40,
        "optional: the same on a cluster",
        ("parallel", "training"),
    ),
]

NOTEBOOKS = {notebook.number: notebook for notebook in TABLE}
"""The notebooks by number."""


def readme_table() -> str:
    """Return the table of the notebooks as the README shows it."""
    rows = ["| Notebook | Minutes | You build | Finished code |", "|---|---|---|---|"]
    for notebook in TABLE:
        link = f"[{notebook.label}](notebooks/{notebook.file})"
        code = ", ".join(f"`{module}`" for module in notebook.modules) or "(Python's own)"
        rows.append(f"| {link} | {notebook.minutes} | {notebook.builds} | {code} |")
    return "\n".join(rows)
