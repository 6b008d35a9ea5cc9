"""What every command answers to up to three hundred sentences: a net for changes that should change nothing.

    python -m tests.goldens compare [NAME…] --data ../shared/data
    python -m tests.goldens write [NAME…] --data ../shared/data

`tests/golden/outputs/NAME.jsonl.gz` holds the answers of one command line, a row for each line of input: the texts,
best first, and their scores. The input is picked from the data folder and is not kept, but its hash is. Scores may
differ by `_CLOSE`, as they do between processors, and in some cases a few texts (`Case.varies`). All take some ten
minutes on one core (OMP_NUM_THREADS=1). Write anew only with the reason in the commit message.
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rewrite.datasets import data_folder, load_rsse, text_lines
from tests.processor import INSTRUCTIONS
from training.places import Places

__all__ = ["CASES", "FOLDER", "Case", "differences", "inputs", "main"]

FOLDER = Path(__file__).parent / "golden" / "outputs"
_LINES, _FEW = 300, 40
_CLOSE = 0.01
_SHOWN = 3
_KEPT = 3
_PRESETS = ("balanced", "accurate", "simple", "clear", "paper")
_RECORDING = "RECORDING"
_REPLAY = ("--generator", f"replay:{_RECORDING}")


@dataclass(frozen=True)
class Case:
    """One command line (`words`), the input it reads (a key of `inputs`), and of how many lines.

    In `words` and in `records`, a command line that runs before on the same input, `RECORDING` is a file; without
    `records` it holds what is stored of the case `plays`. `varies` is the share of answers that another processor than
    the one they were written with may give otherwise; without it none may.
    """

    words: tuple[str, ...]
    reads: str
    lines: int = _LINES
    records: tuple[str, ...] = ()
    plays: str = ""
    varies: float = 0.0


# What networks in 8 bits say is rounded otherwise on another processor. Few texts hang on that where words are cut or
# sentences cut in two (up to 15 of 300 were met); in draws the first token that falls otherwise changes all after it.
_ROUNDED, _DRAWN = 0.1, 1.0
_SIMPLIFY: Mapping[str, tuple[str, ...]] = {
    "best": ("edits", "--best", "3", "--diverse"),
    "weights": ("edits", "-w", "similarity=2", "-w", "length=3"),
    "control": ("edits", "--control", "8"),
    "short": ("edits", "--max-words", "12"),
    "strict": ("edits", "--strict", "--variant", "paper", "--seed", "7"),
    "quality": ("edits", "-w", "quality=1"),
    "ndd": ("edits", "-w", "ndd=1"),
    "deletion": ("deletion",),
}
_COMPRESS: Mapping[str, tuple[str, ...]] = {
    "accurate": ("--preset", "accurate"),
    "simple": ("--preset", "simple"),
    "fast": ("--method", "fast-ndd", "--ratio", "0.7"),
    "any": ("--no-syntax", "--threshold", "1"),
    "careful": ("--careful", "--keep-entities"),
}


def _cases() -> Iterator[tuple[str, Case]]:
    yield from _russian_cases()
    yield from _english_cases()
    split = ("split", "--generator", "splitter")
    for preset in ("balanced", "accurate", "simple"):
        yield f"split-{preset}", Case((*split, "--preset", preset), "en", 150)
    yield "split-three", Case((*split, "--sentences", "3", "--best", "2"), "en", 60)
    yield "split-short", Case((*split, "--max-words", "12", "--control", "8"), "en", 60)
    yield "split-default", Case(("split", "--generator", "splitter-lm"), "en", 40, varies=_ROUNDED)
    for language in ("ru", "en"):
        compress, judge = ("compress", "--lang", language), ("judge", "--lang", language)
        yield f"compress-{language}", Case(compress, language, varies=_ROUNDED)
        for name, words in _COMPRESS.items():
            yield f"compress-{language}-{name}", Case(("compress", *words), language, _FEW, varies=_ROUNDED)
        record = (*compress, "--record", _RECORDING)
        yield f"compress-{language}-replay", Case((*compress, *_REPLAY), language, 20, record, varies=_ROUNDED)
        yield f"judge-{language}", Case(judge, f"{language}-pairs")
        for metric in ("paraeval", "bleu", "chrf", "rouge1", "frequency", "copied"):
            yield f"judge-{language}-{metric}", Case(("judge", "--metric", metric), f"{language}-references")


def _russian_cases() -> Iterator[tuple[str, Case]]:
    simplify = ("simplify", "--generator")
    yield "simplify-default", Case((*simplify, "edits-lm"), "ru", _FEW, varies=_ROUNDED)
    for preset in _PRESETS:
        lines = _LINES if preset in ("balanced", "simple") else _FEW
        yield f"simplify-{preset}", Case((*simplify, "edits", "--preset", preset), "ru", lines)
        lines = _LINES if preset == "balanced" else _FEW
        yield f"rerank-{preset}", Case(("rerank", "--preset", preset), "ru-pools", lines)
    for name, words in _SIMPLIFY.items():
        yield f"simplify-{name}", Case((*simplify, *words), "ru", 20 if name == "ndd" else _FEW)
    record = (*simplify, "edits", "--record", _RECORDING)
    yield "simplify-replay", Case(("simplify", *_REPLAY), "ru", 20, record)
    yield "generate", Case(("generate", "--generator", "edits"), "ru", 20)
    yield "score", Case(("score",), "ru-pools", _FEW)


def _english_cases() -> Iterator[tuple[str, Case]]:
    gemma = ("--generator", "gemma-en")
    yield "generate-en", Case(("generate", *gemma, "-n", "12"), "en-plain", 20, varies=_DRAWN)
    yield "simplify-en", Case(("simplify", *gemma), "en-plain", 20, varies=_DRAWN)
    yield "simplify-en-default", Case(("simplify", "--generator", "edits-lm"), "en-plain", 20, varies=_DRAWN)
    yield "score-en", Case(("score",), "en-references", _FEW)
    for preset in _PRESETS:
        words = ("simplify", "--lang", "en", *_REPLAY, "--preset", preset)
        yield f"simplify-en-{preset}", Case(words, "en-plain", 20, plays="generate-en")
        yield f"rerank-en-{preset}", Case(("rerank", "--preset", preset), "en-references", _FEW)


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
        "en-plain": asset[0][::10],
        "ru-pools": ["\t".join((e.source, *e.references)) for e in examples],
        "ru-pairs": [f"{e.source}\t{e.references[0]}" for e in examples],
        "en-pairs": [f"{row[0]}\t{row[1]}" for row in zip(*asset, strict=True)],
        "ru-references": ["\t".join((e.source, *e.references)) for e in several],
        "en-references": ["\t".join(row) for row in zip(*asset, strict=True)],
    }


def _answers(case: Case, lines: Sequence[str]) -> list[dict[str, Any]]:
    """What the command answers now, shortened to what is compared."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "recording.jsonl"
        if case.plays:
            recording.write_text("\n".join(_stored(case.plays)[1:]), encoding="utf-8")
        elif case.records:
            _run(case.records, lines, recording)
        rows = [json.loads(line) for line in _run(case.words, lines, recording).splitlines()]
    return [_rounded(_short(row, case.words[0])) for row in rows]


