"""The folder where corpora built on this machine are kept, and files that appear there whole or not at all."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bpe_course.waiting import Waiting


def cache_folder() -> Path:
    """Return a folder for built corpora that exists and can be written to.

    The first of these that works: the environment variable `BPE_CACHE`; the user's cache folder
    (`$XDG_CACHE_HOME` or `~/.cache` on Linux, `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows)
    plus `bpe_lib`; a folder in the temporary directory.

    Raises:
        OSError: none of them can be written to.

    Example:
        >>> cache_folder().is_dir()
        True
    """
    for folder in _candidates():
        if _writable(folder):
            return folder
    raise OSError("no folder for built corpora can be written to; set BPE_CACHE to one that can")


def _candidates() -> list[Path]:
    """List the folders to try, best first."""
    candidates = []
    if override := os.environ.get("BPE_CACHE"):
        candidates.append(Path(override).expanduser().absolute())
    with contextlib.suppress(RuntimeError):  # no home directory
        candidates.append(_user_cache() / "bpe_lib")
    user = getattr(os, "getuid", lambda: os.environ.get("USERNAME", "user"))()
    candidates.append(Path(tempfile.gettempdir()) / f"bpe_lib-{user}")
    return candidates


def _user_cache() -> Path:
    """Name this system's folder for a user's caches."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _writable(folder: Path) -> bool:
    """Create the folder if need be, and say whether a file can be made in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cached(name: str, build: Callable[[], Iterable[bytes]]) -> Path:
    """Return the file `name` of the cache folder, written from `build()` if it isn't there yet.

    A file that is there is used even where the folder can't be written to. The bytes go to a file beside it that is
    then renamed, so an interrupted build, or two at once, leave no half file.

    Args:
        name: the file's name in the folder.
        build: called only if the file is missing; gives its content in parts.

    Raises:
        OSError: the folder or the file can't be written; and whatever `build` raises.

    Example:
        >>> cached("greeting.txt", lambda: [b"hello"]).read_bytes()  # doctest: +SKIP
        b'hello'
    """
    target = _place(name)
    if target.is_file():
        return target
    descriptor, part = tempfile.mkstemp(prefix=f"{name}.", suffix=".part", dir=target.parent)
    try:
        with open(descriptor, "wb") as file:
            file.writelines(showing_life(build()))
        _put_in_place(part, target)
    finally:
        with contextlib.suppress(OSError):  # gone once renamed
            os.unlink(part)
    return target


def showing_life(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of a corpus, and tell the reader of a notebook what takes so long."""
    waiting = Waiting("Collecting the text, once: later it is read from a file.")
    try:
        for part in parts:
            waiting.tick()
            yield part
    finally:
        waiting.end()


def _place(name: str) -> Path:
    """Say where the file is or can be written: in the first folder that has it or can be written to."""
    for folder in _candidates():
        if (folder / name).is_file():
            return folder / name
        if _writable(folder):
            break
    return cache_folder() / name


def _put_in_place(part: str, target: Path) -> None:
    """Rename, unless another process has already put the same file there and holds it open (Windows refuses)."""
    try:
        os.replace(part, target)
    except PermissionError:
        if not target.is_file():
            raise
