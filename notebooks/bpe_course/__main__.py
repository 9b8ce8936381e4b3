"""`python -m bpe_course solve OUT [NOTEBOOKS]` and `python -m bpe_course collect NOTEBOOKS -o my_bpe.py`."""

import argparse
import os
from pathlib import Path

from bpe_course.collect import collect
from bpe_course.solve import solve


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    main_parser = argparse.ArgumentParser(prog="python -m bpe_course", description="The course's notebooks.")
    commands = main_parser.add_subparsers(dest="command", required=True)
    solving = commands.add_parser("solve", help="write solved copies of the notebooks")
    solving.add_argument("out", type=Path, help="the folder to write to")
    solving.add_argument("notebooks", type=Path, nargs="*", help="notebooks, or folders of them (notebooks/)")
    collecting = commands.add_parser("collect", help="join your passed functions into one module")
    collecting.add_argument("notebooks", type=Path, nargs="*", help="notebooks, or folders of them (notebooks/)")
    collecting.add_argument("-o", "--output", type=Path, default=Path("my_bpe.py"), help="the module (my_bpe.py)")
    return main_parser


def main(arguments: list[str] | None = None) -> None:
    """Run a command.

    Raises:
        SystemExit: the command line is wrong, or names a file or folder that is not there.
    """
    options = parser().parse_args(arguments)
    try:
        run(options)
    except FileNotFoundError as error:
        raise SystemExit(str(error)) from None


def run(options: argparse.Namespace) -> None:
    """Do what the command line asks for."""
    if options.command == "solve":
        for path in solve(options.out, options.notebooks):
            print(path)
        return
    strict = os.environ.pop("BPE_STRICT", None)
    try:
        collection = collect(options.notebooks)
    finally:
        if strict is not None:
            os.environ["BPE_STRICT"] = strict
    options.output.write_text(collection.source, "utf-8")
    print(collection)


if __name__ == "__main__":
    main()
