"""Two corpora that every Python brings along: `python`, its standard library, and `english`, the prose in it."""

import ast
import importlib.util
import os
import sys
import sysconfig
import tokenize
import warnings
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

from .cache import cached
from .constants import END_OF_TEXT

SKIPPED_FOLDERS = frozenset({"test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__"})
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FORMAT = 1  # raise it when what is written changes, so that older cached files are not used


def python_path() -> Path:
    """Return a file with the standard library's source, its tests left out: about 12 MB of UTF-8.

    Files stand in the order of their paths, one document each, closed by `<|endoftext|>`. Built on first use, which
    takes a few seconds at most, and then cached (see `cache_folder`).

    Raises:
        FileNotFoundError: this Python came without its sources.
        OSError: there is no place to write the file.

    Example:
        >>> "def namedtuple(" in python_path().read_text(encoding="utf-8")  # doctest: +SKIP
        True
    """
    return cached(_file_name("python"), lambda: _joined(_sources()))


def english_path() -> Path:
    """Return a file with the standard library's docstrings and `pydoc` topics: 2 to 3 MB of UTF-8.

    One document for each source file that has docstrings, one for each topic, each closed by `<|endoftext|>`. Built
    on first use, which takes some seconds, and then cached (see `cache_folder`).

    Raises:
        FileNotFoundError: this Python came without its sources.
        OSError: there is no place to write the file.

    Example:
        >>> "Return a" in english_path().read_text(encoding="utf-8")  # doctest: +SKIP
        True
    """
    return cached(_file_name("english"), lambda: _joined(_prose()))


def _file_name(corpus: str) -> str:
    """Name the cached file after everything that decides its content."""
    version = "{}.{}.{}{}{}".format(*sys.version_info)
    return f"{corpus}-{sys.implementation.name}-{version}-{sys.platform}-{_FORMAT}.txt"


def _joined(documents: Iterator[str]) -> Iterator[bytes]:
    """Encode documents as UTF-8, each closed by the one `<|endoftext|>` that it then holds."""
    for document in documents:
        harmless = document.replace(END_OF_TEXT, "<|end of text|>")
        yield harmless.encode("utf-8") + END_OF_TEXT.encode()


def library_files() -> list[Path]:
    """List the standard library's .py files without tests, sorted by their path below its folder.

    Raises:
        FileNotFoundError: there are none.

    Example:
        >>> [file.name for file in library_files() if file.name == "argparse.py"]
        ['argparse.py']
    """
    root = Path(sysconfig.get_path("stdlib"))
    found = []
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if name not in SKIPPED_FOLDERS]
        found += [Path(folder, name) for name in names if name.endswith(".py")]
    if not found:
        raise FileNotFoundError(
            f"no .py files in {root}: this Python came without its standard library's source. Use another Python, "
            "or another corpus: 'stories' and 'world' need none."
        )
    return sorted(found, key=lambda file: file.relative_to(root).as_posix())


def _sources() -> Iterator[str]:
    """Yield the text of each file that can be decoded, line ends as they are."""
    for file in library_files():
        source = file.read_bytes()
        try:
            encoding, _ = tokenize.detect_encoding(iter(source.splitlines(keepends=True)).__next__)
            yield source.decode(encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError):
            continue


def _prose() -> Iterator[str]:
    """Yield the docstrings of each file as one text, then each of pydoc's topics."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old escapes in the library's own strings
        for source in _sources():
            if docstrings := _docstrings(source):
                yield "\n\n".join(docstrings) + "\n"
    for _, topic in sorted(_topics().items()):
        yield topic.strip() + "\n"


def _docstrings(source: str) -> list[str]:
    """Return a file's docstrings in the order of its lines, those with a lone surrogate left out."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    nodes = [node for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)]
    nodes.sort(key=lambda node: getattr(node, "lineno", 0))
    found = [cleandoc(ast.get_docstring(node, clean=False) or "").strip() for node in nodes]
    return [text for text in found if text and not any("\ud800" <= c <= "\udfff" for c in text)]


def _topics() -> dict[str, str]:
    """Return pydoc's topics, or none where this Python leaves them out."""
    if importlib.util.find_spec("pydoc_data") is None:
        return {}
    try:
        from pydoc_data.topics import topics
    except ImportError:
        return {}
    return topics
