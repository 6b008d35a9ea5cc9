"""Participles, gerunds and relative clauses at the end of a sentence that may become one of their own.

Rules only make the text here, and offer it whenever they can: whether it is right is judged elsewhere, as of any cut
(`rewrite.gain.break_judge`). So they ask for grammar alone, not for sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewrite.generators.edits.clauses import PRONOUNS, SUBJECTS, gender_of, governor
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.tree import Tree

__all__ = ["CLAUSE_FEATURES", "clause_breaks", "clause_features"]

# What `Edit.entry` of such a cut begins with.
_KINDS = ("participle", "gerund", "relative")
CLAUSE_FEATURES = (
    *(f"clause:{kind}" for kind in _KINDS),
    *("clause_words", "lead:he", "lead:this", "lead:was", "noun:subject", "noun:name", "noun:plural"),
    *("noun:pronoun", "noun:chosen", "noun:quantified", "noun_distance", "rivals"),
)

_SHORTEST = 3
_WAS = {"masc": "был", "femn": "была", "neut": "было", "plur": "были"}
_WERE = frozenset(_WAS.values())
# Words beside a noun that its clause often says which one is meant of.
_CHOSEN = frozenset(
    "тот та то те того той тех том тому тем теми ту такой такая такие таких единственный первый".split()
)
_QUANTIFIED = ("кажд", "люб", "вс", "ник", "многи", "некотор", "друг", "ины", "больш", "част")
_RELATIONS = ("acl", "advcl", "acl:relcl")
_THIS = {"masc": "Этот", "femn": "Эта", "neut": "Это", "plur": "Эти"}
_HIM = {
    "Gen": {"masc": "его", "femn": "её", "neut": "его", "plur": "их"},
    "Dat": {"masc": "ему", "femn": "ей", "neut": "ему", "plur": "им"},
    "Acc": {"masc": "его", "femn": "её", "neut": "его", "plur": "их"},
    "Ins": {"masc": "им", "femn": "ей", "neut": "им", "plur": "ими"},
}
_AFTER_PREPOSITION = {case: {g: f"н{word}" for g, word in row.items()} for case, row in _HIM.items()}
_AFTER_PREPOSITION["Loc"] = {"masc": "нём", "femn": "ней", "neut": "нём", "plur": "них"}


def clause_breaks(tree: Tree, inflector: Inflector) -> Iterator[Edit]:
    """Every clause after a comma that goes to the end of the sentence, as a sentence with a subject of its own."""
    for i in range(2, len(tree)):
        words = tree.words(i)
        if tree.rels[i] not in _RELATIONS or len(words) < _SHORTEST or not _ends_sentence(tree, i, words):
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


def _ends_sentence(tree: Tree, i: int, words: Sequence[int]) -> bool:
    return tree.contiguous(i) and all(token.pos == "PUNCT" for token in tree.tokens[words[-1] + 1 :])


def _subjects(tree: Tree, noun: int, inflector: Inflector) -> Iterator[str]:
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


def _participle(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*…, лежащий на севере* → *. Он лежит на севере*; *построенный* → *построен* and *был построен*."""
    noun, token = tree.heads[i], tree.tokens[i]
    gender = gender_of(tree, noun)
    verb = inflector.finite(token, gender)
    if gender is None or noun > i or not verb or token.feats.get("Number") != tree.tokens[noun].feats.get("Number"):
        return
    for subject in _subjects(tree, noun, inflector):
        yield _edit(tree, i, i, f"{subject} {verb}", "participle")
        if inflector.has(token, "pssv") and not inflector.has(token, "pres"):
            yield _edit(tree, i, i, f"{subject} {_WAS[gender]} {verb}", "participle")


def _gerund(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*…, опасаясь бури* → *. Он опасался бури*."""
    verb = governor(tree, i)
    subject = tree.child(verb, *SUBJECTS)
    if subject is None or subject > i:
        return
    finite = inflector.finite_gerund(tree.tokens[i], tree.tokens[verb], tree.tokens[subject])
    gender = gender_of(tree, subject)
    if finite and gender is not None:
        yield _edit(tree, i, i, f"{PRONOUNS[gender]} {finite}", "gerund")
        yield _edit(tree, i, i, f"При этом {PRONOUNS[gender].lower()} {finite}", "gerund")


def _relative(tree: Tree, i: int, start: int, inflector: Inflector) -> Iterator[Edit]:
    """*…, который стоит там* → *. Этот дом стоит там*; *…, в котором они живут* → *. В нём они живут*."""
    noun = tree.heads[i]
    preposition = start if tree.tokens[start].pos == "ADP" else None
    which = start if preposition is None else start + 1
    gender = gender_of(tree, noun)
    if not tree.lower(which).startswith("котор") or noun >= start or gender is None:
        return
    case = tree.tokens[which].feats.get("Case", "")
    if preposition is not None:
        if case in _AFTER_PREPOSITION:
            lead = f"{tree.tokens[preposition].text.capitalize()} {_AFTER_PREPOSITION[case][gender]}"
            yield _edit(tree, start, which, lead, "relative")
    elif tree.rels[which] in SUBJECTS:
        for subject in _subjects(tree, noun, inflector):
            yield _edit(tree, start, which, subject, "relative")
    elif case in _HIM:
        yield _edit(tree, start, which, _HIM[case][gender].capitalize(), "relative")


def _edit(tree: Tree, first: int, last: int, lead: str, kind: str) -> Edit:
    """The comma before `first` becomes a full stop, the words up to `last` become `lead`."""
    comma = first - 1
    old = " ".join(tree.lower(i) for i in range(comma, last + 1))
    return Edit(
        kind="split",
        label=f"{old} → . {lead}",
        changes=((comma, f". {lead}"), *((i, "") for i in range(first, last + 1))),
        touched=frozenset(range(comma, last + 1)),
        entry=f"{kind} → {lead.lower()}",
    )


def clause_features(tree: Tree, edit: Edit) -> list[float]:
    """A row of `CLAUSE_FEATURES` for a cut, counts and 0 or 1; all 0 for one that `clause_breaks` does not offer."""
    kind, _, lead = edit.entry.partition(" → ")
    if kind not in _KINDS:
        return [0.0] * len(CLAUSE_FEATURES)
    first = min(edit.touched) + 1
    heads = [c for c in range(first, len(tree)) if tree.words(c)[:1] == [first] and tree.rels[c] in _RELATIONS]
    i = max(heads, key=lambda c: len(tree.words(c)))
    noun = tree.heads[i] if kind != "gerund" else tree.child(governor(tree, i), *SUBJECTS) or 0
    token = tree.tokens[noun]
    beside = [tree.lower(c) for c in tree.children[noun] if c < first]
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
            not _CHOSEN.isdisjoint(beside) or tree.lower(noun) in _CHOSEN,
            any(word.startswith(_QUANTIFIED) for word in (*beside, tree.lower(noun))),
            first - noun,
            len(rivals),
        )
    ]
