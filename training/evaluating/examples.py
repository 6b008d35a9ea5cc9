"""What an evaluator learns from, as rows of a file: a source, a text, and what each output should say of it.

Good texts with their sources go by the name of the set: summaries, and human rewrites of sentences.
"""

from __future__ import annotations

import csv
import json
import random
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType

from rewrite.datasets import Pair, json_object, load_rsse, text_lines
from rewrite.errors import BadInput
from rewrite.evaluate.sets import load_set
from rewrite.evaluate.splitting_corpora import SETS as SIMPLIFIED
from rewrite.judging.metric_words import is_blank
from training.adapter_pairs import WRITTEN, adapted_pairs, paraphrase_pairs, written_rows
from training.heads.options import EvaluatorOptions
from training.masked.corpora import HeldBack, held_back_texts, set_paragraphs
from training.negatives.pieces import Piece, Pieces, cut
from training.negatives.sampling import Positive, examples
from training.negatives.slips import slip_by_chance
from training.places import Places
from training.recipe import Recipe, Run
from training.splitting.pairs import SETS as SPLITS
from training.splitting.pairs import read_set

_HEADING = re.compile(r"^[A-Z ]+$", re.MULTILINE)
_SPACES = re.compile(r"\s+")
_START = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")
_FEWEST_WORDS = 4
_FIFTH = 5
_FORM = 'Write a row a line: {"source": "…", "text": "…"}.'


def _sumpubmed(data: Path) -> Iterator[Positive]:
    """Papers with their abstracts; headings and marks of citations are left out, lost numbers (<dig>) become 10.

    The set has no capitals, by which sentences are known: each gets one.
    """
    for row in filter(str.strip, text_lines(data / "sumpubmed/sumpubmed_2000.jsonl.xz")):
        paper = json.loads(row)
        yield Positive(_article(paper["line_text"]), _article(paper["abstract"]))


def _article(text: str) -> str:
    text = _HEADING.sub("", text).replace("<cit>", "").replace("<dig>", "10")
    plain = _SPACES.sub(" ", text).replace(" .", ".").replace(" ,", ",").strip()
    return _START.sub(lambda letter: letter[0].upper(), plain)


def _scitldr(data: Path) -> Iterator[Positive]:
    for row in filter(str.strip, text_lines(data / "scitldr/train.jsonl")):
        paper = json.loads(row)
        source = " ".join(paper["source"])
        yield from (Positive(source, target.strip()) for target in paper["target"])


def rsse(data: Path, *, held_out: bool = False) -> Iterator[Positive]:
    """RuSimpleSentEval dev: the fifth that is held out, or the rest."""
    for example in load_rsse(data / "rsse" / "dev_sents.csv"):
        if is_held_out(example.source) == held_out:
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


def _simplified(name: str, data: Path) -> Iterator[Positive]:
    """The first part of ASSET or TurkCorpus."""
    for row in load_set(SIMPLIFIED, name, data).examples:
        yield from (Positive(row.source, text) for text in row.references)


def _splits(name: str, data: Path) -> Iterator[Positive]:
    return (Positive(pair.complex, " ".join(pair.simple)) for pair in read_set(name, data))


def _rewrites(pairs: Iterable[Pair]) -> Iterator[Positive]:
    return (Positive(pair.source, pair.target) for pair in pairs)


