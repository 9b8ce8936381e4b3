"""`python -m bpe_course`: see `bpe_course.command_line`."""

from bpe_course.command_line import main

if __name__ == "__main__":
    main()
