"""The bundled dictionary of simpler words (`rewrite/models/lexicon_ru`), and when a row of it may replace a word.

What the flags of a row ask for is in `docs/edits.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rerank.errors import BadInput, ModelNotFound
from rewrite.generators.edits.clause_grammar import SUBJECTS
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

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
    for entries in phrases.values():
        entries.sort(key=lambda e: -len(e.pattern))
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


class _Place:
    """A word that a row may replace: token `i`, whose pymorphy3 part of speech is `part`, and what stands around it."""

    def __init__(self, tree: RepairedTree, i: int, valency: RussianValency, part: str) -> None:
        self.tree, self.i, self.valency, self.part = tree, i, valency, part
        self.feats, self.children = tree.tokens[i].feats, tree.children[i]
        self.plural = self.feats.get("Number") == "Plur"
        self.attributive = tree.rels[i] in _MODIFIERS

    def lemmas(self, *rels: str) -> set[str]:
        """Dictionary forms of what hangs on it by these relations."""
        return {self.valency.lemma(self.tree.tokens[c]) for c in self.children if self.tree.rels[c] in rels}

    @property
    def objects(self) -> set[str]:
        return self.lemmas("obj", "nsubj:pass")

    @property
    def prepositions(self) -> set[str]:
        tree = self.tree
        phrases = [c for c in self.children if tree.rels[c] in ("obl", "nmod", "iobj", "obl:agent")]
        return {tree.word(p) for c in phrases for p in tree.children[c] if tree.rels[p] == "case"}

    @property
    def animate(self) -> bool:
        subject = self.tree.child(self.i, *SUBJECTS)
        if subject is None:
            return False
        return self.tree.tokens[subject].feats.get("Animacy") == "Anim" or self.tree.word(subject) in _PEOPLE

    @property
    def infinitive(self) -> bool:
        return any(self.tree.tokens[c].feats.get("VerbForm") == "Inf" for c in self.children)

    @property
    def genitive(self) -> bool:
        tree = self.tree
        nouns = (c for c in self.children if tree.rels[c] == "nmod" and tree.child(c, "case") is None)
        return any(tree.tokens[c].feats.get("Case") == "Gen" for c in nouns)

    @property
    def noun(self) -> set[str]:
        head = self.tree.heads[self.i]
        return {self.valency.lemma(self.tree.tokens[head])} if head >= 0 and self.attributive else set()

    def follows(self, *words: str) -> bool:
        """Whether these words stand right after it."""
        return tuple(token.text.lower() for token in self.tree.tokens[self.i + 1 : self.i + 1 + len(words)]) == words

    def of_aspect(self, perfective: bool) -> bool:
        """A verb of both aspects (*исследовать*) is perfective in the past, imperfective in the present."""
        tense = self.feats.get("Tense")
        return tense == "Past" or self.part == "PRTS" if perfective else tense == "Pres"


_PLAIN: Mapping[str, Callable[[_Place], bool]] = MappingProxyType(
    {
        "notpart": lambda place: place.part not in ("PRTF", "PRTS"),
        "notpass": lambda place: place.part != "PRTS" and place.feats.get("Voice") != "Pass",
        "notneg": lambda place: not (place.i and place.tree.word(place.i - 1) == "не"),
        "sg": lambda place: not place.plural,
        "pl": lambda place: place.plural,
        "hasobj": lambda place: bool(place.objects),
        "noobj": lambda place: not place.objects,
        "anim": lambda place: place.animate,
        "inanim": lambda place: not place.animate,
        "noprep": lambda place: not place.prepositions,
        "inf": lambda place: place.infinitive,
        "noinf": lambda place: not place.infinitive,
        "ccomp": lambda place: place.follows(",", "что"),
        "gen": lambda place: place.genitive,
        "nogen": lambda place: not place.genitive,
        "noadj": lambda place: not place.lemmas(*_MODIFIERS),
        "attr": lambda place: place.attributive,
        "pred": lambda place: not place.attributive,
    }
)
"""What each flag without values asks of a word; those about what stands before and after it are checked elsewhere."""
_VALUED: Mapping[str, Callable[[_Place], set[str]]] = MappingProxyType(
    {
        "obj": lambda place: place.objects,
        "prep": lambda place: place.prepositions,
        "subj": lambda place: place.lemmas(*SUBJECTS),
        "adj": lambda place: place.lemmas(*_MODIFIERS),
        "noun": lambda place: place.noun,
    }
)
"""What must be among the values of a flag, and of the flag with `not` before it must not be."""


def holds(tree: RepairedTree, i: int, entry: Entry, valency: RussianValency, part: str) -> bool:
    """Whether every flag of `entry` holds for token i, whose pymorphy3 part of speech is `part`."""
    place = _Place(tree, i, valency, part)
    if "biasp" in entry.flags and not place.of_aspect(valency.perfective(entry.replacement)):
        return False
    if not all(_PLAIN[flag](place) for flag in entry.flags if flag in _PLAIN):
        return False
    for name, words in _VALUED.items():
        wanted, banned = entry.flag(name), entry.flag(f"not{name}")
        if (wanted and words(place).isdisjoint(wanted)) or (banned and not words(place).isdisjoint(banned)):
            return False
    return True
