"""The texts of the benchmark: prose with real word frequencies, and a mix of code and that prose."""

import itertools
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from bpe_course.corpora import END_OF_TEXT

ENOUGH = 200_000_000
"""Bytes of prose after which it is repeated: by then hardly a word is new."""
ENDS = [". "] * 12 + ["? ", "! ", ".\n", ".\n\n", f".\n{END_OF_TEXT}\n"]


def prose_paragraphs(seed: int) -> Iterator[str]:
    """Yield prose without end: words as frequent as `wordfreq` (Speer 2022) says, in sentences and documents."""
    from wordfreq import get_frequency_dict

    frequencies = get_frequency_dict("en", wordlist="large")
    words, cumulative = list(frequencies), list(itertools.accumulate(frequencies.values()))
    chance = random.Random(seed)
    while True:
        drawn = iter(chance.choices(words, cum_weights=cumulative, k=50_000))
        sentences = []
        while sentence := list(itertools.islice(drawn, chance.randint(4, 22))):
            sentence[0] = sentence[0].capitalize()
            sentences.append(" ".join(decorated(word, chance) for word in sentence) + chance.choice(ENDS))
        yield "".join(sentences)


def decorated(word: str, chance: random.Random) -> str:
    """Return a word with what prose puts around words: commas, quotes, capitals, numbers."""
    roll = chance.random()
    if roll < 0.06:
        return word + ","
    if roll < 0.07:
        return f'"{word}"'
    if roll < 0.08:
        return word.capitalize()
    return str(chance.randint(1, 2000)) if roll < 0.09 else word


def code_files() -> Iterator[bytes]:
    """Yield Python files, each closed by `<|endoftext|>`: the standard library and whatever is installed."""
    folders = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    for path in sorted({file for folder in folders for file in folder.rglob("*.py")}):
        data = path.read_bytes()
        try:
            data.decode()
        except UnicodeDecodeError:
            continue
        yield data + END_OF_TEXT.encode()


def first_paragraphs(size: int) -> Iterator[bytes]:
    """Yield about `size` bytes of prose."""
    for paragraph in prose_paragraphs(seed=1):
        yield paragraph.encode()
        size -= len(paragraph)
        if size <= 0:
            return


def make_text(kind: str, size: int, folder: Path) -> Path:
    """Return a file of about `size` bytes of "prose" or "mix" (half code), made once."""
    path = folder / f"{kind}-{size}.txt"
    if path.exists():
        return path
    beside = path.with_suffix(".part")
    with open(beside, "wb") as file:
        if kind == "mix":
            for data in itertools.cycle(list(code_files())):
                file.write(data)
                if file.tell() >= size // 2:
                    break
        for paragraph in itertools.cycle(first_paragraphs(min(size, ENOUGH))):
            file.write(paragraph)
            if file.tell() >= size:
                break
    beside.rename(path)
    return path
