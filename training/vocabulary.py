"""Which tokens of the base's vocabulary Russian and English text uses: the table that the package trims it by.

    python -m training.vocabulary --data DIR --out rewrite/base/vocabulary.npz

Counts the tokens of ru_mono (of the fiction a quarter), both sides of parallel_enru and the English sets of the masked
model, but for every twentieth line, on which it then measures what trimming costs. Kept are tokens met at least
`--least-ru` or `--least-en` times, ASCII and Cyrillic characters, single bytes, and all that their merges pass through.
"""

from __future__ import annotations

import argparse
import itertools
import lzma
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from rewrite.base.package import assembled
from rewrite.base.vocabulary import closed, tokenizer_json, write_kept_ids
from rewrite.base.weights import read_gguf
from rewrite.datasets import data_folder
from training.masked.english import ENGLISH

__all__ = ["main"]

_UNSEEN_EVERY = 20
_MEASURED = 10_000
_CHUNK = 4_000
_LONGEST = 2_000
_FICTION = "fiction_classics"
_FICTION_EVERY = 4
# Not prose, and not in the data folder.
_GLOSSES = "wordnet"
_TYPOGRAPHY = "▁ёЁ«»—–…№„“”’°§×"


def _packed_lines(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from file


def _russian(data: Path) -> Iterator[str]:
    for path in sorted((data / "ru_mono").glob("*.txt.xz")):
        every = _FICTION_EVERY if path.name.startswith(_FICTION) else 1
        yield from itertools.islice(_packed_lines(path), 0, None, every)
    for path in sorted((data / "parallel_enru").glob("*.tsv.xz")):
        yield from (line.rpartition("\t")[2] for line in _packed_lines(path))


def _english(data: Path) -> Iterator[str]:
    for name, paragraphs in ENGLISH.items():
        if name != _GLOSSES:
            yield from itertools.chain.from_iterable(paragraphs(data))
    for path in sorted((data / "parallel_enru").glob("*.tsv.xz")):
        yield from (line.partition("\t")[0] for line in _packed_lines(path))


def _count(tokenizer: Tokenizer, lines: Iterable[str]) -> tuple[Counter[int], list[str]]:
    """How often each token stands in the lines, and the lines that were not counted."""
    counts: Counter[int] = Counter()
    unseen: list[str] = []
    stripped = (line.strip()[:_LONGEST] for line in lines)
    numbered = enumerate(line for line in stripped if line)
    while chunk := list(itertools.islice(numbered, _CHUNK)):
        unseen += [line for number, line in chunk if number % _UNSEEN_EVERY == 0]
        seen = [line for number, line in chunk if number % _UNSEEN_EVERY]
        for encoding in tokenizer.encode_batch_fast(seen, add_special_tokens=False):
            counts.update(encoding.ids)
    return counts, unseen


def _always(pieces: Sequence[str]) -> set[int]:
    """Special tokens, bytes, and single characters that any text of the two languages may have."""

    def wanted(piece: str) -> bool:
        if piece.startswith("<0x") or piece == "\n":
            return True
        return len(piece) == 1 and (piece.isascii() or "а" <= piece.lower() <= "я" or piece in _TYPOGRAPHY)

    return {0, 1, 2, 3} | {number for number, piece in enumerate(pieces) if wanted(piece)}


def _measure(name: str, full: Tokenizer, trimmed: Tokenizer, lines: Sequence[str]) -> None:
    rng = np.random.default_rng(0)
    drawn = [lines[i] for i in rng.permutation(len(lines))[:_MEASURED].tolist()]
    a = [encoding.ids for encoding in full.encode_batch_fast(drawn, add_special_tokens=False)]
    b = [encoding.ids for encoding in trimmed.encode_batch_fast(drawn, add_special_tokens=False)]
    more = sum(map(len, b)) / sum(map(len, a)) - 1
    back = sum(trimmed.decode(ids) == line for ids, line in zip(b, drawn, strict=True))
    alike = sum(len(x) == len(y) for x, y in zip(a, b, strict=True))
    print(
        f"{name}: {len(drawn):,} unseen lines, {more:.3%} more tokens, {alike:,} as long as before, {back:,} come back",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, count, write, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--least-ru", type=int, default=5)
    parser.add_argument("--least-en", type=int, default=2)
    options = parser.parse_args(arguments)
    data = data_folder(options.data)
    with tempfile.TemporaryDirectory() as folder, assembled(Path(folder)) as path:
        pieces = read_gguf(path).pieces
    full = Tokenizer.from_str(tokenizer_json(pieces))
    tables: dict[str, set[int]] = {}
    for name, lines, least in (
        ("ru", _russian(data), options.least_ru),
        ("en", _english(data), options.least_en),
    ):
        counts, unseen = _count(full, lines)
        often = {number for number, count in counts.items() if count >= least}
        tables[name] = closed(_always(pieces) | often, pieces)
        print(f"{name}: {counts.total():,} tokens counted, {len(tables[name]):,} of {len(pieces):,} kept")
        trimmed = Tokenizer.from_str(tokenizer_json(pieces, np.array(sorted(tables[name]))))
        _measure(name, full, trimmed, unseen)
    write_kept_ids(options.out, tables)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
