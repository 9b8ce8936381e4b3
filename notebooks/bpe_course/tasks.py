"""Tasks for worker processes: functions in a module, because a process can't import a notebook's cell."""

from bpe_lib.pretokenization import count_pretokens


def count_chunk(path: str, start: int, end: int, special_tokens: list[str]) -> dict[tuple[bytes, ...], int]:
    """Return how often each pre-token occurs between two offsets of a file.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "text.txt")
    ...     _ = path.write_text("hi hi", encoding="utf-8")
    ...     count_chunk(str(path), 0, 2, [])
    {(b'h', b'i'): 1}
    """
    with open(path, "rb") as file:
        file.seek(start)
        data = file.read(max(end - start, 0))
    return count_pretokens(data.decode(), special_tokens)
