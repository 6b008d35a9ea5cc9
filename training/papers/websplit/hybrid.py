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
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.datasets import read_text
from rewrite.splitting.triples.triple import Triple, entity_name
from training.disk import write_text
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, used_parts
from training.papers.websplit.recipe import SystemRecipe

Pair = tuple[Sequence[str], Sequence[str]]
Lexicon = dict[str, dict[str, float]]
PhraseTable = dict[str, list[tuple[str, float, float]]]
"""For each source phrase its targets, with the logarithms of P(target | source) and P(source | target)."""
_Stack = dict[tuple[str, ...], tuple[float, list[str]]]
"""By the last two words written: the score, and all words written."""
_NULL = ""
_BEGIN, END = "<s>", "</s>"
_KEY = "\t"
_KEPT = 8
_LONGEST = 4
# Of the language model, the two phrase probabilities, and each word written: not tuned.
_LANGUAGE, _FORTH, _BACK, _EACH = 0.5, 0.4, 0.4, 0.5
_UNKNOWN = math.log(0.05)


def model_1(pairs: Sequence[Pair], *, rounds: int = 4) -> Lexicon:
    """IBM Model 1, P(target word | source word), started where a word most likely stands for itself."""
    table: Lexicon = {}
    for _ in range(rounds):
        counts: dict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        for source, target in pairs:
            words = (_NULL, *source)
            for word in target:
                weights = [_probability(table, s, word) for s in words]
                total = sum(weights)
                for s, weight in zip(words, weights, strict=True):
                    counts[s][word] += weight / total
        table = {s: _normal(counted) for s, counted in counts.items()}
    return table


def _probability(table: Lexicon, source: str, target: str) -> float:
    if not table:
        return 1.0 if source == target else 0.05
    return table[source].get(target, 1e-9) if source in table else 1e-9


def _normal(counts: Mapping[str, float]) -> dict[str, float]:
    total = sum(counts.values())
    # What is left out would be looked up as the least probability anyway.
    return {word: count / total for word, count in counts.items() if count > 1e-4 * total}


def align(source: Sequence[str], target: Sequence[str], forth: Lexicon, back: Lexicon) -> set[tuple[int, int]]:
    """Places (source, target) that both directions agree on, and free neighbours of these that one of them has."""
    forward = {(_best(forth, source, word), j) for j, word in enumerate(target)}
    backward = {(i, _best(back, target, word)) for i, word in enumerate(source)}
    links = {(i, j) for i, j in forward & backward if i >= 0 and j >= 0}
    # Grow: the neighbour of a link, where one direction has it and neither word is aligned yet.
    for i, j in sorted(forward | backward):
        beside = any((i + a, j + b) in links for a in (-1, 0, 1) for b in (-1, 0, 1))
        free = all(i != a for a, _ in links) or all(j != b for _, b in links)
        if i >= 0 and j >= 0 and beside and free:
            links.add((i, j))
    return links


def _best(table: Lexicon, words: Sequence[str], word: str) -> int:
    """The place of the word that `word` is most likely a translation of; −1 for none."""
    scores = [_probability(table, source, word) for source in words]
    place = max(range(len(words)), key=lambda i: scores[i])
    return place if scores[place] > _probability(table, _NULL, word) else -1


def phrase_pairs(
    source: Sequence[str], target: Sequence[str], links: set[tuple[int, int]], *, longest: int = 4
) -> Iterator[tuple[str, str]]:
    """Phrases of at most `longest` words whose words are aligned with each other alone (Koehn et al., 2003)."""
    for start in range(len(source)):
        for stop in range(start + 1, min(start + longest, len(source)) + 1):
            linked = [j for i, j in links if start <= i < stop]
            if not linked:
                continue
            first, last = min(linked), max(linked)
            outside = any(first <= j <= last and not start <= i < stop for i, j in links)
            if last - first < longest and not outside:
                yield " ".join(source[start:stop]), " ".join(target[first : last + 1])


class Trigrams:
    """P(w | u, v) = λ·count(u, v, w)/count(u, v) + (1 − λ)·P(w | v), with λ = count/(count + types) of the history."""

    def __init__(self, counts: Counter[tuple[str, ...]]) -> None:
        self._counts = counts
        self._totals: Counter[tuple[str, ...]] = Counter()
        self._types: Counter[tuple[str, ...]] = Counter()
        for ngram, count in counts.items():
            self._totals[ngram[:-1]] += count
            self._types[ngram[:-1]] += 1
        self._words = 1 + self._types[()]

    @staticmethod
    def learn(texts: Iterable[Sequence[str]]) -> Trigrams:
        """Count the words of texts."""
        counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            words = [_BEGIN, _BEGIN, *text, END]
            for place in range(2, len(words)):
                for order in range(3):
                    counts[tuple(words[place - order : place + 1])] += 1
        return Trigrams(counts)

    def log(self, history: Sequence[str], word: str) -> float:
        """Natural logarithm of P(word | the last two words of `history`); a text begins with an empty history."""
        before = tuple([_BEGIN, _BEGIN, *history][-2:])
        probability = 1 / self._words
        for context in (before[2:], before[1:], before):
            total, types = self._totals[context], self._types[context]
            if total:
                ngram = (*context, word)
                probability = (self._counts[ngram] + types * probability) / (total + types)
        return math.log(probability)

    def to_json(self) -> dict[str, int]:
        """Counts by the words of each n-gram, joined by tabs."""
        return {_KEY.join(ngram): count for ngram, count in self._counts.items()}

    @staticmethod
    def from_json(table: dict[str, Any]) -> Trigrams:
        """What `to_json` has given."""
        return Trigrams(Counter({tuple(key.split(_KEY)): int(count) for key, count in table.items()}))


