"""The bundled dictionary of simpler words (`rewrite/models/lexicon_ru`), and when a row of it may replace a word.

What the flags of a row ask for is in `docs/edits.md`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rerank.errors import BadInput, ModelNotFound
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["Entry", "Lexicon", "holds", "load_lexicon"]

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


_MODIFIERS = ("amod", "det")
_PEOPLE = frozenset("он она они я мы ты вы кто".split())
_SUBJECTS = ("nsubj", "nsubj:pass")


def holds(tree: Tree, i: int, entry: Entry, valency: Valency, part: str) -> bool:
    """Whether every flag of `entry` holds for token i, whose pymorphy3 part of speech is `part`."""
    return (
        _form(tree, i, entry.flags, part)
        and _aspect(tree, i, entry, valency, part)
        and _verb(tree, i, entry, valency)
        and _noun(tree, i, entry, valency)
        and _adjective(tree, i, entry, valency)
    )


def _form(tree: Tree, i: int, flags: Collection[str], part: str) -> bool:
    feats = tree.tokens[i].feats
    passive = part == "PRTS" or feats.get("Voice") == "Pass"
    plural = feats.get("Number") == "Plur"
    return not (
        ("notpart" in flags and part in ("PRTF", "PRTS"))
        or ("notpass" in flags and passive)
        or ("sg" in flags and plural)
        or ("pl" in flags and not plural)
    )


def _aspect(tree: Tree, i: int, entry: Entry, valency: Valency, part: str) -> bool:
    """`biasp`: a verb of both aspects (*исследовать*) is perfective in the past, imperfective in the present."""
    if "notneg" in entry.flags and i and tree.lower(i - 1) == "не":
        return False
    if "biasp" not in entry.flags:
        return True
    past = tree.tokens[i].feats.get("Tense") == "Past" or part == "PRTS"
    present = tree.tokens[i].feats.get("Tense") == "Pres"
    return past if valency.perfective(entry.replacement) else present


def _lemmas(tree: Tree, i: int, valency: Valency, *rels: str) -> set[str]:
    return {valency.lemma(tree.tokens[c]) for c in tree.children[i] if tree.rels[c] in rels}


def _among(found: Collection[str], wanted: Collection[str], banned: Collection[str]) -> bool:
    return (not wanted or bool(set(found) & set(wanted))) and not set(found) & set(banned)


def _prepositions(tree: Tree, i: int) -> set[str]:
    return {
        tree.lower(p)
        for c in tree.children[i]
        if tree.rels[c] in ("obl", "nmod", "iobj", "obl:agent")
        for p in tree.children[c]
        if tree.rels[p] == "case"
    }


def _verb(tree: Tree, i: int, entry: Entry, valency: Valency) -> bool:
    flags = entry.flags
    objects = _lemmas(tree, i, valency, "obj", "nsubj:pass")
    prepositions = _prepositions(tree, i)
    subject = tree.child(i, *_SUBJECTS)
    animate = subject is not None and (
        tree.tokens[subject].feats.get("Animacy") == "Anim" or tree.lower(subject) in _PEOPLE
    )
    infinitive = any(tree.tokens[c].feats.get("VerbForm") == "Inf" for c in tree.children[i])
    checks = [
        not ("noobj" in flags and objects),
        not ("hasobj" in flags and not objects),
        not ("anim" in flags and not animate),
        not ("inanim" in flags and animate),
        not ("noprep" in flags and prepositions),
        not ("inf" in flags and not infinitive),
        not ("noinf" in flags and infinitive),
        not ("ccomp" in flags and not _that_clause(tree, i)),
        _among(objects, entry.flag("obj"), entry.flag("notobj")),
        _among(prepositions, entry.flag("prep"), entry.flag("notprep")),
        _among(_lemmas(tree, i, valency, *_SUBJECTS), entry.flag("subj"), ()),
    ]
    return all(checks)


def _that_clause(tree: Tree, i: int) -> bool:
    return i + 2 < len(tree) and tree.tokens[i + 1].text == "," and tree.lower(i + 2) == "что"


def _noun(tree: Tree, i: int, entry: Entry, valency: Valency) -> bool:
    flags = entry.flags
    genitive = any(
        tree.rels[c] == "nmod" and tree.tokens[c].feats.get("Case") == "Gen" and tree.child(c, "case") is None
        for c in tree.children[i]
    )
    adjectives = _lemmas(tree, i, valency, *_MODIFIERS)
    checks = [
        not ("gen" in flags and not genitive),
        not ("nogen" in flags and genitive),
        not ("noadj" in flags and adjectives),
        _among(adjectives, entry.flag("adj"), entry.flag("notadj")),
    ]
    return all(checks)


def _adjective(tree: Tree, i: int, entry: Entry, valency: Valency) -> bool:
    flags = entry.flags
    attributive = tree.rels[i] in _MODIFIERS
    head = tree.heads[i]
    noun = {valency.lemma(tree.tokens[head])} if head >= 0 and attributive else set()
    checks = [
        not ("attr" in flags and not attributive),
        not ("pred" in flags and attributive),
        _among(noun, entry.flag("noun"), entry.flag("notnoun")),
    ]
    return all(checks)
