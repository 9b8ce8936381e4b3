"""The exercises of notebook 02."""

import io
from random import Random
from typing import BinaryIO

from bpe_lib.lessons.exercise import Args, Complaint, Exercise, Slip
from bpe_lib.lessons.harness import CountingFile, Data, breaks

TOKEN = b"<|e|>"


def even_boundaries(size: int, n: int) -> list[int]:
    """Return n + 1 offsets that cut `size` bytes into n parts of about the same length.

    The first is 0, the last is `size`, and none is smaller than the one before.

    >>> even_boundaries(50, 3)
    [0, 16, 32, 50]
    """
    return [i * (size // n) for i in range(n)] + [size]


def proportional(size, n):
    return [i * size // n for i in range(n + 1)]


def last_short(size, n):
    return [i * (size // n) for i in range(n + 1)]


def without_size(size, n):
    return [i * (size // n) for i in range(n)]


def without_zero(size, n):
    return [i * (size // n) for i in range(1, n)] + [size]


def inner_only(size, n):
    return [i * (size // n) for i in range(1, n)]


def floats(size, n):
    return [i * size / n for i in range(n + 1)]


def by_range(size, n):
    return [*range(0, size, max(size // n, 1)), size]


def lengths(size, n):
    return [size // n] * n


def distinct(size, n):
    return sorted(set(even_boundaries(size, n)))


def rounded_up(size, n):
    return [min(i * -(-size // n), size) for i in range(n + 1)]


def last_byte(size, n):
    return [*even_boundaries(size, n)[:-1], size - 1]


def normal_boundaries(result: object, size: int, n: int) -> object:
    """Return the boundaries in the form of the solution, if they are as good."""
    if not isinstance(result, (list, tuple)):
        return result
    if any(isinstance(boundary, float) for boundary in result):
        raise Complaint(
            "Your boundaries are floats. They will be handed to `file.seek`, which takes whole numbers only: "
            "divide with `//`."
        )
    return even_boundaries(size, n) if list(result) == proportional(size, n) else result


def find_token(file: BinaryIO, start: int, token: bytes, window: int) -> int:
    """Return the offset of the first whole token that begins at or after `start`, or -1 if there is none.

    Read at most `window` bytes at a time (1 or more, perhaps fewer than the token has).

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


def no_overlap(file, start, token, window):
    file.seek(start)
    offset = start
    while data := file.read(window):
        if token in data:
            return offset + data.find(token)
        offset += len(data)
    return -1


def overlap_of_two_reads(file, start, token, window):
    file.seek(start)
    before, offset = b"", start
    while data := file.read(window):
        position = (before + data).find(token)
        if position >= 0:
            return offset - len(before) + position
        before, offset = data, offset + len(data)
    return -1


def relative_offset(file, start, token, window):
    found = find_token(file, start, token, window)
    return found - start if found >= 0 else -1


def offset_in_window(file, start, token, window):
    file.seek(start)
    kept = b""
    while data := file.read(window):
        kept += data
        if token in kept:
            return kept.find(token)
        kept = kept[max(len(kept) - len(token) + 1, 0) :]
    return -1


def ignores_start(file, start, token, window):
    return find_token(file, 0, token, window)


def end_of_token(file, start, token, window):
    found = find_token(file, start, token, window)
    return found + len(token) if found >= 0 else -1


def size_if_missing(file, start, token, window):
    found = find_token(file, start, token, window)
    return found if found >= 0 else file.seek(0, 2)


def none_if_missing(file, start, token, window):
    found = find_token(file, start, token, window)
    return found if found >= 0 else None


def reads_on_from_here(file, start, token, window):
    return find_token(file, file.tell() + start, token, window)


def first_window_only(file, start, token, window):
    file.seek(start)
    position = file.read(window).find(token)
    return start + position if position >= 0 else -1


def whole_rest(file, start, token, window):
    file.seek(start)
    position = file.read().find(token)
    return start + position if position >= 0 else -1


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


def skips_one_start(file, start, token, window):
    found = find_token(file, start + 1, token, window)
    return found


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


def byte_by_byte(file, start, token, window):
    file.seek(start)
    last = b""
    while byte := file.read(1):
        last = (last + byte)[-len(token) :]
        start += 1
        if last == token:
            return start - len(token)
    return -1


def keep_everything(file, start, token, window):
    file.seek(start)
    data = b""
    while more := file.read(window):
        data += more
        if token in data:
            return start + data.index(token)
    return -1


def call_find_token(function, file: CountingFile, start: int, token: bytes, window: int) -> int:
    """Call the reader's function, and look at how much it read at once."""
    file.seek(1 if len(file.getbuffer()) % 2 else 0)
    found = function(file, start, token, window)
    if file.largest > window:
        raise Complaint(
            f"You read {file.largest} bytes at once, and `window` allows {window}. A file may be larger than memory: "
            "read `window` bytes, look, keep what the next read needs, and go on."
        )
    return found


def random_search(chance: Random) -> Args:
    """Return a small file with some tokens and parts of tokens, and where to search it."""
    parts = [b"a", b"bb", b"<", b"|", b"<|e", TOKEN, TOKEN]
    content = b"".join(chance.choices(parts, k=chance.randint(0, 6)))
    return Data(content), chance.randint(0, len(content)), TOKEN, chance.choice([1, 2, 3, 4, 5, 6, 8, 64])


def find_chunk_boundaries(file: BinaryIO, desired_num_chunks: int, split_special_token: bytes) -> list[int]:
    """Return offsets that cut a file into chunks, each inner one where a special token begins.

    The even boundaries between 0 and the size of the file move to the start of the first special token at or after
    them, or to the end of the file if there is none. Each offset occurs once, in ascending order.

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


def boundaries_with(even, find):
    """Return a find_chunk_boundaries made of other parts."""

    def find_boundaries(file, desired_num_chunks, split_special_token):
        size = file.seek(0, 2)
        inner = even(size, desired_num_chunks)[1:-1]
        found = [find(file, start, split_special_token, 4096) for start in inner]
        return sorted({0, size, *(offset if offset >= 0 else size for offset in found)})

    return find_boundaries


def not_moved(file, desired_num_chunks, split_special_token):
    return sorted(set(even_boundaries(file.seek(0, 2), desired_num_chunks)))


def duplicates(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    inner = even_boundaries(size, desired_num_chunks)[1:-1]
    found = [find_token(file, start, split_special_token, 4096) for start in inner]
    return [0, *(offset if offset >= 0 else size for offset in found), size]


def without_end(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    return [at for at in find_chunk_boundaries(file, desired_num_chunks, split_special_token) if at != size or not size]


def keeps_missing(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    inner = even_boundaries(size, desired_num_chunks)[1:-1]
    return sorted({0, size, *(find_token(file, start, split_special_token, 4096) for start in inner)})


def stays_if_missing(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    boundaries = {0, size}
    for start in even_boundaries(size, desired_num_chunks)[1:-1]:
        found = find_token(file, start, split_special_token, 4096)
        boundaries.add(found if found >= 0 else start)
    return sorted(boundaries)


def every_token(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    file.seek(0)
    data = file.read(size)
    starts = [i for i in range(size) if data.startswith(split_special_token, i)]
    return sorted({0, size, *starts})


def token_before(file, desired_num_chunks, split_special_token):
    size = file.seek(0, 2)
    file.seek(0)
    data = file.read(size)
    inner = even_boundaries(size, desired_num_chunks)[1:-1]
    return sorted({0, size, *(max(data.rfind(split_special_token, 0, start), 0) for start in inner)})


def moved_by_newline(file, desired_num_chunks, split_special_token):
    return find_chunk_boundaries(file, desired_num_chunks, b"\n")


def read_whole(file, desired_num_chunks, split_special_token):
    file.seek(0)
    data = file.read()
    starts = even_boundaries(len(data), desired_num_chunks)[1:-1]
    found = [data.find(split_special_token, start) for start in starts]
    return sorted({0, len(data), *(at if at >= 0 else len(data) for at in found)})


def call_find_boundaries(function, file: CountingFile, desired_num_chunks: int, token: bytes) -> list[int]:
    """Call the reader's function, and see to it that it reads in pieces of its own choice, not everything at once."""
    boundaries = function(file, desired_num_chunks, token)
    if file.unlimited:
        raise Complaint(
            "You read the file with `read()`, all that is left of it at once. It may be larger than memory: only the "
            "bytes after each even boundary matter, up to the next special token. Your `find_token` reads them bit by "
            "bit.",
            boundaries,
        )
    return boundaries


def normal_moved(result: object, file: Data, n: int, token: bytes) -> object:
    """Return the boundaries of the solution if they come from the other kind of even boundaries."""
    other = boundaries_with(proportional, find_token)(file.open(), n, token)
    if isinstance(result, (list, tuple)) and list(result) == other:
        return find_chunk_boundaries(file.open(), n, token)
    return result


def random_file(chance: Random) -> Args:
    """Return a small file, and into how many chunks to cut it."""
    parts = [b"a", b"bb ", "é".encode(), b"<|", b"\n", TOKEN, TOKEN]
    return Data(b"".join(chance.choices(parts, k=chance.randint(0, 14)))), chance.randint(1, 6), TOKEN


def break_window() -> bytes:
    """Return bytes that hold `<|e|>` and in which a search in separate reads of 8 bytes does not find it.

    Such a search looks at bytes 0 to 7, then at 8 to 15, and so on, each time without the bytes before.

    >>> b"<|e|>" in break_window()
    True
    """
    return b"aaaaaa<|e|>bbbbb"


def not_there():
    return b"aaaaaaaaaaaaaaaa"


def within_the_first():
    return b"<|e|>aaaaaaaaaaa"


def within_the_second():
    return b"aaaaaaaa<|e|>aaa"


def other_window():
    return b"aaa<|e|>"


def found_anyway():
    return b"aaaaaa<|e|>bbbbb<|e|>"


def the_same_token():
    return b"aaaaaa<|endoftext|>bbbbb"


def check_window_data(data: object) -> str:
    """Return what is wrong with the reader's bytes, or an empty string."""
    if not isinstance(data, bytes):
        return f"You return {data!r}, a {type(data).__name__}. The exercise asks for bytes: b'…'."
    if TOKEN not in data:
        return f"{data!r} does not hold `<|e|>`, so not finding it is right. Where could it stand?"
    return ""


EXERCISES = [
    Exercise(
        solution=even_boundaries,
        minutes=5,
        difficulty=1,
        hints=(
            "How long is one part? Boundary number i lies i parts from the beginning.",
            "`size // n` is a whole number, and n times it may be less than `size`: what must the last boundary be?",
        ),
        cases=[(50, 3), (0, 1), (8, 2), (2, 3), (7, 2), (10, 1), (9, 4), (0, 3)],
        random=lambda chance: (chance.randint(0, 40), chance.randint(1, 9)),
        normal=normal_boundaries,
        valid=lambda size, n: size >= 0 and n > 0,
        accepts=[proportional],
        slips=[
            Slip(
                "Your last boundary falls short of the size: 3 parts of 16 bytes are 48 bytes, and the file has 50. "
                "The last 2 would never be read.",
                last_short,
            ),
            Slip(
                "You leave out the last boundary, the size. n parts have n + 1 boundaries: "
                "the last part must end somewhere.",
                without_size,
            ),
            Slip("You leave out the first boundary, 0. n parts have n + 1 boundaries.", without_zero),
            Slip(
                "You return the inner boundaries only. 0 and the size belong to them: n parts have n + 1 boundaries.",
                inner_only,
            ),
            Slip(
                "Your boundaries are floats. They will be handed to `file.seek`, which takes whole numbers only: "
                "divide with `//`.",
                floats,
            ),
            Slip(
                "`range` with this step does not always end after n steps: 50 bytes in steps of 16 give 0, 16, 32, 48 "
                "and then 50, which makes 4 parts of 3. Count the boundaries instead of the bytes.",
                by_range,
            ),
            Slip("You return how long the parts are. Where does each of them begin, and the last one end?", lengths),
            Slip(
                "You drop equal boundaries. Here there are always n + 1 of them, and where there are fewer bytes than "
                "parts some are equal; they will be made distinct after they have moved.",
                distinct,
            ),
            Slip(
                "You round the length of a part up, so the last parts get few bytes or none: the contract rounds down, "
                "and the last part takes what remains.",
                rounded_up,
            ),
            Slip("Your last boundary is the last byte. A boundary lies behind it, at `size`.", last_byte),
        ],
    ),
    Exercise(
        solution=find_token,
        imports="from typing import BinaryIO",
        minutes=15,
        difficulty=3,
        hints=(
            "Draw 16 bytes in two reads of 8, and a token of 5 bytes that begins at offset 6. Which bytes of the first "
            "read does the second one need?",
            "Before the next read, keep the last `len(token) - 1` bytes: a token can begin there and not be whole yet.",
            "Remember at which offset of the file the kept bytes begin. `bytes.find` counts from there.",
        ),
        cases=[
            (Data(b"aaaaaa<|e|>bbbbb"), 2, TOKEN, 8),
            (Data(b"aaaaaa<|e|>bbbbb"), 0, TOKEN, 8),
            (Data(b"<|e|>"), 0, TOKEN, 8),
            (Data(b""), 0, TOKEN, 8),
            (Data(b"abc"), 0, TOKEN, 8),
            (Data(b"a<|e|>b<|e|>"), 2, TOKEN, 16),
            (Data(b"aa<|e|>"), 1, TOKEN, 2),
            (Data(b"aa<|e|>"), 0, TOKEN, 1),
            (Data(b"aaaaaaa<|e|>"), 0, TOKEN, 3),
            (Data(b"<|<|e|>"), 0, TOKEN, 4),
            (Data(b"aaaa<|e|>"), 0, TOKEN, 8),
            (Data(b"aaaaaaaa<|e|>"), 0, TOKEN, 8),
            (Data("é<|e|>".encode()), 0, TOKEN, 8),
            (Data(b"aaa<|e|>aaaaaaaa<|e|>"), 1, TOKEN, 64),
            (Data(b"a" * 40), 0, TOKEN, 8),
        ],
        random=random_search,
        harness=call_find_token,
        valid=lambda file, start, token, window: start >= 0 and token == TOKEN and window >= 1,
        accepts=[byte_by_byte, keep_everything],
        slips=[
            Slip(
                "Your reads don't overlap, so a token that straddles two of them is missed: `<|` ends one read, "
                "`e|>` begins the next, and neither holds a whole token. What must you keep from one read to the next?",
                no_overlap,
            ),
            Slip(
                "You look at two reads together. That is enough while a token is no longer than a read; "
                "with a window of 2 bytes a token of 5 lies across three reads. How many bytes must be kept in "
                "any case?",
                overlap_of_two_reads,
            ),
            Slip(
                "You keep one byte too few. All but one byte of the token may stand at the end of a read, "
                "so `len(token) - 1` bytes must be kept.",
                overlap_one_short,
            ),
            Slip(
                "You count from `start`. The caller wants to cut the file there, so the offset must count from the "
                "beginning of the file.",
                relative_offset,
            ),
            Slip(
                "You return the position within what you have just read. What has gone before must be added: "
                "at which offset of the file do those bytes begin?",
                offset_in_window,
            ),
            Slip(
                "You search from the beginning of the file, and find a token before `start`. "
                "Move there first, with `file.seek`.",
                ignores_start,
            ),
            Slip("You return where the token ends. The contract asks where it begins.", end_of_token),
            Slip("Where there is no token, you return the size of the file; the contract says -1.", size_if_missing),
            Slip("Where there is no token, you return None; the contract says -1.", none_if_missing),
            Slip(
                "You count `start` from where the file happens to stand, and that may be anywhere. "
                "`file.seek(start)` counts from the beginning.",
                reads_on_from_here,
            ),
            Slip(
                "You read once and stop. The token may come much later: read on until `file.read` returns `b''`.",
                first_window_only,
            ),
            Slip(
                "You read all the rest at once. A file may be larger than memory: read `window` bytes, look, keep what "
                "the next read needs, and go on.",
                whole_rest,
            ),
            Slip(
                "You read more than `window` bytes at once, so that reads overlap. The idea is right: but keep bytes "
                "you have read already instead of reading more.",
                window_plus_token,
            ),
            Slip("You miss a token that begins exactly at `start`. At or after, says the contract.", skips_one_start),
        ],
    ),
    Exercise(
        solution=find_chunk_boundaries,
        imports="from typing import BinaryIO",
        minutes=12,
        difficulty=2,
        hints=(
            "You have written both parts: one gives even boundaries, the other finds the next token from an offset on.",
            "Only the inner boundaries move. What do you do with -1?",
            "Two boundaries may move to the same token. A `set` keeps each offset once; `sorted` gives a list.",
        ),
        cases=[
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
        ],
        random=random_file,
        harness=call_find_boundaries,
        normal=normal_moved,
        valid=lambda file, n, token: n >= 1 and token in (TOKEN, b"<|endoftext|>"),
        accepts=[boundaries_with(proportional, find_token), boundaries_with(even_boundaries, keep_everything)],
        slips=[
            Slip(
                "Your boundaries stay where they were, so they cut words, characters or a special token in two. "
                "Each inner one moves to the start of the next special token.",
                not_moved,
            ),
            Slip(
                "You return some offset more than once. Two boundaries that move to the same token would make a chunk "
                "of no bytes: keep each once.",
                duplicates,
            ),
            Slip(
                "The last boundary, the size of the file, is missing: the last chunk would never be read.", without_end
            ),
            Slip(
                "There is a -1 among your boundaries. It means that no token follows; such a boundary moves to the end "
                "of the file.",
                keeps_missing,
            ),
            Slip(
                "Where no token follows you leave the boundary where it is, and it may cut a word in two. "
                "It moves to the end of the file.",
                stays_if_missing,
            ),
            Slip(
                "You cut at every special token, however many chunks are wanted. Only the first one at or after each "
                "even boundary counts.",
                every_token,
            ),
            Slip(
                "You cut where a special token ends. It should begin the next chunk, so cut where it starts.",
                boundaries_with(even_boundaries, end_of_token),
            ),
            Slip("Your boundaries move backwards, to the token before. The contract says at or after.", token_before),
            Slip(
                "You move boundaries to the next newline. A pre-token may hold newlines, so that is no safe place; "
                "the special token given is.",
                moved_by_newline,
            ),
            Slip(
                "You read the whole file at once. It may be larger than memory: only the bytes after each even "
                "boundary "
                "matter, up to the next special token. Your `find_token` reads them bit by bit.",
                read_whole,
            ),
            Slip(
                "A token that begins exactly on an even boundary is missed. At or after, says the contract.",
                boundaries_with(even_boundaries, skips_one_start),
            ),
        ],
    ),
    Exercise(
        solution=break_window,
        minutes=4,
        difficulty=1,
        hints=(
            "The search looks at bytes 0 to 7, then 8 to 15. Where must the token stand so that neither holds "
            "all of it?",
            "Begin with six letters, say, and count where the token's five bytes then fall.",
        ),
        cases=[()],
        harness=breaks(
            lambda data: find_token(io.BytesIO(data), 0, TOKEN, 8),
            lambda data: no_overlap(io.BytesIO(data), 0, TOKEN, 8),
            check_window_data,
            "the search in separate reads",
        ),
        accepts=[lambda: b"aaaa<|e|>", found_anyway],
        slips=[
            Slip("Your bytes don't hold `<|e|>` at all, so it is right not to find it.", not_there),
            Slip(
                "Your token lies within the first 8 bytes, where one read sees all of it. Push it over the edge.",
                within_the_first,
            ),
            Slip(
                "Your token begins at offset 8, where the second read begins, so that one sees all of it. "
                "It must begin a little earlier.",
                within_the_second,
            ),
            Slip(
                "Your token ends exactly where the first read ends. One letter more in front of it will do.",
                other_window,
            ),
            Slip("Your bytes hold another token. This exercise is about `<|e|>`.", the_same_token),
        ],
    ),
]
