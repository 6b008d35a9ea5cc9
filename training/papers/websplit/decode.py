"""`decode`: what a trained system writes for one side of the benchmark, as JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from rewrite.datasets import text_lines
from training.disk import write_text
from training.papers.websplit.benchmark import ComplexSentence
from training.papers.websplit.files import load_benchmark, load_sentences
from training.papers.websplit.splitting import PROTOCOLS, SIDES

__all__ = ["OUTPUTS", "add_arguments", "drawn", "read_outputs", "run"]

OUTPUTS = "outputs-{protocol}-{side}.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `decode`."""
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folders that train has written")
    parser.add_argument(
        "--benchmark", type=Path, required=True, metavar="DIR", help="the folder that build has written"
    )
    parser.add_argument("--side", choices=SIDES, default="test")
    parser.add_argument("--protocol", choices=PROTOCOLS, help="instead of the one that the system was trained on")
    parser.add_argument("--limit", type=int, metavar="N", help="only N complex sentences, drawn by their hashes")


def run(given: argparse.Namespace) -> None:
    """Decode with each system in turn; RUN/outputs-PROTOCOL-SIDE.jsonl gets `id`, `source` and `output`."""
    from training.papers.websplit.systems import load_system, write_texts

    benchmark = load_benchmark(given.benchmark)
    for folder in given.runs:
        recipe, system = load_system(folder)
        protocol = given.protocol or recipe.protocol
        sentences = drawn(load_sentences(given.benchmark, protocol, given.side, benchmark), given.limit)
        texts = write_texts(system, benchmark, sentences, lambda done: print(f"{done:,}", end="\r", file=sys.stderr))
        rows = (
            json.dumps({"id": sentence.id, "source": sentence.text, "output": text}, ensure_ascii=False)
            for sentence, text in zip(sentences, texts, strict=True)
        )
        file = folder / OUTPUTS.format(protocol=protocol, side=given.side)
        write_text(file, "".join(f"{row}\n" for row in rows))
        print(f"{file}: {len(texts):,} texts")


def drawn(sentences: Sequence[ComplexSentence], limit: int | None) -> list[ComplexSentence]:
    """All sentences, or `limit` of them: those whose hashes come first, so that more hold fewer."""
    if limit is None:
        return list(sentences)
    return sorted(sentences, key=lambda sentence: sentence.id)[:limit]


def read_outputs(file: Path) -> dict[str, str]:
    """Output by the id of the complex sentence. Raises `BadInput` that names file and line."""
    return dict(_rows(file))


def _rows(file: Path) -> Iterator[tuple[str, str]]:
    return (_row(line, f"{file}, line {number}") for number, line in enumerate(text_lines(file), 1))


def _row(line: str, place: str) -> tuple[str, str]:
    try:
        row: Any = json.loads(line)
        found = row["id"], row["output"]
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{place}: no JSON object with id and output.", hint="decode writes such files.") from error
    if not all(isinstance(value, str) for value in found):
        raise BadInput(f"{place}: id and output are texts.", hint="decode writes such files.")
    return found
