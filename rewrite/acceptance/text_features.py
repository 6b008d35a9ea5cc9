"""What drawn texts of any language are measured by: their words, their parse, the rest of the pool."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Protocol

import numpy as np

from rerank.analysis import Analysis, Token
from rerank.frequency import WordFrequencies, fold
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.verdict import log_odds
from rewrite.specs import EDITS, SPLITTERS

RARE = 3.0
"""Occurrences in a thousand million words, as log₁₀: below it a word is rare."""
# Generators of this package, which give their candidates a gain and a risk, not a language model's probability.
_OURS = frozenset({*EDITS, *SPLITTERS, "deletion", "templates"})
_LEAST_MEAN_LOGPROB = -6.0
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_LEAST_TOKEN_LOGPROB = -12.0


def is_drawn(candidate: Candidate) -> bool:
    """Whether a language model drew the candidate."""
    return candidate.generator not in _OURS and candidate.logprob is not None


def logprob_per_token(candidate: Candidate) -> float:
    """Natural-log probability of a token, on average, from −6 up; −6 where it is not known."""
    if candidate.logprob is None:
        return _LEAST_MEAN_LOGPROB
    return max(_LEAST_MEAN_LOGPROB, candidate.logprob / max(1, candidate.tokens or len(candidate.text.split())))


def zipf(frequency: Mapping[str, float], word: str) -> float:
    """How common a word is: log₁₀ of its occurrences in a thousand million words, from 0 up."""
    share = frequency.get(word, 0.0)
    return max(0.0, 9.0 + math.log10(share)) if share > 0 else 0.0


def word_places(tokens: Sequence[Token]) -> list[int]:
    """Indices of the tokens that hold a letter or a digit."""
    return [i for i, token in enumerate(tokens) if any(map(str.isalnum, token.text))]


@dataclass(frozen=True, eq=False)
class ParsedText:
    """A text with its analysis (layers `morph` and `syntax`); words are tokens that hold a letter or a digit.

    `lemma` gives the dictionary form of a token.
    """

    analysis: Analysis
    lemma: Callable[[Token], str]

    @cached_property
    def tokens(self) -> list[Token]:
        """Its words, in order."""
        tokens = self.analysis.tokens
        return [tokens[i] for i in word_places(tokens)]

    @cached_property
    def words(self) -> list[str]:
        """Its words, folded."""
        return [fold(t.text) for t in self.tokens]

    @cached_property
    def lemmas(self) -> list[str]:
        """Dictionary forms of its words."""
        return [self.lemma(t) for t in self.tokens]

    @property
    def content(self) -> list[int]:
        """Indices of the words of content."""
        return [i for i, t in enumerate(self.tokens) if t.pos in _CONTENT]

    @property
    def repeats(self) -> int:
        """How many words of content repeat an earlier one."""
        lemmas = [self.lemmas[i] for i in self.content]
        return len(lemmas) - len(set(lemmas))

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """Words that follow each other."""
        return set(zip(self.words, self.words[1:], strict=False))

    @cached_property
    def heads(self) -> list[int]:
        """Index among the words of each word's head: −1 for a root, −2 where the head is no word."""
        heads: list[int] = []
        for sentence in self.analysis.sentences:
            order = {i: len(heads) + k for k, i in enumerate(word_places(sentence.tokens))}
            parsed_heads = ((i, sentence.tokens[i].head) for i in order)
            heads += [-1 if head < 0 or head == i else order.get(head, -2) for i, head in parsed_heads]
        return heads


class HasWords(Protocol):
    """A text as its words, folded, in order, and the pairs of them that follow each other."""

    @property
    def words(self) -> Sequence[str]: ...

    @property
    def pairs(self) -> Set[tuple[str, str]]: ...


@dataclass(frozen=True)
class DrawnWords:
    """A text of which only the words are known."""

    words: Sequence[str]

    @property
    def pairs(self) -> Set[tuple[str, str]]:
        """See `HasWords`."""
        return set(itertools.pairwise(self.words))


