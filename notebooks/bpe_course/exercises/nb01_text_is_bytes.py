"""The exercises of notebook 01."""

import unicodedata
from random import Random

from bpe_course.compare import a
from bpe_course.exercise import Args, exercise
from bpe_course.harness import breaks
from bpe_course.samples import BITING, random_text


@exercise(
    minutes=3,
    difficulty=1,
    hints=(
        "A `str` knows how to become `bytes`. Try it on `'é'` in a cell of your own.",
        "`text.encode()` gives bytes, and a `bytes` object behaves like a row of numbers: what does `list` make of it?",
    ),
)
def utf8_bytes(text: str) -> list[int]:
    """Return all bytes of the text in UTF-8, as numbers from 0 to 255.

    >>> utf8_bytes("é!")
    [195, 169, 33]
    """
    return list(text.encode("utf-8"))


utf8_bytes.cases(
    ("é!",),
    ("",),
    ("hello",),
    ("牛",),
    ("🙃",),
    ("e\u0301",),
    (" a\n",),
    ("ÿ",),
    ("zz",),
    ("cafe\u0301",),
    *((text,) for text in BITING),
)

utf8_bytes.random(lambda chance: (random_text(chance, 0, 6),))


@utf8_bytes.slip(
    "You return code points, one number for each character. UTF-8 writes `é` with two bytes, 195 and 169; its code "
    "point, 233, is none of them. Encode first."
)
def code_points(text):
    return [ord(character) for character in text]


@utf8_bytes.slip(
    "You force each character into one number below 256, so different characters become equal. UTF-8 uses two to four "
    "bytes for a character beyond ASCII. Encode first."
)
def code_points_cut(text):
    return [ord(character) % 256 for character in text]


@utf8_bytes.slip("These are the bytes of UTF-16, two or four for each character. Ask `encode` for UTF-8.")
def utf16(text):
    return list(text.encode("utf-16-le"))


@utf8_bytes.slip("These are the bytes of UTF-16, with a byte-order mark (255, 254) in front. Ask `encode` for UTF-8.")
def utf16_marked(text):
    return list(text.encode("utf-16"))


@utf8_bytes.slip("These are the bytes of UTF-32, four for each character. Ask `encode` for UTF-8.")
def utf32(text):
    return list(text.encode("utf-32-le"))


@utf8_bytes.slip(
    "You keep each byte only once. Order and repetition are what makes it this text: `zz` is two bytes, not one."
)
def distinct_bytes(text):
    return sorted(set(text.encode()))


@utf8_bytes.same_slip
def distinct_bytes_in_order(text):
    return list(dict.fromkeys(text.encode()))


@utf8_bytes.slip(
    "You drop what is not ASCII, so `é` disappears. A tokenizer must be able to give back every text: UTF-8 has bytes "
    "for all of it."
)
def ascii_only(text):
    return list(text.encode("ascii", "ignore"))


@utf8_bytes.slip("ASCII has no `é`, so your function raises. UTF-8 has bytes for every character.")
def ascii_strict(text):
    return list(text.encode("ascii"))


@utf8_bytes.slip("You encode as Latin-1, which knows 256 characters and writes `?` for the others. Ask for UTF-8.")
def latin1(text):
    return list(text.encode("latin-1", "replace"))


@utf8_bytes.slip("You encode as Latin-1, which knows only 256 characters: it refuses `牛`. Ask for UTF-8.")
def latin1_strict(text):
    return list(text.encode("latin-1"))


@utf8_bytes.slip(
    "You return a list of `bytes` objects, each of length one. The exercise asks for numbers: what do you get when you "
    "loop over a `bytes` object?"
)
def byte_strings(text):
    return [bytes([byte]) for byte in text.encode()]


@utf8_bytes.slip("You return the `bytes` object itself. Its items are the numbers asked for: wrap it in `list`.")
def bytes_object(text):
    return text.encode()


@utf8_bytes.same_slip
def bytearray_object(text):
    return bytearray(text, "utf-8")


@utf8_bytes.slip(
    "You return digits as text, a `str` for each byte. The exercise asks for numbers from 0 to 255, which are what a "
    "`bytes` object holds already."
)
def hexadecimal(text):
    return [f"{byte:02x}" for byte in text.encode()]


@utf8_bytes.same_slip
def hexadecimal_prefixed(text):
    return [hex(byte) for byte in text.encode()]


@utf8_bytes.same_slip
def hexadecimal_upper(text):
    return [f"{byte:02X}" for byte in text.encode()]


@utf8_bytes.same_slip
def decimal_digits(text):
    return [str(byte) for byte in text.encode()]