SETS: Mapping[str, Callable[[Path], Iterator[Positive]]] = MappingProxyType(
    {
        **{"sumpubmed": _sumpubmed, "scitldr": _scitldr},
        "ruadapt": lambda data: _rewrites(adapted_pairs(data / "ruadapt")),
        "rsse": rsse,
        "paraphraser": lambda data: _rewrites(paraphrase_pairs(data / "paraphraser_ru/paraphrases.xml")),
        **{"written": _written, "ru_mono": _ru_mono},
        **{"turkcorpus": partial(_simplified, "turk"), "asset": partial(_simplified, "asset")},
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
        pairs: Iterable[Positive] = SETS[name](data)
    else:
        path = where(name)
        if not path.is_file():
            raise BadInput(f"No set and no file {str(path)!r}.", hint=f"Sets: {', '.join(SETS)}; or a JSONL file.")
        pairs = of_file(path)
    kept = [pair for pair in dict.fromkeys(pairs) if len(pair.text.split()) >= _FEWEST_WORDS and pair.source.strip()]
    return random.Random(f"{seed} {name}").sample(kept, min(most, len(kept)))


def of_file(path: Path) -> Iterator[Positive]:
    """The rows of a JSONL file with `source` and `text`, blank lines left out. Raises `BadInput` with the line."""
    for number, line in enumerate(text_lines(path), 1):
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


HUMAN_LABELLED = "human"
"""The kind of a text whose label people gave; no mutation."""
NO_GROUP = -1
"""That of texts which are compared with no other; only those to learn from have it."""
_SLIPS = "slips"
_SHARE = 0.2
"""Of a set's paragraphs, that sentences are drawn from."""
_MOST_WORDS = 40
_RATE = 0.05
"""Share of words that are wrong: as many sentences have one as have none."""
_ONE_IN = 1_000_000
_MOST_SENTENCES = 5
"""Of a text that is taken out of its source."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A source, a text, and labels in [0, 1] by output; `kind` as in `Example`, `group` is that of the good text.

    An output without a label learns nothing from it.
    """

    source: str
    text: str
    labels: Mapping[str, float]
    kind: str
    group: int


def taught_examples(options: EvaluatorOptions, run: Run, side: str) -> Iterator[Taught]:
    """The examples of a recipe for the `side` train or dev, the same for the same recipe.

    A good text is on the side that its source is on, so no source is on both.
    Raises `BadInput`.
    """
    data, seed = run.path("{data}"), run.recipe.seed
    back = HeldBack(chain.from_iterable(held_back_texts(run.path(path)) for path in options.held_back))
    good = dict.fromkeys(_good(options, run, data, seed, back))
    share = options.dev / max(1, len(good))
    on_side = [pair for pair in good if _is_dev(pair.source, share) == (side == "dev")]
    random.Random(f"{seed} {side}").shuffle(on_side)
    numbers = count()
    for texts in (on_side, list(_extracts(on_side, options.extracts, run.recipe))):
        yield from _labelled(texts, options, run.recipe, numbers)
    if side == "train":
        yield from _sentences(options, run, data, back)
        yield from _rated(options, data, back)


def _good(options: EvaluatorOptions, run: Run, data: Path, seed: int, back: HeldBack) -> Iterator[Positive]:
    for name, most in options.positives.items():
        for pair in positives(name, data, run.path, most, seed):
            if name not in SETS_WITH_HELD_OUT and (pair.source in back or pair.text in back):
                continue
            yield pair
            if _draw("copy", pair.source) < options.copies:
                yield Positive(pair.source, pair.source)


def _extracts(good: Sequence[Positive], share: float, recipe: Recipe) -> Iterator[Positive]:
    """Sentences in a row of a share of the sources: texts that read well whatever they leave out."""
    for source in dict.fromkeys(pair.source for pair in good):
        if _draw("extract", source) >= share:
            continue
        sentences = cut(source, "sentence", language=recipe.language)
        if not len(sentences):
            continue
        rng = random.Random(f"{recipe.seed} extract {source}")
        length = rng.randint(1, min(_MOST_SENTENCES, len(sentences)))
        first = rng.randint(0, len(sentences) - length)
        yield Positive(source, sentences.of(sentences.pieces[first : first + length]).text)


def _labelled(
    good: Sequence[Positive], options: EvaluatorOptions, recipe: Recipe, numbers: Iterator[int]
) -> Iterator[Taught]:
    """Good texts and their mutations; `numbers` are those of the groups."""
    group = -1
    for example in examples(
        good, options.kinds, negatives=options.negatives, language=recipe.language, seed=recipe.seed
    ):
        if not example.kind:
            group = next(numbers)
        labels = {
            output: float(not example.kind) if output in options.binary else example.label
            for output, kinds in options.outputs.items()
            if not example.kind or example.kind in kinds
        }
        yield Taught(example.source, example.text, labels, example.kind, group)


def _sentences(options: EvaluatorOptions, run: Run, data: Path, back: HeldBack) -> Iterator[Taught]:
    """Sentences without a source, each of their words wrong by the same small chance: good are those that have none."""
    language = run.recipe.language
    for name, most in options.sentences.items():
        rng = random.Random(f"{run.recipe.seed} {name}")
        sentences = (text for some in set_paragraphs(name, data, _SHARE, run.recipe.seed) for text in some)
        kept = [text for text in dict.fromkeys(filter(_is_short, sentences)) if text not in back]
        chosen = rng.sample(kept, min(most, len(kept)))
        words = [cut(text, "word", language=language) for text in chosen]
        for pieces in words:
            text = slip_by_chance(pieces, _RATE, rng, partial(_drawn, words))
            good = text == pieces.text
            labels = dict.fromkeys(options.likelihood, float(good))
            yield Taught("", text, labels, "" if good else _SLIPS, NO_GROUP)


def _drawn(texts: Sequence[Pieces], rng: random.Random) -> Piece:
    return rng.choice(rng.choice(texts).pieces)


def _is_short(text: str) -> bool:
    return _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS


def _rated(options: EvaluatorOptions, data: Path, back: HeldBack) -> Iterator[Taught]:
    for name, output in options.rated.items():
        for text, good in rated(name, data):
            if text not in back:
                yield Taught("", text, {output: float(good)}, HUMAN_LABELLED, NO_GROUP)


def _is_dev(source: str, share: float) -> bool:
    return _draw("dev", source) < share


def _draw(what: str, text: str) -> float:
    """A number in [0, 1) that is the same for the same text."""
    return zlib.crc32(f"{what} {text}".encode()) % _ONE_IN / _ONE_IN


def groups(taught: Iterable[Taught]) -> dict[int, list[int]]:
    """Numbers of examples by their good text."""
    by_group: dict[int, list[int]] = {}
    for number, example in enumerate(taught):
        by_group.setdefault(example.group, []).append(number)
    return by_group