@dataclass(frozen=True)
class Pool:
    """How often the drawn texts of a pool hold each word and each pair of neighbours; `total` draws in all."""

    words: Counter[str]
    pairs: Counter[tuple[str, str]]
    total: int
    likeliest: float
    texts: tuple[tuple[frozenset[str], int], ...] = ()

    def consensus(self, text: HasWords, candidate: Candidate) -> float:
        """Mean F1 of the words of `text`, as a set, against those of the pool's other draws; 1 where there is none."""
        text_words = frozenset(text.words)
        others = self.total - candidate.count
        if others <= 0:
            return 1.0
        size = len(text_words)
        alike = sum(count * 2 * len(text_words & words) / max(1, size + len(words)) for words, count in self.texts)
        return (alike - candidate.count) / others

    @classmethod
    def of(cls, candidates: Sequence[Candidate], texts: Sequence[HasWords]) -> Pool:
        """Counted over `candidates`, each as often as it was drawn."""
        words: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for candidate, text in zip(candidates, texts, strict=True):
            words.update(dict.fromkeys(text.words, candidate.count))
            pairs.update(dict.fromkeys(text.pairs, candidate.count))
        best = max((logprob_per_token(c) for c in candidates), default=0.0)
        sets = tuple((frozenset(text.words), c.count) for c, text in zip(candidates, texts, strict=True))
        return cls(words, pairs, sum(c.count for c in candidates), best, sets)


def measured(
    names: Sequence[str],
    source: ParsedText,
    texts: Sequence[ParsedText],
    candidates: Sequence[Candidate],
    language_features: Callable[[ParsedText, list[bool], int], Mapping[str, float]],
    *,
    frequencies: WordFrequencies,
    likeness: Callable[[str], float],
    pronouns: frozenset[str],
) -> FloatArray:
    """The features `names` of the texts of `candidates`, shape `[len(candidates), len(names)]`.

    `language_features` gives those that one language alone has, by a text, which words of the source it keeps, and its
    number. `likeness` is the largest cosine between a word and any of the source.
    """
    pool = Pool.of(candidates, texts)
    frequency = frequencies.lookup({word for text in texts for word in text.words})
    rows = []
    for i, (candidate, text) in enumerate(zip(candidates, texts, strict=True)):
        kept, origin = _aligned(source.words, text.words)
        features = {
            **features_of_draw(candidate, text, pool),
            **_of_size(source, text),
            **_of_new_words(source, text, pool, candidate, frequency=frequency, likeness=likeness, pronouns=pronouns),
            **_of_gone_words(source, kept, pool, candidate),
            **_moves(source, text, origin),
            "first_is_link": _begins_with_link(text),
            **_of_pairs(source, text, pool, candidate),
            **language_features(text, kept, i),
        }
        rows.append([float(features[name]) for name in names])
    return np.array(rows)


def features_of_draw(candidate: Candidate, text: HasWords, pool: Pool) -> dict[str, float]:
    """What the model, and the rest of its draws, say of a drawn text."""
    each = logprob_per_token(candidate)
    tokens = candidate.tokens or 1
    return {
        "logprob": each,
        "logprob_all": max(-60.0, each * tokens),
        "certainty": log_odds(candidate.certainty),
        "least": each if candidate.least_logprob is None else max(_LEAST_TOKEN_LOGPROB, candidate.least_logprob),
        "likeliest": pool.likeliest - each,
        "share": candidate.count / max(1, pool.total),
        "consensus": pool.consensus(text, candidate),
    }


def _of_size(source: ParsedText, text: ParsedText) -> dict[str, float]:
    """How long a text is beside its source."""
    total = max(1, len(source.words))
    before, after = source.analysis, text.analysis
    return {
        "length": len(text.words) / total,
        "sentences": len(after.sentences) - len(before.sentences),
        "commas": (after.text.count(",") - before.text.count(",")) / total,
        "source_words": total,
    }


