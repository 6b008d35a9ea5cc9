"""What a worker does with a chunk of rows: rewrite, score or rerank, and render."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from rerank.rank import signature
from rerank.select import rank
from rerank.types import Candidate, ScoreTable
from rewrite.candidates import GivenPool, pool_row
from rewrite.commands.flags import OutputFormat
from rewrite.commands.lines import Failure, Message, Work, jsonl_line, text_line
from rewrite.corpus.tables import Value
from rewrite.drawing import sampling_of
from rewrite.errors import OtherLanguage
from rewrite.generators import Engines, Generator, create_generator
from rewrite.generators.base import generate_all
from rewrite.layout import Layout, by_lines, length_fault, one_line
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result
from rewrite.tally import Tally
from rewrite.task import task_of
from rewrite.task_options import DrawingOptions, TaskOptions
from rewrite.unused import refuse_unused, require_language_model

Run = Callable[[list[str]], Sequence[Result]]
"""Texts → their results, in order."""


def text_work(
    options: TaskOptions,
    *,
    format: OutputFormat,
    explain: bool,
    newline: bool = False,
    cells: bool = False,
    prepared: Callable[[Any], Run] | None = None,
    load: bool = False,
) -> Work:
    """Texts → their rewrites, in the task whose options these are; with `load`, models are read now.

    With `newline`, each sentence is on a line of its own; as `cells`, several rewrites of a text are a list.
    `prepared` makes what rewrites of the options, where that is not the task's pipeline alone.
    """
    limited = _with_limit(options, format)
    run = prepared(limited) if prepared else _pipeline(limited, load).run

    def work(texts: list[str]) -> Message:
        return _render(run(texts), limited, format=format, explain=explain, newline=newline, cells=cells)

    return work


def rerank_work(
    options: Options, format: OutputFormat, explain: bool, load: bool = False, *, cells: bool = False
) -> Work:
    """Pools → the best candidate of each."""
    pipeline = _pipeline(_with_limit(options, format), load, draw=False)

    def work(given: Sequence[GivenPool]) -> Message:
        results = pipeline.rerank([(pool.source, pool.candidates) for pool in given])
        return _render(results, pipeline.options, format=format, explain=explain, cells=cells)

    return work


def score_work(options: Options, format: OutputFormat, load: bool = False, *, cells: bool = False) -> Work:
    """Pools → the score of each candidate, in the order given; of a pool that cannot be scored none.

    As `cells`, they are a list of numbers.
    """
    pipeline = _pipeline(options, load, draw=False)

    def work(given: Sequence[GivenPool]) -> Message:
        pools = [(pool.source, pool.candidates) for pool in given]
        failed = pipeline.failures(pools)
        tables = iter(pipeline.score([pool for i, pool in enumerate(pools) if i not in failed]))
        lines = [
            _unscored(source, str(failed[i]), format, cells)
            if i in failed
            else _scored(pipeline, next(tables), format, cells)
            for i, (source, _) in enumerate(pools)
        ]
        failures = [
            Failure(i, pools[i][0], str(error), isinstance(error, OtherLanguage)) for i, error in sorted(failed.items())
        ]
        return Message(lines, failures=failures)

    return work


def _pipeline(options: TaskOptions, load: bool, *, draw: bool = True) -> Pipeline:
    pipeline = Pipeline(options)
    if load:
        pipeline.load(draw=draw)
    return pipeline


def _with_limit(options: TaskOptions, format: OutputFormat) -> TaskOptions:
    """Where nobody has said how many rewrites: one as text, all of them in JSONL."""
    if options.best is not None or format is OutputFormat.jsonl:
        return options
    return options.model_copy(update={"best": 1})


def _render(
    results: Sequence[Result],
    options: TaskOptions,
    *,
    format: OutputFormat,
    explain: bool,
    newline: bool = False,
    cells: bool = False,
) -> Message:
    lines: list[Value]
    if format is OutputFormat.jsonl:
        lines = [jsonl_line(result.row()) for result in results]
    elif cells and options.best != 1:
        lines = [list(result.n_best) for result in results]
    else:
        lines = [text_line(result, "\n" if newline else "") for result in results]
    reports = []
    if explain:
        from rewrite.commands.explanation_report import report

        reports = [report(result) for result in results]
    failures = [
        Failure(i, s.source, s.error, s.other_language)
        for i, result in enumerate(results)
        for s in result.sentences
        if s.error
    ]
    misses = [m for result in results for m in _misses(result, options)] if format is OutputFormat.text else []
    tally = Tally()
    tally.add_results(results)
    return Message(lines, "".join(reports), failures, misses, tally)


def _misses(result: Result, options: TaskOptions) -> list[str]:
    """What was asked of the length of sentences and the best rewrite does not have, in words."""
    lengths = getattr(options, "lengths", {})
    wanted, most = lengths.get("sentences"), lengths.get("max_words")
    left = [s for s in result.sentences if s.wording and s.wording.left]
    misses = ["terms of --replace that stand as they were (--explain says why)"] if left else []
    pairs = zip(result.sentences, result.word_counts, strict=True) if wanted or most else ()
    # Of what was not rewritten nothing was asked.
    counts = [words for sentence, words in pairs if any(words) and not (sentence.skipped or sentence.error)]
    if wanted and any(len(words) != wanted for words in counts):
        misses.append(f"sentences that did not become {wanted}")
    if most and any(max(words) > most for words in counts):
        misses.append(f"sentences of more than {most} words")
    return misses


def _unscored(source: str, error: str, format: OutputFormat, cells: bool) -> Value:
    if cells:
        return None
    return "" if format is OutputFormat.text else jsonl_line({"source": source, "candidates": [], "error": error})


def _scored(pipeline: Pipeline, table: ScoreTable, format: OutputFormat, cells: bool) -> Value:
    language = pipeline.language_of(table.source)
    ranked = rank(table, pipeline.weights_in(language))
    scores = [ranked.score(i) for i in range(len(table.candidates))]
    if cells:
        return scores
    if format is OutputFormat.text:
        return "\t".join(f"{score:.6f}" for score in scores)
    rows = [
        {
            "text": candidate.text,
            "score": score,
            "components": dict(zip(table.components, values, strict=True)),
            "generator": candidate.generator,
            "count": candidate.count,
            "blocked": reason,
        }
        for candidate, score, values, reason in zip(
            table.candidates, scores, table.values.tolist(), table.blocked, strict=True
        )
    ]
    return jsonl_line({"source": table.source, "candidates": rows, "signature": _measured_by(pipeline, language)})


@lru_cache(maxsize=4)
def _measured_by(pipeline: Pipeline, language: str) -> str:
    """The signature of a table's values."""
    return signature(pipeline.scorers, language=language)


