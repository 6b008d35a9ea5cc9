"""What readers said of the outputs for sentences that are in no set: five rounds, each of two readers.

    python -m training.fresh_readings

`training/fresh_readings.jsonl.gz` and `fresh_readings_2.jsonl.gz` hold the same hundred sentences of law, medicine,
officialese, encyclopaedia and news, which a model wrote for this, `_3`, `_4` and `_5` another hundred, with the outputs
of what was compared (equal texts once) and, of each, the faults that either of two readers found, who did not know
whose a text was: `w` not well formed, `f` not factual, `p` main point lost, `n` no simpler. An unchanged source counts
as well formed, factual and no simpler; as a control it stood among the texts of the first three. Readers differ from
round to round: compare systems within one.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.controls import sentences_in
from rewrite.layout import count_words

__all__ = ["READINGS", "main", "read_readings", "shares"]

READINGS = tuple(Path(__file__).with_name(f"fresh_readings{end}.jsonl.gz") for end in ("", "_2", "_3", "_4", "_5"))
"""The file of each round."""
_LONG = 25
_TOLD = {"well formed": "w", "factual": "f", "main point": "p", "simpler": "n"}


def read_readings(path: Path) -> list[dict[str, Any]]:
    """The rows of `path`: `source`, `kind`, and `texts`, each with `text`, `systems` and `faults`, of each reader."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def shares(rows: Sequence[dict[str, Any]], system: str, reader: int) -> dict[str, float]:
    """Of a system, by one reader: the share of outputs unchanged, of each quality, and without any of `w`, `f`, `p`."""
    faults: list[str] = []
    unchanged = 0
    for row in rows:
        (text,) = (one for one in row["texts"] if system in one["systems"])
        unchanged += text["text"] == row["source"]
        faults.append("n" if text["text"] == row["source"] else text["faults"][reader])
    found = {name: sum(letter not in one for one in faults) / len(faults) for name, letter in _TOLD.items()}
    return {
        "unchanged": unchanged / len(rows),
        **found,
        "faultless": sum(not set(one) - {"n"} for one in faults) / len(faults),
    }


def _cut(rows: Sequence[dict[str, Any]], system: str) -> str:
    """How many long sentences came out as several."""
    long = [row for row in rows if count_words(row["source"]) > _LONG]
    outputs = [next(text["text"] for text in row["texts"] if system in text["systems"]) for row in long]
    cut = sum(sentences_in(t) > sentences_in(row["source"]) for t, row in zip(outputs, long, strict=True))
    return f"{cut} of {len(long)} were cut"


def main() -> None:
    """Print the table of each round, and how often its readers agree."""
    for number, path in enumerate(READINGS, 1):
        print(f"round {number}")
        _report(read_readings(path))


def _report(rows: Sequence[dict[str, Any]]) -> None:
    systems = dict.fromkeys(system for row in rows for text in row["texts"] for system in text["systems"])
    for system in systems:
        one, other = (shares(rows, system, reader) for reader in (0, 1))
        print(f"{system}: " + ", ".join(f"{name} {one[name]:.0%} / {other[name]:.0%}" for name in one))
    for system in systems:
        print(f"{system}: of the sentences of more than {_LONG} words {_cut(rows, system)}")
    pairs = [text["faults"] for row in rows for text in row["texts"]]
    agreed = {name: sum((x in a) == (x in b) for a, b in pairs) / len(pairs) for name, x in _TOLD.items()}
    print(f"readers agree on {len(pairs)} texts: " + ", ".join(f"{name} {share:.0%}" for name, share in agreed.items()))


if __name__ == "__main__":
    main()
