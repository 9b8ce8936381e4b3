"""Texts to train on, none of them downloaded.

`stories` and `world` were written for this course; `python` and `english` come with the reader's Python.

    >>> from bpe_course import corpora
    >>> vocab, merges = train_bpe(corpora.path("stories"), 1000, [corpora.END_OF_TEXT])  # doctest: +SKIP
"""

from collections.abc import Callable
from pathlib import Path

from .cache import cache_folder
from .constants import DATA, END_OF_TEXT
from .installed import english_path, python_path
from .world import world_messages, world_oddities

_PATHS: dict[str, Callable[[], Path]] = {
    "stories": lambda: DATA / "stories.txt",
    "world": lambda: DATA / "world.txt",
    "python": python_path,
    "english": english_path,
}
NAMES = tuple(_PATHS)

__all__ = [
    "END_OF_TEXT",
    "NAMES",
    "cache_folder",
    "path",
    "text",
    "world_messages",
    "world_oddities",
]


def path(name: str) -> Path:
    """Return the file that holds a corpus: UTF-8, each document closed by `<|endoftext|>`.

    Args:
        name: "stories", "world", "python" or "english". The last two are built on first use.

    Raises:
        ValueError: there is no corpus of that name.
        FileNotFoundError: this Python came without the sources that "python" and "english" are built from.

    Example:
        >>> path("stories").name
        'stories.txt'
    """
    if name not in _PATHS:
        raise ValueError(f"no corpus is named {name!r}; there are {', '.join(map(repr, NAMES))}")
    return _PATHS[name]()


def text(name: str) -> str:
    """Return a corpus as one string, line ends as they stand in the file.

    Args:
        name: as for `path`, which also says what is raised.

    Example:
        >>> text("stories").count(END_OF_TEXT) > 100
        True
    """
    return path(name).read_bytes().decode("utf-8")
