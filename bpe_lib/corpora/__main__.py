"""Write `data/stories.txt` anew: `python -m bpe_lib.corpora`, after a change of the lexicon or the templates."""

from .constants import DATA
from .stories import generate_stories

if __name__ == "__main__":
    (DATA / "stories.txt").write_bytes("".join(generate_stories()).encode("utf-8"))