@utf8_bytes.same_slip
def binary_digits(text):
    return [f"{byte:08b}" for byte in text.encode()]


@utf8_bytes.slip(
    "You return one `str` of hexadecimal digits. They are for people to read; the exercise asks for a list of numbers."
)
def hexadecimal_joined(text):
    return text.encode().hex()


@utf8_bytes.same_slip
def hexadecimal_spaced(text):
    return text.encode().hex(" ")


@utf8_bytes.slip(
    "You return lists within a list. The exercise asks for one flat list: encode the whole text at once instead of "
    "each character."
)
def nested(text):
    return [list(character.encode()) for character in text]


@utf8_bytes.slip("You return a list within a list. One pair of brackets is enough.")
def nested_once(text):
    return [list(text.encode())]


@utf8_bytes.slip(
    r"You normalize the text to NFC: the two code points `e\u0301` become one, `\u00e9`, and its bytes are others. "
    "What you encode must come back as it was."
)
def normalized(text):
    return list(unicodedata.normalize("NFC", text).encode())


@utf8_bytes.slip(
    r"You normalize the text to NFD: the one code point `\u00e9` becomes two, `e\u0301`, and their bytes are others. "
    "What you encode must come back as it was."
)
def decomposed(text):
    return list(unicodedata.normalize("NFD", text).encode())


@utf8_bytes.slip("You strip the text. Spaces and newlines are bytes like all others, 32 and 10.")
def stripped(text):
    return list(text.strip().encode())


LOWERED = (
    "You make capitals small before you begin. `A` and `a` are two characters with two bytes, 65 and 97: keep each."
)
NEWLINES = (
    r"You turn `\r\n` into `\n`. Windows ends its lines with these two characters, 13 and 10, both part of the text: "
    "what goes in must come back as it was."
)
NULS = (
    r"You lose the character with the number 0, NUL, written `\0`. It is a character like any other, and its byte is 0."
)
MARKS = (
    r"You lose `\ufeff`, the byte-order mark. Where it stands in a text it is a character of three bytes, 239, 187 and "
    "191, and it is kept. Plain `utf-8` keeps it, `utf-8-sig` doesn't."
)


@utf8_bytes.slip(LOWERED)
def lowered(text):
    return list(text.lower().encode())


@utf8_bytes.slip(NEWLINES)
def newlines_shortened(text):
    return list(text.replace("\r\n", "\n").encode())


@utf8_bytes.slip(NULS)
def without_nul(text):
    return list(text.replace("\0", "").encode())


@utf8_bytes.slip(MARKS)
def without_mark(text):
    return list(text.replace("\ufeff", "").encode())


@utf8_bytes.same_slip
def without_mark_in_front(text):
    return list(text.removeprefix("\ufeff").encode())


@utf8_bytes.slip(
    "You put a byte-order mark in front, 239, 187, 191: that is `utf-8-sig`. Ask `encode` for plain `utf-8`."
)
def marked(text):
    return list(text.encode("utf-8-sig"))


@utf8_bytes.slip(
    "You normalize the text to NFKC, which replaces characters by plainer ones: `½` and `²` become others. What you "
    "encode must come back as it was."
)
def normalized_compatibly(text):
    return list(unicodedata.normalize("NFKC", text).encode())


@utf8_bytes.accept
def utf8_bytes_by_character(text):
    return tuple(byte for character in text for byte in bytes(character, "utf8"))


@exercise(
    minutes=8,
    difficulty=2,
    hints=(
        "Print the bytes of `é`, `牛` and `🙃` in binary, `f'{byte:08b}'`. What do all bytes but the first share?",
        "A byte inside a character looks like `10xxxxxx`. Every other byte begins one.",
        "`byte & 0b1100_0000` keeps the two upper bits; `enumerate(data)` gives offset and byte together.",
    ),
)
def character_starts(data: bytes) -> list[int]:
    r"""Return the offsets in valid UTF-8 at which a character begins.

    >>> character_starts(b"a\xc3\xa9b")
    [0, 1, 3]
    """
    return [offset for offset, byte in enumerate(data) if byte & 0b1100_0000 != 0b1000_0000]


character_starts.cases(
    (b"a\xc3\xa9b",),
    (b"",),
    (b"abc",),
    ("牛".encode(),),
    ("🙃!".encode(),),
    ("é牛🙃".encode(),),
    ("e\u0301".encode(),),
    ("a牛b é!".encode(),),
    (b"a\x7fb",),
    ("aÀb".encode(),),
    ("aÿb".encode(),),
    ("a¢b".encode(),),
    (b"A 0\n~",),
    (b"a\0b",),
    *((text.encode(),) for text in BITING[2:]),
)


