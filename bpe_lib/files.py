"""Reading files that may be bad, and writing files so that no half-written one is ever there."""

import json
import os
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

AnyPath = str | os.PathLike[str]
"""The path of a file or folder."""

MAX_BYTES = 100_000_000
"""Bytes of a tokenizer's file at the most. The largest in use have 40 million; ten million tokens would take more."""

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON spells half of a character beyond U+FFFF."""


def missing(path: AnyPath) -> str:
    """Return what to say of a file that is not there."""
    return f"there is no file {os.fspath(path)!r} (looked for it from {os.getcwd()!r})"


def read_bytes(path: AnyPath) -> bytes:
    """Return the content of a tokenizer's file.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: it is too large to be a tokenizer's.
    """
    with open(path, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path} has over {MAX_BYTES:,} bytes, far more than a tokenizer takes: it is not read")
    return content


def read_utf8(path: AnyPath) -> str:
    """Return the text of a tokenizer's file, whatever the locale, its line ends left as they are.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: it is too large, or not UTF-8.
    """
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not valid UTF-8 ({error.reason})") from error


def read_json(path: AnyPath) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: it does not hold a JSON object, an object has a key twice, or a string is no Unicode text.
    """
    return parse_json(read_utf8(path), path)


def parse_json(text: str, path: AnyPath) -> dict[str, Any]:
    """Return the JSON object in the text of the file at `path`; errors as for `read_json`."""
    try:
        content = json.loads(text, object_pairs_hook=object_of_distinct_keys)
        if SURROGATE.search(text):  # one half of a character is no text; two halves are
            json.dumps(content, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise ValueError(f"{path} is nested too deeply for a tokenizer's file") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds a {type(content).__name__}, and should hold an object")
    return content


def object_of_distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, unless one of its keys would hide another."""
    content = dict(pairs)
    if len(content) != len(pairs):
        repeated = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"{repeated!r} is given twice")
    return content


def read_range(file: BinaryIO, start: int, end: int) -> bytes:
    """Return the bytes from `start` to `end`.

    Raises:
        OSError: the file has fewer bytes than that, because something changed it meanwhile.
    """
    file.seek(start)
    data = file.read(end - start)
    if len(data) != end - start:
        name = getattr(file, "name", "the file")
        raise OSError(f"{name} became shorter while it was read: leave it alone until the end")
    return data


def valid_utf8(data: bytes, errors: str, path: str, offset: int) -> bytes:
    """Return `data` if it is valid UTF-8, else with U+FFFD for what is not, or an error that says where it is."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if errors == "replace":
            return data.decode(errors="replace").encode()
        raise ValueError(
            f"{path}: byte {offset + error.start} is not valid UTF-8 ({error.reason}). "
            'Save the file as UTF-8, or pass errors="replace" to read U+FFFD in such places'
        ) from error
    return data


def check_errors(errors: str, special_tokens: Iterable[str]) -> None:
    """Raise a ValueError unless `errors` is a way to treat invalid UTF-8 that can't make special tokens of it."""
    if errors not in ("strict", "replace"):
        raise ValueError(f'errors is {errors!r}: give "strict" or "replace"')
    for token in special_tokens:
        if errors == "replace" and "\ufffd" in token:
            raise ValueError(
                f'special token {token!r} holds U+FFFD, which errors="replace" writes for invalid UTF-8: choose another'
            )


def check_another(source: AnyPath, out: AnyPath) -> None:
    """Raise a ValueError if `out` is the file `source`, which is about to be read."""
    if os.path.exists(source) and os.path.exists(out) and os.path.samefile(source, out):
        raise ValueError(f"{os.fspath(out)!r} is the file that is read: give another name for what is written")


@contextmanager
def replacing(path: AnyPath, *, keep_finished: bool = False) -> Iterator[BinaryIO]:
    """Open a new file beside the one at `path`; it takes that one's place once all is written.

    Whatever goes wrong before, a full disk or an interrupt, the file at `path` stays as it was and nothing is left
    beside it.

    Args:
        keep_finished: leave a file that is complete where it is, if it can't take the other's place (on Windows it
            can't while that one is mapped into memory).

    Raises:
        OSError: the file can't be written, or what stands at `path` is no file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "ids.txt")) as file:
    ...         _ = file.write(b"1 2 3")
    ...     os.listdir(folder)
    ['ids.txt']
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"{os.fspath(path)!r} is a folder: give the name of a file in it")
    if target.exists() and not target.is_file():
        raise OSError(f"{os.fspath(path)!r} is not a file: it is left alone")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {os.fspath(target.parent)!r} to write to: make it first")
    beside = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    finished = False
    try:
        with open(beside, "xb") as file:
            if os.name == "posix" and target.exists():
                shutil.copymode(target, beside)  # what only its owner may read stays so
            yield file
        finished = keep_finished
        os.replace(beside, target)
    finally:
        if not finished:
            beside.unlink(missing_ok=True)


def write_together(folder: AnyPath, texts: Mapping[str, str | None]) -> None:
    """Write several files into a folder, which is made if need be.

    All are written beside the old ones before the first takes its place, so a full disk leaves the folder as it was.
    Should the system then refuse to replace one of them, as Windows does while another program has it open, some files
    are new and the others old, each of them whole.

    Args:
        texts: the text of each file; None for a file that must not be there.
    """
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        for name, text in texts.items():
            if text is not None:
                file = stack.enter_context(replacing(path / name))
                file.write(text.encode())
                file.flush()
    for name, text in texts.items():
        if text is None:
            (path / name).unlink(missing_ok=True)
