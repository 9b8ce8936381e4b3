"""The exercises of notebook 02."""

import io
import tracemalloc
from collections.abc import Iterator
from random import Random
from typing import BinaryIO

import bpe_lib
from bpe_course.compare import a, plain
from bpe_course.exercise import Args, Complaint, exercise
from bpe_course.harness import CountingFile, Data, breaks
from bpe_lib import chunking


@exercise(
    minutes=3,
    difficulty=1,
    hints=(
        "How long is one part? Boundary number i lies i parts from the beginning.",
        "`size // n` is a whole number, and n times it may be less than `size`: what must the last boundary be?",
    ),
)
def even_boundaries(size: int, n: int) -> list[int]:
    """Return n + 1 offsets, from 0 to `size`, that cut `size` bytes into n parts of about the same length.

    Each part has `size // n` bytes, and the last one also gets the rest. (Boundary i may instead be i n-ths of `size`,
    rounded down.) With fewer bytes than parts, or an empty file, `size // n` is 0 and some offsets are equal.

    >>> even_boundaries(50, 3), even_boundaries(2, 3)
    ([0, 16, 32, 50], [0, 0, 0, 2])
    """
    return [i * (size // n) for i in range(n)] + [size]


even_boundaries.cases(
    (50, 3),
    (0, 1),
    (8, 2),
    (2, 3),
    (7, 2),
    (10, 1),
    (9, 4),
    (0, 3),
    (61, 7),
    (1_000, 64),
)

even_boundaries.random(lambda chance: (chance.randint(0, 40), chance.randint(1, 9)))

even_boundaries.valid(lambda size, n: size >= 0 and n > 0)


@even_boundaries.normal
def normal_boundaries(result: object, size: int, n: int) -> object:
    """Return the boundaries in the form of the solution, if they are as good."""
    result = plain(result)
    if not isinstance(result, tuple):
        return result
    if any(isinstance(boundary, float) for boundary in result):
        raise Complaint(
            "Your boundaries are floats. They will be handed to `file.seek`, which takes whole numbers only: "
            "divide with `//`."
        )
    return even_boundaries(size, n) if list(result) == proportional(size, n) else result


@even_boundaries.slip(
    "You add the size after n + 1 boundaries, so there are n + 2. The last one is the size, and comes once: it takes "
    "the place of boundary n."
)
def doubled_last(size, n):
    return [i * (size // n) for i in range(n + 1)] + [size]


@even_boundaries.same_slip
def doubled_last_even(size, n):
    return [*even_boundaries(size, n), size]


@even_boundaries.slip(
    "You round to the nearest whole number. Parts have `size // n` bytes here, or boundaries are rounded down: the "
    "first boundary within 50 bytes in 3 parts is 16, and you have 17."
)
def rounded(size, n):
    return [round(i * size / n) for i in range(n + 1)]


@even_boundaries.slip(
    "You round the length of a part to the nearest whole number. It is rounded down here, `size // n`, and the last "
    "part gets the rest."
)
def rounded_length(size, n):
    return [min(i * round(size / n), size) for i in range(n)] + [size]


@even_boundaries.slip("You round each boundary up. They are rounded down here: 50 / 3 gives 16.")
def rounded_each_up(size, n):
    return [-(-i * size // n) for i in range(n + 1)]


@even_boundaries.slip(
    "You share the rest out, one byte more for each of the first parts. That is fair, but the docstring has it "
    "simpler: each part has `size // n` bytes, and the last one also gets the rest."
)
def rest_spread(size, n):
    length, rest = divmod(size, n)
    return [i * length + min(i, rest) for i in range(n + 1)]


@even_boundaries.slip("You give the rest to the first part. The docstring gives it to the last one.")
def rest_first(size, n):
    return [0, *(size - (n - i) * (size // n) for i in range(1, n + 1))]


@even_boundaries.slip(
    "`range` up to the size counts bytes, not parts: 50 bytes in steps of 16 give 0, 16, 32, 48, and 50 is missing. "
    "With fewer bytes than parts the step is 0, too. Count the boundaries instead."
)
def range_to_size(size, n):
    return list(range(0, size + 1, size // n))


@even_boundaries.same_slip
def range_to_size_patiently(size, n):
    return list(range(0, size + 1, max(size // n, 1)))


@even_boundaries.slip(
    "With fewer bytes than parts your step `size // n` is 0, which `range` refuses; and 50 bytes in steps of 16 make 4 "
    "parts of 3. Count the boundaries instead of the bytes."
)
def range_and_size(size, n):
    return [*range(0, size, size // n), size]


@even_boundaries.slip(
    "Your last boundary falls short of the size: 3 parts of 16 bytes are 48 bytes, and the file has 50. The last 2 "
    "would never be read."
)
def last_short(size, n):
    return [i * (size // n) for i in range(n + 1)]


@even_boundaries.slip(
    "You leave out the last boundary, the size. n parts have n + 1 boundaries: the last part must end somewhere."
)
def without_size(size, n):
    return [i * (size // n) for i in range(n)]


@even_boundaries.slip("You leave out the first boundary, 0. n parts have n + 1 boundaries.")
def without_zero(size, n):
    return [i * (size // n) for i in range(1, n)] + [size]


@even_boundaries.slip(
    "You return the inner boundaries only. 0 and the size belong to them: n parts have n + 1 boundaries."
)
def inner_only(size, n):
    return [i * (size // n) for i in range(1, n)]


@even_boundaries.slip(
    "Your boundaries are floats. They will be handed to `file.seek`, which takes whole numbers only: divide with `//`."
)
def floats(size, n):
    return [i * size / n for i in range(n + 1)]


@even_boundaries.slip(
    "`range` with this step does not always end after n steps: 50 bytes in steps of 16 give 0, 16, 32, 48 and then 50, "
    "which makes 4 parts of 3. Count the boundaries instead of the bytes."
)
def by_range(size, n):
    return [*range(0, size, max(size // n, 1)), size]


@even_boundaries.slip("You return how long the parts are. Where does each of them begin, and the last one end?")
def lengths(size, n):
    return [size // n] * n


@even_boundaries.slip(
    "You drop equal boundaries. Here there are always n + 1 of them, and where there are fewer bytes than parts some "
    "are equal; they will be made distinct after they have moved."
)
def distinct(size, n):
    return sorted(set(even_boundaries(size, n)))


@even_boundaries.slip(
    "You round the length of a part up, so the last parts get few bytes or none: the docstring rounds down, and the "
    "last part takes what remains."
)
def rounded_up(size, n):
    return [min(i * -(-size // n), size) for i in range(n + 1)]


@even_boundaries.slip("Your last boundary is the last byte. A boundary lies behind it, at `size`.")
def last_byte(size, n):
    return [*even_boundaries(size, n)[:-1], size - 1]


@even_boundaries.slip(
    "You multiply a part's length that is no whole number, `size / n`, and cut off what stands behind the point. Such "
    "a product may come out a little too small: 7 * (61 / 7) is less than 61. Multiply first, or divide with `//`."
)
def float_lengths_cut(size, n):
    return [int(i * (size / n)) for i in range(n + 1)]


@even_boundaries.accept
def proportional(size, n):
    return [i * size // n for i in range(n + 1)]


@exercise(
    minutes=12,
    difficulty=3,
    imports="from typing import BinaryIO",
    show="file = {0}\nfind_token(file, {1}, {2}, {3})",
    library=chunking.find_token,
    hints=(
        "Draw 16 bytes in two reads of 8, and a token of 5 bytes that begins at offset 6. Which bytes of the first "
        "read does the second one need?",
        "Before the next read, keep the last `len(token) - 1` bytes: a token can begin there and not be whole yet.",
        "Remember at which offset of the file the kept bytes begin. `bytes.find` counts from there.",
    ),
)
def find_token(file: BinaryIO, start: int, token: bytes, window: int) -> int:
    """Return the offset of the first whole token that begins at or after `start`, or -1 if there is none.

    Read at most `window` bytes at a time (1 or more, perhaps fewer than the token has). What you keep from earlier
    reads is shorter than the token, however long the file. The file may stand anywhere when you get it.

    >>> import io
    >>> find_token(io.BytesIO(b"aaaaaa<|e|>bbbbb"), 2, b"<|e|>", 8)
    6
    """
    file.seek(start)
    kept = b""
    while data := file.read(window):
        kept += data
        position = kept.find(token)
        if position >= 0:
            return start + position
        dropped = max(len(kept) - len(token) + 1, 0)
        kept = kept[dropped:]
        start += dropped
    return -1


TOKEN = b"<|e|>"
STUCK = (
    "You go back to bytes you have read already, and your search gets no further. Your step is zero or negative where "
    "`window` is shorter than the token, or at the end of the file. Keep the last bytes instead of moving back."
)
NO_END = "At the end of the file `file.read` returns `b''`, and your loop goes on. What should end it?"


class SearchedFile(CountingFile):
    """A file that raises `Complaint` where a search steps back for ever, or before the beginning."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.furthest, self.in_vain = -1, 0

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move, and refuse to move before the beginning."""
        if offset + (0, self.tell(), len(self.getbuffer()))[whence] < 0:
            raise Complaint(STUCK)
        return super().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, and refuse to read the same place for ever."""
        at = self.tell()
        self.in_vain = 0 if at > self.furthest else self.in_vain + 1
        self.furthest = max(self.furthest, at)
        if self.in_vain > 1000:
            raise Complaint(STUCK if at < len(self.getbuffer()) else NO_END)
        return super().read(size)


class Searched(Data):
    """The content of a file that notices a search which does not get ahead."""

    def open(self) -> CountingFile:
        """Return a file with this content."""
        return SearchedFile(self.content)

    def smaller(self) -> Iterator[Data]:
        """Yield files with less in them."""
        yield from (Searched(data.content) for data in super().smaller())


class Standing(Data):
    """The content of a file that does not stand at its beginning when the reader's function gets it."""

    def __init__(self, content: bytes, at: int) -> None:
        super().__init__(content)
        self.at = at

    def __repr__(self) -> str:
        return f"{super().__repr__()}\nfile.seek({self.at})"

    def open(self) -> CountingFile:
        """Return a file that stands where it is said to."""
        file = SearchedFile(self.content)
        file.seek(self.at)
        return file

    def smaller(self) -> Iterator[Data]:
        """Yield files with less in them that stand at their beginning, then the same with the place kept."""
        for data in super().smaller():
            yield from (Searched(data.content), Standing(data.content, self.at))


class Long(Searched):
    """A long file, shown as code: `a` before and after one token.

    Args:
        before, after: how many bytes stand before and after the token.
        token: the token; none if it is empty.
    """

    def __init__(self, before: int, token: bytes, after: int) -> None:
        super().__init__(b"a" * before + token + b"a" * after)
        self.code = f'io.BytesIO(b"a" * {before:_} + {token!r} + b"a" * {after:_})'

    def __repr__(self) -> str:
        return self.code

    def smaller(self) -> Iterator[Data]:
        """Yield nothing: its length is what matters."""
        yield from ()


find_token.cases(
    (Searched(b"aaaaaa<|e|>bbbbb"), 2, TOKEN, 8),
    (Standing(b"aaaaaa<|e|>bbbbb", 3), 0, TOKEN, 8),
    (Standing(b"a<|e|>aaa<|e|>", 3), 1, TOKEN, 8),
    (Searched(b"<|e|>"), 0, TOKEN, 8),
    (Searched(b""), 0, TOKEN, 8),
    (Searched(b"abc"), 0, TOKEN, 8),
    (Searched(b"a<|e|>b<|e|>"), 2, TOKEN, 16),
    (Searched(b"aa<|e|>"), 1, TOKEN, 2),
    (Searched(b"aa<|e|>"), 0, TOKEN, 1),
    (Searched(b"aaaaaaa<|e|>"), 0, TOKEN, 3),
    (Searched(b"<|<|e|>"), 0, TOKEN, 4),
    (Searched(b"aaaa<|e|>"), 0, TOKEN, 8),
    (Searched(b"aaaaaaaa<|e|>"), 0, TOKEN, 8),
    (Searched("é<|e|>".encode()), 0, TOKEN, 8),
    (Searched(b"aaa<|e|>aaaaaaaa<|e|>"), 1, TOKEN, 64),
    (Searched(b"a" * 40), 0, TOKEN, 8),
    (Searched(b"aaaaaaaaaaaaaaaa<|e|>"), 3, TOKEN, 8),
    (Long(60_000, TOKEN, 50_000), 10, TOKEN, 256),
    (Searched(b"aaaa<|endoftext|>b"), 0, b"<|endoftext|>", 8),
    (Searched(b"aaaaaaa<|endoftext|>b"), 0, b"<|endoftext|>", 16),
    (Searched(b"ab\ncd\n"), 3, b"\n", 4),
    (Searched(b"aababab"), 0, b"abab", 3),
    (Searched(b"ababcab"), 0, b"abc", 4),
    (Searched(b"\0\r\n\xff<|E|><|e|>"), 0, TOKEN, 4),
    (Long(60_000, b"\n", 50_000), 10, b"\n", 256),
)


@find_token.random
def random_search(chance: Random) -> Args:
    """Return a small file with some tokens and parts of tokens, and where to search it."""
    parts = [b"a", b"bb", b"<", b"|", b"<|e", TOKEN, TOKEN]
    content = b"".join(chance.choices(parts, k=chance.randint(0, 6)))
    start = chance.randint(0, len(content))
    data = chance.choice([Searched(content), Standing(content, chance.randint(1, 5))])
    return data, start, TOKEN, chance.choice([1, 2, 3, 4, 5, 6, 8, 64])


find_token.valid(lambda file, start, token, window: start >= 0 and len(token) > 0 and window >= 1)

LONG = 100_000
"""Bytes from which on a file is long enough to see how much of it is held in memory."""


def at_little_memory(function, file: CountingFile, start: int, token: bytes, window: int) -> int:
    """Call the reader's function; on a long file, see to it that it does not hold half of the file in memory."""
    if len(file.getbuffer()) < LONG:
        return function(file, start, token, window)
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        found = function(file, start, token, window)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not tracing:
            tracemalloc.stop()
    if peak - before > len(file.getbuffer()) // 2:
        raise Complaint(
            "You keep all that you have read, until the whole file is in memory, and search it again and again. Only "
            "the last `len(token) - 1` bytes can be the beginning of a token: drop what stands before them, and count "
            "what you drop. (`data[-0:]` is all of `data`, not nothing.)",
            found,
        )
    return found


CLOSES = "You close the file, perhaps by `with file:`. It belongs to the caller, who may go on reading: leave it open."


@find_token.harness
def call_find_token(function, file: CountingFile, start: int, token: bytes, window: int) -> int:
    """Call the reader's function, and look at how much it read at once."""
    found = at_little_memory(function, file, start, token, window)
    if file.closed:
        raise Complaint(CLOSES, found)
    if file.largest > window:
        raise Complaint(
            f"You read {file.largest} bytes at once, and `window` allows {window}. A file may be larger than memory: "
            "read `window` bytes, look, keep what the next read needs, and go on."
        )
    return found


@find_token.slip(
    "Your reads don't overlap, so a token that straddles two of them is missed: `<|` ends one read, `e|>` begins the "
    "next, and neither holds a whole token. What must you keep from one read to the next?"
)
def no_overlap(file, start, token, window):
    file.seek(start)
    offset = start
    while data := file.read(window):
        if token in data:
            return offset + data.find(token)
        offset += len(data)
    return -1


@find_token.slip(
    "You read from where the file happens to stand; `start` counts from its beginning. Move there first, with "
    "`file.seek(start)`."
)
def forgets_to_seek(file, start, token, window):
    found = find_token(file, file.tell(), token, window)
    return found


@find_token.same_slip
def forgets_to_seek_and_adds_start(file, start, token, window):
    here = file.tell()
    found = find_token(file, here, token, window)
    return found - here + start if found >= 0 else -1


@find_token.same_slip
def forgets_to_seek_and_counts_from_here(file, start, token, window):
    here = file.tell()
    found = find_token(file, here, token, window)
    return found - here if found >= 0 else -1


@find_token.slip(
    "Your offset is too large by the bytes you kept. They begin `len(kept)` bytes before what you read last, and "
    "`find` counts from there: subtract them."
)
def kept_not_subtracted(file, start, token, window):
    file.seek(start)
    kept, offset = b"", start
    while data := file.read(window):
        position = (kept + data).find(token)
        if position >= 0:
            return offset + position
        offset += len(data)
        kept = (kept + data)[-(len(token) - 1) :]
    return -1


@find_token.slip(
    "You keep all that you have read, so in the end the whole file is in memory. Only the last `len(token) - 1` bytes "
    "can be the beginning of a token: drop what stands before them, and count what you drop."
)
def keep_everything(file, start, token, window):
    file.seek(start)
    data = b""
    while more := file.read(window):
        data += more
        if token in data:
            return start + data.index(token)
    return -1


@find_token.slip(
    "You step back `len(token) - 1` bytes after each read. Where `window` is no longer than that, your step is zero or "
    "negative, and you get no further. Keep those bytes instead of reading them again."
)
def steps_back(file, start, token, window):
    file.seek(start)
    offset = start
    while data := file.read(window):
        position = data.find(token)
        if position >= 0:
            return offset + position
        offset += window - len(token) + 1
        file.seek(offset)
    return -1


@find_token.same_slip
def steps_back_from_here(file, start, token, window):
    file.seek(start)
    while True:
        offset = file.tell()
        data = file.read(window)
        if token in data:
            return offset + data.find(token)
        if len(data) < window:
            return -1
        file.seek(1 - len(token), 1)


@find_token.slip(
    "You look at two reads together. That is enough while a token is no longer than a read; with a window of 2 bytes a "
    "token of 5 lies across three reads. How many bytes must be kept in any case?"
)
def overlap_of_two_reads(file, start, token, window):
    file.seek(start)
    before, offset = b"", start
    while data := file.read(window):
        position = (before + data).find(token)
        if position >= 0:
            return offset - len(before) + position
        before, offset = data, offset + len(data)
    return -1


@find_token.slip(
    "You keep one byte too few. All but one byte of the token may stand at the end of a read, so `len(token) - 1` "
    "bytes must be kept."
)
def overlap_one_short(file, start, token, window):
    file.seek(start)
    kept = b""
    while data := file.read(window):
        kept += data
        position = kept.find(token)
        if position >= 0:
            return start + position
        dropped = max(len(kept) - len(token) + 2, 0)
        kept = kept[dropped:]
        start += dropped
    return -1


@find_token.slip(
    "You count from `start`. The caller wants to cut the file there, so the offset must count from the beginning of "
    "the file."
)
def relative_offset(file, start, token, window):
    found = find_token(file, start, token, window)
    return found - start if found >= 0 else -1


@find_token.slip(
    "You return the position within what you have just read. What has gone before must be added: at which offset of "
    "the file do those bytes begin?"
)
def offset_in_window(file, start, token, window):
    file.seek(start)
    kept = b""
    while data := file.read(window):
        kept += data
        if token in kept:
            return kept.find(token)
        kept = kept[max(len(kept) - len(token) + 1, 0) :]
    return -1


@find_token.slip(
    "You search from the beginning of the file, and find a token before `start`. Move there first, with `file.seek`."
)
def ignores_start(file, start, token, window):
    return find_token(file, 0, token, window)


@find_token.slip("You return where the token ends. The docstring asks where it begins.")
def end_of_token(file, start, token, window):
    found = find_token(file, start, token, window)
    return found + len(token) if found >= 0 else -1


@find_token.slip("Where there is no token, you return the size of the file; the docstring says -1.")
def size_if_missing(file, start, token, window):
    found = find_token(file, start, token, window)
    return found if found >= 0 else file.seek(0, 2)


@find_token.slip("Where there is no token, you return None; the docstring says -1.")
def none_if_missing(file, start, token, window):
    found = find_token(file, start, token, window)
    return found if found >= 0 else None


@find_token.slip(
    "You count `start` from where the file happens to stand, and that may be anywhere. `file.seek(start)` counts from "
    "the beginning."
)
def reads_on_from_here(file, start, token, window):
    return find_token(file, file.tell() + start, token, window)


@find_token.slip("You read once and stop. The token may come much later: read on until `file.read` returns `b''`.")
def first_window_only(file, start, token, window):
    file.seek(start)
    position = file.read(window).find(token)
    return start + position if position >= 0 else -1


@find_token.slip(
    "You read all the rest at once. A file may be larger than memory: read `window` bytes, look, keep what the next "
    "read needs, and go on."
)
def whole_rest(file, start, token, window):
    file.seek(start)
    position = file.read().find(token)
    return start + position if position >= 0 else -1


@find_token.slip(
    "You read more than `window` bytes at once, so that reads overlap. The idea is right: but keep bytes you have read "
    "already instead of reading more."
)
def window_plus_token(file, start, token, window):
    file.seek(start)
    offset = start
    while data := file.read(window + len(token) - 1):
        position = data.find(token)
        if position >= 0:
            return offset + position
        offset += window
        file.seek(offset)
    return -1


@find_token.slip("You miss a token that begins exactly at `start`. At or after, says the docstring.")
def skips_one_start(file, start, token, window):
    found = find_token(file, start + 1, token, window)
    return found


LITERAL = (
    "You search for a token that is written in your function, and take no notice of the one you are given. Another "
    "call may ask for another token: use the parameter."
)


@find_token.slip(LITERAL)
def literal_token(file, start, token, window):
    return find_token(file, start, TOKEN, window)


@find_token.same_slip
def literal_end(file, start, token, window):
    return find_token(file, start, b"<|endoftext|>", window)


@find_token.slip(
    "You keep 4 bytes between two reads, whatever the token. That is right for a token of 5 bytes; one of 13 may leave "
    "12 in the read before. Keep `len(token) - 1`."
)
def four_bytes_kept(file, start, token, window):
    file.seek(start)
    kept = b""
    while data := file.read(window):
        kept += data
        position = kept.find(token)
        if position >= 0:
            return start + position
        dropped = max(len(kept) - 4, 0)
        kept = kept[dropped:]
        start += dropped
    return -1


@find_token.accept
def byte_by_byte(file, start, token, window):
    file.seek(start)
    last = b""
    while byte := file.read(1):
        last = (last + byte)[-len(token) :]
        start += 1
        if last == token:
            return start - len(token)
    return -1


@exercise(
    minutes=8,
    difficulty=2,
    imports="from typing import BinaryIO",
    library=bpe_lib.find_chunk_boundaries,
    hints=(
        "You have written both parts: one gives even boundaries, the other finds the next token from an offset on.",
        "Only the inner boundaries move. What do you do with -1?",
        "Two boundaries may move to the same token. A `set` keeps each offset once; `sorted` gives a list.",
    ),
)
def find_chunk_boundaries(file: BinaryIO, desired_num_chunks: int, split_special_token: bytes) -> list[int]:
    """Return offsets that cut a file into chunks, each inner one where a special token begins.

    The boundaries of `even_boundaries` between 0 and the size of the file move to the start of the first special token
    at or after them, or to the end of the file if there is none. Each offset occurs once, in ascending order; an empty
    file gives [0]. Read at most 65,536 bytes at a time.

    >>> import io
    >>> text = b"I love AI<|endoftext|>Python is great<|endoftext|>"
    >>> find_chunk_boundaries(io.BytesIO(text), 3, b"<|endoftext|>")
    [0, 37, 50]
    """
    size = file.seek(0, 2)
    boundaries = {0, size}
    for start in even_boundaries(size, desired_num_chunks)[1:-1]:
        found = find_token(file, start, split_special_token, 4096)
        boundaries.add(found if found >= 0 else size)
    return sorted(boundaries)


find_chunk_boundaries.cases(
    (Data(b"I love AI<|endoftext|>Python is great<|endoftext|>"), 3, b"<|endoftext|>"),
    (Data(b""), 2, TOKEN),
    (Data(b"no token at all"), 4, TOKEN),
    (Data(b"aaaa<|e|>bbbb<|e|>cccc"), 2, TOKEN),
    (Data(b"aaaaaaaaaa<|e|>bb"), 4, TOKEN),
    (Data(b"ab<|e|>cd<|e|>ef<|e|>gh<|e|>"), 3, TOKEN),
    (Data(b"ab\ncd\n<|e|>ef\n<|e|>gh"), 2, TOKEN),
    (Data(b"a<|e|>"), 1, TOKEN),
    (Data(b"ab"), 5, TOKEN),
    (Data((b"word " * 8 + TOKEN) * 5), 3, TOKEN),
    (Data(b"aaaaa<|e|>aaaaa<|e|>"), 4, TOKEN),
    (Long(131_070, TOKEN, 65_533), 3, TOKEN),
    (Long(131_070, TOKEN, 65_599), 3, TOKEN),
    (Long(19_998, TOKEN, 9_997), 3, TOKEN),
    (Data(b"aaaaaaa\naa\na\naaaaa\n"), 4, b"\n"),
    (Data((b"word " * 3 + TOKEN) * 40), 32, TOKEN),
    (Data(b"aa<|E|>aa<|e|>\0a<|endoftext|>a\r\n<|e|>"), 9, b"<|endoftext|>"),
)


@find_chunk_boundaries.random
def random_file(chance: Random) -> Args:
    """Return a small file, and into how many chunks to cut it."""
    parts = [b"a", b"bb ", "é".encode(), b"<|", b"\n", TOKEN, TOKEN]
    return Data(b"".join(chance.choices(parts, k=chance.randint(0, 14)))), chance.randint(1, 6), TOKEN


find_chunk_boundaries.valid(lambda file, n, token: n >= 1 and token in (TOKEN, b"<|endoftext|>", b"\n"))

LARGEST_READ = 65_536
"""Bytes that `find_chunk_boundaries` may read at once."""


@find_chunk_boundaries.harness
def call_find_boundaries(function, file: CountingFile, desired_num_chunks: int, token: bytes) -> list[int]:
    """Call the reader's function, and see to it that it reads bit by bit, not everything at once."""
    boundaries = function(file, desired_num_chunks, token)
    if file.closed:
        raise Complaint(CLOSES, boundaries)
    if file.unlimited or file.largest > LARGEST_READ:
        raise Complaint(
            "You read the file with `read()` or a very large number, all that is left of it at once. It may be larger "
            "than memory: only the bytes after each even boundary matter, up to the next special token. Let "
            "`find_token` read them bit by bit, with a window of 4,096 bytes, say.",
            boundaries,
        )
    return boundaries


def boundaries_with(even, find):
    """Return a find_chunk_boundaries made of other parts."""

    def find_boundaries(file, desired_num_chunks, split_special_token):
        size = file.seek(0, 2)
        inner = even(size, desired_num_chunks)[1:-1]
        found = [find(file, start, split_special_token, 4096) for start in inner]
        return sorted({0, size, *(offset if offset >= 0 else size for offset in found)})

    return find_boundaries


@find_chunk_boundaries.normal
def normal_moved(result: object, file: Data, n: int, token: bytes) -> object:
    """Return the boundaries of the solution if they come from the other kind of even boundaries."""
    other = boundaries_with(proportional, find_token)(file.open(), n, token)
    if isinstance(result, (list, tuple)) and list(result) == other:
        return find_chunk_boundaries(file.open(), n, token)
    return result


UNSORTED = (
    "Your offsets are right, but not in ascending order, or each not once. A `set` keeps each once and has no order: "
    "`sorted(…)` makes an ordered list of it."
)
DOUBLED = (
    "You return some offset more than once. Two boundaries that move to the same token would make a chunk of no bytes: "
    "keep each once."
)
OTHER_EVEN = (
    "Your even boundaries are others: those of `even_boundaries` are rounded down, and the last part gets the rest. "
    "A boundary one byte further can move past a special token."
)
KEEPS_MISSING = (
    "There is a -1 among your boundaries. It means that no token follows; such a boundary moves to the end of the file."
)


@find_chunk_boundaries.diagnose
def diagnose_boundaries(result: object, file: Data, n: int, token: bytes) -> str:
    """Return what is wrong with boundaries that no slip gives."""
    if not isinstance(result, (list, tuple)) or any(type(offset) is not int for offset in result):
        return ""
    right, size = find_chunk_boundaries(file.open(), n, token), len(file.content)
    if sorted(set(result)) == right:
        return UNSORTED if sorted(result) != list(result) else DOUBLED
    for even in (rounded, rounded_each_up, rounded_length, rest_spread, rest_first, rounded_up, by_range):
        moved = boundaries_with(even, find_token)(file.open(), n, token)
        if list(result) == moved and not set(moved) < set(right):
            return OTHER_EVEN
    if min(result, default=0) < 0:
        return KEEPS_MISSING
    missing = [name for name, offset in (("the first, 0", 0), ("the last, the size", size)) if offset not in result]
    if missing:
        return f"A boundary is missing: {missing[0]}. Together the chunks must cover the file."
    if set(result) < set(right):
        missed = min(set(right) - set(result))
        return (
            f"The special token at {missed} is the first one at or after an even boundary, and you miss it. "
            "Does it straddle two of your reads, or stand further on than you read?"
        )
    tokens = [i for i in range(size) if file.content.startswith(token, i)] if size < LONG else []
    for offset in sorted(set(result) - set(right)):
        if tokens and offset in tokens:
            return (
                f"At {offset} begins a special token, but it is the first one at or after none of the even boundaries."
            )
        if offset - len(token) in tokens:
            return f"{offset} is where a special token ends. Cut where it starts, so that it begins the next chunk."
        if tokens:
            return f"At {offset} no special token begins, so a cut there may go through a word or through a token."
    return ""


find_chunk_boundaries.slip(
    "Your search misses a special token that straddles two of its reads, as your `find_token` must not. Call it, or "
    "keep `len(token) - 1` bytes from one read to the next.",
    boundaries_with(even_boundaries, no_overlap),
    boundaries_with(proportional, no_overlap),
)


@find_chunk_boundaries.slip(
    "You move the first boundary, too, so what stands before the first special token is in no chunk. 0 and the size "
    "stay; only the inner ones move."
)
def moves_zero(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    starts = even_boundaries(size, desired_num_chunks)[:-1]
    found = [find_token(file, start, split_special_token, 4096) for start in starts]
    return sorted({size, *(offset if offset >= 0 else size for offset in found)})


@find_chunk_boundaries.same_slip
def moves_all(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    starts = even_boundaries(size, desired_num_chunks)
    found = [find_token(file, start, split_special_token, 4096) for start in starts]
    return sorted({offset if offset >= 0 else size for offset in found})


@find_chunk_boundaries.slip(
    "An empty file has one boundary: 0 is its beginning and its end, and each offset comes once. Yours gives `[0, 0]`."
)
def zero_twice(file, desired_num_chunks, split_special_token):
    boundaries = find_chunk_boundaries(file, desired_num_chunks, split_special_token)
    return boundaries if len(boundaries) > 1 else [0, 0]


@find_chunk_boundaries.same_slip
def ends_around_the_inner_ones(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    inner = set(find_chunk_boundaries(file, desired_num_chunks, split_special_token)) - {0, size}
    return [0, *sorted(inner), size]


@find_chunk_boundaries.slip("An empty file has a boundary, too: 0, its beginning and its end.")
def nothing_if_empty(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    return find_chunk_boundaries(file, desired_num_chunks, split_special_token) if size else []


@find_chunk_boundaries.slip(UNSORTED)
def unsorted(file, desired_num_chunks, split_special_token):
    return list(reversed(find_chunk_boundaries(file, desired_num_chunks, split_special_token)))


find_chunk_boundaries.slip(
    OTHER_EVEN, *(boundaries_with(even, find_token) for even in (rounded, rounded_each_up, rest_spread, rounded_up))
)


def starts_of(file, token) -> list[int]:
    """Return where tokens begin."""
    found, start = [], find_token(file, 0, token, LARGEST_READ)
    while start >= 0:
        found.append(start)
        start = find_token(file, start + 1, token, LARGEST_READ)
    return found


@find_chunk_boundaries.slip(
    "Your boundaries move to the nearest special token, backward or forward. The docstring says at or after: forward "
    "only."
)
def nearest_token(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    tokens = starts_of(file, split_special_token) or [size]
    inner = even_boundaries(size, desired_num_chunks)[1:-1]
    return sorted({0, size, *(min(tokens, key=lambda start: abs(start - even)) for even in inner)})


@find_chunk_boundaries.slip(
    "Your boundaries stay where they were, so they cut words, characters or a special token in two. Each inner one "
    "moves to the start of the next special token."
)
def not_moved(file, desired_num_chunks, split_special_token):
    return sorted(set(even_boundaries(file.seek(0, 2), desired_num_chunks)))


@find_chunk_boundaries.slip(DOUBLED)
def duplicates(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    inner = even_boundaries(size, desired_num_chunks)[1:-1]
    found = [find_token(file, start, split_special_token, 4096) for start in inner]
    return [0, *(offset if offset >= 0 else size for offset in found), size]


@find_chunk_boundaries.slip("The last boundary, the size of the file, is missing: the last chunk would never be read.")
def without_end(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    return [at for at in find_chunk_boundaries(file, desired_num_chunks, split_special_token) if at != size or not size]


@find_chunk_boundaries.slip(KEEPS_MISSING)
def keeps_missing(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    inner = even_boundaries(size, desired_num_chunks)[1:-1]
    return sorted({0, size, *(find_token(file, start, split_special_token, 4096) for start in inner)})


@find_chunk_boundaries.slip(
    "Where no token follows you leave the boundary where it is, and it may cut a word in two. It moves to the end of "
    "the file."
)
def stays_if_missing(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    boundaries = {0, size}
    for start in even_boundaries(size, desired_num_chunks)[1:-1]:
        found = find_token(file, start, split_special_token, 4096)
        boundaries.add(found if found >= 0 else start)
    return sorted(boundaries)


@find_chunk_boundaries.slip(
    "You cut at every special token, however many chunks are wanted. Only the first one at or after each even boundary "
    "counts."
)
def every_token(file, desired_num_chunks, split_special_token):
    return sorted({0, file.seek(0, 2), *starts_of(file, split_special_token)})


find_chunk_boundaries.slip(
    "You cut where a special token ends. It should begin the next chunk, so cut where it starts.",
    boundaries_with(even_boundaries, end_of_token),
)


def before_each(file, n, token, missing, at):
    """Return boundaries that have moved backward; `missing` is 0 or, for the end, -1."""
    size = file.seek(0, 2)
    tokens = starts_of(file, token)
    boundaries = {0, size}
    for even in even_boundaries(size, n)[1:-1]:
        before = [start for start in tokens if start < even or (at and start == even)]
        boundaries.add(before[-1] if before else size if missing else 0)
    return sorted(boundaries)


@find_chunk_boundaries.slip("Your boundaries move backwards, to the token before. The docstring says at or after.")
def token_before(file, desired_num_chunks, split_special_token):
    return before_each(file, desired_num_chunks, split_special_token, 0, False)


@find_chunk_boundaries.same_slip
def token_before_or_end(file, desired_num_chunks, split_special_token):
    return before_each(file, desired_num_chunks, split_special_token, -1, False)


@find_chunk_boundaries.same_slip
def token_at_or_before(file, desired_num_chunks, split_special_token):
    return before_each(file, desired_num_chunks, split_special_token, 0, True)


@find_chunk_boundaries.same_slip
def token_at_or_before_or_end(file, desired_num_chunks, split_special_token):
    return before_each(file, desired_num_chunks, split_special_token, -1, True)


@find_chunk_boundaries.slip(
    "You move boundaries to the next newline. A pre-token may hold newlines, so that is no safe place; the special "
    "token given is."
)
def moved_by_newline(file, desired_num_chunks, split_special_token):
    return find_chunk_boundaries(file, desired_num_chunks, b"\n")


@find_chunk_boundaries.slip(
    "You read the whole file at once. It may be larger than memory: only the bytes after each even boundary matter, up "
    "to the next special token. Your `find_token` reads them bit by bit."
)
def read_whole(file, desired_num_chunks, split_special_token):
    file.seek(0)
    data = file.read()
    starts = even_boundaries(len(data), desired_num_chunks)[1:-1]
    found = [data.find(split_special_token, start) for start in starts]
    return sorted({0, len(data), *(at if at >= 0 else len(data) for at in found)})


def huge_window(file, start, token, window):
    return find_token(file, start, token, 10**9)


find_chunk_boundaries.same_slip(boundaries_with(even_boundaries, huge_window))

find_chunk_boundaries.slip(
    "A token that begins exactly on an even boundary is missed. At or after, says the docstring.",
    boundaries_with(even_boundaries, skips_one_start),
)


def literal(token):
    """Return a find_chunk_boundaries that searches for a token of its own."""

    def find_boundaries(file, desired_num_chunks, split_special_token):
        return find_chunk_boundaries(file, desired_num_chunks, token)

    return find_boundaries


find_chunk_boundaries.slip(LITERAL, literal(TOKEN), literal(b"<|endoftext|>"))


@find_chunk_boundaries.slip(
    "You count each part from the boundary before it, after that has moved. The even boundaries are fixed at the "
    "beginning, by `even_boundaries`, and each of them moves by itself."
)
def from_the_last_cut(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    boundaries, length = [0], size // desired_num_chunks
    while boundaries[-1] < size:
        start = boundaries[-1] + max(length, 1)
        found = find_token(file, start, split_special_token, 4096) if start < size else -1
        boundaries.append(found if found >= 0 else size)
    return boundaries


find_chunk_boundaries.accept(
    boundaries_with(proportional, find_token), boundaries_with(even_boundaries, keep_everything)
)


@exercise(
    minutes=3,
    difficulty=1,
    collected=False,
    hints=(
        "The search looks at bytes 0 to 7, then 8 to 15. Where must the token stand so that neither holds all of it?",
        "Begin with six letters, say, and count where the token's five bytes then fall.",
    ),
)
def break_window() -> bytes:
    """Return bytes of your own that hold `<|e|>`, and in which a search in separate reads of 8 bytes finds none.

    Such a search looks at bytes 0 to 7, then at 8 to 15, and so on, each time without the bytes before. It must
    return -1, so there must be no other `<|e|>` that it finds later.

    >>> b"<|e|>" in break_window()
    True
    """
    return b"hello <|e|> world"


def check_window_data(data: object) -> str:
    """Return what is wrong with the reader's bytes, or an empty string."""
    if isinstance(data, bytearray):
        return (
            f"You return a `bytearray`. The exercise asks for `bytes`: wrap it in `bytes(…)` or write {bytes(data)!r}."
        )
    if not isinstance(data, bytes):
        return f"You return {data!r}, {a(type(data).__name__)}. The exercise asks for bytes: b'…'."
    if TOKEN not in data:
        return f"{data!r} does not hold `<|e|>`, so not finding it is right. Where could it stand?"
    if data == the_notebooks_own():
        return (
            "Those are the notebook's own bytes. They do it; find some of your own, with the token at another offset."
        )
    found, first = no_overlap(io.BytesIO(data), 0, TOKEN, 8), data.find(TOKEN)
    if found < 0:
        return ""
    if found > first:
        return f"The token at {first} is missed, but another one, at {found}, is found. The search must return -1."
    read = f"the read of bytes {found // 8 * 8} to {found // 8 * 8 + 7}"
    return f"The token at {found} lies wholly in {read}, which finds it. Its first and last byte must lie in two reads."


break_window.harness(
    breaks(
        lambda data: find_token(io.BytesIO(data), 0, TOKEN, 8),
        lambda data: no_overlap(io.BytesIO(data), 0, TOKEN, 8),
        check_window_data,
        "the search in separate reads",
    )
)


@break_window.slip(
    "These are the notebook's own bytes, and they do it. Find some of your own, with the token at another offset."
)
def the_notebooks_own():
    return b"aaaaaa<|e|>bbbbb"


@break_window.slip(
    "The first token is missed, but a later one is found, so the search does not return -1. Keep one only."
)
def found_anyway():
    return b"aaaaaa<|e|>bbbbb<|e|>"


@break_window.slip("Your bytes don't hold `<|e|>` at all, so it is right not to find it.")
def not_there():
    return b"aaaaaaaaaaaaaaaa"


@break_window.slip("Your token lies within the first 8 bytes, where one read sees all of it. Push it over the edge.")
def within_the_first():
    return b"<|e|>aaaaaaaaaaa"


@break_window.slip(
    "Your token begins at offset 8, where the second read begins, so that one sees all of it. It must begin a little "
    "earlier."
)
def within_the_second():
    return b"aaaaaaaa<|e|>aaa"


@break_window.slip("Your token ends exactly where the first read ends. One letter more in front of it will do.")
def other_window():
    return b"aaa<|e|>"


@break_window.slip(
    "You return a `bytearray`, whose bytes can change. The exercise asks for `bytes`: write b'…', or wrap it in "
    "`bytes(…)`."
)
def a_bytearray():
    return bytearray(b"hello <|e|> world")


@break_window.slip("Your bytes hold another token. This exercise is about `<|e|>`.")
def the_same_token():
    return b"aaaaaa<|endoftext|>bbbbb"


break_window.accept(lambda: b"aaaa<|e|>", lambda: b"0123456<|e|>")