def _run(words: Sequence[str], lines: Sequence[str], recording: Path) -> str:
    """What a command line, in one process, prints for lines."""
    filled = [word.replace(_RECORDING, str(recording)) for word in words]
    command = [sys.executable, "-m", "rewrite", *filled, "-i", "-", "--format", "jsonl"]
    given = "".join(f"{line}\n" for line in lines).encode()
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, input=given, capture_output=True, env=environment, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr.decode()[-2000:]}")
    return done.stdout.decode()


def _short(row: dict[str, Any], verb: str) -> dict[str, Any]:
    """Of one answer: its text and score, and the best of its candidates with theirs.

    Of drawn candidates all that is told, for they are played back; of texts that are judged or scored only figures.
    """
    if verb == "generate":
        return row
    if verb in ("judge", "score"):
        kept = {key: row[key] for key in ("score", "components", "error") if row.get(key) is not None}
        scored = [[c["score"], *filter(None, [c["blocked"]])] for c in row.get("candidates") or []]
        return kept | ({"candidates": scored} if scored else {})
    kept = {key: row[key] for key in ("text", "score", "skipped", "error") if row.get(key) is not None}
    candidates = row.get("candidates") or []
    kept["candidates"] = [[c["text"], c.get("score")] for c in candidates[:_KEPT] if isinstance(c, dict)]
    return kept


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
    if case.varies:
        head["processor"] = INSTRUCTIONS
    rows = [head, *_answers(case, lines)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    FOLDER.mkdir(parents=True, exist_ok=True)
    _file(name).write_bytes(gzip.compress(text.encode(), mtime=0))


def _file(name: str) -> Path:
    return FOLDER / f"{name}.jsonl.gz"


def _stored(name: str) -> list[str]:
    """The rows of a case that is stored, its head first."""
    return gzip.decompress(_file(name).read_bytes()).decode().splitlines()


def _compare(name: str, case: Case, lines: Sequence[str]) -> tuple[bool, str]:
    """Whether the answers are those that are stored, as far as they must be, and what there is to tell."""
    if not _file(name).exists():
        return False, "not stored; write it"
    head, *old = map(json.loads, _stored(name))
    if head["input"] != _hash(lines):
        return False, "other input: the data folder is not the one the goldens were written with"
    new = _answers(case, lines)
    changed = [(i, a, b) for i, (a, b) in enumerate(zip(old, new, strict=False), 1) if differences(a, b)]
    if len(old) != len(new):
        return False, f"{len(new)} lines, not {len(old)}"
    if not changed:
        return True, "the same"
    texts = sum(a.get("text") != b.get("text") for _, a, b in changed)
    counted = f"{len(changed)} of {len(old)} answers differ, {texts} in their text"
    if head.get("processor") != INSTRUCTIONS and len(changed) <= case.varies * len(old):
        return True, f"{counted}, as they may on another processor"
    return False, counted + "".join(f"\n  line {i}\n    was {a}\n    is  {b}" for i, a, b in changed[:_SHOWN])


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
            passed, told = _compare(name, case, own)
            failed += not passed
        print(f"{name} ({len(own)} lines, {time.monotonic() - begun:.0f} s): {told}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
