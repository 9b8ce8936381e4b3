"""Draws that depend on a seed alone."""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

Card = TypeVar("Card")


class Chance:
    """Draws from one seed; uses nothing but `random()`, which Python promises not to change.

    Example:
        >>> chance = Chance(1)
        >>> sorted(chance.deal("letters", "abc") for _ in range(6))
        ['a', 'a', 'b', 'b', 'c', 'c']
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random
        self._decks: dict[str, list[int]] = {}

    def below(self, limit: int) -> int:
        """Return an integer from 0 to `limit` - 1, each as likely."""
        return int(self._random() * limit)

    def deal(self, deck: str, cards: Sequence[Card], *wishes: Callable[[Card], bool]) -> Card:
        """Draw the next card that fits; every card of a deck comes before any comes again.

        Args:
            deck: its name; the cards of one name are the same at each call.
            cards: not empty.
            wishes: what a card should be like, the most important first; the last are given up first.
        """
        rest = self._decks.setdefault(deck, [])
        if (place := _last_that_fits(rest, cards, wishes)) is None:
            rest[:0] = self._shuffled(len(cards))
        while place is None and (place := _last_that_fits(rest, cards, wishes)) is None:
            wishes = wishes[:-1]
        return cards[rest.pop(place)]

    def _shuffled(self, size: int) -> list[int]:
        order = list(range(size))
        for place in range(size - 1, 0, -1):
            other = self.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order


def _last_that_fits(rest: list[int], cards: Sequence[Card], wishes: tuple[Callable[[Card], bool], ...]) -> int | None:
    """Return the place in the deck of the top card that meets all wishes, or None."""
    for place in range(len(rest) - 1, -1, -1):
        if all(wish(cards[rest[place]]) for wish in wishes):
            return place
    return None
