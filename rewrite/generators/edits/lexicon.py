"""The bundled dictionary of simpler words and phrases (`rewrite/models/lexicon_ru`), written for this project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rerank.errors import BadInput, ModelNotFound

__all__ = ["Entry", "Lexicon", "load_lexicon"]

_FOLDER = Path(__file__).parent.parent.parent / "models" / "lexicon_ru"
# Names of flags are Latin: a comma before anything else is a value (`notnext:,`).
_BETWEEN_FLAGS = re.compile(r",\s*(?=[a-z])")
_FILES = {"verbs": "VERB", "nouns": "NOUN", "adjectives": "ADJ", "adverbs": "ADV", "phrases": "PHRASE"}


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


def load_lexicon(folder: Path | None = None) -> Lexicon:
    """Read the bundled dictionary, or the files that are there of a `folder` of one's own.

    `ModelNotFound` where a bundled file is missing, or the folder holds none of the files; `BadInput` names the file
    and line of a bad row.
    """
    words: dict[tuple[str, str], list[Entry]] = {}
    phrases: dict[str, list[Entry]] = {}
    for path in _paths(folder):
        pos = _FILES[path.stem]
        for entry in _read(path, pos):
            if pos == "PHRASE":
                phrases.setdefault(entry.pattern[0], []).append(entry)
            else:
                words.setdefault((pos, entry.pattern[0]), []).append(entry)
    for found in phrases.values():
        found.sort(key=lambda e: -len(e.pattern))
    return Lexicon({k: tuple(v) for k, v in words.items()}, {k: tuple(v) for k, v in phrases.items()})


def _paths(folder: Path | None) -> list[Path]:
    """The dictionary's files; all of them must be there of the bundled one, one at least of any other."""
    paths = [(_FOLDER if folder is None else folder) / f"{name}.tsv" for name in _FILES]
    there = [path for path in paths if path.is_file()]
    missing = [path for path in paths if path not in there]
    if not there or (missing and folder is None):
        hint = "Install the package again." if folder is None else f"Give one or more of {', '.join(_FILES)} as .tsv."
        raise ModelNotFound(f"The dictionary has no {str(missing[0])!r}.", hint=hint)
    return there