def _moves(source: ParsedText, text: ParsedText, origin: Mapping[int, int]) -> dict[str, float]:
    """How many kept words have another head, and how many another place; `origin` is where each stood."""
    before, after = source.heads, text.heads
    back = set(origin.values())
    moved = 0
    for j, i in origin.items():
        if after[j] == -2 or before[i] == -2:
            continue
        moved += (origin[after[j]] != before[i]) if after[j] in origin else before[i] in back
    common = sum((Counter(source.words) & Counter(text.words)).values())
    return {"moved": moved, "swapped": common - len(origin)}


def _of_pairs(source: ParsedText, text: ParsedText, pool: Pool, candidate: Candidate) -> dict[str, float]:
    """How much the other draws agree with pairs of neighbours that the source does not have."""
    new = text.pairs - source.pairs
    lonely = sum(pool.pairs[pair] <= candidate.count for pair in new)
    other = max(1, pool.total - candidate.count)
    shares = [(pool.pairs[pair] - candidate.count) / other for pair in new]
    return {"rare_pairs": 1.0 - float(np.mean(shares)) if shares else 0.0, "lonely_pairs": lonely}


def _aligned(source: Sequence[str], words: Sequence[str]) -> tuple[list[bool], dict[int, int]]:
    """Which words of the source stand in the text, in order, and the place in the source of each such word of it."""
    kept = [False] * len(source)
    origin: dict[int, int] = {}
    for block in SequenceMatcher(None, source, words, autojunk=False).get_matching_blocks():
        for k in range(block.size):
            kept[block.a + k] = True
            origin[block.b + k] = block.a + k
    return kept, origin


def _starts(text: ParsedText, token: Token) -> bool:
    return any(s.tokens and s.tokens[0].start == token.start for s in text.analysis.sentences)


def _of_new_words(
    source: ParsedText,
    text: ParsedText,
    pool: Pool,
    candidate: Candidate,
    *,
    frequency: Mapping[str, float],
    likeness: Callable[[str], float],
    pronouns: frozenset[str],
) -> dict[str, float]:
    """What is to be known of words that the source does not have.

    `frequency` holds the share of each word among running words, `likeness` gives the largest cosine between a word and
    any of the source.
    """
    known, lemmas = set(source.words), set(source.lemmas)
    new = [i for i, word in enumerate(text.words) if word not in known]
    content = [i for i in text.content if text.words[i] not in known]
    fresh = [i for i in content if text.lemmas[i] not in lemmas]
    alike = [likeness(text.words[i]) for i in fresh]
    commonness = [zipf(frequency, text.words[i]) for i in content]
    other = max(1, pool.total - candidate.count)
    return {
        "new": len(new) / max(1, len(text.words)),
        "new_count": len(content),
        "new_likeness": float(np.mean(alike)) if alike else 1.0,
        "new_unlike": min(alike, default=1.0),
        "new_zipf": min(commonness, default=7.0),
        "new_rare": sum(z < RARE for z in commonness),
        "new_lemma": len(fresh),
        "reinflected": len(content) - len(fresh),
        "new_names": sum(text.tokens[i].text[:1].isupper() and not _starts(text, text.tokens[i]) for i in fresh),
        "new_pronouns": sum(text.words[i] in pronouns for i in new),
        "lonely_words": sum((pool.words[text.words[i]] - candidate.count) / other <= 0 for i in content),
        "again": text.repeats - source.repeats,
    }


def _of_gone_words(source: ParsedText, kept: Sequence[bool], pool: Pool, candidate: Candidate) -> dict[str, float]:
    """What is to be known of words of the source that a text does not have."""
    gone = [i for i, stays in enumerate(kept) if not stays]
    other = max(1, pool.total - candidate.count)
    with_it = [max(0, pool.words[source.words[i]]) / other for i in gone]
    return {
        "gone": len(gone) / max(1, len(source.words)),
        "gone_names": sum(source.tokens[i].text[:1].isupper() and i > 0 for i in gone),
        "gone_digits": sum(any(c.isdigit() for c in source.words[i]) for i in gone),
        "agreed_gone": 1.0 - float(np.mean(with_it)) if with_it else 1.0,
    }


def _begins_with_link(text: ParsedText) -> bool:
    """Whether the first word is a conjunction."""
    return bool(text.tokens) and text.tokens[0].pos in ("CCONJ", "SCONJ")
