"""What all corpora share."""

from pathlib import Path

END_OF_TEXT = "<|endoftext|>"
DATA = Path(__file__).resolve().parent.parent / "data"
