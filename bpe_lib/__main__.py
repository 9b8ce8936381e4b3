"""`python -m bpe_lib`: train a tokenizer, encode and decode files, look into a tokenizer."""

import argparse
import os
import signal
import sys
import warnings

from bpe_lib.command_line import commands
from bpe_lib.command_line.streams import open_streams
from bpe_lib.files import missing
from bpe_lib.patterns import PATTERNS

EXAMPLES = """examples:
  python -m bpe_lib train corpus.txt --vocab-size 10000 --special-token "<|endoftext|>" --output my_tokenizer
  python -m bpe_lib encode my_tokenizer corpus.txt --output corpus.npy     numpy.load("corpus.npy", mmap_mode="r")
  echo "the cat ate" | python -m bpe_lib encode my_tokenizer
  python -m bpe_lib decode my_tokenizer corpus.npy --output copy.txt
  python -m bpe_lib info my_tokenizer

A TOKENIZER is a folder that `train` wrote, one with GPT-2's vocab.json and merges.txt, or a tokenizer.json.

Exit codes: 0 done, 1 something was wrong and is said on standard error, 2 wrong arguments, 130 interrupted.
Output appears once it is complete; whatever goes wrong before, a file that was there stays as it was."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    about = "Byte-level BPE: train a tokenizer, encode and decode files, look into a tokenizer."
    as_written = argparse.RawDescriptionHelpFormatter
    main_parser = argparse.ArgumentParser("python -m bpe_lib", None, about, EXAMPLES, formatter_class=as_written)
    kinds = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_train(kinds.add_parser("train", help="learn a tokenizer from text files", description=commands.train.__doc__))
    add_encode(kinds.add_parser("encode", help="turn text into ids", description=commands.encode.__doc__))
    add_decode(kinds.add_parser("decode", help="turn ids into text", description=commands.decode.__doc__))
    add_info(kinds.add_parser("info", help="describe a tokenizer", description=commands.info.__doc__))
    return main_parser


def add_train(train: argparse.ArgumentParser) -> None:
    """Add the arguments of `train`."""
    add = train.add_argument
    special = "what stands between documents, such as '<|endoftext|>'; may be given several times"
    pattern = f"how text is cut: {', '.join(PATTERNS)}, or a pattern of the package regex (default: gpt2)"
    output = "where to save the tokenizer; a tokenizer that is there is replaced"
    add("files", nargs="+", metavar="FILE", help="text in UTF-8")
    add("--vocab-size", type=int, required=True, metavar="N", help="ids in all: 256 bytes, special tokens, merges")
    add("--special-token", action="append", default=[], metavar="TOKEN", dest="special_tokens", help=special)
    add("--pattern", default="gpt2", help=pattern)
    add("--output", "-o", required=True, metavar="FOLDER", help=output)
    add_common(train)


def add_encode(encode: argparse.ArgumentParser) -> None:
    """Add the arguments of `encode`."""
    add = encode.add_argument
    array = "NAME.npy for a numpy array, of uint16 if all ids fit, else uint32"
    output = f"{array}; any other name for ids as text (default: standard output)"
    add("tokenizer", metavar="TOKENIZER", help="a folder or a tokenizer.json")
    add("file", nargs="?", default="-", metavar="FILE", help="text in UTF-8 (default: standard input)")
    add("--output", "-o", default="-", metavar="FILE", help=output)
    add_common(encode)


def add_decode(decode: argparse.ArgumentParser) -> None:
    """Add the arguments of `decode`."""
    add = decode.add_argument
    add("tokenizer", metavar="TOKENIZER", help="a folder or a tokenizer.json")
    add("file", nargs="?", default="-", metavar="FILE", help="NAME.npy, or ids as text (default: standard input)")
    add("--output", "-o", default="-", metavar="FILE", help="where to write the text (default: standard output)")


def add_info(info: argparse.ArgumentParser) -> None:
    """Add the arguments of `info`."""
    add = info.add_argument
    add("tokenizer", metavar="TOKENIZER", help="a folder or a tokenizer.json")
    add("--text", default=commands.SAMPLE, help="what to show the tokens of")
    add("--longest", type=int, default=10, metavar="N", help="how many of the longest tokens (default: 10)")


def add_common(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the commands that read text."""
    add = command.add_argument
    errors = "refuse invalid UTF-8, or read U+FFFD instead (default: strict)"
    add("--processes", type=int, metavar="N", help="how many at once (default: one for each core)")
    add("--errors", choices=["strict", "replace"], default="strict", help=errors)


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code."""
    open_streams()
    options = vars(parser().parse_args(arguments))
    command = getattr(commands, options.pop("command"))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stopped politely: as with Ctrl-C
    warnings.showwarning = lambda message, *_, **__: print(f"warning: {message}", file=sys.stderr)
    try:
        command(**options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # who read our output has enough
        return finish(1)
    except (OSError, ValueError, RuntimeError) as error:
        print(f"error: {explanation(error)}", file=sys.stderr)
        return finish(1)
    return 0


def explanation(error: Exception) -> str:
    """Return an error's message as one reads it who typed a command: with options, not with Python's arguments.

    >>> explanation(ValueError('pass errors="replace" to read U+FFFD'))
    'pass --errors replace to read U+FFFD'
    """
    if isinstance(error, FileNotFoundError) and error.filename:
        return missing(error.filename)
    return str(error).replace('errors="replace"', "--errors replace")


def finish(code: int) -> int:
    """Return an exit code, after making sure that Python won't end with another, should standard output be full."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main())
