"""Places where a sentence may be cut in two, as editors cut.

A connective gives way to a full stop and what leads on: which connectives, and what takes their place, is counted over
rewrites written by careful editors (`training.breaks`). A participle, gerund or relative clause at the end becomes a
sentence of its own. Rules only make the text here, and offer it whenever grammar allows: which cut is right in a
sentence is judged elsewhere (`rewrite.acceptance.break_judge`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from rerank.errors import BadInput, ModelNotFound
from rerank.frequency import fold
from rewrite.generators.edits.clause_grammar import LISTS, PRONOUNS, SUBJECTS, gender_of, governor, pronoun, subjectless
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.repaired_tree import RepairedTree

Connectives = Mapping[tuple[str, ...], tuple[str, ...]]
"""What editors put in the place of each connective, after the full stop; an empty string where they put nothing."""

_FILE = Path(__file__).parent.parent.parent / "models" / "breaks_ru.tsv"
_LONGEST = 4
_PRONOUNS = frozenset({"он", "она", "оно", "они"})
_PREDICATES = frozenset("нельзя нужно можно надо нет необходимо".split())
_RELATIONS = ("conj", "parataxis", "advcl", "acl:relcl", "ccomp", "root", "acl")
_COMMON = (",", ", а", ", и", "и", ", но", ":", ";", ", где", ", что")
_CAUSES = ("так как", "поскольку", "потому", "причем", "тогда как", "при этом")
_SAYING = LISTS.sequence("saying")
_SUBORDINATE = frozenset("если хотя когда поскольку чтобы".split())
# What `Edit.entry` of such a cut begins with.
_KINDS = ("participle", "gerund", "relative")
_CLAUSE_FEATURES = (
    *(f"clause:{kind}" for kind in _KINDS),
    *("clause_words", "lead:he", "lead:this", "lead:was", "noun:subject", "noun:name", "noun:plural"),
    *("noun:pronoun", "noun:chosen", "noun:quantified", "noun_distance", "rivals"),
)

_SHORTEST = 3
_WAS = {"masc": "был", "femn": "была", "neut": "было", "plur": "были"}
_WERE = frozenset(_WAS.values())
# Words beside a noun that its clause often says which one is meant of.
_CHOSEN = LISTS.words("chosen")
_QUANTIFIED = ("кажд", "люб", "вс", "ник", "многи", "некотор", "друг", "ины", "больш", "част")
_CLAUSES = ("acl", "advcl", "acl:relcl")
_THIS = {"masc": "Этот", "femn": "Эта", "neut": "Это", "plur": "Эти"}
_HIM = {
    "Gen": {"masc": "его", "femn": "её", "neut": "его", "plur": "их"},
    "Dat": {"masc": "ему", "femn": "ей", "neut": "ему", "plur": "им"},
    "Acc": {"masc": "его", "femn": "её", "neut": "его", "plur": "их"},
    "Ins": {"masc": "им", "femn": "ей", "neut": "им", "plur": "ими"},
}
_AFTER_PREPOSITION = {case: {g: f"н{word}" for g, word in row.items()} for case, row in _HIM.items()}
_AFTER_PREPOSITION["Loc"] = {"masc": "нём", "femn": "ней", "neut": "нём", "plur": "них"}
BREAK_FEATURES = (
    *("root_before", "arcs_after", "arcs_before", "finite_before", "finite_after", "head_finite", "head_subject"),
    *("share_before", "words_before", "words_after", *(f"relation:{name}" for name in _RELATIONS)),
    *(f"connective:{name}" for name in _COMMON),
    *("connective:which", "connective:cause", "lead:none", "lead:pronoun", "lead:contrast", "lead:other"),
    *("pronoun_and_subject", "verb_first", "conjunction_first", "pronoun_first", "that_before", "subordinate_before"),
    *("subject_after", "subjectless_after", "goes_on_after", "subordinate_after", "other_tense", "finite_first"),
    *("denied_before", "saying_before", "semicolon"),
    *_CLAUSE_FEATURES,
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
    connectives: dict[tuple[str, ...], list[str]] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        if len(fields) != 3 or not fields[0].strip():
            raise BadInput(f"{path.name}, line {number}: expected connective<TAB>lead<TAB>count, found {line!r}.")
        connectives.setdefault(tuple(fields[0].split()), []).append(fields[1])
    return {connective: tuple(leads) for connective, leads in connectives.items()}


def breaks(tree: RepairedTree, connectives: Connectives) -> Iterator[Edit]:
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


def _edit(tree: RepairedTree, start: int, stop: int, lead: str) -> Edit:
    following = tree.tokens[stop].text
    end = f". {lead[:1].upper()}{lead[1:]}" if lead else "."
    changes = [(start, end), *((i, "") for i in range(start + 1, stop))]
    if not lead:
        changes.append((stop, following[:1].upper() + following[1:]))
    old = " ".join(tree.word(i) for i in range(start, stop))
    return Edit(
        kind="split",
        label=f"{old} → {end}",
        changes=tuple(changes),
        touched=frozenset(range(start, stop + 1)),
        entry=f"{old} → {lead}",
    )


def break_features(tree: RepairedTree, edits: Sequence[Edit]) -> list[list[float]]:
    """Features of each cut that `breaks` or `clause_breaks` offers: rows of `BREAK_FEATURES`, counts and 0 or 1."""
    return [_row(tree, edit) for edit in edits]


def _row(tree: RepairedTree, edit: Edit) -> list[float]:
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
            *_both_sides(tree, start, stop),
            *_clause_features(tree, edit),
        )
    ]


def _both_sides(tree: RepairedTree, start: int, stop: int) -> tuple[float, ...]:
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
        any(tree.word(i) == "не" for i in range(start)),
        any(tree.word(i).startswith(_SAYING) for i in before),
        any(tree.word(i) == ";" for i in range(len(tree))),
    )


def _finite(tree: RepairedTree, i: int) -> bool:
    feats = tree.tokens[i].feats
    return feats.get("VerbForm") == "Fin" or feats.get("Variant") == "Short" or tree.word(i) in _PREDICATES


def _subject_pronoun(tree: RepairedTree) -> str | None:
    """The pronoun, in lower case, for the subject of the main predicate; None where that is not clear."""
    subject = tree.child(tree.root, *SUBJECTS)
    if subject is None or any(tree.rels[c] == "conj" for c in tree.children[subject]):
        return None
    word = pronoun(tree, subject)
    return word.lower() if word else None


def clause_breaks(tree: RepairedTree, inflector: Inflector) -> Iterator[Edit]:
    """Every clause after a comma that goes to the end of the sentence, as a sentence with a subject of its own."""
    for i in range(2, len(tree)):
        words = tree.words(i)
        if tree.rels[i] not in _CLAUSES or len(words) < _SHORTEST or not _ends_sentence(tree, i, words):
            continue
        start, verb_form = words[0], tree.tokens[i].feats.get("VerbForm")
        if start < 2 or tree.tokens[start - 1].text != ",":
            continue
        if tree.rels[i] == "acl" and verb_form == "Part" and start == i:
            yield from _participle(tree, i, inflector)
        elif tree.rels[i] == "advcl" and verb_form == "Conv" and start == i:
            yield from _gerund(tree, i, inflector)
        elif tree.rels[i] == "acl:relcl":
            yield from _relative(tree, i, start, inflector)


def _ends_sentence(tree: RepairedTree, i: int, words: Sequence[int]) -> bool:
    return tree.contiguous(i) and all(token.pos == "PUNCT" for token in tree.tokens[words[-1] + 1 :])


def _subjects(tree: RepairedTree, noun: int, inflector: Inflector) -> Iterator[str]:
    """*Он* and *Этот завод* for a noun; the second for common nouns alone."""
    gender = gender_of(tree, noun)
    if gender is None:
        return
    yield PRONOUNS[gender]
    token = tree.tokens[noun]
    if token.pos == "NOUN" and not token.text[:1].isupper():
        name = inflector.to_case(token, "Nom")
        if name:
            yield f"{_THIS[gender]} {name.lower()}"


def _participle(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*…, лежащий на севере* → *. Он лежит на севере*; *построенный* → *построен* and *был построен*."""
    noun, token = tree.heads[i], tree.tokens[i]
    gender = gender_of(tree, noun)
    verb = inflector.finite(token, gender)
    if gender is None or noun > i or not verb or token.feats.get("Number") != tree.tokens[noun].feats.get("Number"):
        return
    for subject in _subjects(tree, noun, inflector):
        yield _sentence(tree, i, i, f"{subject} {verb}", "participle")
        if inflector.has(token, "pssv") and not inflector.has(token, "pres"):
            yield _sentence(tree, i, i, f"{subject} {_WAS[gender]} {verb}", "participle")


