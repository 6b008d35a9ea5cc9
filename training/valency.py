"""Count how often verbs, nouns, adjectives and adverbs come with each kind of dependent, in parsed text.

    python -m training.valency --data ../shared/data --out rewrite/models/valency_ru.json.gz
    python -m training.valency --lang en --data ../shared/data --out rewrite/models/valency_en.json.gz

The table that `edits` and compression read (`rewrite.generators.valency`) is `{head: [bare, {frame: share}]}`:
`bare` is the share of the head's occurrences with no complement at all, `share` that of the occurrences with such a
dependent; both lie in [0, 1]. Heads seen fewer than 12 times are left out, and shares below 0.12. Russian is news
and wiki text, 133,000 sentences in a few minutes; English what the masked model learns from, 100,000 in ten, parsed by
the bundled parser (docs/english.md), whatever else is installed: tables follow its habits.
"""

from __future__ import annotations

import gzip
import itertools
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from rerank.analysis import Analyzer, sentences
from rerank.english import EnglishAnalyzer
from rerank.english.analyzer import BUNDLED
from rerank.morphology import Morphology
from rerank.tree import Tree
from rewrite.generators.valency import COMPLEMENTS, EnglishValency, RussianValency, Valency
from training.command import command_line
from training.masked.corpora import set_paragraphs
from training.records import read_paragraphs

# How many sentences of each file: encyclopaedia and news, the text that people ask to be made simpler.
FILES = {
    "wikineural_wiki_sents": 30_000,
    "news_russia_today": 60_000,
    "news_ng": 25_000,
    "nerel_wikinews": 8_000,
    "news_lenta_sample": 5_000,
    "rurebus_econ_docs": 5_000,
}
SETS: Mapping[str, int] = MappingProxyType(
    {
        "newstest": 25_000,
        "abc": 25_000,
        "masc": 12_000,
        "minwiki": 8_000,
        "desse": 12_000,
        "wikisplit": 5_000,
        "wikitext": 2_000,
        "state_union": 5_000,
        "tatoeba": 6_000,
    }
)
"""How many sentences of each English set at most: news, encyclopaedia, letters and speeches."""
_HEADS = frozenset({"VERB", "NOUN", "ADJ", "ADV"})
_LEAST_SEEN = 12
_LEAST_SHARE = 0.12
_SELDOM_BARE = 0.15


@dataclass
class Counts:
    """Occurrences by head: all of them, those with no complement, and those with each frame."""

    seen: Counter[str] = field(default_factory=Counter)
    bare: Counter[str] = field(default_factory=Counter)
    frames: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


@dataclass(frozen=True)
class Language:
    """How the words of a language are counted.

    `layers` are asked of the analyser for `batch` texts at once; `counted` are the relations of dependents that count,
    `links` those of words that are no heads; `keys` gives the keys of a token as a head and as a dependent.
    """

    layers: tuple[str, ...]
    batch: int
    counted: AbstractSet[str]
    links: AbstractSet[str]
    keys: Valency


# *including*, *according to*: written as verbs, but prepositions.
ENGLISH = Language(
    layers=("morph", "syntax", "lemma"),
    batch=500,
    counted=COMPLEMENTS,
    links=frozenset({"case", "mark", "fixed", "cc"}),
    keys=EnglishValency({}),
)


def russian(valency: RussianValency) -> Language:
    """Russian, with the lemmas of `valency`. Subjects are never cut, so they do not count."""
    more = {"amod", "advmod", "acl", "acl:relcl", "advcl", "nummod:gov", "appos", "det"}
    return Language(("morph", "syntax"), 2_000, COMPLEMENTS | more, frozenset(), valency)


def russian_sentences(folder: Path, limit: int | None, *, seed: int = 0) -> list[str]:
    """Whole sentences of 6 to 36 words from the files of `folder`, at most `limit` shared out in proportion.

    Raises `BadInput` where a file is missing.
    """
    rng = random.Random(seed)
    share = 1.0 if limit is None else limit / sum(FILES.values())
    drawn: list[str] = []
    for name, quota in FILES.items():
        paragraphs = read_paragraphs(folder, name)
        rng.shuffle(paragraphs)
        texts = (text for paragraph in paragraphs for _, _, text in sentences(paragraph))
        drawn += itertools.islice(filter(_is_whole, texts), math.ceil(quota * share))
    return drawn[:limit]


