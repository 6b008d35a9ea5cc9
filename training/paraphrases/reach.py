"""How much of what people wrote in other words a table finds: words of references that stand not in their source.

    python -m training.paraphrases.reach TABLE.bin [--data DIR]

Read are ASSET valid for English and RSSE dev for Russian. A content word of a reference that the source does not have,
in any form, is found if a phrase of the reference with it has a paraphrase in the source.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rerank.errors import counted
from rerank.paraeval.table import ParaphraseTable
from rerank.paraeval.types import Phrase
from rerank.paraeval.words import Text, read
from rewrite.datasets import Example, data_folder, load_lines, load_rsse
from training.command import run_to_the_end
from training.paraphrases.grammar import Grammar, Normaliser, list_grammar, normaliser, russian_grammar

__all__ = ["Reach", "main", "reach"]


class Reach(NamedTuple):
    """Content words of references, those of them that the source does not have, and those that the table finds."""

    words: int
    unmatched: int
    found: int


def reach(table: ParaphraseTable, examples: Iterable[Example], grammar: Grammar, normalise: Normaliser) -> Reach:
    """Counted over all references of all examples."""
    words = unmatched = found = 0
    for example in examples:
        source = read(example.source, table.language)
        there = {normalise(word) for word in source.words}
        phrases = {phrase for *_, phrase in source.phrases(table.longest)}
        for reference in example.references:
            said = read(reference, table.language)
            content = [i for i, word in enumerate(said.words) if not grammar.is_function(word)]
            new = {i for i in content if normalise(said.words[i]) not in there}
            words, unmatched = words + len(content), unmatched + len(new)
            found += len(new & _covered(said, phrases, table))
    return Reach(words, unmatched, found)


def _covered(said: Text, source: set[Phrase], table: ParaphraseTable) -> set[int]:
    """Numbers of the words in phrases that have a paraphrase in the source."""
    covered: set[int] = set()
    for start, stop, phrase in said.phrases(table.longest):
        if any(other in source for other in table.of(phrase)):
            covered.update(range(start, stop))
    return covered


def main(arguments: list[str] | None = None) -> int:
    """Print the counts; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.paraphrases.reach",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("table", type=Path, help="table.bin of an English or Russian table")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    given = parser.parse_args(arguments)
    return run_to_the_end("reach", lambda: _print(ParaphraseTable.open(given.table), given.data))


def _print(table: ParaphraseTable, data: str | None) -> None:
    grammar = list_grammar() if table.language == "en" else russian_grammar()
    counts = reach(table, _examples(table.language, data_folder(data)), grammar, normaliser(table.language))
    share = counts.found / counts.unmatched if counts.unmatched else 0.0
    words = counted(counts.words, "content word")
    print(f"{words}, {counts.unmatched:,} not in the source, {counts.found:,} found: {share:.1%}")


def _examples(language: str, data: Path) -> list[Example]:
    if language == "ru":
        return load_rsse(data / "rsse" / "dev_sents.csv")
    asset = data / "asset"
    return load_lines(asset / "asset.valid.orig", [asset / f"asset.valid.simp.{n}" for n in range(10)])


if __name__ == "__main__":
    sys.exit(main())
