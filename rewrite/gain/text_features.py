"""What tells whether an editor would pass a drawn text: its words, its cuts, its parse, the rest of the pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

import numpy as np

from rerank.analysis import Analysis, Token
from rerank.frequency import fold
from rerank.types import Candidate, FloatArray
from rewrite.gain.scorer import RARE, logprob_per_token, zipf
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["TEXT_FEATURES", "ParsedSource", "ParsedText", "PoolWords", "text_features"]

TEXT_FEATURES = (
    *("logprob", "logprob_all", "least", "likeliest", "share", "consensus"),
    *("length", "sentences", "commas", "source_words"),
    *("new", "new_count", "new_likeness", "new_unlike", "new_zipf", "new_rare", "new_lemma", "reinflected"),
    *("new_names", "new_pronouns", "gone", "gone_keep", "gone_most", "gone_names", "gone_digits"),
    *("cut_risk", "cut_most", "torn", "moved", "swapped", "roots_verbless", "first_is_link"),
    *("again", "rare_pairs", "lonely_pairs", "lonely_words", "agreed_gone"),
)
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_PRONOUNS = frozenset("он она оно они его ее её их ему ей им него нее неё них это этот эта эти этого этой этом".split())
_MOST_RISK = 8.0
_LEAST = -12.0


@dataclass(frozen=True, eq=False)
class ParsedText:
    """A text with its analysis (layers `morph` and `syntax`); words are tokens that hold a letter or a digit."""

    analysis: Analysis

    @cached_property
    def tokens(self) -> list[Token]:
        """Its words, in order."""
        return [t for t in self.analysis.tokens if any(c.isalnum() for c in t.text)]

    @cached_property
    def words(self) -> list[str]:
        """Its words, folded."""
        return [fold(t.text) for t in self.tokens]

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """Words that follow each other."""
        return set(zip(self.words, self.words[1:], strict=False))

    @cached_property
    def heads(self) -> list[int]:
        """Index among the words of each word's head: −1 for a root, −2 where the head is no word."""
        places: dict[int, int] = {}
        found: list[int] = []
        for sentence in self.analysis.sentences:
            own = {i: t for i, t in enumerate(sentence.tokens) if any(c.isalnum() for c in t.text)}
            start = len(places)
            places |= {start + k: start + k for k in range(len(own))}
            order = {i: start + k for k, i in enumerate(own)}
            found += [-1 if t.head < 0 or t.head == i else order.get(t.head, -2) for i, t in own.items()]
        return found


@dataclass(frozen=True, eq=False)
class ParsedSource:
    """A source, with the share of editors expected to keep each word (`keep`) and −log P(an editor passes its subtree's
    cut) (`risk`), both over its words; `trees` are its sentences."""

    text: ParsedText
    trees: tuple[Tree, ...]
    keep: FloatArray
    risk: FloatArray
    lemmas: frozenset[str]
    vectors: Mapping[str, FloatArray]

    @cached_property
    def subtrees(self) -> list[tuple[int, list[int]]]:
        """For each word its head (−1 for a root) and the words under it, itself included, all as indices of words."""
        found: list[tuple[int, list[int]]] = []
        for tree in self.trees:
            own = [i for i, t in enumerate(tree.tokens) if any(c.isalnum() for c in t.text)]
            order = {i: len(found) + k for k, i in enumerate(own)}
            found += [(order.get(tree.heads[i], -1), [order[j] for j in tree.subtree(i) if j in order]) for i in own]
        return found


