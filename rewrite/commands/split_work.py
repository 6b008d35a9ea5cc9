"""What a worker does with lines of text that are to be split."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from rerank.workers import Work
from rewrite.commands.lines import Failure, jsonl_line, pack
from rewrite.commands.shared import OutputFormat
from rewrite.layout import one_line
from rewrite.splitting.options import SplitOptions
from rewrite.splitting.result import Splitting
from rewrite.splitting.splitter import Splitter
from rewrite.splitting.triples.triple import Triple

__all__ = ["split_work"]


def split_work(
    options: SplitOptions,
    *,
    format: OutputFormat,
    newline: bool,
    explain: bool,
    triples: Sequence[Sequence[Triple]] | None = None,
) -> Work:
    """Lines of text → lines of sentences: one line out for each in, or with `newline` one for each sentence.

    `triples` are those of all lines in order; then chunks must come in order, too.
    """
    splitter = Splitter(options)
    left = iter(triples or ())

    def work(chunk: bytes) -> bytes:
        lines = chunk.decode("utf-8").split("\n")
        texts, ends = [line.removesuffix("\r") for line in lines], ["\r" if s.endswith("\r") else "" for s in lines]
        found = splitter.run(texts, None if triples is None else list(itertools.islice(left, len(texts))))
        if format is OutputFormat.jsonl:
            out = [jsonl_line(one.row()) for one in found]
        else:
            best = options.best or 1
            out = [_text(one, best, newline, end) + end for one, end in zip(found, ends, strict=True)]
        reports = []
        if explain:
            from rewrite.commands.report import report

            reports = [report(one) for one in found]
        failures = [Failure(i, s.source, s.error) for i, one in enumerate(found) for s in one.sentences if s.error]
        return pack(out, "".join(reports), failures)

    return work


def _text(found: Splitting, best: int, newline: bool, end: str) -> str:
    if best > 1:
        return "\t".join(one_line(text.replace("\t", " ")) for text in found.n_best[:best])
    return f"{end}\n".join(found.lines) if newline and found.lines else found.text
