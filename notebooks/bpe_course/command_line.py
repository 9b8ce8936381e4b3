"""`python -m bpe_course`: `solve`, `collect`, `site` for readers and teachers, `refresh` for who writes notebooks."""

import argparse
import os
import sys
from pathlib import Path

from bpe_course.collect import collect
from bpe_course.notebooks import TABLE
from bpe_course.pages import build_site
from bpe_course.refresh import refresh
from bpe_course.solve import find_notebooks, solve


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    main_parser = argparse.ArgumentParser(prog="python -m bpe_course", description="The course's notebooks.")
    commands = main_parser.add_subparsers(dest="command")
    main_parser.set_defaults(run=run_start)
    solving = commands.add_parser("solve", help="write solved copies of the notebooks")
    solving.add_argument("out", type=Path, help="the folder to write to")
    solving.set_defaults(run=run_solve)
    collecting = commands.add_parser("collect", help="join your passed functions into one module")
    collecting.add_argument("-o", "--output", type=Path, default=Path("my_bpe.py"), help="the module (my_bpe.py)")
    collecting.set_defaults(run=run_collect)
    showing = commands.add_parser("site", help="write the notebooks as pages to read, with a search")
    showing.add_argument("out", type=Path, help="the folder to write to, such as build/site")
    showing.set_defaults(run=run_site)
    refreshing = commands.add_parser("refresh", help="write generated cells and outputs of the notebooks anew")
    refreshing.add_argument("--check", action="store_true", help="write nothing; exit with 1 if one is not fresh")
    refreshing.add_argument("--all", action="store_true", help="replace pictures and what depends on the machine, too")
    refreshing.add_argument("--discard-answers", action="store_true", help="put stubs in place of answers")
    refreshing.set_defaults(run=run_refresh)
    for command in (solving, collecting, showing, refreshing):
        command.add_argument("notebooks", type=Path, nargs="*", help="notebooks, or folders of them (notebooks/)")
    return main_parser


def main(arguments: list[str] | None = None) -> None:
    """Run a command.

    Raises:
        SystemExit: the command line is wrong, or names a file or folder that is not there, or `refresh` failed.
    """
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except FileNotFoundError as error:
        raise SystemExit(str(error)) from None


def run_start(options: argparse.Namespace) -> None:
    """Say how to open the first notebook, or how to get it: what is built from the project holds no notebooks."""
    first = Path(__file__).resolve().parents[1] / TABLE[0].file
    if first.exists():
        print(f'The notebooks are in {first.parent}. Open the first one:\n\njupyter lab "{first}"\n')
    else:
        print("This is the course's package without its notebooks. They come with the project's folder:")
        print("clone it, or download and unpack it as a ZIP file, and start there as its README says.\n")
    parser().print_usage()


def run_solve(options: argparse.Namespace) -> None:
    """Write solved copies, and print where they are."""
    for path in solve(options.out, options.notebooks):
        print(path)


def run_collect(options: argparse.Namespace) -> None:
    """Write the reader's functions as a module, and print whose they are."""
    strict = os.environ.pop("BPE_STRICT", None)
    try:
        collection = collect(options.notebooks)
    finally:
        if strict is not None:
            os.environ["BPE_STRICT"] = strict
    options.output.write_text(collection.source, "utf-8")
    print(collection)


def run_site(options: argparse.Namespace) -> None:
    """Write the site, and print which file to open."""
    print(build_site(options.out, options.notebooks)[0])


def run_refresh(options: argparse.Namespace) -> None:
    """Write notebooks anew, or say which are not fresh; one that can't be made anew doesn't stop the others.

    Raises:
        SystemExit: with `--check`, one is not fresh; or a notebook can't be made anew.
    """
    failed = False
    for path in find_notebooks(options.notebooks):
        try:
            stale = refresh(path, not options.check, options.all, options.discard_answers)
        except ValueError as error:
            print(error, file=sys.stderr)
            failed = True
            continue
        verb = "not fresh" if options.check else "written"
        print(f"{path}: {verb}: {', '.join(stale)}" if stale else f"{path}: fresh", flush=True)
        failed |= bool(stale) and options.check
    if failed:
        raise SystemExit(1)
