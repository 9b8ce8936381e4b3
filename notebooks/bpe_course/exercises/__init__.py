'''All exercises, one module of declarations for each notebook, in the order of the notebook.

**Adding an exercise** takes one declaration in `exercises/nbXX_….py`, which reads from top to bottom:

    @exercise(
        minutes=2,
        difficulty=1,
        hints=("Strings can do this themselves.", "See `str.upper`."),
    )
    def shout(text: str) -> str:                   # its name is the id; signature and docstring are the stub
        """Return the text in capitals, with an exclamation mark. (Here follows one example, as for doctest.)"""
        return text.upper() + "!"                  # the solution

    shout.cases(("stop",), ("",), ("É",))          # tuples of arguments, the plainest first

    @shout.random                                  # one more case, again and again
    def random_call(chance):
        return (random_text(chance, 0, 8),)

    @shout.slip("The exclamation mark is missing. What does the docstring say comes last?")
    def no_mark(text):                             # a wrong answer, and what its writer is told
        return text.upper()

    @shout.same_slip                               # another function under the same message
    def no_mark_by_letters(text):
        return "".join(letter.upper() for letter in text)

    @shout.accept                                  # another right answer
    def joined(text):
        return "".join([text.upper(), "!"])

`shout` can be called like its solution afterwards, and slips stay the functions that they are: build others of them.
Where functions are made by a function, put it below the slip (`@shout.slip("…")`, then `@made_of`), or register what it
makes: `shout.slip("…", made_of(no_mark), made_of(joined))`. Slips are tried in the order in which they stand.

`harness`, `normal`, `valid`, `diagnose` and `diagnose_error` are set like `random`; where a lambda is enough, it is
`shout.valid(lambda text: text != "")`. `@exercise` takes `imports`, `show`, `may_change`, `collected=False` (no part of
the reader's module) and `library` (the function of `bpe_lib` that gives the same). `Exercise` documents all of them.
The exercises of a new notebook need a module `nbXX_….py`, nothing else.

The tests then hold the exercise to its promises: every slip gets its own message, cases tell all slips apart, solution
and stub agree, and no function of the module is a wrong answer that nobody registered.
'''

import pkgutil
from importlib import import_module

from bpe_course.exercise import EXERCISES, register

__all__ = ["EXERCISES", "register"]


def load() -> None:
    """Import all modules here, in the order of the notebooks; each registers its exercises."""
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if name.startswith("nb"):
            import_module(f"{__name__}.{name}")


load()
