"""What WordNet says of its words: definitions and examples, without how the words are related.

Relations are left out: the probe Syn-Ant (docs/probes.md) measures with them. Some definitions name an antonym all the
same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rerank.errors import BadInput
from training.masked.sentences import suits_english
from training.papers.probes.wordnet import DEBIAN

__all__ = ["glosses"]

_KINDS = ("noun", "verb", "adj", "adv")
_EXAMPLE = re.compile(r'"([^"]*)"')
# Examples from books end with who wrote them: `"… a cold world"- Henry David Thoreau`.
_AUTHOR = re.compile(r"\s*[-\N{EN DASH}\N{EM DASH}]+\s*[A-Z].*$")
_SPACES = re.compile(r"\s+")


def glosses(data: Path) -> Iterator[list[str]]:
    """For each synset a paragraph: its first word with the definition, then its examples that are long enough.

    WordNet's files are those in `data/wordnet`, else Debian's. Raises `BadInput` where they are missing.
    """
    folder = data / "wordnet" if (data / "wordnet").is_dir() else DEBIAN
    for kind in _KINDS:
        for line in _lines(folder / f"data.{kind}"):
            fields, _, gloss = line.partition(" | ")
            found = _sentences(fields.split(" ")[4].split("(")[0].replace("_", " "), gloss)
            yield [one for one in found if suits_english(one, lower=True)]


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise BadInput(
            f"Cannot read {str(path)!r}: {error.strerror or error}.",
            hint="Install Debian's wordnet-base, or put WordNet's files into the folder wordnet of the data folder.",
        ) from error
    return [line for line in text.split("\n") if line and not line.startswith("  ")]  # the licence begins with spaces


def _sentences(word: str, gloss: str) -> Iterator[str]:
    examples = _EXAMPLE.findall(gloss)
    meaning = _AUTHOR.sub("", _EXAMPLE.sub("", gloss)).strip(" ;:,-\t\n")
    yield _ended(f"{word}: {meaning.replace(';', ',')}" if '"' not in meaning else "")
    yield from map(_ended, examples)


def _ended(text: str) -> str:
    plain = _SPACES.sub(" ", text).strip(" ;,")
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."
