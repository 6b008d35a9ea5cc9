"""What every command answers to three hundred sentences: a net for changes that should change nothing.

    python -m tests.goldens compare [NAME…] --data ../shared/data
    python -m tests.goldens write [NAME…] --data ../shared/data

`tests/golden/outputs/NAME.jsonl.gz` holds the answers of one command line, a row for each line of input: the texts,
best first, and their scores. The input is picked from the data folder and is not kept, but its hash is. Scores may
differ by `_CLOSE`, as they do between processors. Write anew only with the reason in the commit message.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.datasets import data_folder, load_rsse, text_lines
from training.places import Places

__all__ = ["CASES", "FOLDER", "Case", "differences", "inputs", "main"]

FOLDER = Path(__file__).parent / "golden" / "outputs"
_LINES = 300
_CLOSE = 0.01
_SHOWN = 3
_KEPT = 3
_PRESETS = ("balanced", "accurate", "simple", "clear", "paper")


@dataclass(frozen=True)
class Case:
    """One command line (`words`), the input it reads (a key of `inputs`), and of how many lines."""

    words: tuple[str, ...]
    reads: str
    lines: int = _LINES


def _cases() -> Iterator[tuple[str, Case]]:
    simplify = ("simplify", "--generator")
    for preset in _PRESETS:
        yield f"simplify-{preset}", Case((*simplify, "edits", "--preset", preset), "ru")
        yield f"rerank-{preset}", Case(("rerank", "--preset", preset), "ru-pools")
    yield "simplify-default", Case((*simplify, "edits-lm"), "ru", 100)
    for name, words in {
        "best": ("--best", "3", "--diverse"),
        "weights": ("-w", "similarity=2", "-w", "length=3"),
        "control": ("--control", "8"),
        "short": ("--max-words", "12"),
        "strict": ("--strict", "--variant", "paper", "--seed", "7"),
        "deletion": ("--generator", "deletion"),
        "ndd": ("-w", "ndd=1"),
        "quality": ("-w", "quality=1"),
    }.items():
        generator = () if "--generator" in words else ("--generator", "edits")
        yield f"simplify-{name}", Case(("simplify", *generator, *words), "ru", 100)
    yield "score", Case(("score",), "ru-pools")
    for preset in ("balanced", "accurate", "simple"):
        yield f"split-{preset}", Case(("split", "--preset", preset), "en")
    yield "split-three", Case(("split", "--sentences", "3", "--best", "2"), "en", 100)
    yield "split-short", Case(("split", "--max-words", "12", "--control", "8"), "en", 100)
    for language in ("ru", "en"):
        yield f"compress-{language}", Case(("compress", "--lang", language), language)
        yield f"compress-{language}-fast", Case(("compress", "--method", "fast-ndd", "--ratio", "0.7"), language, 100)
        yield f"compress-{language}-any", Case(("compress", "--no-syntax", "--threshold", "1"), language, 100)
        yield f"compress-{language}-careful", Case(("compress", "--careful", "--keep-entities"), language, 100)
        yield f"judge-{language}", Case(("judge", "--lang", language), f"{language}-pairs")
        for metric in ("paraeval", "bleu", "chrf", "rouge1", "frequency", "copied"):
            yield f"judge-{language}-{metric}", Case(("judge", "--metric", metric), f"{language}-references")


CASES = dict(_cases())


def inputs(data: Path) -> dict[str, list[str]]:
    """Lines of input by name: sentences, pools of candidates, pairs, and pairs with references."""
    all_examples = load_rsse(data / "rsse" / "dev_sents.csv")
    examples, several = all_examples[::3], [e for e in all_examples if len(e.references) > 1][::2]
    places = Places(data)
    other = [places.text(f"{name}:{100 + 41 * i}") for i in range(50) for name in ("wiki", "rt", "econ")]
    english = [line.split("\t") for line in text_lines(data / "wikisplit" / "validation.tsv")[::16]]
    asset = [text_lines(data / "asset" / f"asset.valid.{name}") for name in ("orig", *(f"simp.{i}" for i in range(3)))]
    return {
        "ru": [line for pair in zip((e.source for e in examples), other, strict=False) for line in pair],
        "en": [line[0] for line in english],
        "ru-pools": ["\t".join((e.source, *e.references)) for e in examples],
        "ru-pairs": [f"{e.source}\t{e.references[0]}" for e in examples],
        "en-pairs": [f"{row[0]}\t{row[1]}" for row in zip(*asset, strict=True)],
        "ru-references": ["\t".join((e.source, *e.references)) for e in several],
        "en-references": ["\t".join(row) for row in zip(*asset, strict=True)],
    }


def _answers(case: Case, lines: Sequence[str]) -> list[dict[str, Any]]:
    """What the command answers now, shortened to what is compared."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "input.txt"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        command = [sys.executable, "-m", "rewrite", *case.words, "-i", str(file), "--format", "jsonl"]
        done = subprocess.run(command, capture_output=True, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(case.words)} failed: {done.stderr.decode()[-2000:]}")
    return [_short(json.loads(line)) for line in done.stdout.decode().splitlines()]


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """Of one answer: its text, its score, and the best of its candidates with theirs."""
    kept: dict[str, Any] = {key: row[key] for key in ("text", "score", "skipped", "error") if row.get(key) is not None}
    candidates = row.get("candidates") or []
    kept["candidates"] = [[c["text"], c.get("score")] for c in candidates[:_KEPT] if isinstance(c, dict)]
    if "scores" in row:
        kept["scores"] = row["scores"]
    return _rounded(kept)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list) else value


def differences(old: Any, new: Any) -> bool:
    """Whether two answers differ by more than scores do between processors."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() != new.keys() or any(differences(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) != len(new) or any(map(differences, old, new))
    numbers = isinstance(old, float | int) and isinstance(new, float | int)
    return abs(old - new) > _CLOSE if numbers else old != new


def _hash(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _write(name: str, case: Case, lines: Sequence[str]) -> None:
    head = {"command": " ".join(case.words), "input": _hash(lines)}
    rows = [head, *_answers(case, lines)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def _compare(name: str, case: Case, lines: Sequence[str]) -> str:
    if not (FOLDER / f"{name}.jsonl.gz").exists():
        return "not stored; write it"
    head, *old = map(json.loads, gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes()).decode().splitlines())
    if head["input"] != _hash(lines):
        return "other input: the data folder is not the one the goldens were written with"
    new = _answers(case, lines)
    changed = [(i, a, b) for i, (a, b) in enumerate(zip(old, new, strict=False), 1) if differences(a, b)]
    if len(old) != len(new):
        return f"{len(new)} lines, not {len(old)}"
    if not changed:
        return ""
    texts = sum(a.get("text") != b.get("text") for _, a, b in changed)
    shown = "".join(f"\n  line {i}\n    was {a}\n    is  {b}" for i, a, b in changed[:_SHOWN])
    return f"{len(changed)} of {len(old)} answers differ, {texts} in their text{shown}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or compare; 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("compare", "write"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="all without any")
    parser.add_argument("--data", help="the data folder")
    given = parser.parse_intermixed_args(arguments)
    unknown = set(given.names) - set(CASES)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}. Known: {', '.join(CASES)}")
    lines = inputs(data_folder(given.data))
    failed = 0
    for name in given.names or CASES:
        case, begun = CASES[name], time.monotonic()
        own = lines[case.reads][: case.lines]
        if given.verb == "write":
            _write(name, case, own)
            told = "written"
        else:
            told = _compare(name, case, own)
            failed += bool(told)
        print(f"{name} ({len(own)} lines, {time.monotonic() - begun:.0f} s): {told or 'the same'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
