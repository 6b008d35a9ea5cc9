"""Splitting a complex sentence by the graph of its triples: which neighbours part, and where the sentence is cut.

A triple stands where the sentence mentions its object. Two triples that follow each other part with a probability that
depends on how they hang together in the graph and on the word between them; where they do, the sentence is cut at that
word, and what comes after it gets its subject back.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.triples import Triple, entity_name

__all__ = ["Cutter", "learn_cutter"]

_JOINT = re.compile(r",?\s+(?:and|,)?\s*\b(which|who|that|where|whose|and|with|while)\b\s+|(;)\s+", re.IGNORECASE)
_LEAST = 5
_LEADS = {
    "who": "{} ",
    "which": "{} ",
    "that": "{} ",
    "whose": "{}'s ",
    "where": "In {}, ",
    "with": "{} has ",
}
Feature = tuple[str, str]
"""How two triples hang together (`sibling`, `chain`, `apart`) and the word between them."""


@dataclass(frozen=True, slots=True)
class _Joint:
    """A place between two triples where the sentence may be cut: `stop` ends what is before, `start` what follows."""

    stop: int
    start: int
    word: str


def _places(text: str, entity: str) -> list[tuple[int, int]]:
    """Where the sentence mentions an entity: its whole name, else its last longer word that is there."""
    name = re.sub(r"\s*\(.*\)", "", entity_name(entity)) or entity_name(entity)
    for form in (name, *reversed(re.findall(r"\w{4,}", name))):
        found = [match.span() for match in re.finditer(re.escape(form), text, re.IGNORECASE)]
        if found:
            return found
    return []


def _mentioned(text: str, triples: Iterable[Triple]) -> list[tuple[int, int, Triple]]:
    """The first mention of each triple's object, in the order of the text; one within a longer name is no mention."""
    found: list[tuple[int, int, Triple]] = []
    for triple in sorted(triples, key=lambda triple: -len(triple.object)):
        places = _places(text, triple.object)
        free = [(a, b) for a, b in places if all(b <= start or stop <= a for start, stop, _ in found)]
        found += [(*place, triple) for place in (free or places)[:1]]
    return sorted(found, key=lambda item: item[:2])


def _relation(one: Triple, other: Triple) -> str:
    if one.subject == other.subject:
        return "sibling"
    return "chain" if one.object == other.subject or other.object == one.subject else "apart"


def _joints(text: str, triples: Sequence[Triple]) -> list[tuple[Triple, Triple, _Joint | None]]:
    """Neighbouring triples in the sentence, with the first joint between what they mention."""
    places = _mentioned(text, triples)
    found = []
    for (_, stop, one), (start, _, other) in itertools.pairwise(places):
        match = _JOINT.search(text, stop, start) if stop < start else None
        word = next(filter(None, match.groups()), "").lower() if match else ""
        found.append((one, other, _Joint(match.start(), match.end(), word) if match else None))
    return found


@dataclass(frozen=True)
class Cutter:
    """How often neighbours part, of how many, by feature; and words that follow a subject, most of them verbs."""

    counts: Mapping[Feature, tuple[int, int]]
    verbs: frozenset[str]

    def probability(self, feature: Feature) -> float:
        """P(parted | feature), one more of either added."""
        parted, total = self.counts.get(feature, (0, 0))
        return (parted + 1) / (total + 2)

    def cut(self, text: str, triples: Sequence[Triple]) -> list[str]:
        """The sentence as one or more, cut where it is more likely than not."""
        pieces: list[str] = []
        start, lead = 0, ""
        joints = [item for item in _joints(text, triples) if item[2] is not None]
        ends = [joint.stop for _, _, joint in joints[1:] if joint is not None]
        ends.append(len(text))
        for (one, other, joint), end in zip(joints, ends, strict=False):
            if joint is None or joint.start <= start or joint.start >= end:
                continue
            opening = self._lead(text[joint.start : end], other, joint.word)
            if opening is not None and self.probability((_relation(one, other), joint.word)) > 0.5:
                pieces.append(_sentence(lead, text[start : joint.stop]))
                start, lead = joint.start, opening
        return [*pieces, _sentence(lead, text[start:])]

    def _lead(self, rest: str, triple: Triple, word: str) -> str | None:
        """What `rest` must begin with to be a sentence: its subject, where that or the word that is gone stood for it.

        `None` where nothing makes it one, as after the *and* of *taro and banana*.
        """
        subject = re.sub(r"\s*\(.*\)", "", entity_name(triple.subject))
        words = re.findall(r"\w+", rest)
        if word in _LEADS:
            return _LEADS[word].format(subject)
        if words and words[0] in self.verbs:
            return f"{subject} "
        return "" if any(one in self.verbs for one in words) else None


def _sentence(lead: str, text: str) -> str:
    whole = (lead + text).strip().rstrip(" ,;")
    whole = whole[:1].upper() + whole[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."


def learn_cutter(benchmark: WebSplit, sentences: Iterable[ComplexSentence]) -> Cutter:
    """Count over all partitions of the sentences' meanings whether neighbours are in different blocks."""
    parted: Counter[Feature] = Counter()
    total: Counter[Feature] = Counter()
    for sentence in sentences:
        reading = sentence.readings[0]
        triples = benchmark.parts[reading.meaning].triples
        joints = [item for item in _joints(sentence.text, triples) if item[2] is not None]
        for partition in reading.partitions:
            block = {triple: n for n, part in enumerate(partition) for triple in benchmark.parts[part].triples}
            for one, other, joint in joints:
                feature = (_relation(one, other), joint.word if joint else "")
                total[feature] += 1
                parted[feature] += len(partition) > 1 and block[one] != block[other]
    counts = {feature: (parted[feature], count) for feature, count in sorted(total.items())}
    return Cutter(counts, _verbs(benchmark))


def _verbs(benchmark: WebSplit) -> frozenset[str]:
    """Words that often follow the name of the subject at the beginning of a text of one triple."""
    found: Counter[str] = Counter()
    for part in benchmark.parts:
        if len(part.triples) == 1:
            name = re.escape(re.sub(r"\s*\(.*\)", "", entity_name(part.triples[0].subject)))
            for text in part.texts:
                match = re.match(rf"(?:The )?{name} ([a-z]+)\b", text[0])
                found.update(match.groups() if match else ())
    return frozenset(word for word, count in found.items() if count >= _LEAST)