@dataclass(frozen=True)
class PoolWords:
    """How often the drawn texts of a pool hold each word and each pair of neighbours; `total` draws in all."""

    words: Counter[str]
    pairs: Counter[tuple[str, str]]
    total: int
    likeliest: float
    texts: tuple[tuple[frozenset[str], int], ...] = ()

    def consensus(self, text: ParsedText, candidate: Candidate) -> float:
        """Mean F1 of the words of `text`, as a set, against those of the pool's other draws; 1 where there is none."""
        own = frozenset(text.words)
        others = self.total - candidate.count
        if others <= 0:
            return 1.0
        found = sum(count * 2 * len(own & words) / max(1, len(own) + len(words)) for words, count in self.texts)
        return (found - candidate.count) / others

    @classmethod
    def of(cls, candidates: Sequence[Candidate], texts: Sequence[ParsedText]) -> PoolWords:
        """Counted over `candidates`, each as often as it was drawn."""
        words: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for candidate, text in zip(candidates, texts, strict=True):
            words.update(dict.fromkeys(text.words, candidate.count))
            pairs.update(dict.fromkeys(text.pairs, candidate.count))
        best = max((logprob_per_token(c) for c in candidates), default=0.0)
        sets = tuple((frozenset(text.words), c.count) for c, text in zip(candidates, texts, strict=True))
        return cls(words, pairs, sum(c.count for c in candidates), best, sets)


def text_features(
    source: ParsedSource,
    candidate: Candidate,
    text: ParsedText,
    pool: PoolWords,
    *,
    frequency: Mapping[str, float],
    valency: Valency,
    navec: Any,
) -> FloatArray:
    """Features of one drawn text, shape `[len(TEXT_FEATURES)]`.

    `frequency` holds the share of each word among running words. `least` is the log-probability of its least probable
    token (the mean, where that is not known), `likeliest` by how much the text is less likely, a token, than the pool's
    likeliest, `consensus` the mean likeness to the pool's other draws; `cut_risk` sums −log P(passed) over whole
    subtrees that went; `torn` counts words that went while words under them stayed; `moved` and `swapped` count kept
    words with another head or another place; the lonely words and pairs are those new ones that no other draw of the
    pool has.
    """
    kept, origin = _aligned(source.text.words, text.words)
    found = {
        **_of_draw(candidate, pool),
        "consensus": pool.consensus(text, candidate),
        **_of_size(source, text),
        **_of_new_words(source, text, pool, candidate, frequency, valency, navec),
        **_of_gone_words(source, kept, pool, candidate),
        **_of_structure(source, text, origin, valency),
        **_of_pairs(source, text, pool, candidate),
    }
    return np.array([float(found[name]) for name in TEXT_FEATURES])


def _of_draw(candidate: Candidate, pool: PoolWords) -> dict[str, float]:
    each = logprob_per_token(candidate)
    tokens = candidate.tokens or 1
    return {
        "logprob": each,
        "logprob_all": max(-60.0, each * tokens),
        "least": each if candidate.least_logprob is None else max(_LEAST, candidate.least_logprob),
        "likeliest": pool.likeliest - each,
        "share": candidate.count / max(1, pool.total),
    }


def _of_size(source: ParsedSource, text: ParsedText) -> dict[str, float]:
    total = max(1, len(source.text.words))
    before, after = source.text.analysis, text.analysis
    return {
        "length": len(text.words) / total,
        "sentences": len(after.sentences) - len(before.sentences),
        "commas": (after.text.count(",") - before.text.count(",")) / total,
        "source_words": total,
    }


def _of_new_words(
    source: ParsedSource,
    text: ParsedText,
    pool: PoolWords,
    candidate: Candidate,
    frequency: Mapping[str, float],
    valency: Valency,
    navec: Any,
) -> dict[str, float]:
    known = set(source.text.words)
    new = [t for t in text.tokens if fold(t.text) not in known]
    content = [t for t in new if t.pos in _CONTENT]
    fresh = [t for t in content if valency.lemma(t) not in source.lemmas]
    likeness = [_likeness(fold(t.text), source.vectors, navec) for t in fresh]
    commonness = [zipf(frequency, fold(t.text)) for t in content]
    other = max(1, pool.total - candidate.count)
    shares = [(pool.words[fold(t.text)] - candidate.count) / other for t in content]
    return {
        "new": len(new) / max(1, len(text.words)),
        "new_count": len(content),
        "new_likeness": float(np.mean(likeness)) if likeness else 1.0,
        "new_unlike": min(likeness, default=1.0),
        "new_zipf": min(commonness, default=7.0),
        "new_rare": sum(z < RARE for z in commonness),
        "new_lemma": len(fresh),
        "reinflected": len(content) - len(fresh),
        "new_names": sum(t.text[:1].isupper() for t in fresh if not _starts(text, t)),
        "new_pronouns": sum(fold(t.text) in _PRONOUNS for t in new),
        "lonely_words": sum(share <= 0 for share in shares),
        "again": _repeats(text, valency) - _repeats(source.text, valency),
    }


