"""Places where a sentence may be cut in two, as editors cut: a connective gives way to a full stop and what leads on.

Which connectives, and what takes their place, is counted over rewrites written by careful editors
(`training.breaks`); which cut is right in a sentence is judged elsewhere (`rewrite.gain.break_judge`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from rerank.errors import BadInput, ModelNotFound
from rerank.frequency import fold
from rewrite.generators.edits.clause_breaks import CLAUSE_FEATURES, clause_features
from rewrite.generators.edits.clauses import SUBJECTS, pronoun, subjectless
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.tree import Tree

__all__ = ["BREAK_FEATURES", "break_features", "breaks", "load_connectives"]

Connectives = Mapping[tuple[str, ...], tuple[str, ...]]
"""What editors put in the place of each connective, after the full stop; an empty string where they put nothing."""

_FILE = Path(__file__).parent.parent.parent / "models" / "breaks_ru.tsv"
_LONGEST = 4
_PRONOUNS = frozenset({"он", "она", "оно", "они"})
_PREDICATES = frozenset("нельзя нужно можно надо нет необходимо".split())
_RELATIONS = ("conj", "parataxis", "advcl", "acl:relcl", "ccomp", "root", "acl")
_COMMON = (",", ", а", ", и", "и", ", но", ":", ";", ", где", ", что")
_CAUSES = ("так как", "поскольку", "потому", "причем", "тогда как", "при этом")
_SAYING = (
    *("сказа", "говор", "сообщ", "заяв", "отме", "подчерк", "добав", "рассказ", "поясн", "объясн", "уточн"),
    *("счита", "утвержд", "указ", "установ"),
)
_SUBORDINATE = frozenset("если хотя когда поскольку чтобы".split())
BREAK_FEATURES = (
    *("root_before", "arcs_after", "arcs_before", "finite_before", "finite_after", "head_finite", "head_subject"),
    *("share_before", "words_before", "words_after", *(f"relation:{name}" for name in _RELATIONS)),
    *(f"connective:{name}" for name in _COMMON),
    *("connective:which", "connective:cause", "lead:none", "lead:pronoun", "lead:contrast", "lead:other"),
    *("pronoun_and_subject", "verb_first", "conjunction_first", "pronoun_first", "that_before", "subordinate_before"),
    *("subject_after", "subjectless_after", "goes_on_after", "subordinate_after", "other_tense", "finite_first"),
    *("denied_before", "saying_before", "semicolon"),
    *CLAUSE_FEATURES,
)


@cache
def load_connectives(path: Path = _FILE) -> Connectives:
    """Read a file of lines *connective<TAB>lead<TAB>count*, the commonest first.

    `ModelNotFound` where it is missing; `BadInput` names a bad line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ModelNotFound(f"Cannot read {str(path)!r}: {error}.", hint="Install the package again.") from error
    found: dict[tuple[str, ...], list[str]] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        if len(fields) != 3 or not fields[0].strip():
            raise BadInput(f"{path.name}, line {number}: expected connective<TAB>lead<TAB>count, found {line!r}.")
        found.setdefault(tuple(fields[0].split()), []).append(fields[1])
    return {connective: tuple(leads) for connective, leads in found.items()}


def breaks(tree: Tree, connectives: Connectives) -> Iterator[Edit]:
    """Every cut between two predicates of the sentence; they may overlap, and most are wrong.

    A pronoun that leads on is the one that agrees with the subject, where there is one.
    """
    finite = [i for i in range(len(tree)) if _finite(tree, i)]
    fitting = _subject_pronoun(tree)
    for start in range(1, len(tree) - 2):
        for stop in range(start + 1, min(start + _LONGEST, len(tree) - 2) + 1):
            leads = connectives.get(tuple(fold(tree.tokens[i].text) for i in range(start, stop)), ())
            if not leads or not finite or finite[0] >= start or finite[-1] < stop:
                continue
            for lead in dict.fromkeys(fitting if fitting and lead in _PRONOUNS else lead for lead in leads):
                yield _edit(tree, start, stop, lead)


