"""The same results for less work. The first line of each module says what it replaces."""
