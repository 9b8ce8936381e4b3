"""The `world` corpus: one message in many languages, then what else Unicode can do."""

from .constants import DATA, END_OF_TEXT

_FILE = DATA / "world.txt"


def world_messages() -> dict[str, str]:
    """Return the same friendly message by language, so that languages can be compared in bytes and tokens.

    Keys are English names of languages, in the order of the file; "English" comes first.

    Example:
        >>> list(world_messages())[:2], world_messages()["German"].startswith("Liebe")
        (['English', 'German'], True)
    """
    documents = (document.partition("\n") for document in _documents())
    return {title.removeprefix("# "): text.strip("\n") for title, _, text in documents if title.startswith("# ")}


def world_oddities() -> dict[str, str]:
    """Return short texts that show what Unicode can do: flags, combining marks, emoji families, code, spaces.

    Example:
        >>> "flags" in world_oddities()
        True
    """
    documents = (document.partition("\n") for document in _documents())
    return {title.removeprefix("## "): text.strip("\n") for title, _, text in documents if title.startswith("## ")}


def _documents() -> list[str]:
    """Read the documents; the first line of each is its title."""
    return _FILE.read_bytes().decode("utf-8").split(END_OF_TEXT)[:-1]
