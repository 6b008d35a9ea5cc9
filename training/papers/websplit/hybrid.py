"""HYBRIDSIMPL: a probabilistic split over the graph of the triples, then phrase-based rephrasing (section 5.1).

Narayan & Gardent (2014) split Boxer's graph of a sentence; Boxer is long gone, so the graph is that of the triples. A
triple stands where the sentence mentions its object. Two triples that follow each other part with a probability that
depends on how they hang together in the graph and on the word between them; where they do, the sentence is cut at that
word, and what comes after it gets its subject back. Each piece is rephrased by a phrase table, learnt from complex
sentences so cut beside their rephrasings, and a trigram language model of the rephrasings.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgpack

from rewrite.errors import BadInput
from rewrite.judging.metric_words import library
from rewrite.splitting.triples.triple import Triple, entity_name
from training.disk import write_whole
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, used_parts
from training.papers.websplit.recipe import SystemRecipe
from training.paraphrases.aligning import Bitext, Links, grow_diag_final_and

Ngram = tuple[str, ...]
PhraseTable = dict[str, list[tuple[str, float, float]]]
"""For each source phrase its targets, with the logarithms of P(target | source) and P(source | target)."""
_Stack = dict[Ngram, tuple[float, list[str]]]
"""By the last two words written: the score, and all words written."""
_BEGIN, END = "<s>", "</s>"
_ROUNDS = 4
_KEPT = 8
_LONGEST = 4
# Of the language model, the two phrase probabilities, and each word written: not tuned.
_LANGUAGE, _FORTH, _BACK, _EACH = 0.5, 0.4, 0.4, 0.5
_UNKNOWN = math.log(0.05)


def align(bitext: Bitext) -> list[Links]:
    """The links of each pair of sentences, by IBM Model 1 in both directions, joined."""
    forward, backward = _model_1([(target, source) for source, target in bitext]), _model_1(bitext)
    turned = ([(i, j) for j, i in links] for links in forward)
    return [grow_diag_final_and(ahead, back) for ahead, back in zip(turned, backward, strict=True)]


def _model_1(bitext: Bitext) -> list[Links]:
    """For each pair of sentences the words of the first, each with the word of the second that it most likely is of.

    The model starts where a word most likely stands for itself.
    """
    translate = library("nltk.translate", "HYBRIDSIMPL aligns words with nltk.")
    pairs = [translate.AlignedSent(words, others) for words, others in bitext]
    table = {word: defaultdict(lambda: 0.05, {word: 1.0}) for words, _ in bitext for word in words}
    translate.IBMModel1(pairs, _ROUNDS, {"translation_table": table})
    return [frozenset((i, j) for i, j in pair.alignment if j is not None) for pair in pairs]


def phrase_pairs(bitext: Bitext) -> Iterator[tuple[str, str]]:
    """Phrases of at most four words, and what these words alone are aligned with (Koehn et al., 2003)."""
    extract = library("nltk.translate.phrase_based", "HYBRIDSIMPL takes phrases with nltk.").phrase_extraction
    for (source, target), links in zip(bitext, align(bitext), strict=True):
        phrases = extract(" ".join(source), " ".join(target), links, _LONGEST)
        yield from sorted((phrase, other) for *_, phrase, other in phrases)


class Trigrams:
    """P(w | u, v) = λ·count(u, v, w)/count(u, v) + (1 − λ)·P(w | v), with λ = count/(count + types) of the history."""

    def __init__(self, counts: Mapping[Ngram, int]) -> None:
        self.counts = Counter(counts)
        self._totals: Counter[Ngram] = Counter()
        self._types: Counter[Ngram] = Counter()
        for ngram, count in counts.items():
            self._totals[ngram[:-1]] += count
            self._types[ngram[:-1]] += 1

    @staticmethod
    def learn(texts: Iterable[Sequence[str]]) -> Trigrams:
        """Count the words of texts."""
        counts: Counter[Ngram] = Counter()
        for text in texts:
            words = (_BEGIN, _BEGIN, *text, END)
            counts.update(words[stop - n : stop] for stop in range(3, len(words) + 1) for n in (1, 2, 3))
        return Trigrams(counts)

    def log(self, history: Sequence[str], word: str) -> float:
        """Natural logarithm of P(word | the last two words of `history`); a text begins with an empty history."""
        before = (_BEGIN, _BEGIN, *history)[-2:]
        probability = 1 / (1 + self._types[()])
        for context in (before[2:], before[1:], before):
            total, types = self._totals[context], self._types[context]
            if total:
                ngram = (*context, word)
                probability = (self.counts[ngram] + types * probability) / (total + types)
        return math.log(probability)


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
_FILE = "hybrid.msgpack"
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
    table = learn_phrases(phrase_pairs(pairs))
    model = Trigrams.learn(
        words_of(sentence) for n in used_parts(sentences) for text in benchmark.parts[n].texts for sentence in text
    )
    print(f"{len(cutter.counts)} features, {len(pairs):,} pairs, {len(table):,} phrases", flush=True)
    with write_whole(out / _FILE) as draft:
        draft.write_bytes(msgpack.packb((dict(cutter.counts), sorted(cutter.verbs), table, dict(model.counts))))


def load_hybrid(folder: Path) -> Callable[[Sequence[tuple[str, Sequence[Triple]]]], list[str]]:
    """The system that `learn_hybrid` has written: it cuts a sentence and rephrases the pieces. Raises `BadInput`."""
    try:
        packed = (folder / _FILE).read_bytes()
        counts, verbs, table, trigrams = msgpack.unpackb(packed, use_list=False, strict_map_key=False)
    except (OSError, ValueError, msgpack.UnpackException) as error:
        again = "python -m training.papers.websplit train hybridsimpl"
        raise BadInput(f"{folder / _FILE}: it cannot be read: {error}.", hint=f"Train it again: {again}.") from None
    cutter, model = Cutter(counts, frozenset(verbs)), Trigrams(trigrams)

    def write(text: str, triples: Sequence[Triple]) -> str:
        return " ".join(text_of(rephrase(words_of(piece), table, model)) for piece in cutter.cut(text, triples))

    return lambda given: list(itertools.starmap(write, given))
