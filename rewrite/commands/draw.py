"""What `rewrite generate` does with a chunk of lines."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.types import Candidate
from rerank.workers import Work
from rewrite.candidates import pool_row
from rewrite.commands.lines import Failure, jsonl_line, pack
from rewrite.commands.shared import OutputFormat
from rewrite.drawing import sampling_of
from rewrite.generators import create_generator, known_generators
from rewrite.generators.joined import generate_all
from rewrite.layout import one_line
from rewrite.request import Options
from rewrite.unused import refuse_unused, require_language_model

__all__ = ["draw_work"]


def draw_work(options: Options, *, task: str, language: str, format: OutputFormat, debug: bool) -> Work:
    """Lines of text → their candidates, a line each."""
    from rerank.analysis import Analyzer

    refuse_unused(options, known_generators())
    for what, usual in ((f"--task {task}", "--task simplify"), (f"--language {language}", "--language ru")):
        if what != usual:
            require_language_model(options.generator, known_generators(), what)
    generator = create_generator(
        options.generator,
        analyzer=Analyzer(),
        prompt=options.prompt,
        engine=options.engine,
        base=options.base,
        task=task,
        language=language,
        sentences=options.sentences,
        max_words=options.max_words,
    )
    sampling = sampling_of(options)

    def work(chunk: bytes) -> bytes:
        sources = [line.removesuffix("\r") for line in chunk.decode("utf-8").split("\n")]
        asked = [i for i, source in enumerate(sources) if source.strip()]
        pools, errors = generate_all(generator, [sources[i] for i in asked], sampling)
        found = dict(zip(asked, pools, strict=True))
        failed = {asked[i]: str(error) for i, error in errors.items()}
        lines = [_line(source, found.get(i, []), failed.get(i, ""), format) for i, source in enumerate(sources)]
        reports = [_account(sources[i], found[i]) for i in asked] if debug else []
        failures = [Failure(i, sources[i], error) for i, error in sorted(failed.items())]
        return pack(lines, "".join(reports), failures)

    return work


def _line(source: str, candidates: Sequence[Candidate], error: str, format: OutputFormat) -> str:
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