@character_starts.random
def random_data(chance: Random) -> Args:
    """Return some valid UTF-8."""
    return (random_text(chance, 0, 8).encode(),)


character_starts.valid(lambda data: isinstance(data.decode(), str))


@character_starts.diagnose
def diagnose_starts(result: object, data: bytes) -> str:
    """Return which offset is missing or too much, and which byte stands there."""
    right = character_starts(data)
    if not isinstance(result, (list, tuple)) or any(type(offset) is not int for offset in result):
        return ""
    for offset in range(len(data)):
        if (offset in right) != (offset in result):
            fact = "begins a character and is missing in" if offset in right else "begins no character and is in"
            return f"The byte at offset {offset} is `{data[offset]:08b}`. It {fact} your list."
    extra = [offset for offset in result if offset not in right]
    return f"There is no byte at offset {extra[0]}: the last one is at {len(data) - 1}." if extra and data else ""


@character_starts.slip(
    "You return every offset. That is right for ASCII, where a character is one byte; in `牛` only the first of three "
    "bytes begins a character."
)
def every_offset(data):
    return list(range(len(data)))


@character_starts.slip(
    "You number the characters. The exercise asks where they begin in the bytes: after an `é` the next character "
    "stands two bytes further, not one."
)
def character_numbers(data):
    return list(range(len(data.decode())))


@character_starts.slip(
    "You find the ASCII characters only. The first byte of `é`, 195, begins a character, too: which bytes of it don't?"
)
def ascii_starts(data):
    return [i for i, byte in enumerate(data) if byte < 128]


@character_starts.slip(
    "You find only characters of several bytes. A byte below 128 is a character of its own, and begins one, too."
)
def lead_bytes_only(data):
    return [i for i, byte in enumerate(data) if byte >= 192]


@character_starts.slip(
    "You look at a single bit. `110xxxxx` begins a character of two bytes and `101xxxxx` lies inside one: it takes the "
    "two upper bits to tell."
)
def one_bit_only(data):
    return [i for i, byte in enumerate(data) if not byte & 0b1000_0000 or byte & 0b0010_0000]


@character_starts.slip(
    "You know the characters of one and of two bytes. Those of three begin with `1110xxxx`, of four with `11110xxx`. "
    "Is it easier to say which bytes do *not* begin a character?"
)
def two_byte_leads(data):
    return [i for i, byte in enumerate(data) if byte < 128 or byte & 0b1110_0000 == 0b1100_0000]


@character_starts.slip(
    "You have it upside down: `10xxxxxx` marks the bytes inside a character, and these are the ones you return."
)
def inside_characters(data):
    return [i for i, byte in enumerate(data) if byte & 0b1100_0000 == 0b1000_0000]


@character_starts.slip("You return where characters end. Where does each begin?")
def ends(data):
    starts = character_starts(data)
    return [start - 1 for start in starts[1:]] + [len(data) - 1] if data else []


@character_starts.same_slip
def ends_exclusive(data):
    return [*character_starts(data)[1:], len(data)] if data else []


@character_starts.slip("Your list has one offset too many: the length of the data, where no character begins any more.")
def with_the_end(data):
    return [*character_starts(data), len(data)]


@character_starts.slip(
    "You return bytes, and the exercise asks where they stand: the offset of each, counted from 0. `enumerate(data)` "
    "gives offset and byte together."
)
def byte_values(data):
    return [byte for byte in data if byte & 0b1100_0000 != 0b1000_0000]


@character_starts.slip("You count from 1. An offset is the number of bytes before, so the first one is 0.")
def counted_from_one(data):
    return [start + 1 for start in character_starts(data)]


@character_starts.slip(
    "`bin` leaves out zeros in front: `bin(33)` is `'0b100001'`, and it seems to begin with 10. Pad to eight bits, "
    "`f'{byte:08b}'`: `!` is `00100001`."
)
def bin_unpadded(data):
    return [i for i, byte in enumerate(data) if bin(byte)[2:4] != "10"]


@character_starts.slip("Off by one: you miss 127, `01111111`, the last byte of ASCII. It is a character of its own.")
def last_ascii_missed(data):
    return [i for i, byte in enumerate(data) if byte < 127 or byte >= 192]


@character_starts.slip("Off by one: 128 is `10000000`, and that lies inside a character. It is the second byte of `À`.")
def first_inner_taken(data):
    return [i for i, byte in enumerate(data) if byte <= 128 or byte >= 192]


