"""Score tables on disk: results of a pipeline without their choice, a gzipped file of JSON lines for each batch.

Tables know nothing of weights, so one run of the models serves every setting. A file is named by what it holds: the
signature of everything behind the values (the bytes of model files too), and the texts. So a change of either never
meets an old file, and a run that was broken off goes on after its last whole batch. Floats are written so that they
read back to the last bit.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights
from rewrite.layout import Layout
from rewrite.request import Options
from rewrite.result import Result, SentenceResult, choose
from training.disk import cannot_write, write_whole
from training.weighting.fingerprint import digest

__all__ = ["TableStore", "check_folder", "plain", "restore"]

_FORMAT = 1


def check_folder(path: Path) -> None:
    """Make the folder `path` and see that files can be written there, before any work is done. Raises `CannotWrite`."""
    probe = path / f".probe.{os.getpid()}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)


class TableStore:
    """A folder of batches of results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, key: str) -> list[dict[str, Any]] | None:
        """The rows kept under `key`; `None` where there are none, or the file is damaged."""
        try:
            with gzip.open(self._path(key), "rt", encoding="utf-8") as file:
                head, *rows = (json.loads(line) for line in file)
        except (OSError, EOFError, ValueError, zlib.error):
            return None
        whole = isinstance(head, dict) and head.get("key") == key and head.get("rows") == len(rows)
        return rows if whole else None

    def save(self, key: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Keep `rows` under `key`. Raises `CannotWrite`; batches written before stay as they are."""
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in ({"key": key, "rows": len(rows)}, *rows))
        with write_whole(self._path(key)) as draft:
            # No time stamp: equal tables make equal files.
            draft.write_bytes(gzip.compress("".join(lines).encode("utf-8"), 6, mtime=0))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl.gz"

    @staticmethod
    def key(signature: str, texts: Sequence[str]) -> str:
        """The name of a batch: everything behind its values, and its texts."""
        return digest(_FORMAT, signature, list(texts))


def plain(result: Result) -> dict[str, Any]:
    """A result as plain data, with its tables and without its choice."""
    return {
        "source": result.source,
        "sentences": list(result.layout.sentences),
        "gaps": list(result.layout.gaps),
        "parts": [_plain_sentence(sentence) for sentence in result.sentences],
    }


def restore(row: Mapping[str, Any], *, options: Options, weights: Weights, settings: str) -> Result:
    """The result that `plain` made `row` of, with the choice that `weights` make of its tables."""
    sentences = tuple(_sentence(part, options, weights) for part in row["parts"])
    layout = Layout(tuple(row["sentences"]), tuple(row["gaps"]))
    return Result(row["source"], sentences, layout, weights, options, settings)


def _plain_sentence(sentence: SentenceResult) -> dict[str, Any]:
    row = {"source": sentence.source, "skipped": sentence.skipped, "drawn": sentence.drawn, "error": sentence.error}
    table = sentence.table
    if table is None:
        return row
    return row | {
        "components": list(table.components),
        "candidates": [_told(candidate) for candidate in table.candidates],
        "values": table.values.tolist(),
        "own": table.source_values.tolist(),
        "blocked": list(table.blocked),
        "signature": table.signature,
    }


def _told(candidate: Candidate) -> dict[str, Any]:
    """The candidate's fields but for those that say nothing."""
    return {name: value for name, value in asdict(candidate).items() if value not in (None, "", ()) or name == "text"}


def _sentence(row: Mapping[str, Any], options: Options, weights: Weights) -> SentenceResult:
    known = {"source": row["source"], "skipped": row["skipped"], "drawn": row["drawn"], "error": row["error"]}
    if "values" not in row:
        return SentenceResult(**known)
    shape = (len(row["candidates"]), len(row["components"]))
    table = ScoreTable(
        source=row["source"],
        candidates=tuple(_candidate(candidate) for candidate in row["candidates"]),
        components=tuple(row["components"]),
        values=np.array(row["values"], dtype=np.float64).reshape(shape),
        source_values=np.array(row["own"], dtype=np.float64),
        blocked=tuple(row["blocked"]),
        signature=row["signature"],
    )
    return SentenceResult(**known, table=table, choices=choose(table, weights, options=options))


def _candidate(row: Mapping[str, Any]) -> Candidate:
    lists = {name: tuple(row[name]) for name in ("edits", "cleaned") if name in row}
    return Candidate(**{**row, **lists})
