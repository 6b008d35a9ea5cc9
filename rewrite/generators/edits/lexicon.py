"""The bundled dictionary of simpler words and phrases (`rewrite/models/lexicon_ru`), written for this project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rerank.errors import BadInput

__all__ = ["Entry", "Lexicon", "load_lexicon"]

_FOLDER = Path(__file__).parent.parent.parent / "models" / "lexicon_ru"
# Names of flags are Latin: a comma before anything else is a value (`notnext:,`).
_BETWEEN_FLAGS = re.compile(r",\s*(?=[a-z])")
_FILES = {"verbs": "VERB", "nouns": "NOUN", "adjectives": "ADJ", "adverbs": "ADV"}


@dataclass(frozen=True, slots=True)
class Entry:
    """`pattern` → `replacement` under the conditions of `flags` (see `docs/edits.md`).

    A pattern of one word is a dictionary form; in a phrase `=word` is a dictionary form and the rest is literal.
    """

    pattern: tuple[str, ...]
    replacement: str
    pos: str
    flags: frozenset[str]

    def flag(self, name: str) -> tuple[str, ...]:
        """Values of a flag `name:a|b`, empty where it is not set."""
        for flag in self.flags:
            key, _, value = flag.partition(":")
            if key == name:
                return tuple(value.replace("ё", "е").split("|"))
        return ()


@dataclass(frozen=True)
class Lexicon:
    """Words by part of speech and dictionary form; phrases by their first token."""

    words: Mapping[tuple[str, str], tuple[Entry, ...]]
    phrases: Mapping[str, tuple[Entry, ...]]


def _read(path: Path, pos: str) -> Iterable[Entry]:
    if not path.exists():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [f.strip() for f in line.split("\t")]
        if len(fields) < 2 or not fields[0] or not fields[1]:
            raise BadInput(f"{path.name}, line {number}: expected pattern<TAB>replacement, found {line!r}.")
        flags = (
            frozenset(f.strip() for f in _BETWEEN_FLAGS.split(fields[2]) if f.strip()) if fields[2:] else frozenset()
        )
        yield Entry(tuple(fields[0].replace("ё", "е").split()), fields[1], pos, flags)


def load_lexicon(folder: Path = _FOLDER) -> Lexicon:
    """Read the files of a folder, those that are there; `BadInput` names the file and line of a bad row."""
    words: dict[tuple[str, str], list[Entry]] = {}
    for name, pos in _FILES.items():
        for entry in _read(folder / f"{name}.tsv", pos):
            words.setdefault((pos, entry.pattern[0]), []).append(entry)
    phrases: dict[str, list[Entry]] = {}
    for entry in _read(folder / "phrases.tsv", "PHRASE"):
        phrases.setdefault(entry.pattern[0], []).append(entry)
    for found in phrases.values():
        found.sort(key=lambda e: -len(e.pattern))
    return Lexicon({k: tuple(v) for k, v in words.items()}, {k: tuple(v) for k, v in phrases.items()})
