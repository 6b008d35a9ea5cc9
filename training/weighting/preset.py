"""The preset file that comes out: name and weights, and in comments how they were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from rerank.weights import load_preset
from training.disk import write_whole

__all__ = ["write_preset"]


def write_preset(path: Path, name: str, weights: Mapping[str, float], notes: Sequence[str] = ()) -> None:
    """Write a file that `load_preset` takes, each of `notes` a comment line above. Raises `CannotWrite`.

    Every weight is named, zeros too: what a preset leaves out is as in `balanced`.
    """
    lines = [f"# {line}".rstrip() for note in notes for line in note.splitlines()]
    body = yaml.safe_dump({"name": name, "weights": dict(weights)}, allow_unicode=True, sort_keys=False)
    with write_whole(path) as draft:
        draft.write_text("\n".join([*lines, body]), encoding="utf-8")
        load_preset(draft)
