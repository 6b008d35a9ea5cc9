"""Harder sentences made of plain ones, so that a model learns the way back: what an editor does to make text simple.

A source is made of its target by what simplifying undoes: clauses, brackets and openings of other sentences are put in,
words change for rarer ones in the same form, two sentences are joined. Some noise is of another kind, so that the model
learns to write correct Russian: words in a wrong form, neighbours swapped, stretches hidden behind `MASK`.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rerank.morphology import Morphology
from rewrite.generators.edits.lexicon import Lexicon, load_lexicon

__all__ = ["MASK", "Donors", "Noise", "RarerWords", "donors"]

MASK = "<mask>"

_WORD = re.compile(r"[а-яё]+(?:-[а-яё]+)*", re.IGNORECASE)
_CLAUSE = re.compile(
    r", (?:котор|котором|чь|где |когда |куда |что |так как|потому что|причём|при этом|а также|в том числе|включая|"
    r"несмотря на|благодаря|согласно|по словам|по мнению|по данным|как |[а-яё]+(?:вш|ющ|ящ|ащ|ущ|нн)[а-яё]+ )"
    r"[^,;:()«»\"—]{8,90}(?=[,.])"
)
_BRACKETS = re.compile(r" \([^()]{3,70}\)")
_OPENING = re.compile(
    r"^(?:Кроме|При |В связи|В соответствии|По |Согласно|Таким|Тем|Вместе|В то же|Однако|Также|Например|В частности|"
    r"В результате|Несмотря|Благодаря|С учётом|С учетом|Как )[^,;:()«»\"—.]{2,60}, (?=[а-яё])"
)
_LINKS = (", а ", ", и ", ", при этом ", "; ", ", причём ", ", тогда как ", ", но ", ", поэтому ")
# Where a clause may be put in: after a word in small letters that another follows.
_PLACE = re.compile(r"(?<=[а-яё]{4})(?= [а-яё«\d])")
_CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
_INFLECTED = frozenset({"NOUN", "ADJF", "PRTF", "VERB", "INFN"})
_KEPT = frozenset({*_CASES, "sing", "plur", "masc", "femn", "neut", "past", "pres", "futr", "1per", "2per", "3per"})
_POS = {"VERB": ("VERB", "INFN"), "NOUN": ("NOUN",), "ADJ": ("ADJF",), "ADV": ("ADVB",)}


@dataclass(frozen=True)
class Donors:
    """Stretches of other sentences: `clauses` with the comma before them, `brackets`, and `openings` up to a comma."""

    clauses: Sequence[str]
    brackets: Sequence[str]
    openings: Sequence[str]


def donors(sentences: Iterable[str], *, most: int = 200_000) -> Donors:
    """The stretches found in `sentences`, at most so many of each kind."""
    found: dict[re.Pattern[str], list[str]] = {_CLAUSE: [], _BRACKETS: [], _OPENING: []}
    for sentence in sentences:
        for pattern, texts in found.items():
            if len(texts) < most:
                texts += pattern.findall(sentence)
    return Donors(*(found[pattern] for pattern in (_CLAUSE, _BRACKETS, _OPENING)))


class RarerWords:
    """The bundled dictionary of simpler words, read backwards: a word and what rarer words could stand in its place."""

    def __init__(self, lexicon: Lexicon | None = None, morphology: Morphology | None = None) -> None:
        self._morphology = morphology or Morphology()
        self._rarer: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for entries in (lexicon or load_lexicon()).words.values():
            for entry in entries:
                if len(entry.pattern) == 1 and entry.pos in _POS and " " not in entry.replacement:
                    self._rarer[entry.pos, entry.replacement.replace("ё", "е")].append(entry.pattern[0])
        self.of = lru_cache(maxsize=200_000)(self._of)

    def _of(self, word: str) -> tuple[str, ...]:
        """Rarer words in the form of `word`, a word in small letters; often none."""
        parse = self._morphology.analyzer.parse(word)[0]
        lemma = parse.normal_form.replace("ё", "е")
        pos = next((name for name, tags in _POS.items() if parse.tag.POS in tags), None)
        if pos is None:
            return ()
        forms = (self._inflected(rarer, parse) for rarer in self._rarer.get((pos, lemma), ()))
        return tuple(dict.fromkeys(form for form in forms if form))

    def _inflected(self, lemma: str, like: object) -> str | None:
        tag = like.tag  # type: ignore[attr-defined]
        for parse in self._morphology.analyzer.parse(lemma):
            if parse.tag.POS not in (tag.POS, "INFN") or parse.normal_form.replace("ё", "е") != lemma:
                continue
            if tag.POS == "NOUN" and parse.tag.gender != tag.gender:
                return None  # words that agree with it would have to change as well
            if tag.POS in ("ADVB", "INFN"):
                return str(parse.word)
            if tag.POS == "VERB" and parse.tag.aspect != tag.aspect:
                return None
            grammemes = {g for g in tag.grammemes if g in _KEPT}
            if tag.POS == "NOUN":
                grammemes -= {"masc", "femn", "neut"}
            form = parse.inflect(grammemes)
            return str(form.word) if form else None
        return None


@dataclass
class Noise:
    """Makes a source for a target; `shares` are the chances of each kind of noise, which go in one after the other."""

    donors: Donors
    rarer: RarerWords
    morphology: Morphology = field(default_factory=Morphology)
    shares: Mapping[str, float] = field(
        default_factory=lambda: {
            "clause": 0.45,
            "bracket": 0.12,
            "opening": 0.15,
            "rarer": 0.5,
            "hidden": 0.35,
            "swapped": 0.1,
            "form": 0.1,
        }
    )

    def source(self, target: str, rng: random.Random) -> str:
        """A harder or broken form of `target`; sometimes, by chance, `target` itself."""
        text = target
        for kind, share in self.shares.items():
            if rng.random() < share:
                text = getattr(self, f"_{kind}")(text, rng)
        return text

    def joined(self, first: str, second: str, rng: random.Random) -> str:
        """Two sentences as one."""
        return first.rstrip(".!?…") + rng.choice(_LINKS) + second[:1].lower() + second[1:]

    def _put_in(self, text: str, piece: str, rng: random.Random) -> str:
        places = [found.start() for found in _PLACE.finditer(text)]
        if not places:
            return text
        at = rng.choice(places)
        return text[:at] + piece + text[at:]

    def _clause(self, text: str, rng: random.Random) -> str:
        clause = rng.choice(self.donors.clauses)
        if rng.random() < 0.4 and text.endswith("."):
            return text[:-1] + clause + "."
        return self._put_in(text, f"{clause},", rng)

    def _bracket(self, text: str, rng: random.Random) -> str:
        return self._put_in(text, rng.choice(self.donors.brackets), rng)

    def _opening(self, text: str, rng: random.Random) -> str:
        return rng.choice(self.donors.openings) + text[:1].lower() + text[1:]

    def _rarer(self, text: str, rng: random.Random) -> str:
        def replaced(found: re.Match[str]) -> str:
            word = found[0]
            if not word.islower() or rng.random() < 0.3:
                return word
            others = self.rarer.of(word)
            return rng.choice(others) if others else word

        return _WORD.sub(replaced, text)

    def _hidden(self, text: str, rng: random.Random) -> str:
        words = text.split(" ")
        for _ in range(max(1, len(words) // 10)):
            at, size = rng.randrange(len(words)), rng.choice((1, 1, 1, 2, 2, 3))
            words[at : at + size] = [MASK]
        return " ".join(words)

    def _swapped(self, text: str, rng: random.Random) -> str:
        words = text.split(" ")
        if len(words) > 3:
            at = rng.randrange(1, len(words) - 1)
            words[at], words[at - 1] = words[at - 1], words[at]
        return " ".join(words)

    def _form(self, text: str, rng: random.Random) -> str:
        places = [found for found in _WORD.finditer(text) if found[0].islower() and len(found[0]) > 4]
        if not places:
            return text
        found = rng.choice(places)
        parse = self.morphology.analyzer.parse(found[0])[0]
        if parse.tag.POS not in _INFLECTED:
            return text
        forms = [form.word for form in parse.lexeme if form.word != found[0] and form.tag.POS == parse.tag.POS]
        return text[: found.start()] + rng.choice(forms) + text[found.end() :] if forms else text