def _is_whole(text: str) -> bool:
    return 5 <= text.count(" ") <= 35 and text.endswith(".") and text[0].isupper()


def english_sentences(data: Path, limit: int | None, *, seed: int = 0) -> list[str]:
    """Sentences of the data folder's sets, each once, at most `limit` shared out in proportion; raises `BadInput`."""
    rng = random.Random(seed)
    share = 1.0 if limit is None else min(1.0, limit / sum(SETS.values()))
    drawn: dict[str, None] = {}
    for name, quota in SETS.items():
        texts = [text for paragraph in set_paragraphs(name, data, 1.0, seed) for text in paragraph]
        rng.shuffle(texts)
        suited = (text for text in texts if 5 <= len(text.split()) <= 40)
        drawn.update(dict.fromkeys(itertools.islice(suited, round(quota * share))))
    return list(drawn)


def count(texts: Sequence[str], analyzer: Analyzer, language: Language) -> Counts:
    """Parse the texts and count the heads and frames in them."""
    counts = Counts()
    for start in range(0, len(texts), language.batch):
        for analysis in analyzer.analyze(texts[start : start + language.batch], language.layers):
            for sentence in analysis.sentences:
                _count_sentence(Tree(sentence.tokens), language, counts)
    return counts


def _count_sentence(tree: Tree, language: Language, counts: Counts) -> None:
    for number in tree.kept:
        token = tree.tokens[number]
        if token.pos not in _HEADS or token.rel in language.links:
            continue
        head = language.keys.head(tree, number)
        dependents = [child for child in tree.children[number] if tree.tokens[child].rel in language.counted]
        counts.seen[head] += 1
        counts.frames[head].update({language.keys.frame(tree, child) for child in dependents})
        counts.bare[head] += not any(tree.tokens[child].rel in COMPLEMENTS for child in dependents)


def table(counts: Counts) -> dict[str, list[float | dict[str, float]]]:
    """Shares of the heads seen often enough, smoothed by two occurrences more."""
    rows: dict[str, list[float | dict[str, float]]] = {}
    for head, seen in counts.seen.items():
        if seen < _LEAST_SEEN:
            continue
        shares = {frame: n / (seen + 2) for frame, n in counts.frames[head].items()}
        frames = {frame: round(share, 2) for frame, share in shares.items() if share >= _LEAST_SHARE}
        bare = round((counts.bare[head] + 0.5) / (seen + 2), 2)
        if frames or bare < _SELDOM_BARE:
            rows[head] = [bare, frames]
    return rows


def write_table(rows: dict[str, list[float | dict[str, float]]], path: Path) -> None:
    """Gzipped JSON, the same bytes for the same table."""
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, make the table, say how large it is."""
    parser = command_line("valency", __doc__)
    parser.add_argument("--lang", choices=("ru", "en"), default="ru", help="default: ru")
    parser.add_argument("--data", type=Path, required=True, help="data folder, for Russian with ru_mono")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sentences", type=int, help="how many to read; all by default")
    parser.add_argument("--seed", type=int, default=0, help="which sentences are read")
    options = parser.parse_args(arguments)
    if options.lang == "ru":
        texts = russian_sentences(options.data / "ru_mono", options.sentences, seed=options.seed)
        # Lemmas need no table of their own.
        counts = count(texts, Analyzer(cache_size=1), russian(RussianValency(Morphology(), table={})))
    else:
        texts = english_sentences(options.data, options.sentences, seed=options.seed)
        counts = count(texts, EnglishAnalyzer(BUNDLED, cache_size=1), ENGLISH)
    rows = table(counts)
    write_table(rows, options.out)
    print(f"{options.out}: {len(rows)} heads from {len(texts)} sentences, {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