@character_starts.slip("Off by one: 191 is `10111111`, and that lies inside a character. It is the second byte of `ÿ`.")
def last_inner_taken(data):
    return [i for i, byte in enumerate(data) if byte < 128 or byte >= 191]


@character_starts.slip(
    "Off by one, at both ends: 128 is `10000000` and 191 is `10111111`, and both lie inside a character."
)
def both_inner_taken(data):
    return [i for i, byte in enumerate(data) if byte <= 128 or byte >= 191]


@character_starts.slip("Off by one: you miss 194, `11000010`, the first byte of `¢` and of many other characters.")
def first_lead_missed(data):
    return [i for i, byte in enumerate(data) if byte < 128 or byte > 194]


@character_starts.slip(
    "You leave out the byte 0. It is a character like any other, NUL, although `if byte` holds it to be false."
)
def nul_left_out(data):
    return [i for i in character_starts(data) if data[i]]


@character_starts.accept
def starts_by_length(data):
    offsets, offset = [], 0
    for character in data.decode():
        offsets.append(offset)
        offset += len(character.encode())
    return offsets


@character_starts.accept
def between(data):
    return [i for i, byte in enumerate(data) if not 128 <= byte < 192]


@exercise(
    minutes=4,
    difficulty=1,
    collected=False,
    hints=(
        "Some bytes mean nothing on their own: those that promise more bytes, and those that continue something.",
        "Which bytes never occur in UTF-8 at all? No character begins with `11111111`.",
        "Two bytes can also be too few: what if you cut the three bytes of `牛` short?",
    ),
)
def invalid_utf8() -> bytes:
    """Return two bytes that are not valid UTF-8, and of which nothing is left where errors are ignored.

    With your two bytes in `data`, `data.decode()` raises `UnicodeDecodeError`, and this holds:

    >>> invalid_utf8().decode(errors="ignore")
    ''
    """
    return b"\xff\xfe"


def check_two_bytes(data: object) -> str:
    """Return what is wrong with the reader's bytes, or an empty string."""
    if isinstance(data, bytearray):
        return (
            f"You return a `bytearray`. The exercise asks for `bytes`: `bytes(…)` makes them, or write {bytes(data)!r}."
        )
    if not isinstance(data, bytes):
        return f"You return {data!r}, {a(type(data).__name__)}. Bytes are written with a b in front: b'\\x41\\x42'."
    if len(data) != 2:
        return f"{data!r} has length {len(data)}; the exercise asks for exactly 2 bytes."
    try:
        text = data.decode()
    except UnicodeDecodeError:
        left = data.decode(errors="ignore")
        kept = f"{data!r} is invalid, but {left!r} is left of it with errors='ignore': that part is a whole character."
        return f"{kept} Both bytes must be lost." if left else ""
    return f"{data!r} is valid UTF-8: it decodes to {text!r}. Which bytes can't begin a character, or can't end one?"


invalid_utf8.harness(
    breaks(lambda data: data.decode(errors="ignore"), lambda data: data.decode(), check_two_bytes, "strict decoding")
)


@invalid_utf8.slip("One byte is not enough here: return two, of which nothing is left.")
def one_byte():
    return b"\xff"


@invalid_utf8.slip(
    "One of your two bytes is ASCII, a whole character. It survives `errors='ignore'`; both must be lost."
)
def one_byte_survives():
    return b"a\xff"


@invalid_utf8.slip(
    r"Your bytes are a valid character: `\xc3` promises one more byte, and `\xa9` keeps the promise. Break it."
)
def valid_character():
    return "é".encode()


@invalid_utf8.slip(r"You return text. Bytes are written with a `b` in front, such as `b'\x41\x42'`.")
def a_string():
    return "é"


@invalid_utf8.slip("Your bytes are ASCII, and all ASCII is valid UTF-8. Look at bytes from 128 on.")
def ascii_pair():
    return b"ab"


@invalid_utf8.accept
def cut_characters():
    return b"\xe7\x89"


@exercise(
    minutes=5,
    difficulty=1,
    hints=(
        "Where does `é` live when one token holds its first byte and the next token its second?",
        "Put the bytes together first, then decode once. `b''.join(…)` joins bytes.",
        "`bytes.decode` takes `errors=`; one of its values puts U+FFFD where bytes make no sense.",
    ),
)
def decode_tokens(tokens: list[bytes]) -> str:
    r"""Return the text that these tokens stand for; bytes that are not valid UTF-8 become U+FFFD.

    The bytes of one character that is cut short, such as `\xe7\x89`, become a single U+FFFD.

    >>> decode_tokens([b"caf", b"\xc3", b"\xa9"])
    'café'
    """
    return b"".join(tokens).decode("utf-8", errors="replace")


