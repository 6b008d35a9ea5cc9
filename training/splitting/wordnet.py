"""What nouns mean, from WordNet's files of nouns: persons, groups, places, things."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container
from pathlib import Path

from rewrite.errors import BadInput

__all__ = ["KINDS", "noun_kinds"]

KINDS = ("person", "group", "place", "it")
_GROUP, _LOCATION, _PERSON = 14, 15, 18
_SURE, _HARDLY = 0.9, 0.2


def noun_kinds(folder: Path, seen: Container[str]) -> dict[str, list[str]]:
    """The nouns of `seen` that mean one kind of thing, sorted, by `KINDS`.

    `folder` has WordNet 3's `data.noun` and `cntlist.rev` (Debian: package wordnet-base, /usr/share/wordnet). A
    sense counts one and its number of tagged uses. A noun is a `person` or a `group` where nine in ten of its senses
    are, and `it` where none is a person's. A `place` is a name of one or two words of which one sense is a place's and
    hardly one a person's; a noun that is also a name is told as the noun.

    Raises `BadInput` where a file is missing or is none of WordNet's.
    """
    senses, large = _senses(folder)
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for noun, files in sorted(senses.items()):
        if noun in seen and (kind := _kind(files)):
            found[kind].append(noun)
    for name, files in sorted(large.items()):
        is_seen = all(part in seen for part in name.split())
        if is_seen and name not in senses and _is_place(files):
            found["place"].append(name)
    return found


def _kind(files: Counter[int]) -> str:
    total = sum(files.values())
    for kind, file in (("person", _PERSON), ("group", _GROUP)):
        if files[file] >= _SURE * total:
            return kind
    return "" if files[_PERSON] else "it"


def _is_place(files: Counter[int]) -> bool:
    # *Paris* is a prince, too.
    return files[_LOCATION] > 0 and files[_PERSON] <= _HARDLY * sum(files.values())


def _senses(folder: Path) -> tuple[dict[str, Counter[int]], dict[str, Counter[int]]]:
    """How often nouns, and names of one or two words, stand for a sense of each of WordNet's files."""
    used = _uses(folder / "cntlist.rev")
    small: defaultdict[str, Counter[int]] = defaultdict(Counter)
    large: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for number, line in enumerate(_lines(folder / "data.noun"), 1):
        if line.startswith("  "):
            # The licence.
            continue
        parts = line.split(" ")
        try:
            # *person* itself is of the file of the most general nouns.
            file, words = int(parts[1]) if parts[4] != "person" else _PERSON, parts[4 : 4 + 2 * int(parts[3], 16) : 2]
        except (ValueError, IndexError) as error:
            raise BadInput(f"{folder / 'data.noun'}: line {number} is none of WordNet's.") from error
        for word in words:
            if word.islower() and word.isalpha():
                small[word][file] += 1 + used[word, file]
            elif word.count("_") < 2 and all(part.isalpha() and part[0].isupper() for part in word.split("_")):
                large[word.lower().replace("_", " ")][file] += 1 + used[word.lower(), file]
    return dict(small), dict(large)


def _uses(path: Path) -> Counter[tuple[str, int]]:
    """How often a word was tagged with a noun's sense of one of WordNet's files."""
    found: Counter[tuple[str, int]] = Counter()
    for line in _lines(path):
        key, _, count = line.split(" ")
        lemma, _, place = key.partition("%")
        kind, file, *_ = place.split(":")
        if kind == "1":
            found[lemma, int(file)] += int(count)
    return found


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path}: it cannot be read: {error}.", hint="Debian's package wordnet-base has it in /usr/share/wordnet."
        ) from error
