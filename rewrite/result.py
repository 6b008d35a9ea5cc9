"""What a rewrite returns: the choice, the alternatives, and the table that lets weights change afterwards."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from rerank.explain import Explanation, explain
from rerank.select import Selection, diverse_n_best, n_best, select
from rerank.types import Candidate, FloatArray, ScoreTable
from rerank.weights import Weights
from rewrite.layout import Layout, count_words, is_border, split
from rewrite.task_options import TaskOptions

if TYPE_CHECKING:
    from rewrite.across.replacing import Wording
    from rewrite.drawing import Drawing

_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Choice:
    """One rewrite of a sentence: the candidate, its score, and the component values behind it.

    The score is the weighted geometric mean of the components, in [0, 1]. `row` is the candidate's row in the score
    table, −1 for the source itself.
    """

    candidate: Candidate
    score: float
    components: Mapping[str, float]
    row: int = -1

    @property
    def text(self) -> str:
        return self.candidate.text


def choose(table: ScoreTable, weights: Weights, *, options: TaskOptions) -> tuple[Choice, ...]:
    """At most `options.best` choices (all where `None`); never empty: without a good candidate the source comes first.

    With `options.diverse`, they are picked to differ from each other. A pure function: no model is called.
    """
    return choices_of(select(table, weights, threshold=options.source_share), options)


def choices_of(selection: Selection, options: TaskOptions) -> tuple[Choice, ...]:
    """As `choose`, where the selection has been made."""
    ranked, table = selection.ranked, selection.ranked.table
    limit = options.best or len(table.candidates) + 1
    first = () if selection.index is not None else (_source(table, selection.score),)
    rows = (diverse_n_best if options.diverse else n_best)(ranked, limit - len(first))
    return first + tuple(
        Choice(
            candidate=table.candidates[row],
            score=ranked.score(row),
            components=_named(table, table.values[row]),
            row=row,
        )
        for row in rows
    )


def _source(table: ScoreTable, score: float) -> Choice:
    candidate = Candidate(table.source, generator="source")
    return Choice(candidate=candidate, score=score, components=_named(table, table.source_values))


def _named(table: ScoreTable, values: FloatArray) -> dict[str, float]:
    return dict(zip(table.components, values.tolist(), strict=True))


@dataclass(frozen=True)
class SentenceResult:
    """One sentence: its choices, best first, and the table they were chosen from.

    `skipped` says why the sentence was passed through unchanged; then there are no choices and no table. `drawn` counts
    what the generator drew, `dropped` how much of it was rejected for each reason, `cleaned` how many texts each rule
    of cleaning changed. `error` says what a generator failed on, or that the sentence is in an `other_language` than
    the task and its generator know; `language` is what it was taken to be in. `wording` says which terms of the source
    were replaced before, if any.
    """

    source: str
    choices: tuple[Choice, ...] = ()
    table: ScoreTable | None = None
    skipped: str = ""
    drawn: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    cleaned: Mapping[str, int] = field(default_factory=dict)
    error: str = ""
    language: str = ""
    other_language: bool = False
    wording: Wording | None = None

    @property
    def preferred(self) -> str:
        """The source with the terms that are preferred (`--replace`): what rewrites are of."""
        return self.wording.text if self.wording else self.source

    @property
    def text(self) -> str:
        return self.choices[0].text if self.choices else self.preferred

    def text_at(self, rank: int) -> str:
        """The choice at `rank`, or the last one where there are fewer."""
        return self.choices[min(rank, len(self.choices) - 1)].text if self.choices else self.preferred

    def of(self, source: str, wording: Wording) -> SentenceResult:
        """The same of the `source` that got this wording before; one in another language stands as it was."""
        if self.other_language:
            return replace(self, source=source)
        return self if wording.text == source and not wording.left else replace(self, source=source, wording=wording)

    def with_drawing(self, drawing: Drawing) -> SentenceResult:
        """The same with the account of how its candidates were drawn; one drawn for in vain stands as it is."""
        skipped = drawing.error if drawing.is_in_vain else ""
        return replace(
            self,
            choices=() if skipped else self.choices,
            skipped=skipped,
            drawn=drawing.drawn,
            dropped=drawing.reasons,
            cleaned=drawing.repairs,
            error=drawing.error,
        )

    @property
    def blocked(self) -> dict[str, str]:
        """Text of each candidate that may not be chosen, with the reason."""
        if self.table is None:
            return {}
        pairs = zip(self.table.candidates, self.table.blocked, strict=True)
        return {candidate.text: reason for candidate, reason in pairs if reason}


@dataclass(frozen=True)
class Result:
    """A rewritten text. `str(result)` is the best rewrite; `grade` the school grade of any text in its language."""

    sentence_class: ClassVar[type[SentenceResult]] = SentenceResult
    """What holds one of its sentences."""

    source: str
    sentences: tuple[SentenceResult, ...]
    layout: Layout
    weights: Weights
    options: TaskOptions
    settings: str
    grade: Callable[[str], float] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """What a list of results is shown as: the table of each would fill pages."""
        return f"<{type(self).__name__} {self.text!r} of {self.source!r}>"

    @property
    def signature(self) -> str:
        """Versions and settings behind this result: equal signatures mean equal results for equal input."""
        return f"{self.settings}|weights:{str(self.weights).replace(' ', ',')}" if self.settings else ""

    @property
    def text(self) -> str:
        """The best rewrite."""
        return self.layout.join(tuple(sentence.text for sentence in self.sentences))

    @property
    def lines(self) -> tuple[str, ...]:
        """The best rewrite's parts that may have a line each: the rewritten sentences, with the mark of a list.

        Cells of a row stay on one line.
        """
        first, *gaps = self.layout.gaps
        breaking = (gap if is_border(gap) else f"\n{gap.lstrip()}" for gap in gaps[:-1])
        layout = Layout(self.layout.sentences, (first.lstrip(), *breaking, *(gap.rstrip() for gap in gaps[-1:])))
        text = layout.join(tuple(sentence.text for sentence in self.sentences))
        return tuple(text.split("\n")) if self.sentences else ()

    @property
    def word_counts(self) -> list[list[int]]:
        """For each sentence of the source the words of each sentence that became of it in the best rewrite."""
        return [[count_words(part) for part in split(sentence.text).sentences] for sentence in self.sentences]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Distinct rewrites of the whole text, best first: the k-th takes the k-th best of each sentence, or its last.

        Scores and components are geometric means over the sentences that were rewritten.
        """
        ranks = range(max((len(s.choices) for s in self.sentences), default=0))
        joined = [self._joined([s.choices[min(r, len(s.choices) - 1)] for s in self._rewritten], r) for r in ranks]
        distinct: dict[str, Choice] = {}
        for choice in joined:
            distinct.setdefault(choice.text, choice)
        return tuple(distinct.values())

    @property
    def _rewritten(self) -> list[SentenceResult]:
        return [sentence for sentence in self.sentences if sentence.choices]

    def _joined(self, parts: list[Choice], rank: int) -> Choice:
        text = self.layout.join(tuple(sentence.text_at(rank) for sentence in self.sentences))
        if len(parts) == 1:
            return replace(parts[0], candidate=replace(parts[0].candidate, text=text))
        return Choice(
            candidate=Candidate(
                text=text,
                generator="+".join(dict.fromkeys(part.candidate.generator for part in parts)),
                count=min(part.candidate.count for part in parts),
            ),
            score=_geometric_mean([part.score for part in parts]),
            components={n: _geometric_mean([part.components[n] for part in parts]) for n in parts[0].components},
        )

    @property
    def best(self) -> Choice | None:
        """The best rewrite with its score; `None` where every sentence was passed through."""
        return self.choices[0] if self.choices else None

    @property
    def n_best(self) -> tuple[str, ...]:
        """Texts of `choices`, best first; the source where every sentence was passed through."""
        return tuple(choice.text for choice in self.choices) or (self.source,)

    @property
    def facts(self) -> dict[str, str]:
        """Candidates that were blocked, with the fact each would change or the fault in its form."""
        return {text: reason for sentence in self.sentences for text, reason in sentence.blocked.items()}

    def reweight(self, weights: Mapping[str, float]) -> Result:
        """The result under other weights, from the same table: no generation, no scoring.

        A name that `weights` leaves out keeps this result's weight. Raises `BadWeights` for unknown names and bad
        values.
        """
        new = Weights.resolve(self.weights, preset=self.weights, explicit=weights)
        return replace(self, weights=new, sentences=tuple(self._rechosen(s, new) for s in self.sentences))

    def _rechosen(self, sentence: SentenceResult, weights: Weights) -> SentenceResult:
        if sentence.table is None:
            return sentence
        return replace(sentence, choices=choose(sentence.table, weights, options=self.options))

    def explain(self) -> list[Explanation | None]:
        """Why each sentence came out so; `None` for one passed through."""
        threshold = self.options.source_share
        return [
            None if s.table is None else explain(select(s.table, self.weights, threshold=threshold))
            for s in self.sentences
        ]

    def to_dict(self, *, limit: int | None = None) -> dict[str, Any]:
        """As `row`."""
        return self.row(limit=limit)

    def _repr_html_(self) -> str:
        """The best rewrite in a notebook: what went struck out, what came underlined."""
        sentences = tuple(map(_marked_up, self.sentences))
        marked = Layout(sentences, tuple(map(escape, self.layout.gaps))).join(sentences)
        score = f" <small>{self.best.score:.3f}</small>" if self.best else ""
        return f'<p style="white-space: pre-wrap">{marked}{score}</p>'

    def row(self, *, limit: int | None = None) -> dict[str, Any]:
        """The result as plain data, one row of the JSONL output, with at most `limit` candidates."""
        row: dict[str, Any] = {
            "source": self.source,
            "text": self.text,
            "score": self.best.score if self.best else None,
            "components": dict(self.best.components) if self.best else {},
            "candidates": [_plain(choice) for choice in self.choices[:limit]],
            "facts": self.facts,
            "signature": self.signature,
        }
        if self.grade and self.best:
            row["grade"] = {name: round(self.grade(row[name]), 1) for name in ("source", "text")}
        if len(self.sentences) > 1:
            row["sentences"] = [_sentence_row(sentence, limit) for sentence in self.sentences]
        elif self.sentences:
            row.update(_account(self.sentences[0]))
        return row


