"""`templates`: learn from the texts of the benchmark's parts what is said with which triples.

Of the texts of a part, those that name all of its entities and nothing else become templates; templates are gathered by
what the triples are without their entities, and of each key the most frequent and most typical are kept.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from rerank.errors import CannotWrite
from rewrite.splitting.triples.templates import Template, TemplateBook, key_of
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.delexicalise import delexicalise, small_words, usual_names
from training.papers.websplit.files import load_benchmark, load_sentences
from training.papers.websplit.splitter import learn_splitter
from training.papers.websplit.splitting import PROTOCOLS, SIDES

__all__ = ["TEMPLATES", "add_arguments", "learn_templates", "run", "used_parts"]

TEMPLATES = "templates.json.gz"

_MOST = {1: 8, 2: 4, 3: 3}
"""How many templates of a key are kept, by its triples; larger keys have none."""
_ENOUGH = 3
"""Texts that a category must have for templates of its own."""
_COMPARED = 150
_TYPICAL = 1.5
"""How much a template's likeness to the others of its key counts against the logarithm of its count."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `templates`."""
    parser.add_argument(
        "--benchmark", type=Path, required=True, metavar="DIR", help="the folder that build has written"
    )
    parser.add_argument(
        "--protocol",
        choices=(*PROTOCOLS, "all"),
        default="all",
        help="learn from the train side of this split, or from all parts (the default)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="gzipped JSON")


def run(given: argparse.Namespace) -> None:
    """Learn as the options say."""
    benchmark = load_benchmark(given.benchmark)
    if given.protocol == "all":
        sides = [load_sentences(given.benchmark, "paper", side, benchmark) for side in SIDES]
        sentences = [sentence for side in sides for sentence in side]
        numbers: Collection[int] = range(len(benchmark.parts))
    else:
        sentences = load_sentences(given.benchmark, given.protocol, "train", benchmark)
        numbers = used_parts(sentences)
    book = learn_templates(benchmark, sentences, numbers)
    data = book.to_bytes()
    try:
        given.out.write_bytes(data)
    except OSError as error:
        raise CannotWrite(
            f"Cannot write {str(given.out)!r}: {error.strerror or error}.", hint="Check --out."
        ) from error
    sizes = Counter(key.count(" | ") + 1 for key in book.templates if ": " not in key)
    told = ", ".join(f"{count:,} of {size}" for size, count in sorted(sizes.items()))
    templates = sum(map(len, book.templates.values()))
    print(f"{given.out}: {templates:,} templates, keys by their triples: {told}; {len(data) / 1e6:.2f} MB")


def used_parts(sentences: Iterable[ComplexSentence]) -> list[int]:
    """The parts of all partitions, ascending: those whose texts the sentences' rephrasings are made of."""
    return sorted({part for s in sentences for reading in s.readings for p in reading.partitions for part in p})


def learn_templates(
    benchmark: WebSplit, sentences: Sequence[ComplexSentence], numbers: Collection[int]
) -> TemplateBook:
    """The templates of the texts of parts `numbers`, with the partitions of the sentences' meanings."""
    parts = [benchmark.parts[number] for number in numbers]
    small = small_words(sentence for part in parts for text in part.texts for sentence in text)
    counts: dict[str, Counter[str]] = {}
    categories: dict[str, Counter[str]] = {}
    for part in parts:
        for triple in part.triples:
            categories.setdefault(triple.property, Counter())[part.category] += 1
        if len(part.triples) in _MOST:
            key = key_of(part.triples)
            found = [delexicalise(text, part.triples, small) for text in part.texts]
            for one in (key, f"{part.category}: {key}"):
                counts.setdefault(one, Counter()).update(template for template in found if template is not None)
    names = usual_names((s, part.triples) for part in parts for text in part.texts for s in text)
    return TemplateBook(_kept(counts), learn_splitter(benchmark, sentences), names, categories)


def _kept(counts: Mapping[str, Counter[str]]) -> dict[str, tuple[Template, ...]]:
    """The best templates of each key that has enough texts; those of a category where they are not those of all."""
    kept: dict[str, tuple[Template, ...]] = {}
    for key, found in sorted(counts.items(), key=lambda item: ": " in item[0]):
        category, _, general = key.rpartition(": ")
        size = general.count(" | ") + 1
        if found.total() < (_ENOUGH if category else 1 if size == 1 else 2) or (category and size > 1):
            continue
        if category and found == counts[general]:
            continue
        kept[key] = _best(found, _MOST[size])
    return kept


def _best(found: Counter[str], most: int) -> tuple[Template, ...]:
    """The templates of a key, the best first: by the logarithm of their count and their likeness to the others."""
    texts = [text for text, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))][:_COMPARED]
    grams = [_grams(text) for text in texts]
    total = sum(found[text] for text in texts)
    scores = {}
    for text, own in zip(texts, grams, strict=True):
        like = sum(_likeness(own, other) * found[t] for t, other in zip(texts, grams, strict=True)) - found[text]
        typical = like / (total - found[text]) if total > found[text] else 1.0
        scores[text] = math.log(found[text]) + _TYPICAL * typical
    ranked = sorted(texts, key=lambda text: (-scores[text], text))[:most]
    return tuple(Template(text, found[text], scores[text] - scores[ranked[0]]) for text in ranked)


def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = text.lower().replace(",", " ,").replace(".", " .").replace("'s", " 's").split()
    return Counter([*((word,) for word in words), *itertools.pairwise(words)])


def _likeness(one: Counter[tuple[str, ...]], other: Counter[tuple[str, ...]]) -> float:
    """F1 of words and pairs of words, in [0, 1]."""
    return 2 * (one & other).total() / (one.total() + other.total())
