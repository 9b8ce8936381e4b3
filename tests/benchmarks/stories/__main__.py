"""Write the stories anew: `python -m stories FILE`."""

import argparse
from pathlib import Path

from stories import generate_stories


def main() -> None:
    """Write them to the file that the command line names, unless there is one already."""
    parser = argparse.ArgumentParser(prog="python -m stories", description="Write the stories corpus anew.")
    parser.add_argument("file", type=Path, help="a new file, to be looked at before it takes the old one's place")
    options = parser.parse_args()
    try:
        with options.file.open("xb") as file:
            file.writelines(story.encode() for story in generate_stories())
    except FileExistsError:
        parser.error(f"there is a file {str(options.file)!r} already: name a new one")


if __name__ == "__main__":
    main()