def _edit(tree: Tree, start: int, stop: int, lead: str) -> Edit:
    following = tree.tokens[stop].text
    end = f". {lead[:1].upper()}{lead[1:]}" if lead else "."
    changes = [(start, end), *((i, "") for i in range(start + 1, stop))]
    if not lead:
        changes.append((stop, following[:1].upper() + following[1:]))
    old = " ".join(tree.lower(i) for i in range(start, stop))
    return Edit(
        kind="split",
        label=f"{old} → {end}",
        changes=tuple(changes),
        touched=frozenset(range(start, stop + 1)),
        entry=f"{old} → {lead}",
    )


def break_features(tree: Tree, edits: Sequence[Edit]) -> list[list[float]]:
    """Features of each cut that `breaks` or `clause_breaks` offers: rows of `BREAK_FEATURES`, counts and 0 or 1."""
    return [_row(tree, edit) for edit in edits]


def _row(tree: Tree, edit: Edit) -> list[float]:
    start, stop = min(edit.touched), max(edit.touched)
    old, _, lead = edit.entry.partition(" → ")
    old, lead = fold(old), lead.split(" ")[0]
    tokens, before, after = tree.tokens, range(start), range(stop, len(tree))
    arcs_after = [i for i in after if tree.heads[i] in before and tokens[i].pos != "PUNCT"]
    arcs_before = [i for i in before if tree.heads[i] in after and tokens[i].pos != "PUNCT"]
    head = arcs_after[0] if arcs_after else stop
    relation = tree.rels[head] if arcs_after else ""
    subject = any(tree.rels[c] in SUBJECTS and c in after for c in tree.children[head])
    words = [fold(tokens[i].text) for i in before]
    return [
        float(x)
        for x in (
            tree.root in before,
            len(arcs_after),
            len(arcs_before),
            sum(_finite(tree, i) for i in before),
            sum(_finite(tree, i) for i in after),
            _finite(tree, head),
            subject,
            start / len(tree),
            start,
            len(after),
            *(relation == name for name in _RELATIONS),
            *(old == name for name in _COMMON),
            "котор" in old,
            any(name in old for name in _CAUSES),
            not lead,
            lead in _PRONOUNS,
            lead in ("но", "а"),
            bool(lead) and lead not in _PRONOUNS and lead not in ("но", "а"),
            lead in _PRONOUNS and subject,
            tokens[stop].pos == "VERB" and not lead,
            tokens[stop].pos in ("SCONJ", "CCONJ"),
            tokens[stop].pos == "PRON",
            not {"что", "чтобы"}.isdisjoint(words),
            words[0] in _SUBORDINATE,
            *_clauses(tree, start, stop),
            *clause_features(tree, edit),
        )
    ]


def _clauses(tree: Tree, start: int, stop: int) -> tuple[float, ...]:
    """Of the clauses on both sides: what the second ones lack, and what the first ones would go on to say."""
    finite = [i for i in range(len(tree)) if _finite(tree, i)]
    before, after = [i for i in finite if i < start], [i for i in finite if i >= stop]
    tenses = {tree.tokens[i].feats.get("Tense") for i in (*before[-1:], *after[:1])}
    tied = [i for i in range(stop, len(tree)) if 0 <= tree.heads[i] < start and tree.rels[i] == "conj"]
    return (
        any(tree.child(i, *SUBJECTS) is not None for i in after),
        sum(subjectless(tree, i) for i in after),
        any(i not in after[:1] for i in tied),
        sum(tree.tokens[i].pos == "SCONJ" for i in range(stop, len(tree))),
        len(tenses) > 1,
        stop in after,
        any(tree.lower(i) == "не" for i in range(start)),
        any(tree.lower(i).startswith(_SAYING) for i in before),
        any(tree.lower(i) == ";" for i in range(len(tree))),
    )


def _finite(tree: Tree, i: int) -> bool:
    feats = tree.tokens[i].feats
    return feats.get("VerbForm") == "Fin" or feats.get("Variant") == "Short" or tree.lower(i) in _PREDICATES


def _subject_pronoun(tree: Tree) -> str | None:
    """The pronoun, in lower case, for the subject of the main predicate; None where that is not clear."""
    subject = tree.child(tree.root, *SUBJECTS)
    if subject is None or any(tree.rels[c] == "conj" for c in tree.children[subject]):
        return None
    found = pronoun(tree, subject)
    return found.lower() if found else None
