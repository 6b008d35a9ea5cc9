"""What a worker does with a chunk of lines: rewrite, score or rerank, and render."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rerank.combine import geometric_mean, log_totals, weight_vector
from rerank.types import Candidate, ScoreTable
from rerank.workers import Work
from rewrite.commands.lines import Failure, jsonl_line, pack, text_line
from rewrite.commands.shared import OutputFormat
from rewrite.layout import one_line
from rewrite.pipeline import Pipeline, Pool
from rewrite.request import Options
from rewrite.result import Result

if TYPE_CHECKING:
    from rewrite.compression.options import CompressOptions
    from rewrite.compression.result import Compression

__all__ = ["compress_work", "rerank_work", "score_work", "simplify_work"]


def simplify_work(options: Options, *, format: OutputFormat, explain: bool, load: bool = False) -> Work:
    """Lines of text → lines of rewrites; with `load`, models are read now rather than at the first line."""
    pipeline = _pipeline(_with_limit(options, format, explain), load)

    def work(chunk: bytes) -> bytes:
        texts, ends = _texts(chunk)
        return _render(pipeline.run(texts), ends, pipeline.options, format=format, explain=explain)

    return work


def compress_work(options: CompressOptions, *, format: OutputFormat, explain: bool) -> Work:
    """Lines of text → lines of compressions."""
    from rewrite.compression.compressor import Compressor

    compressor = Compressor(options)

    def work(chunk: bytes) -> bytes:
        texts, ends = _texts(chunk)
        found = compressor.run(texts)
        if format is OutputFormat.jsonl:
            lines = [jsonl_line(one.row()) for one in found]
        else:
            lines = [_tabbed(one, options.best or 1) + end for one, end in zip(found, ends, strict=True)]
        reports = []
        if explain:
            from rewrite.commands.report import compression_report

            reports = [compression_report(one) for one in found]
        failures = [Failure(i, s.source, str(s.error)) for i, one in enumerate(found) for s in one.errors]
        return pack(lines, "".join(reports), failures)

    return work


def _tabbed(found: Compression, best: int) -> str:
    if best == 1:
        return found.text
    return "\t".join(one_line(text.replace("\t", " ")) for text in found.n_best[:best])


def rerank_work(options: Options, *, format: OutputFormat, explain: bool, load: bool = False) -> Work:
    """Pools as JSON lines → the best candidate of each pool."""
    pipeline = _pipeline(_with_limit(options, format, explain), load, draw=False)

    def work(chunk: bytes) -> bytes:
        results = pipeline.rerank([_pool(line) for line in chunk.split(b"\n")])
        return _render(results, [""] * len(results), pipeline.options, format=format, explain=explain)

    return work


def score_work(options: Options, *, format: OutputFormat, load: bool = False) -> Work:
    """Pools as JSON lines → the score of each candidate, in the order given; of a pool that cannot be scored none."""
    pipeline = _pipeline(options, load, draw=False)

    def work(chunk: bytes) -> bytes:
        pools = [_pool(line) for line in chunk.split(b"\n")]
        failed = pipeline.failures(pools)
        tables = iter(pipeline.score([pool for i, pool in enumerate(pools) if i not in failed]))
        lines = [
            _unscored(source, str(failed[i]), format) if i in failed else _scored(pipeline, next(tables), format)
            for i, (source, _) in enumerate(pools)
        ]
        return pack(lines, failures=[Failure(i, pools[i][0], str(error)) for i, error in sorted(failed.items())])

    return work


def _pipeline(options: Options, load: bool, *, draw: bool = True) -> Pipeline:
    pipeline = Pipeline(options)
    if load:
        pipeline.load(draw=draw)
    return pipeline


def _with_limit(options: Options, format: OutputFormat, explain: bool) -> Options:
    """One rewrite as text where nobody needs the others, all of them in JSONL and for a report."""
    if options.best is not None or explain or format is OutputFormat.jsonl:
        return options
    return options.model_copy(update={"best": 1})


def _texts(chunk: bytes) -> tuple[list[str], list[str]]:
    """Texts of the lines, and the carriage return that a line of a Windows file ends in."""
    lines = chunk.decode("utf-8").split("\n")
    return [line.removesuffix("\r") for line in lines], ["\r" if line.endswith("\r") else "" for line in lines]


def _render(
    results: Sequence[Result], ends: Sequence[str], options: Options, *, format: OutputFormat, explain: bool
) -> bytes:
    if format is OutputFormat.jsonl:
        lines = [jsonl_line(result.row()) for result in results]
    else:
        lines = [text_line(r, options.best or 1) + end for r, end in zip(results, ends, strict=True)]
    reports = []
    if explain:
        from rewrite.commands.report import report

        reports = [report(result) for result in results]
    failures = [Failure(i, s.source, s.error) for i, result in enumerate(results) for s in result.sentences if s.error]
    return pack(lines, "".join(reports), failures)


def _pool(line: bytes) -> Pool:
    row = json.loads(line)
    return row["source"], [Candidate(**candidate) for candidate in row["candidates"]]


def _unscored(source: str, error: str, format: OutputFormat) -> str:
    return "" if format is OutputFormat.text else jsonl_line({"source": source, "candidates": [], "error": error})


def _scored(pipeline: Pipeline, table: ScoreTable, format: OutputFormat) -> str:
    totals = log_totals(table.values, weight_vector(pipeline.weights, table.components)).tolist()
    scores = [geometric_mean(total, pipeline.weights) for total in totals]
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
    return jsonl_line({"source": table.source, "candidates": rows, "signature": table.signature})
