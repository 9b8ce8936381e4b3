"""A sign of life while a cell of a notebook works for long: a line that is gone when the work is done."""

import sys
import time


class Waiting:
    """Shows a line once some work has taken long; outside of a notebook it shows nothing.

    It is asked again and again, in the thread that works, so that no other thread writes into the cell. The line is
    taken away with all that the cell has shown before.

    Example:
        >>> waiting = Waiting("Still working.")
        >>> waiting.tick()
        >>> waiting.end()
    """

    def __init__(self, text: str, after: float = 1.0) -> None:
        """Begin to wait.

        Args:
            text: the line.
            after: how many seconds of work show nothing.
        """
        self.text, self.due, self.shows = text, time.monotonic() + after, False

    def tick(self) -> None:
        """Show the line, if it is time and it isn't shown yet."""
        if not self.shows and time.monotonic() >= self.due and in_notebook():
            from IPython.display import Markdown, display

            self.shows = True
            display(Markdown(self.text))

    def end(self) -> None:
        """Take the line away, if it is shown."""
        if self.shows:
            from IPython.display import clear_output

            self.shows = False
            clear_output()


def in_notebook() -> bool:
    """Tell whether a notebook's kernel runs this."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")