decode_tokens.cases(
    ([b"caf", b"\xc3", b"\xa9"],),
    ([],),
    ([b"the", b" cat"],),
    ([b"\xf0\x9f\x99", b"\x83"],),
    ([b"a", b"\xff", b"b"],),
    ([b"\xe7\x89"],),
    ([b" a\n"],),
    ([b"\xc3\xa9"],),
    *(([text.encode()[:2], text.encode()[2:]],) for text in BITING),
)


@decode_tokens.random
def random_tokens(chance: Random) -> Args:
    """Return a text's bytes cut anywhere, sometimes with an invalid byte."""
    data = random_text(chance, 0, 6).encode()
    if chance.random() < 0.3:
        data += chance.choice([b"\xff", b"\x80", b"\xe7\x89"])
    tokens = []
    while data:
        length = chance.randint(1, 3)
        tokens.append(data[:length])
        data = data[length:]
    return (tokens,)


@decode_tokens.slip(
    "You decode each token on its own. The two bytes of `é` stand in two tokens here, and neither is valid alone. What "
    "if you join before you decode?"
)
def one_by_one(tokens):
    return "".join(token.decode(errors="replace") for token in tokens)


@decode_tokens.slip(
    "You decode strictly, so a single bad byte raises UnicodeDecodeError. A model may give any tokens in any order, "
    "and decoding them must not fail: look at `errors=`."
)
def strict(tokens):
    return b"".join(tokens).decode()


@decode_tokens.slip(
    "You decode each token on its own, and strictly: a token that ends inside a character raises. Join first, then "
    "decode once, and let bad bytes become U+FFFD."
)
def one_by_one_strict(tokens):
    return "".join(token.decode() for token in tokens)


@decode_tokens.slip(
    "You drop bad bytes silently, so nobody sees that something was lost. U+FFFD, the replacement character, shows "
    "where it was."
)
def ignoring(tokens):
    return b"".join(tokens).decode(errors="ignore")


@decode_tokens.slip(
    "You decode each token on its own and drop what is invalid there, so an `é` that is cut between two tokens "
    "disappears. Join first."
)
def one_by_one_ignoring(tokens):
    return "".join(token.decode(errors="ignore") for token in tokens)


@decode_tokens.slip(
    "You put spaces between tokens. Spaces are inside the tokens (`␣cat`), and nothing else may be added."
)
def with_spaces(tokens):
    return b" ".join(tokens).decode(errors="replace")


@decode_tokens.slip("You decode as Latin-1, one character a byte, so `é` becomes `Ã©`. The bytes are UTF-8.")
def as_latin1(tokens):
    return b"".join(tokens).decode("latin-1")


@decode_tokens.slip("You write bad bytes as backslash codes. The docstring asks for U+FFFD.")
def escaped(tokens):
    return b"".join(tokens).decode(errors="backslashreplace")


@decode_tokens.slip("You return the joined bytes. One step is missing: from bytes to text.")
def still_bytes(tokens):
    return b"".join(tokens)


@decode_tokens.slip("`str(…)` of bytes writes them out as Python would, with `b'` in front. `.decode()` reads them.")
def written_out(tokens):
    return str(b"".join(tokens))


@decode_tokens.same_slip
def written_out_one_by_one(tokens):
    return "".join(map(str, tokens))


@decode_tokens.slip("You strip the text. Spaces at its edges are part of it.")
def stripped_text(tokens):
    return decode_tokens(tokens).strip()


@decode_tokens.slip(LOWERED)
def lowered_text(tokens):
    return decode_tokens(tokens).lower()


@decode_tokens.slip(NEWLINES)
def newlines_shortened_text(tokens):
    return decode_tokens(tokens).replace("\r\n", "\n")


@decode_tokens.slip(NULS)
def text_without_nul(tokens):
    return decode_tokens(tokens).replace("\0", "")


@decode_tokens.slip(MARKS)
def decoded_with_mark(tokens):
    return b"".join(tokens).decode("utf-8-sig", errors="replace")


@decode_tokens.same_slip
def text_without_mark(tokens):
    return decode_tokens(tokens).replace("\ufeff", "")


@decode_tokens.slip(
    r"You normalize the text to NFC: `e` with a combining accent, `e\u0301`, becomes the one character `\u00e9`. Its "
    "bytes are others, so it is not the text that was encoded."
)
def composed_text(tokens):
    return unicodedata.normalize("NFC", decode_tokens(tokens))


@decode_tokens.accept
def decode_in_a_loop(tokens):
    data = bytearray()
    for token in tokens:
        data += token
    return str(data, "utf-8", "replace")
