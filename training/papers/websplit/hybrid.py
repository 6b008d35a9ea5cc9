"""HYBRIDSIMPL: a probabilistic split over the graph of the triples, then phrase-based rephrasing (section 5.1).

Narayan & Gardent (2014) split Boxer's graph of a sentence; Boxer is long gone, so the graph is that of the triples. A
triple stands where the sentence mentions its object. Two triples that follow each other part with a probability that
depends on how they hang together in the graph and on the word between them; where they do, the sentence is cut at that
word, and what comes after it gets its subject back. Each piece is rephrased by a phrase table, learnt from complex
sentences so cut beside their rephrasings, and a trigram language model of the rephrasings.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.datasets import read_text
from rewrite.splitting.triples.triple import Triple, entity_name
from training.disk import write_text
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, used_parts
from training.papers.websplit.options import SystemRecipe
from training.papers.websplit.phrases import PhraseTable, Trigrams, align, model_1, phrase_pairs, rephrase

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
_FILE = "hybrid.json"
_WORD = re.compile(r"(?:[^\W\d_]{1,2}\.){1,4}(?=\s\S)|\w+(?:[.'’/&–-]\w+)*|\S")
_GLUED = re.compile(r"\s+([.,;:!?)\]])|([(\[])\s+")
# Enough for phrases that come up; word alignment takes most of the time.
_PAIRS = 8_000


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
        spans = [match.span() for match in re.finditer(re.escape(form), text, re.IGNORECASE)]
        if spans:
            return spans
    return []


def _mentioned(text: str, triples: Iterable[Triple]) -> list[tuple[int, int, Triple]]:
    """The first mention of each triple's object, in the order of the text; one within a longer name is no mention."""
    mentions: list[tuple[int, int, Triple]] = []
    for triple in sorted(triples, key=lambda triple: -len(triple.object)):
        places = _places(text, triple.object)
        free = [(a, b) for a, b in places if all(b <= start or stop <= a for start, stop, _ in mentions)]
        mentions += [(*place, triple) for place in (free or places)[:1]]
    return sorted(mentions, key=lambda item: item[:2])


def _relation(one: Triple, other: Triple) -> str:
    if one.subject == other.subject:
        return "sibling"
    return "chain" if one.object == other.subject or other.object == one.subject else "apart"


def _joints(text: str, triples: Sequence[Triple]) -> list[tuple[Triple, Triple, _Joint | None]]:
    """Neighbouring triples in the sentence, with the first joint between what they mention."""
    places = _mentioned(text, triples)
    joints = []
    for (_, stop, one), (start, _, other) in itertools.pairwise(places):
        match = _JOINT.search(text, stop, start) if stop < start else None
        word = next(filter(None, match.groups()), "").lower() if match else ""
        joints.append((one, other, _Joint(match.start(), match.end(), word) if match else None))
    return joints


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
    counts: Counter[str] = Counter()
    for part in benchmark.parts:
        if len(part.triples) == 1:
            name = re.escape(re.sub(r"\s*\(.*\)", "", entity_name(part.triples[0].subject)))
            for text in part.texts:
                match = re.match(rf"(?:The )?{name} ([a-z]+)\b", text[0])
                counts.update(match.groups() if match else ())
    return frozenset(word for word, count in counts.items() if count >= _LEAST)


def words_of(text: str) -> list[str]:
    """Words and marks; the stops of initials stay with them."""
    return _WORD.findall(text)


def text_of(words: Sequence[str]) -> str:
    """The words as a text, marks at the words they belong to."""
    return _GLUED.sub(lambda m: m[1] or m[2], " ".join(words)).replace(" 's ", "'s ")


class Hybrid:
    """Cuts a sentence and rephrases the pieces."""

    def __init__(self, cutter: Cutter, table: PhraseTable, model: Trigrams) -> None:
        self._cutter = cutter
        self._table = table
        self._model = model

    def __call__(self, sentences: Sequence[tuple[str, Sequence[Triple]]]) -> list[str]:
        return [" ".join(map(self._rephrase, self._cutter.cut(text, triples))) for text, triples in sentences]

    def _rephrase(self, piece: str) -> str:
        return text_of(rephrase(words_of(piece), self._table, self._model))


def _parallel(
    benchmark: WebSplit, sentences: Sequence[ComplexSentence], cutter: Cutter, recipe: SystemRecipe
) -> list[tuple[list[str], list[str]]]:
    """Each complex sentence, cut, beside the one of its drawn rephrasings that has most words in common with it."""
    pairs = []
    for sentence in sentences[:_PAIRS]:
        cut = cutter.cut(sentence.text, benchmark.parts[sentence.readings[0].meaning].triples)
        source = [word for piece in cut for word in words_of(piece)]
        drawn = [words_of(r.text) for r in benchmark.sample(sentence, recipe.rephrasings, recipe.seed)]
        pairs.append((source, max(drawn, key=lambda words: len(set(words) & set(source)) / len(words))))
    return pairs


def learn_hybrid(benchmark: WebSplit, sentences: Sequence[ComplexSentence], recipe: SystemRecipe, out: Path) -> None:
    """Learn all three models and write them to `out`."""
    cutter = learn_cutter(benchmark, sentences)
    pairs = _parallel(benchmark, sentences, cutter, recipe)
    forth, back = model_1(pairs), model_1([(target, source) for source, target in pairs])
    links = ((source, target, align(source, target, forth, back)) for source, target in pairs)
    table = PhraseTable.learn(pair for source, target, linked in links for pair in phrase_pairs(source, target, linked))
    model = Trigrams.learn(
        words_of(one) for n in used_parts(sentences) for text in benchmark.parts[n].texts for one in text
    )
    print(f"{len(cutter.counts)} features, {len(pairs):,} pairs, {len(table.entries):,} phrases", flush=True)
    models: dict[str, Any] = {
        "cutter": [[*feature, *counts] for feature, counts in cutter.counts.items()],
        "verbs": sorted(cutter.verbs),
        "phrases": table.entries,
        "trigrams": model.to_json(),
    }
    write_text(out / _FILE, json.dumps(models, ensure_ascii=False) + "\n")


def load_hybrid(folder: Path) -> Hybrid:
    """The system that `learn_hybrid` has written."""
    models = json.loads(read_text(folder / _FILE))
    cutter = Cutter(
        {(relation, word): (parted, total) for relation, word, parted, total in models["cutter"]},
        frozenset(models["verbs"]),
    )
    entries = {source: [tuple(target) for target in targets] for source, targets in models["phrases"].items()}
    return Hybrid(cutter, PhraseTable(entries), Trigrams.from_json(models["trigrams"]))
