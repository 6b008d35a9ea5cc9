"""First names, and nouns that say what somebody or something is, with the pronoun that texts go on with.

python -m training.splitting.genders --data DIR --out FILE
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.masked.corpora import set_paragraphs
from training.masked.detokenise import detokenised
from training.splitting.pairs import measured, read_set

__all__ = ["count_names", "count_nouns", "main", "names_by_pronoun", "nouns_by_kind"]

_SETS = ("wikisplit-tune", "wikisplit-validation", "minwiki", "bisect")
_NEIGHBOURS = (
    "abc",
    "wikitext",
    "masc",
    "newstest",
    "state_union",
    "inaugural",
    "brown",
    "tatoeba",
    "ntrex",
    "flores",
    "mlqe",
)
_NAME = re.compile(r"^([A-Z][a-z]+(?:-[A-Z][a-z]+)?)(?: (?:[A-Z][\w.'’-]*|\"[^\"]*\"|\([^)]*\)|de|von|van|da|di))*,? ")
_HE, _SHE = (
    re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE),
    re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
)
_IS = re.compile(
    r"\b(?:is|was|became|remains) (?:an?|the|one of the) (?:[\w'’-]+ ){0,6}?([a-z]+)"
    r"(?= (?:of|in|from|at|for|and|or|who|which|that|with|by|born|located|on|to|based|known)\b| ?[,.;(]|$)"
)
_LEAST, _SURE = 2, 0.85


def count_names(texts: Iterable[tuple[str, str]], common: frozenset[str]) -> dict[str, Counter[str]]:
    """How often a first name at the beginning of a text goes with *he* and with *she*.

    `texts` are a sentence and the one behind it (or nothing). A sentence with pronouns of both kinds tells nothing, and
    words of `common` are no names.
    """
    found: dict[str, Counter[str]] = {}
    for first, second in texts:
        match = _NAME.match(first)
        if match is None or match[1].lower() in common:
            continue
        begins = re.match(r"(He|She|His|Her)\b", second)
        text = begins[1] if begins else first
        he, she = bool(_HE.search(text)), bool(_SHE.search(text))
        if he != she:
            found.setdefault(match[1], Counter())["he" if he else "she"] += 1
    return found


def count_nouns(texts: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """How often a noun that says what the subject of a sentence is goes with *he* or *she*, and with *it*.

    The noun is the last word of *… is a …* before a preposition, a mark or a relative clause; the pronoun begins the
    next sentence.
    """
    found: dict[str, Counter[str]] = {}
    for first, second in texts:
        begins = re.match(r"(He|She|It)\b", second)
        match = _IS.search(first) if begins else None
        if begins and match:
            found.setdefault(match[1], Counter())["it" if begins[1] == "It" else "person"] += 1
    return found


def nouns_by_kind(counts: dict[str, Counter[str]]) -> dict[str, list[str]]:
    """The nouns that nearly always mean a person, and those that mean a thing, sorted."""
    found: dict[str, list[str]] = {"person": [], "it": []}
    for noun, both in sorted(counts.items()):
        total = sum(both.values())
        for kind, nouns in found.items():
            if both[kind] >= _LEAST and both[kind] >= _SURE * total:
                nouns.append(noun)
    return found


def names_by_pronoun(counts: dict[str, Counter[str]]) -> dict[str, list[str]]:
    """The names that nearly always go with one pronoun, sorted, by that pronoun."""
    found: dict[str, list[str]] = {"he": [], "she": []}
    for name, both in sorted(counts.items()):
        total = sum(both.values())
        for pronoun, names in found.items():
            if both[pronoun] >= _LEAST and both[pronoun] >= _SURE * total:
                names.append(name.lower())
    return found


def _texts(data: Path) -> Iterator[tuple[str, str]]:
    kept = set(map(detokenised, measured(data)))
    for name in _SETS:
        for pair in read_set(name, data):
            simple = [detokenised(text) for text in pair.simple]
            if not kept.intersection((detokenised(pair.complex), *simple)):
                yield from itertools.pairwise([*simple, ""])
                yield detokenised(pair.complex), ""
    for name in _NEIGHBOURS:
        for paragraph in set_paragraphs(name, data, 1.0, 0):
            yield from itertools.pairwise([*paragraph, ""])


def _common() -> frozenset[str]:
    """Words that begin sentences without being names."""
    from wordfreq import top_n_list, zipf_frequency

    return frozenset(word for word in top_n_list("en", 8_000) if zipf_frequency(word, "en") > 5.3) | frozenset(
        """
        according after although among because before born both despite during following however later once since though
        unlike until upon when where while
        """.split()
    )


def main(arguments: list[str] | None = None) -> int:
    """Count, and write the names as gzipped JSON; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.splitting.genders", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    given = parser.parse_args(arguments)
    texts = list(_texts(given.data))
    found = names_by_pronoun(count_names(texts, _common())) | nouns_by_kind(count_nouns(texts))
    text = json.dumps({kind: " ".join(words) for kind, words in found.items()}, ensure_ascii=False)
    given.out.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    print(", ".join(f"{kind} {len(words):,}" for kind, words in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
