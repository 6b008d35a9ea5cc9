"""Tables as they go over the wire, as Python has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rerank.types import Candidate, ScoreTable


def score_table(sent: dict[str, Any] | None) -> ScoreTable:
    """The table of a recorded sentence; an empty one where nothing was drawn."""
    given = sent or {"source": "", "candidates": [], "components": [], "values": [], "source_values": []}
    shape = (len(given["candidates"]), len(given["components"]))
    return ScoreTable(
        source=given["source"],
        candidates=tuple(Candidate(c["text"], c["generator"]) for c in given["candidates"]),
        components=tuple(given["components"]),
        values=np.array(given["values"], dtype=float).reshape(shape),
        source_values=np.array(given["source_values"], dtype=float),
        blocked=tuple(c["blocked"] for c in given["candidates"]),
    )
