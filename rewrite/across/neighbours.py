"""Sentences of one text chosen with a view to their neighbours: candidates that leave a pronoun of the next sentence
without its noun, or take away what the text defines, are blocked with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rerank.analysis import Analyzer
from rerank.weights import Weights
from rewrite.across.definitions import Definition, definitions, used
from rewrite.across.parsers import PARSED, parser_of
from rewrite.across.pronouns import Reference, may_refer, references
from rewrite.result import SentenceResult, choose
from rewrite.task_options import TaskOptions

_Fault = Callable[[str], str]
_LAYERS = ("morph", "syntax", "entities")


def in_context(
    sentences: Sequence[SentenceResult],
    options: TaskOptions,
    analyzer_in: Callable[[str], Analyzer],
    weights_in: Callable[[str], Weights],
) -> list[SentenceResult]:
    """The sentences of a text, in order, each chosen again where its neighbours block some of its candidates."""
    chosen: list[SentenceResult] = []
    for sentence, faults in zip(sentences, _faults(sentences, analyzer_in), strict=True):
        table = sentence.table
        reasons = () if table is None or not faults else _reasons(table.candidates, table.blocked, faults)
        if table is None or reasons in ((), table.blocked):
            chosen.append(sentence)
            continue
        table = replace(table, blocked=reasons)
        choices = choose(table, weights_in(sentence.language), options=options)
        chosen.append(replace(sentence, table=table, choices=choices))
    return chosen


def _reasons(candidates: Sequence[object], blocked: Sequence[str], faults: Sequence[_Fault]) -> tuple[str, ...]:
    texts = [str(getattr(candidate, "text", "")) for candidate in candidates]
    return tuple(
        reason or next(filter(None, (fault(text) for fault in faults)), "")
        for text, reason in zip(texts, blocked, strict=True)
    )


def _faults(
    sentences: Sequence[SentenceResult], analyzer_in: Callable[[str], Analyzer]
) -> Iterator[tuple[_Fault, ...]]:
    """For each sentence what its neighbours may have against a rewrite of it."""
    spoken = [s for s in sentences if s.preferred.strip()]
    following = dict(zip(map(id, spoken), spoken[1:], strict=False))
    for number, sentence in enumerate(sentences):
        source, language = sentence.preferred, sentence.language
        here = list(definitions(source, language))
        faults: list[_Fault] = []
        if sentence.table is not None:
            later = [s.preferred for s in sentences[number + 1 :]] if here else []
            faults += [_keeping(d) for d in here if not d.after or any(used(d, text, language) for text in later)]
            after = following.get(id(sentence))
            if after is not None and after.language == language:
                faults += [
                    _meaning(r, source, language) for r in _references(source, after.preferred, language, analyzer_in)
                ]
        yield tuple(faults)


def _references(source: str, after: str, language: str, analyzer_in: Callable[[str], Analyzer]) -> Iterator[Reference]:
    if language in PARSED and may_refer(after, language):
        parser = parser_of(language, analyzer_in(language))
        here, there = parser.analyze([source, after], _LAYERS)
        yield from references(here, there, language)


def _keeping(definition: Definition) -> _Fault:
    return lambda text: "" if definition.is_in(text) else f"drops {definition.text!r}, which defines a term"


def _meaning(reference: Reference, source: str, language: str) -> _Fault:
    return lambda text: reference.fault(source, text, language)
