"""How one story is told: words are drawn for the names in a template and put into the form that it asks for."""

import re
from dataclasses import dataclass, field
from functools import partial

from stories.chance import Chance
from stories.lexicon import STARRED, lexicon, split_word
from stories.morphology import Morphemes, spell
from stories.templates import Plot, templates

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(>?)([A-Za-z]+)(\d*)(?:\.(\w+))?\}")
_MARKS = re.compile(r"([+?!]\w+ )*")
_NAME_IN_DEED = re.compile(r"\{(?!friend|pet)(\w+)")
_PRONOUNS = {
    "she": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "he": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
}
_PEOPLE = ("hero", "friend", "other")
_STORY_WIDE = (*_PEOPLE, "kin", "worker")
_RARE_NAME = ("Zoë",)
_RARE_NAME_ONCE_IN = 90


@dataclass
class _Person:
    name: Morphemes
    gender: str


_Bound = _Person | Morphemes | str  # a str is a deed


@dataclass
class Telling:
    """What is settled in one story: who and what it is about, and which words it has used."""

    plot: Plot
    chance: Chance
    bound: dict[str, _Bound] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    deeds: int = 0

    def tell(self) -> str:
        """Tell the story; paragraphs are parted by an empty line."""
        self.bound["hero"] = self._draw("hero", "")
        for role in self.plot.roles:
            self.bound[role] = self._draw(role.rstrip("0123456789"), "")
        steps = []
        for number, step in enumerate(self.plot.steps):
            if not step.optional or self.chance.below(4):
                steps.append(self._one_of(f"{self.plot.name} {number}", step.lines, {}))
        return "\n\n".join(steps)

    def _one_of(self, deck: str, lines: list[str], local: dict[str, _Bound]) -> str:
        """Fill one of the lines that may be told in this story."""
        line = self.chance.deal(deck, lines, self._may_tell)
        found = _MARKS.match(line)
        assert found
        self.marks.update(mark[1:] for mark in found[0].split() if mark[0] == "+")
        return self._fill(local, line[found.end() :])

    def _may_tell(self, line: str) -> bool:
        """Say whether the story has the marks that a line asks for, and none of those that it rules out."""
        found = _MARKS.match(line)
        assert found
        has = {mark: mark[1:] in self.marks or mark[1:] in self.bound for mark in found[0].split()}
        return all(present if mark[0] == "?" else not present for mark, present in has.items() if mark[0] != "+")

    def _fill(self, local: dict[str, _Bound], line: str) -> str:
        """Choose between alternatives, then replace each slot from left to right."""
        while choice := _CHOICE.search(line):
            alternatives = choice[1].split("|")
            line = line[: choice.start()] + alternatives[self.chance.below(len(alternatives))] + line[choice.end() :]
        return _SLOT.sub(partial(self._slot, local), line)

    def _slot(self, local: dict[str, _Bound], slot: re.Match[str]) -> str:
        """Return what stands for `{>phrase}`, `{he}` or `{Name2.form}`."""
        phrase, spelled, number, form = slot[1], slot[2], slot[3], slot[4] or ""
        name = spelled.lower()
        if phrase:
            text = self._one_of(f"@{name}", templates().phrases[name], local)
        elif name in _PRONOUNS["he"]:
            text = self._render(self._bind(local, "hero", "", ""), name)
        else:
            text = self._render(self._bind(local, name, number, form), form, local)
        return text[0].upper() + text[1:] if spelled[0].isupper() else text

    def _bind(self, local: dict[str, _Bound], name: str, number: str, form: str) -> _Bound:
        """Return what the name stands for, in the whole story or in this step, and settle it if it is new."""
        key = name + number
        if key in self.bound:
            return self.bound[key]
        scope = self.bound if name in _STORY_WIDE and not number else local
        if key not in scope:
            scope[key] = self._draw(name, form)
        return scope[key]

    def _draw(self, name: str, form: str) -> _Bound:
        """Draw a person, a deed or a word that the story hasn't had, and whose form isn't held out."""
        if name in _PEOPLE:
            gender = self._gender(name)
            if not self.chance.below(_RARE_NAME_ONCE_IN) and gender == "she":
                return _Person(_RARE_NAME, gender)
            return _Person(self._new_word(gender, ""), gender)
        if name not in lexicon().deeds:
            return self._new_word(name, form)
        deed = self.chance.deal(
            f"{name}.{form}",
            lexicon().deeds[name],
            lambda phrase: not _held_out(_verb(phrase), form) and self._fits_worker(phrase),
            lambda phrase: spell(_verb(phrase)) not in self.used,
        )
        self.used.add(spell(_verb(deed)))
        self.deeds += 1
        return _NAME_IN_DEED.sub(rf"{{\g<1>{100 + self.deeds}", deed.rpartition(": ")[2])

    def _fits_worker(self, deed: str) -> bool:
        """Say whether a deed is everybody's, or the work of this story's worker."""
        who = deed.rpartition(": ")[0]
        return not who or who == self._render(self._bind({}, "worker", "", ""), "")

    def _gender(self, name: str) -> str:
        """The others are not of the hero's gender, so that it is clear who a pronoun means."""
        hero = self.bound.get("hero")
        if name == "hero" or not isinstance(hero, _Person):
            return ("she", "he")[self.chance.below(2)]
        return "he" if hero.gender == "she" else "she"

    def _new_word(self, name: str, form: str) -> Morphemes:
        word = self.chance.deal(
            f"{name}.{form}",
            lexicon().words[name],
            lambda word: not _held_out(word, form),
            lambda word: word[0] not in self.used,
        )
        self.used.add(word[0])
        return word

    def _render(self, value: _Bound, form: str, local: dict[str, _Bound] | None = None) -> str:
        """Spell a person, a word or a deed in a form."""
        if isinstance(value, _Person):
            return _PRONOUNS[value.gender][form] if form else value.name[0]
        if isinstance(value, tuple):
            return _spell(value, form)
        return self._fill(local or {}, STARRED.sub(lambda verb: _spell(split_word(verb[1]), form), value))


def _spell(word: Morphemes, form: str) -> str:
    return spell((*word, form) if form else word, lexicon().irregular)


def _verb(deed: str) -> Morphemes:
    found = STARRED.search(deed)
    assert found
    return split_word(found[1])


def _held_out(word: Morphemes, form: str) -> bool:
    return _spell(word, form) in (*lexicon().held_out, *lexicon().held_out_compounds)
