"""Good texts with their sources, by the name of the set: summaries, and human rewrites of sentences."""

from __future__ import annotations

import csv
import json
import random
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from rewrite.datasets import Pair, json_object, load_lines, load_rsse
from rewrite.errors import BadInput
from rewrite.judging.words import is_blank
from training.masked.corpora import set_paragraphs
from training.negatives.sampling import Positive
from training.places import Places
from training.records import read_lines
from training.ru_pairs import WRITTEN, adapted_pairs, paraphrase_pairs, written_rows
from training.splitting.pairs import SETS as SPLITS
from training.splitting.pairs import read_set

_HEADING = re.compile(r"^[A-Z ]+$", re.MULTILINE)
_SPACES = re.compile(r"\s+")
_START = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")
_FEWEST_WORDS = 4
_TURKERS = 8
_EDITORS = 10
_FIFTH = 5
_FORM = 'Write a row a line: {"source": "…", "text": "…"}.'


def _sumpubmed(data: Path) -> Iterator[Positive]:
    """Papers with their abstracts; headings and marks of citations are left out, lost numbers (<dig>) become 10.

    The set has no capitals, by which sentences are known: each gets one.
    """
    for row in filter(str.strip, read_lines(data / "sumpubmed/sumpubmed_2000.jsonl.xz")):
        found = json.loads(row)
        yield Positive(_article(found["line_text"]), _article(found["abstract"]))


def _article(text: str) -> str:
    text = _HEADING.sub("", text).replace("<cit>", "").replace("<dig>", "10")
    plain = _SPACES.sub(" ", text).replace(" .", ".").replace(" ,", ",").strip()
    return _START.sub(lambda letter: letter[0].upper(), plain)


def _scitldr(data: Path) -> Iterator[Positive]:
    for row in filter(str.strip, read_lines(data / "scitldr/train.jsonl")):
        found = json.loads(row)
        source = " ".join(found["source"])
        yield from (Positive(source, target.strip()) for target in found["target"])


def _rsse(data: Path) -> Iterator[Positive]:
    for example in load_rsse(data / "rsse" / "dev_sents.csv"):
        if not is_held_out(example.source):
            yield from (Positive(example.source, text) for text in example.references)


def is_held_out(source: str) -> bool:
    """Whether a source of RuSimpleSentEval dev is in the held-out fifth, by checksum: no evaluator learns from it."""
    return zlib.crc32(source.encode()) % _FIFTH == 0


def _written(data: Path) -> Iterator[Positive]:
    for source, texts in written_rows(WRITTEN["written_ru"], Places(data)):
        yield from (Positive(source, text) for _, text in texts)


def _ru_mono(data: Path) -> Iterator[Positive]:
    """Sentences as rewrites of themselves."""
    for paragraph in set_paragraphs("ru_mono", data, 0.05, 0):
        yield from (Positive(text, text) for text in paragraph)


def _turkcorpus(data: Path) -> Iterator[Positive]:
    folder = data / "turkcorpus"
    return _lines_of(folder / "tune.8turkers.tok.norm", folder / "tune.8turkers.tok.turk", _TURKERS)


def _asset(data: Path) -> Iterator[Positive]:
    return _lines_of(data / "asset/asset.valid.orig", data / "asset/asset.valid.simp", _EDITORS)


def _lines_of(sources: Path, targets: Path, count: int) -> Iterator[Positive]:
    """Sources of a file, line by line with what each of so many people wrote of them."""
    for row in load_lines(sources, [targets.with_name(f"{targets.name}.{n}") for n in range(count)]):
        yield from (Positive(row.source, text) for text in row.references)


def _splits(name: str, data: Path) -> Iterator[Positive]:
    return (Positive(pair.complex, " ".join(pair.simple)) for pair in read_set(name, data))


def _rewrites(pairs: Iterable[Pair]) -> Iterator[Positive]:
    return (Positive(pair.source, pair.target) for pair in pairs)


SETS: Mapping[str, Callable[[Path], Iterator[Positive]]] = MappingProxyType(
    {
        **{"sumpubmed": _sumpubmed, "scitldr": _scitldr},
        "ruadapt": lambda data: _rewrites(adapted_pairs(data / "ruadapt")),
        "rsse": _rsse,
        "paraphraser": lambda data: _rewrites(paraphrase_pairs(data / "paraphraser_ru/paraphrases.xml")),
        **{"written": _written, "ru_mono": _ru_mono},
        **{"turkcorpus": _turkcorpus, "asset": _asset},
        **{name: partial(_splits, name) for name in SPLITS if name != "wikisplit-dev"},
    }
)
"""What a recipe may name beside files. None of them measures: Newsroom and QAGS are not here."""
SETS_WITH_HELD_OUT = frozenset({"rsse"})
"""Sets with a held-out part that their own reader leaves out."""


def positives(name: str, data: Path, where: Callable[[str], Path], most: int, seed: int) -> list[Positive]:
    """At most so many good texts of a set, or of a JSONL file that `where` finds, drawn by the seed.

    Blank texts and texts of fewer than four words are left out, and repeated ones. Raises `BadInput` for a name that is
    neither a set nor a file, and for a row that cannot be read, with its line.
    """
    if name in SETS:
        found: Iterable[Positive] = SETS[name](data)
    else:
        path = where(name)
        if not path.is_file():
            raise BadInput(f"No set and no file {str(path)!r}.", hint=f"Sets: {', '.join(SETS)}; or a JSONL file.")
        found = of_file(path)
    kept = [one for one in dict.fromkeys(found) if len(one.text.split()) >= _FEWEST_WORDS and one.source.strip()]
    return random.Random(f"{seed} {name}").sample(kept, min(most, len(kept)))


def of_file(path: Path) -> Iterator[Positive]:
    """The rows of a JSONL file with `source` and `text`, blank lines left out. Raises `BadInput` with the line."""
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            row = json_object(line, f"{path}, line {number}")
            source, text = row.get("source"), row.get("text")
            if not (isinstance(source, str) and isinstance(text, str)) or is_blank(source) or is_blank(text):
                raise BadInput(f"{path}, line {number}: no source and text: {line[:60]!r}.", hint=_FORM)
            yield Positive(source, text)


def _rucola(data: Path) -> Iterator[tuple[str, bool]]:
    """Sentences that experts called acceptable or not: the part for training."""
    path = data / "rucola/data/in_domain_train.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["sentence"], row["acceptable"] == "1"


RATED: Mapping[str, Callable[[Path], Iterator[tuple[str, bool]]]] = MappingProxyType({"rucola": _rucola})


def rated(name: str, data: Path) -> list[tuple[str, bool]]:
    """The texts of a set and whether people called each good. Raises `BadInput` for one that there is none of."""
    if name not in RATED:
        raise BadInput(f"evaluator.rated: no set is named {name!r}.", hint=f"Known: {', '.join(RATED)}.")
    return list(RATED[name](data))
