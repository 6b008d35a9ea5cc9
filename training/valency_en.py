"""Count how often English words come with each kind of dependent, in the parsed text that the masked model learns from.

    python -m training.valency_en --data ../shared/data --out rewrite/models/valency_en.json.gz

The table that compression reads (`rewrite.generators.government`) is as that of `training.valency`. The parser is the
bundled one (docs/english.md), whatever else is installed: tables follow its habits. 100,000 sentences take ten minutes.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.english.pipeline import BUNDLED
from rewrite.generators.edits.valency import COMPLEMENTS
from rewrite.generators.government import english_frame, english_head
from rewrite.generators.tree import Tree
from training.masked.corpora import set_paragraphs
from training.valency import Counts, table, write_table

__all__ = ["SETS", "count", "main", "sample_sentences"]

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
"""How many sentences of each set at most: news, encyclopaedia, letters and speeches."""

_HEADS = frozenset({"VERB", "NOUN", "ADJ", "ADV"})
# *including*, *according to*: written as verbs, but prepositions.
_LINKS = frozenset({"case", "mark", "fixed", "cc"})
_BATCH = 500
_SHORTEST, _LONGEST = 5, 40


def sample_sentences(data: Path, limit: int | None, *, seed: int = 0) -> list[str]:
    """Sentences of the data folder's sets, each once, at most `limit` shared out in proportion; raises `BadInput`."""
    rng = random.Random(seed)
    share = 1.0 if limit is None else min(1.0, limit / sum(SETS.values()))
    found: dict[str, None] = {}
    for name, quota in SETS.items():
        texts = [text for paragraph in set_paragraphs(name, data, 1.0, seed) for text in paragraph]
        rng.shuffle(texts)
        suited = (text for text in texts if _SHORTEST <= len(text.split()) <= _LONGEST)
        found.update(dict.fromkeys(itertools.islice(suited, round(quota * share))))
    return list(found)


def count(texts: Sequence[str], analyzer: Analyzer) -> Counts:
    """Parse the texts and count the heads and frames in them."""
    counts = Counts()
    for start in range(0, len(texts), _BATCH):
        for analysis in analyzer.analyze(texts[start : start + _BATCH], ("morph", "syntax", "lemma")):
            for sentence in analysis.sentences:
                _count_sentence(Tree(sentence, frozenset()), counts)
    return counts


def _count_sentence(tree: Tree, counts: Counts) -> None:
    for number in tree.kept:
        token = tree.tokens[number]
        if token.pos not in _HEADS or token.rel in _LINKS:
            continue
        head = english_head(tree, number)
        counts.seen[head] += 1
        counts.frames[head].update(set(_frames(tree, number)))
        counts.bare[head] += not any(tree.tokens[child].rel in COMPLEMENTS for child in tree.children[number])


def _frames(tree: Tree, number: int) -> Iterator[str]:
    return (english_frame(tree, child) for child in tree.children[number] if tree.tokens[child].rel in COMPLEMENTS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, make the table, say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sentences", type=int, help="how many to read; all by default")
    parser.add_argument("--seed", type=int, default=0, help="which sentences are read")
    options = parser.parse_args(arguments)
    texts = sample_sentences(options.data, options.sentences, seed=options.seed)
    found = table(count(texts, EnglishAnalyzer(BUNDLED, cache_size=1)))
    write_table(found, options.out)
    print(f"{options.out}: {len(found)} heads from {len(texts)} sentences, {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