_WHOLE = Layout(("",), ("", ""))


def draw_work(options: DrawingOptions, *, asks: str, format: OutputFormat, debug: bool) -> Work:
    """Texts → their candidates, a line each; `asks` is what language models are asked to do."""
    refuse_unused(options)
    task, engines = task_of(options), Engines.of(options)
    if asks != task.asks:
        require_language_model(options, f"--task {asks}")

    @cache
    def generator_in(language: str) -> Generator:
        bench = task.bench(options, language, None)
        # One model that draws in both languages is loaded once.
        return create_generator(
            options, language, analyzer=bench.analyzer, task=asks, makers=bench.makers, engines=engines
        )

    if options.told_language is not None:
        generator_in(options.told_language)

    def work(sources: list[str]) -> Message:
        languages = {i: task.language(source, options) for i, source in enumerate(sources) if source.strip()}
        drawn: dict[int, list[Candidate]] = {}
        failed: dict[int, str] = {}
        strange: set[int] = set()
        for language in dict.fromkeys(languages.values()):
            asked = [i for i, its in languages.items() if its == language]
            try:
                if reason := task.strange(language):
                    raise OtherLanguage(reason)
                generator = generator_in(language)
            except OtherLanguage as error:
                failed |= dict.fromkeys(asked, str(error))
                strange.update(asked)
                continue
            # What a recording was asked for it knows as it was said.
            bare = [(sources[i], _WHOLE) if options.recordings else _bare(sources[i]) for i in asked]
            pools, errors = generate_all(generator, [sentence for sentence, _ in bare], sampling_of(options))
            for i, (_, layout), pool in zip(asked, bare, pools, strict=True):
                drawn[i] = [replace(c, text=layout.join((c.text,))) for c in _fitting(pool, options.lengths)]
            failed |= {asked[i]: str(error) for i, error in errors.items()}
        lines = [_drawn(source, drawn.get(i, []), failed.get(i, ""), format) for i, source in enumerate(sources)]
        reports = [_account(sources[i], drawn[i]) for i in sorted(drawn)] if debug else []
        failures = [Failure(i, sources[i], error, i in strange) for i, error in sorted(failed.items())]
        return Message(lines, "".join(reports), failures)

    return work


def _bare(source: str) -> tuple[str, Layout]:
    """The sentence of a line without the mark of a list or the dash of speech before it, and how it stands in the line.

    A line of several cells is one text.
    """

    def whole(cell: str) -> Layout:
        stop = len(cell.rstrip())
        return Layout.cut(cell, [(len(cell) - len(cell.lstrip()), stop)] if stop else ())

    layout = by_lines(source, whole)
    return (layout.sentences[0], layout) if len(layout.sentences) == 1 else (source, _WHOLE)


def _fitting(candidates: Sequence[Candidate], lengths: Mapping[str, int | None]) -> list[Candidate]:
    """The candidates, those dropped that miss `--sentences` or `--max-words`."""
    return [replace(c, dropped=c.dropped or length_fault(one_line(c.text), **lengths)) for c in candidates]


def _drawn(source: str, candidates: Sequence[Candidate], error: str, format: OutputFormat) -> str:
    if format is OutputFormat.jsonl:
        return jsonl_line(pool_row(source, candidates, error))
    return "\t".join(one_line(c.text.replace("\t", " ")) for c in candidates if not c.dropped)


def _account(source: str, candidates: Sequence[Candidate]) -> str:
    lines = [source]
    for candidate in candidates:
        state = f"dropped: {candidate.dropped}" if candidate.dropped else "kept"
        notes = "; ".join([f"×{candidate.count}", state, *(f"cleaned: {rule}" for rule in candidate.cleaned)])
        lines.append(f"  {candidate.text!r}  ({notes})")
    return "\n".join(lines) + "\n"