def _of_gone_words(source: ParsedSource, kept: list[bool], pool: PoolWords, candidate: Candidate) -> dict[str, float]:
    tokens, words = source.text.tokens, source.text.words
    gone = [i for i, stays in enumerate(kept) if not stays]
    total = max(1, len(words))
    risks: list[float] = []
    torn = 0
    for i in gone:
        head, under = source.subtrees[i]
        if any(kept[j] for j in under):
            torn += 1
        elif head < 0 or kept[head]:
            risks.append(float(source.risk[i]))
    other = max(1, pool.total - candidate.count)
    with_it = [max(0, pool.words[words[i]]) / other for i in gone]
    return {
        "gone": len(gone) / total,
        "gone_keep": float(source.keep[gone].sum()) / total,
        "gone_most": float(source.keep[gone].max()) if gone else 0.0,
        "gone_names": sum(tokens[i].text[:1].isupper() and i > 0 for i in gone),
        "gone_digits": sum(any(c.isdigit() for c in words[i]) for i in gone),
        "cut_risk": min(_MOST_RISK, sum(risks)),
        "cut_most": min(_MOST_RISK, max(risks, default=0.0)),
        "torn": torn,
        "agreed_gone": 1.0 - float(np.mean(with_it)) if with_it else 1.0,
    }


def _of_structure(
    source: ParsedSource, text: ParsedText, origin: Mapping[int, int], valency: Valency
) -> dict[str, float]:
    before, after = source.text.heads, text.heads
    back = set(origin.values())
    moved = 0
    for j, i in origin.items():
        if after[j] == -2 or before[i] == -2:
            continue
        moved += (origin[after[j]] != before[i]) if after[j] in origin else before[i] in back
    common = sum((Counter(source.text.words) & Counter(text.words)).values())
    first = text.tokens[0] if text.tokens else None
    return {
        "moved": moved,
        "swapped": common - len(origin),
        "roots_verbless": sum(not _predicates(s.tokens) for s in text.analysis.sentences),
        "first_is_link": bool(first) and first is not None and first.pos in ("CCONJ", "SCONJ"),
    }


def _of_pairs(source: ParsedSource, text: ParsedText, pool: PoolWords, candidate: Candidate) -> dict[str, float]:
    new = text.pairs - source.text.pairs
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


def _predicates(tokens: Sequence[Token]) -> bool:
    """Whether a sentence has a finite verb, a short form or a dash that stands for one."""
    return any(t.feats.get("VerbForm") == "Fin" or t.feats.get("Variant") == "Short" or t.text in "—–" for t in tokens)


def _starts(text: ParsedText, token: Token) -> bool:
    return any(s.tokens and s.tokens[0].start == token.start for s in text.analysis.sentences)


def _repeats(text: ParsedText, valency: Valency) -> int:
    """How many content words repeat an earlier one."""
    lemmas = [valency.lemma(t) for t in text.tokens if t.pos in _CONTENT]
    return len(lemmas) - len(set(lemmas))


def _likeness(word: str, vectors: Mapping[str, FloatArray], navec: Any) -> float:
    """The largest cosine between a word and any of the source; 0 where the word has no vector."""
    if word not in navec or not vectors:
        return 0.0
    own = navec[word]
    own = own / (np.linalg.norm(own) + 1e-9)
    return max(float(own @ vector) for vector in vectors.values())
