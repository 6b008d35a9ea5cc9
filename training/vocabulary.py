"""Which tokens of the base's vocabulary Russian and English text uses: the table that the package trims it by.

    python -m training.vocabulary --data DIR --out rewrite/base/vocabulary.npz

Counts the tokens of ru_mono (of the fiction a quarter), both sides of parallel_enru and the English sets of the masked
model, but for every twentieth line, left to measure with what trimming costs. Kept are tokens met at least
`--least-ru` or `--least-en` times, ASCII and Cyrillic characters, single bytes, and all that their merges pass through.
"""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tokenizers import Tokenizer

from rewrite.base.model_weights import read_gguf
from rewrite.base.package import assembled
from rewrite.base.vocabulary import closed, tokenizer_json, write_kept_ids
from rewrite.datasets import data_folder, text_lines
from training.command import command_line
from training.masked.english import ENGLISH

_UNSEEN_EVERY = 20
_CHUNK = 4_000
_LONGEST = 2_000
_FICTION = "fiction_classics"
_FICTION_EVERY = 4
# Not prose, and not in the data folder.
_GLOSSES = "wordnet"
_TYPOGRAPHY = "▁ёЁ«»—–…№„“”’°§×"


def _russian(data: Path) -> Iterator[str]:
    for path in sorted((data / "ru_mono").glob("*.txt.xz")):
        every = _FICTION_EVERY if path.name.startswith(_FICTION) else 1
        yield from itertools.islice(text_lines(path), 0, None, every)
    for path in sorted((data / "parallel_enru").glob("*.tsv.xz")):
        yield from (line.rpartition("\t")[2] for line in text_lines(path))


def _english(data: Path) -> Iterator[str]:
    for name, paragraphs in ENGLISH.items():
        if name != _GLOSSES:
            yield from itertools.chain.from_iterable(paragraphs(data))
    for path in sorted((data / "parallel_enru").glob("*.tsv.xz")):
        yield from (line.partition("\t")[0] for line in text_lines(path))


def _count(tokenizer: Tokenizer, lines: Iterable[str]) -> Counter[int]:
    """How often each token stands in the lines."""
    counts: Counter[int] = Counter()
    numbered = enumerate(filter(None, (line.strip()[:_LONGEST] for line in lines)))
    counted = (line for number, line in numbered if number % _UNSEEN_EVERY)
    while chunk := list(itertools.islice(counted, _CHUNK)):
        for encoding in tokenizer.encode_batch_fast(chunk, add_special_tokens=False):
            counts.update(encoding.ids)
    return counts


def _always(pieces: Sequence[str]) -> set[int]:
    """Special tokens, bytes, and single characters that any text of the two languages may have."""

    def wanted(piece: str) -> bool:
        if piece.startswith("<0x") or piece == "\n":
            return True
        return len(piece) == 1 and (piece.isascii() or "а" <= piece.lower() <= "я" or piece in _TYPOGRAPHY)

    return {0, 1, 2, 3} | {number for number, piece in enumerate(pieces) if wanted(piece)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, count, write, measure."""
    parser = command_line("vocabulary", __doc__, data=True)
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
        counts = _count(full, lines)
        often = {number for number, count in counts.items() if count >= least}
        tables[name] = closed(_always(pieces) | often, pieces)
        print(f"{name}: {counts.total():,} tokens counted, {len(tables[name]):,} of {len(pieces):,} kept")
    write_kept_ids(options.out, tables)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