def _gerund(tree: RepairedTree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*…, опасаясь бури* → *. Он опасался бури*."""
    verb = governor(tree, i)
    subject = tree.child(verb, *SUBJECTS)
    if subject is None or subject > i:
        return
    finite = inflector.finite_gerund(tree.tokens[i], tree.tokens[verb], tree.tokens[subject])
    gender = gender_of(tree, subject)
    if finite and gender is not None:
        yield _sentence(tree, i, i, f"{PRONOUNS[gender]} {finite}", "gerund")
        yield _sentence(tree, i, i, f"При этом {PRONOUNS[gender].lower()} {finite}", "gerund")


def _relative(tree: RepairedTree, i: int, start: int, inflector: Inflector) -> Iterator[Edit]:
    """*…, который стоит там* → *. Этот дом стоит там*; *…, в котором они живут* → *. В нём они живут*."""
    noun = tree.heads[i]
    preposition = start if tree.tokens[start].pos == "ADP" else None
    which = start if preposition is None else start + 1
    gender = gender_of(tree, noun)
    if not tree.word(which).startswith("котор") or noun >= start or gender is None:
        return
    case = tree.tokens[which].feats.get("Case", "")
    if preposition is not None:
        if case in _AFTER_PREPOSITION:
            lead = f"{tree.tokens[preposition].text.capitalize()} {_AFTER_PREPOSITION[case][gender]}"
            yield _sentence(tree, start, which, lead, "relative")
    elif tree.rels[which] in SUBJECTS:
        for subject in _subjects(tree, noun, inflector):
            yield _sentence(tree, start, which, subject, "relative")
    elif case in _HIM:
        yield _sentence(tree, start, which, _HIM[case][gender].capitalize(), "relative")


def _sentence(tree: RepairedTree, first: int, last: int, lead: str, kind: str) -> Edit:
    """The comma before `first` becomes a full stop, the words up to `last` become `lead`."""
    comma = first - 1
    old = " ".join(tree.word(i) for i in range(comma, last + 1))
    return Edit(
        kind="split",
        label=f"{old} → . {lead}",
        changes=((comma, f". {lead}"), *((i, "") for i in range(first, last + 1))),
        touched=frozenset(range(comma, last + 1)),
        entry=f"{kind} → {lead.lower()}",
    )


def _clause_features(tree: RepairedTree, edit: Edit) -> list[float]:
    """A row of `_CLAUSE_FEATURES` for a cut, counts and 0 or 1; all 0 for one that `clause_breaks` does not offer."""
    kind, _, lead = edit.entry.partition(" → ")
    if kind not in _KINDS:
        return [0.0] * len(_CLAUSE_FEATURES)
    first = min(edit.touched) + 1
    heads = [c for c in range(first, len(tree)) if tree.words(c)[:1] == [first] and tree.rels[c] in _CLAUSES]
    i = max(heads, key=lambda c: len(tree.words(c)))
    noun = tree.heads[i] if kind != "gerund" else tree.child(governor(tree, i), *SUBJECTS) or 0
    token = tree.tokens[noun]
    beside = [tree.word(c) for c in tree.children[noun] if c < first]
    he = lead.split(" ")[0]
    rivals = [
        j
        for j in range(first)
        if j != noun and tree.tokens[j].pos in ("NOUN", "PROPN") and gender_of(tree, j) == gender_of(tree, noun)
    ]
    return [
        float(x)
        for x in (
            *(kind == name for name in _KINDS),
            len(tree.words(i)),
            he.capitalize() in PRONOUNS.values(),
            he.capitalize() in _THIS.values(),
            not _WERE.isdisjoint(lead.split()),
            tree.rels[noun] in SUBJECTS,
            token.pos == "PROPN",
            token.feats.get("Number") == "Plur",
            token.pos in ("PRON", "DET"),
            not _CHOSEN.isdisjoint(beside) or tree.word(noun) in _CHOSEN,
            any(word.startswith(_QUANTIFIED) for word in (*beside, tree.word(noun))),
            first - noun,
            len(rivals),
        )
    ]
