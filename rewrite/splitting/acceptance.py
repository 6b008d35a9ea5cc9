"""How likely an editor is to pass a split: what a forest looks at, and the bundled forest.

It learnt from splits that readers judged (`training.text_acceptance`), and stands in the place of rules of grammar and
sense: what the network proposes is judged as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rerank.types import FloatArray
from rerank.wordlists import denials
from rewrite.forest import TreeAcceptance
from rewrite.splitting.clause_heads import (
    clause_subject,
    crossing,
    finite,
    has_subject,
    head_of,
    is_order,
    is_past,
    main_clause,
    shared_subject,
    top,
)
from rewrite.splitting.openers import NOUNS, VERB_SLOTS, phrase_slot
from rewrite.splitting.parsed_words import BE, PERSONAL, QUOTES, RELATIVES, Words, above, is_quantified
from rewrite.splitting.pronouns import pronoun_of
from rewrite.splitting.split import Split

Judge = Callable[[Sequence[str]], npt.NDArray[np.float64]]
"""P(one complete, well-formed sentence) of each text, as `SentenceJudge.probabilities` tells it."""

_FILE = Path(__file__).resolve().parents[1] / "models" / "splits_en.npz"
_RELATIONS = (
    *("conj", "advcl", "acl", "acl:relcl", "ccomp", "appos", "parataxis", "root", "nmod", "obl", "xcomp", "list"),
    "csubj",
)
_POS = ("VERB", "AUX", "NOUN", "PROPN", "ADJ", "ADP", "PRON", "SCONJ", "CCONJ", "ADV", "NUM", "DET")
_DROPPED = (
    *("", "and", "but", "who", "which", "that", "where", "when", "while", "because", "as", "so", "or", "with", "to"),
    *("then", "although"),
)
_OPENERS = ("", "he", "she", "it", "they", "this", "that", "however", "but", "there", "so", "these", "the")
_FORMS = ("Fin", "Part", "Ger", "Inf")
_LIMITING = denials("en", "particle") | {"no", "if", "unless", "whether"}
_NEAR = 12
FEATURES = (
    *("rank", "logprob", "behind_best", "over_none", "none"),
    *("whole_first", "whole_second", "whole_least"),
    *("words_first", "words_second", "share_second", "dropped", "opener", "middle", "gone", "put", "lead"),
    *("comma_before", "mark_at", "brackets", "quotes", "limiting"),
    *("finite_first", "finite_second", "finite_verbs_second", "subjects_second", "has_subject", "subordinators_second"),
    *("crossing", "root_first", "of_noun", "order", "reported", "past_first", "past_second", "past_opener"),
    *("phrase", "verb_form", "personal", "be", "fitting_pronoun", "other_pronoun", "other_noun", "quantified"),
    *("antecedent_name", "antecedent_distance", "nouns_before", "rivals", "relative_left"),
    *(f"relation:{name}" for name in _RELATIONS),
    *(f"first:{name}" for name in _POS),
    *(f"top:{name}" for name in _POS),
    *(f"form:{name}" for name in _FORMS),
    *(f"dropped:{name}" for name in _DROPPED),
    *(f"opener:{name}" for name in _OPENERS),
)


@lru_cache(maxsize=1)
def acceptance_signature() -> str:
    """Name and fingerprint of the bundled forest."""
    return f"{_FILE.stem}:{hashlib.sha256(_FILE.read_bytes()).hexdigest()[:12]}"


@lru_cache(maxsize=1)
def load_acceptance() -> TreeAcceptance:
    """The bundled forest. `ModelNotFound` where it is missing or made for other features."""
    return TreeAcceptance.load(_FILE, FEATURES)


def split_features(
    words: Words, splits: Sequence[Split], pairs: Sequence[tuple[str, str]], none: float, whole: Judge
) -> FloatArray:
    """What is known of each split of a sentence, shape `[n, len(FEATURES)]`; `pairs` are their two sentences.

    `splits` come by falling log-probability, `none` is that of no split.
    """
    if not splits:
        return np.zeros((0, len(FEATURES)))
    best = max(split.logprob for split in splits)
    chances = whole([text for pair in pairs for text in pair]).reshape(-1, 2)
    rows = [
        (rank, s.logprob, s.logprob - best, s.logprob - none, none, *chance, chance.min(), *_row(words, s))
        for rank, (s, chance) in enumerate(zip(splits, chances, strict=True))
    ]
    return np.array(rows, dtype=np.float64)


def _row(words: Words, split: Split) -> tuple[float, ...]:
    """Of `FEATURES` those that neither the network nor the judge of whole sentences tells."""
    first, second = split.first(words), list(split.second)
    dropped = [words[n].lower for n in range(split.start, split.kept) if not words[n].is_mark]
    head = top(words, split.second)
    head_word = words[head] if head >= 0 else None
    begins = words[split.begins(words)]
    main = top(words, first)
    return (
        *_shape(words, split, len(first), len(dropped)),
        *_clauses(words, split, first, second, head, main),
        *_subject(words, split, head),
        *(float(head_word is not None and head_word.rel == name) for name in _RELATIONS),
        *(float(begins.pos == name) for name in _POS),
        *(float(head_word is not None and head_word.pos == name) for name in _POS),
        *(float(head_word is not None and head_word.feature("VerbForm") == name) for name in _FORMS),
        *(float((dropped[0] if dropped else "") == name) for name in _DROPPED),
        *(float((split.opener[0] if split.opener else "") == name) for name in _OPENERS),
    )


def _shape(words: Words, split: Split, first: int, dropped: int) -> tuple[float, ...]:
    second = split.stop - split.kept
    texts = {words[n].lower for n in range(words.end)}
    return tuple(
        float(x)
        for x in (
            *(first, second, second / max(1, first + second), dropped, len(split.opener)),
            *(split.stop != words.end, bool(split.gone), bool(split.put), split.lead > 0),
            split.start > 0 and words[split.start - 1].text == ",",
            words[split.start].text in (",", ";", ":"),
            words.in_brackets(split.start),
            not QUOTES.isdisjoint(texts),
            not _LIMITING.isdisjoint(texts),
        )
    )


def _clauses(
    words: Words, split: Split, first: Sequence[int], second: Sequence[int], head: int, main: int
) -> tuple[float, ...]:
    """Whether both sentences have a clause of their own, and how its tenses go together."""
    clause = main_clause(words, head) if head >= 0 else -1
    return tuple(
        float(x)
        for x in (
            any(finite(words, n, first) for n in first),
            any(finite(words, n, second) for n in second),
            sum(finite(words, n, second) for n in second),
            sum(words[n].rel == "nsubj" for n in second),
            head >= 0 and has_subject(words, head_of(words, split), second),
            sum(words[n].pos == "SCONJ" for n in second),
            crossing(words, split.second, range(split.start, split.kept)),
            main >= 0 and words[main].rel == "root",
            head >= 0 and words[head].head >= 0 and words[words[head].head].pos in ("NOUN", "PROPN", "PRON"),
            is_order(words),
            head >= 0 and any(words[n].rel in ("ccomp", "xcomp") for n in (head, *above(words, head))),
            clause >= 0 and is_past(words, clause),
            head >= 0 and is_past(words, head),
            not {"was", "were", "<past>"}.isdisjoint(split.opener),
        )
    )


def _subject(words: Words, split: Split, head: int) -> tuple[float, ...]:
    """Whether what the opener says is what the source speaks of there."""
    said = split.opener[0] if split.opener else ""
    subject = shared_subject(words, head) if head >= 0 else -1
    if subject < 0 and head >= 0:
        subject = clause_subject(words, head)
    fitting = pronoun_of(words, subject) if subject >= 0 else ""
    personal = said in PERSONAL
    nouns = [n for n in range(split.start) if words[n].pos in NOUNS]
    rivals = [n for n in nouns[-_NEAR:] if personal and n != subject and pronoun_of(words, n) in (said, "")]
    return tuple(
        float(x)
        for x in (
            bool(phrase_slot(split.opener)),
            not VERB_SLOTS.isdisjoint(split.opener),
            personal,
            not BE.isdisjoint(split.opener),
            personal and fitting == said,
            personal and fitting not in (said, ""),
            split.antecedent >= 0 and split.antecedent != subject,
            subject >= 0 and is_quantified(words, subject),
            split.antecedent >= 0 and words[split.antecedent].pos == "PROPN",
            split.start - split.antecedent if split.antecedent >= 0 else 0,
            len(nouns),
            len(rivals),
            any(words[n].lower in RELATIVES for n in split.second),
        )
    )