def learn_phrases(pairs: Iterable[tuple[str, str]], *, least: int = 2) -> PhraseTable:
    """From phrase pairs, those seen at least `least` times, the most frequent targets of each source."""
    counts = Counter(pairs)
    sources: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    for (source, target), count in counts.items():
        sources[source] += count
        targets[target] += count
    table: PhraseTable = {}
    for (source, target), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count >= least and len(table.setdefault(source, [])) < _KEPT:
            forth, back = math.log(count / sources[source]), math.log(count / targets[target])
            table[source].append((target, round(forth, 4), round(back, 4)))
    return table


def _choices(table: PhraseTable, phrase: str) -> list[tuple[str, float, float]]:
    """What may be written for a phrase; a single word may always stay."""
    choices = list(table.get(phrase, ()))
    if " " not in phrase and all(target != phrase for target, *_ in choices):
        choices.append((phrase, _UNKNOWN, 0.0))
    return choices


def rephrase(words: Sequence[str], table: PhraseTable, model: Trigrams, *, beam: int = 12) -> list[str]:
    """The best rephrasing of a sentence, phrase by phrase from left to right."""
    # One for each number of words covered.
    stacks: list[_Stack] = [{} for _ in range(len(words) + 1)]
    stacks[0][()] = (0.0, [])
    for place in range(len(words)):
        best = sorted(stacks[place].values(), key=lambda item: -item[0])[:beam]
        for stop in range(place + 1, min(place + _LONGEST, len(words)) + 1):
            for target, forth, back in _choices(table, " ".join(words[place:stop])):
                for score, written in best:
                    _extend(stacks[stop], score + _FORTH * forth + _BACK * back, written, target.split(), model)
    ended = [(score + _LANGUAGE * model.log(written, END), written) for score, written in stacks[-1].values()]
    return max(ended)[1] if ended else list(words)


def _extend(stack: _Stack, score: float, written: list[str], target: Sequence[str], model: Trigrams) -> None:
    longer = list(written)
    for word in target:
        score += _LANGUAGE * model.log(longer[-2:], word) + _EACH
        longer.append(word)
    state = tuple(longer[-2:])
    if state not in stack or score > stack[state][0]:
        stack[state] = (score, longer)


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


def _relation(first: Triple, second: Triple) -> str:
    if first.subject == second.subject:
        return "sibling"
    return "chain" if first.object == second.subject or second.object == first.subject else "apart"


def _joints(text: str, triples: Sequence[Triple]) -> list[tuple[Triple, Triple, _Joint | None]]:
    """Neighbouring triples in the sentence, with the first joint between what they mention."""
    places = _mentioned(text, triples)
    joints = []
    for (_, stop, first), (start, _, second) in itertools.pairwise(places):
        match = _JOINT.search(text, stop, start) if stop < start else None
        word = next(filter(None, match.groups()), "").lower() if match else ""
        joints.append((first, second, _Joint(match.start(), match.end(), word) if match else None))
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
        for (first, second, joint), end in zip(joints, ends, strict=False):
            if joint is None or joint.start <= start or joint.start >= end:
                continue
            opening = self._lead(text[joint.start : end], second, joint.word)
            if opening is not None and self.probability((_relation(first, second), joint.word)) > 0.5:
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
        return "" if any(word in self.verbs for word in words) else None


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
            for first, second, joint in joints:
                feature = (_relation(first, second), joint.word if joint else "")
                total[feature] += 1
                parted[feature] += len(partition) > 1 and block[first] != block[second]
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
    table = learn_phrases(pair for source, target, linked in links for pair in phrase_pairs(source, target, linked))
    model = Trigrams.learn(
        words_of(sentence) for n in used_parts(sentences) for text in benchmark.parts[n].texts for sentence in text
    )
    print(f"{len(cutter.counts)} features, {len(pairs):,} pairs, {len(table):,} phrases", flush=True)
    models: dict[str, Any] = {
        "cutter": [[*feature, *counts] for feature, counts in cutter.counts.items()],
        "verbs": sorted(cutter.verbs),
        "phrases": table,
        "trigrams": model.to_json(),
    }
    write_text(out / _FILE, json.dumps(models, ensure_ascii=False) + "\n")


def load_hybrid(folder: Path) -> Callable[[Sequence[tuple[str, Sequence[Triple]]]], list[str]]:
    """The system that `learn_hybrid` has written: it cuts a sentence and rephrases the pieces."""
    models = json.loads(read_text(folder / _FILE))
    cutter = Cutter(
        {(relation, word): (parted, total) for relation, word, parted, total in models["cutter"]},
        frozenset(models["verbs"]),
    )
    table = {source: [tuple(target) for target in targets] for source, targets in models["phrases"].items()}
    model = Trigrams.from_json(models["trigrams"])

    def write(text: str, triples: Sequence[Triple]) -> str:
        return " ".join(text_of(rephrase(words_of(piece), table, model)) for piece in cutter.cut(text, triples))

    return lambda given: list(itertools.starmap(write, given))
