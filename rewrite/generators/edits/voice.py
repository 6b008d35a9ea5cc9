"""Passives without an agent made active: *мост был построен* → *мост построили*, *используется* → *используют*."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rerank.wordlists import denials
from rewrite.generators.edits.clause_grammar import LISTS, SUBJECTS, finite, gender_of, governor, short, subjectless
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.repaired_tree import RepairedTree

_STATES = LISTS.words("states")
# Reflexives that mean something else without -ся, or whose active needs a person who does it.
_NOT_PASSIVE = LISTS.words("not passive")
# Their object is in the genitive: *достигли ряда соглашений*.
_GENITIVE = frozenset("достичь достигнуть достигаться избежать избегаться".split())
_NEGATIONS = denials("ru", "particle")


def active_voice(tree: RepairedTree, inflector: Inflector) -> Iterator[Edit]:
    """Passive predicates whose doer is not named, with the subject put into the accusative."""
    for i, token in enumerate(tree.tokens):
        if tree.rels[i] not in ("root", "conj", "parataxis", "ccomp", "advcl", "acl:relcl"):
            continue
        subjects = [c for c in tree.children[i] if tree.rels[c] in SUBJECTS]
        # «Теория была разработана Ньютоном»: a name that the tagger takes for a nominative is the doer.
        if len(subjects) != 1 or _agent(tree, i, inflector) or not _plain_subject(tree, subjects[0]):
            continue
        if not _consistent(tree, i) or _negated(tree, i) or _together(tree) or inflector.lemma(token) in _GENITIVE:
            continue
        if any(_needs_subject(tree, i, j) for j in range(i + 1, len(tree))):
            # «Лагерь создали в 1941 году и находился в лесу»: the subject is needed later on.
            continue
        if short(tree, i):
            auxiliary = tree.child(i, "aux:pass", "cop", "aux")
            past = auxiliary is not None and tree.tokens[auxiliary].feats.get("Tense") == "Past"
            joined = (c for c in tree.children[i] if tree.rels[c] in ("conj", "cc"))
            listed = any(tree.tokens[c].feats.get("VerbForm") == "Part" for c in joined)
            if past and not listed and inflector.lemma(token) not in _STATES:
                yield from _edit(tree, i, subjects[0], inflector, auxiliary)
            continue
        reflexive = tree.rels[subjects[0]] == "nsubj:pass" and tree.word(i).endswith(("ся", "сь"))
        if reflexive and tree.rels[i] != "conj" and tree.child(i, "conj") is None:
            yield from _edit(tree, i, subjects[0], inflector, None)


def _agent(tree: RepairedTree, i: int, inflector: Inflector) -> bool:
    """Somebody or something in the instrumental, with no preposition, anywhere in the clause may be the doer."""
    return any(
        _instrumental(tree, j, inflector)
        for j, _ in enumerate(tree.tokens)
        if j != i and (_beside(tree, i, j) or (j in tree.subtree(i) and governor(tree, j) == i))
    )


def _consistent(tree: RepairedTree, i: int) -> bool:
    """Whether the auxiliary is that of the participle: *был открыт тоннель, и линия была продлена*."""
    mine = tree.tokens[i].feats
    auxiliary = tree.child(i, "aux:pass", "cop", "aux")
    other = tree.tokens[auxiliary].feats if auxiliary is not None else mine
    return all(other[k] == mine.get(k) for k in ("Number", "Gender") if k in other)


def _beside(tree: RepairedTree, i: int, j: int) -> bool:
    """Whether neither punctuation nor another predicate stands between the two, wherever the parser hung them."""
    return not any(
        tree.tokens[k].pos == "PUNCT" or finite(tree, k) or short(tree, k)
        for k in range(min(i, j) + 1, max(i, j))
        if tree.heads[k] != i or tree.tokens[k].pos != "AUX"
    )


def _needs_subject(tree: RepairedTree, i: int, j: int) -> bool:
    """Whether predicate j after i may share its subject or its auxiliary.

    *Был создан в 1941 году и находился …*; *был снят фильм и выпущена игра*. A verb joined to one with a subject of
    its own has that: *столица была поделена, а президент встал и велел …*.
    """
    if short(tree, j) and tree.child(j, "aux:pass", "cop", "aux") is None and tree.rels[j] == "conj":
        return True
    if not subjectless(tree, j):
        return False
    # The parser hangs every later verb on the first one: the last before j is the one that j goes on from.
    row = [k for k in range(i + 1, j) if tree.rels[k] == "conj" and tree.heads[k] == tree.heads[j] and finite(tree, k)]
    return tree.rels[j] != "conj" or all(subjectless(tree, k) for k in row[-1:])


def _instrumental(tree: RepairedTree, j: int, inflector: Inflector) -> bool:
    token = tree.tokens[j]
    named = token.pos in ("NOUN", "PROPN") and inflector.instrumental(token)
    if token.pos in ("ADJ", "DET", "VERB", "NUM") or not (token.feats.get("Case") == "Ins" or named):
        return False
    head = tree.heads[j] if tree.rels[j] == "conj" else j
    return tree.child(j, "case") is None and tree.child(head, "case") is None


def _negated(tree: RepairedTree, i: int) -> bool:
    """*Дом не был построен*, *был не достроен*, *используется не только …*."""
    verbs = [i, *(c for c in tree.children[i] if tree.rels[c] in ("aux", "aux:pass", "cop"))]
    around = {j for v in verbs for j in (v - 1, v + 1, *tree.children[v]) if 0 <= j < len(tree)}
    return any(tree.word(j) in _NEGATIONS for j in around)


def _together(tree: RepairedTree) -> bool:
    """*Написан в соавторстве с братом*: the doer is there after all."""
    return any(tree.word(j) in ("соавторстве", "совместно") for j in range(len(tree)))


def _left_behind(tree: RepairedTree, subject: int, changed: Collection[int], inflector: Inflector) -> bool:
    """A later participle that keeps the nominative of the subject: *скобу поставили на стену, уменьшающая …*."""
    noun = tree.tokens[subject]
    return any(
        j not in changed
        and inflector.may_be(token, "PRTF")
        and inflector.agrees(token, noun)
        and governor(tree, j) == governor(tree, subject)
        and (token.feats.get("Case") == "Nom" or gender_of(tree, subject) == "femn")
        for j, token in enumerate(tree.tokens)
        if j > subject and token.feats.get("Variant") != "Short"
    )


def _plain_subject(tree: RepairedTree, subject: int) -> bool:
    token = tree.tokens[subject]
    named = tree.start_in_entity(subject) is not None or tree.quote_depth(subject)
    return (
        (token.pos, token.feats.get("Case"), token.feats.get("Animacy")) == ("NOUN", "Nom", "Inan")
        and not named
        and tree.child(subject, "appos", "nummod", "nummod:gov", "acl:relcl", "parataxis") is None
        and not any(tree.tokens[j].text in '«"(' for j in tree.subtree(subject))
    )


def _edit(tree: RepairedTree, i: int, subject: int, inflector: Inflector, auxiliary: int | None) -> Iterator[Edit]:
    token = tree.tokens[i]
    verb = inflector.active_plural(token, _NOT_PASSIVE)
    changes = inflector.recase_phrase(tree, subject, "Nom", "Acc")
    if verb is None or changes is None or _left_behind(tree, subject, changes, inflector):
        return
    changes[i] = verb
    label = f"{token.text} → {verb}"
    if auxiliary is not None:
        changes[auxiliary] = ""
        label = f"{tree.tokens[auxiliary].text} {label}"
    yield Edit("voice", label, changes=tuple(sorted(changes.items())), touched=frozenset(changes))
