"""Results as clients read them: the choice by a request's own weights, its edits and reasons, the table behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rerank.frequency import common_words, fold
from rerank.rusim import grade
from rerank.select import select, tie_key
from rerank.types import ScoreTable
from rerank.weights import Weights
from rewrite.compression.word_analysis import WordAnalyzer
from rewrite.layout import Layout
from rewrite.result import Result, SentenceResult, choices_of
from rewrite.server.edits import find_edits, why
from rewrite.server.phrases import skip_phrase
from rewrite.server.schemas import (
    Ease,
    Grade,
    Readability,
    ResultHead,
    Reweighted,
    Sentence,
    Table,
    TableCandidate,
    TextEase,
    Ui,
)
from rewrite.task import task_of
from rewrite.task_options import LANGUAGE_NAMES, TaskOptions

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def settled(table: ScoreTable) -> tuple[ScoreTable, list[int]]:
    """The table with its rows in the order that settles ties, and where each row went."""
    order = sorted(range(len(table.candidates)), key=lambda i: tie_key(table.candidates[i]))
    place = {row: i for i, row in enumerate(order)}
    return table.select(order), [place[row] for row in range(len(order))]


def shown_table(table: ScoreTable, threshold: float) -> Table:
    """The table as it goes over the wire, with its digest. The sentences of a split stand in one line."""
    shown = Table.model_construct(
        source=table.source,
        components=list(table.components),
        candidates=[
            TableCandidate.model_construct(
                text=one_line(c.text), generator=c.generator, count=c.count, blocked=reason, edits=list(c.edits)
            )
            for c, reason in zip(table.candidates, table.blocked, strict=True)
        ],
        # No −0: JSON of other languages has none.
        values=(table.values + 0.0).tolist(),
        source_values=(table.source_values + 0.0).tolist(),
        threshold=threshold,
        digest="",
    )
    return shown.model_copy(update={"digest": shown.computed_digest()})


def one_line(text: str) -> str:
    """A candidate of `split` has a sentence on each line; over the wire it is part of a text."""
    return text.replace("\n", " ")


def rechosen(table: ScoreTable, weights: Weights, threshold: float, ui: Ui, *, digest: str) -> Reweighted:
    """The choice from a table."""
    selection = select(table, weights, threshold=threshold)
    ranked = selection.ranked
    return Reweighted(
        choice=selection.index,
        order=list(ranked.order),
        score=selection.score,
        scores=[ranked.score(row) for row in range(len(table.candidates))],
        why=why(table, selection.index, ui=ui),
        signature=f"table:{digest}|{signed(weights)}",
    )


def signed(weights: Weights) -> str:
    """Weights as they stand in signatures."""
    return f"weights:{str(weights).replace(' ', ',')}"


def sentence(result: SentenceResult, weights: Weights, options: TaskOptions, ui: Ui) -> tuple[Sentence, SentenceResult]:
    """A sentence as it is shown, and the same result with its choices."""
    if result.table is None or result.skipped:
        reason, error = skip_phrase(ui, result.skipped), skip_phrase(ui, result.error)
        shown = Sentence(source=result.source, text=result.source, skipped=reason, error=error)
        return shown, result
    table, _ = settled(result.table)
    selection = select(table, weights, threshold=options.source_share)
    chosen = replace(result, table=table, choices=choices_of(selection, options))
    best = chosen.choices[0]
    row = best.row if best.row >= 0 else None
    edits = find_edits(result.source, one_line(best.text), result.language, ui, best.candidate.edits)
    shown = Sentence.model_construct(
        source=result.source,
        text=one_line(best.text),
        error=result.error,
        score=best.score,
        choice=row,
        order=[choice.row for choice in chosen.choices if choice.row >= 0],
        scores=[selection.ranked.score(i) for i in range(len(table.candidates))],
        why=why(table, row, ui=ui, made=edits),
        edits=edits,
        table=shown_table(table, options.source_share),
    )
    return shown, chosen


@dataclass(frozen=True, slots=True)
class TextParts:
    """What becomes a result: a text, its layout and language, and what became of its sentences, in order."""

    source: str
    layout: Layout
    language: str
    sentences: Sequence[SentenceResult]
    settings: str


def head(parts: TextParts, weights: Weights, options: TaskOptions) -> ResultHead:
    """A result but for its sentences."""
    result: Result = task_of(options).result(
        source=parts.source,
        sentences=tuple(parts.sentences),
        layout=parts.layout,
        weights=weights,
        options=options,
        settings=parts.settings,
    )
    cut = task_of(options).layout
    before = list(parts.layout.sentences)
    after = [part for s in result.sentences for part in cut(one_line(s.text), parts.language).sentences]
    return ResultHead(
        source=parts.source,
        text=result.text,
        language=parts.language,
        signature=result.signature,
        score=result.best.score if result.best else None,
        weights=dict(weights),
        threshold=options.source_share,
        gaps=list(parts.layout.gaps),
        grade=Grade(source=_grade(before, parts.language), text=_grade(after, parts.language))
        if parts.language in LANGUAGE_NAMES and result.best
        else None,
        readability=Readability(source=_ease(before, parts.language), text=_ease(after, parts.language)),
    )


def text_ease(text: str, options: TaskOptions) -> TextEase:
    """How easy a text is to read, in the language that the options say or that it looks like."""
    task = task_of(options)
    language = task.language(text, options)
    sentences = task.sentences(text, language).sentences
    grade = _grade(sentences, language) if language in LANGUAGE_NAMES and sentences else None
    return TextEase(**dict(_ease(sentences, language)), grade=grade)


def _grade(sentences: Sequence[str], language: str) -> float:
    """The school grade that a text is for."""
    text = WordAnalyzer(language).analyze_one(" ".join(sentences))
    return round(grade(text, len(sentences), language=language), 1)


def _ease(sentences: Sequence[str], language: str) -> Ease:
    words = [word for text in sentences for word in _WORD.findall(text)]
    # What has a capital is a name more often than the first word of a sentence.
    small = [fold(word) if language == "ru" else word for word in words if word[0].islower()]
    rare = None
    if language in LANGUAGE_NAMES:
        common = common_words(language)
        rare = round(sum(word not in common for word in small) / max(1, len(small)), 3)
    return Ease(words_per_sentence=round(len(words) / max(1, len(sentences)), 1), rare_words=rare)
