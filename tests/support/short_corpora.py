"""The corpora that are built from this Python, with a third of the code, for notebooks that then run sooner.

What depends on this Python is not compared anyway. All of the code is read where the notebooks run solved, and where
what they say of speed must be true.
"""

import shutil
from pathlib import Path

from bpe_course import corpora

CODE_BYTES = 4_000_000
"""How much of the code there is at least: what the notebooks themselves take where they take part of it."""


def copy_corpora(folder: Path) -> Path:
    """Copy the built corpora to a folder, for `BPE_CACHE`, unless they are there; of the code, the beginning."""
    if not folder.exists():
        folder.mkdir(parents=True)
        end = corpora.END_OF_TEXT.encode()
        code = corpora.path("python").read_bytes()
        rest = code[CODE_BYTES:].partition(end)
        (folder / corpora.path("python").name).write_bytes(code[:CODE_BYTES] + rest[0] + rest[1])
        shutil.copy(corpora.path("english"), folder)
    return folder