def _plain(choice: Choice) -> dict[str, Any]:
    return {
        "text": choice.text,
        "score": choice.score,
        "components": dict(choice.components),
        "generator": choice.candidate.generator,
        "count": choice.candidate.count,
        **_account_of_generator(choice.candidate),
    }


def _account_of_generator(candidate: Candidate) -> dict[str, Any]:
    """What the generator says of its candidate, where it says anything: enough to score it again elsewhere."""
    known = {
        "logprob": candidate.logprob,
        "tokens": candidate.tokens,
        "least_logprob": candidate.least_logprob,
        "certainty": candidate.certainty,
        "source_logprob": candidate.source_logprob,
        "source_tokens": candidate.source_tokens,
        "risk": candidate.risk or None,
        "controls": candidate.controls or None,
    }
    return {name: value for name, value in known.items() if value is not None}


def _marked_up(sentence: SentenceResult) -> str:
    """A sentence as HTML with what went and what came, word by word."""
    old, new = _PIECE.findall(sentence.source), _PIECE.findall(sentence.text)
    parts = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        went, came = escape("".join(old[a:b])), escape("".join(new[c:d]))
        changed = (f"<del>{went}</del>" if went else "") + (f"<ins>{came}</ins>" if came else "")
        parts.append(went if kind == "equal" else changed)
    return "".join(parts)


def _sentence_row(sentence: SentenceResult, limit: int | None) -> dict[str, Any]:
    row: dict[str, Any] = {"source": sentence.source, "text": sentence.text}
    if not sentence.skipped:
        row["candidates"] = [_plain(choice) for choice in sentence.choices[:limit]]
    return {**row, **_account(sentence)}


def _account(sentence: SentenceResult) -> dict[str, Any]:
    """How the candidates were come by, where there is anything to say."""
    account: dict[str, Any] = {"skipped": sentence.skipped, "error": sentence.error}
    if sentence.wording:
        account |= {"replaced": list(sentence.wording.made), "unreplaced": list(sentence.wording.left)}
    if sentence.dropped or sentence.cleaned:
        account |= {"drawn": sentence.drawn, "dropped": dict(sentence.dropped), "cleaned": dict(sentence.cleaned)}
    return {name: value for name, value in account.items() if value or name in ("dropped", "cleaned", "drawn")}


def _geometric_mean(values: Sequence[float]) -> float:
    if min(values) <= 0:
        return 0.0
    return math.exp(sum(map(math.log, values)) / len(values))
