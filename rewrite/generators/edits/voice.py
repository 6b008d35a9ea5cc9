"""Passives without an agent made active: *мост был построен* → *мост построили*, *используется* → *используют*."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.tree import Tree

__all__ = ["active_voice"]

_SUBJECTS = ("nsubj:pass", "nsubj")
# Reflexives that mean something else without -ся, or whose active needs a person who does it.
_NOT_PASSIVE = frozenset(
    """находиться являться становиться оказываться считаться казаться касаться пользоваться бороться стремиться
    заниматься относиться состояться остаться оставаться появиться появляться начаться начинаться кончиться
    кончаться продолжаться развиваться увеличиваться уменьшаться расширяться сокращаться повышаться снижаться
    меняться изменяться вращаться двигаться перемещаться располагаться разместиться размещаться отличаться
    различаться делиться состоять нуждаться подвергаться сталкиваться встречаться простираться распространяться
    вестись кроиться даваться длиться случаться происходить образоваться образовываться возвышаться сохраняться
    проявляться выражаться заключаться основываться характеризоваться сопровождаться определяться обуславливаться
    ограничиваться подниматься опускаться заканчиваться завершаться завершиться развернуться распасться разделиться
    объединиться превратиться превращаться""".split()
)


# Participles that rather describe than tell what was done: *были распространены сапоги*.
_STATES = frozenset(
    """распространить связать посвятить предназначить расположить направить ориентировать вынудить лишить занять
    окружить покрыть населить наделить представить ограничить обусловить вызвать знать сосредоточить оснастить снабдить
    обеспечить заинтересовать развить убедить намерить склонить настроить""".split()
)


def active_voice(tree: Tree, inflector: Inflector) -> Iterator[Edit]:
    """Passive predicates whose doer is not named, with the subject put into the accusative."""
    for i, token in enumerate(tree.tokens):
        if tree.rels[i] not in ("root", "conj", "parataxis", "ccomp", "advcl", "acl:relcl"):
            continue
        subject = next((c for c in tree.children[i] if tree.rels[c] in _SUBJECTS), None)
        if subject is None or _agent(tree, i) or not _plain_subject(tree, subject):
            continue
        if token.feats.get("Variant") == "Short" and token.feats.get("VerbForm") == "Part":
            yield from _short_participle(tree, i, subject, inflector)
        elif tree.rels[subject] == "nsubj:pass" and tree.lower(i).endswith(("ся", "сь")):
            yield from _reflexive(tree, i, subject, inflector)


def _agent(tree: Tree, i: int) -> bool:
    """Somebody or something in the instrumental, with no preposition, may be the doer."""
    return any(
        tree.tokens[c].feats.get("Case") == "Ins" and tree.child(c, "case") is None and tree.tokens[c].pos != "ADJ"
        for c in tree.children[i]
    )


def _plain_subject(tree: Tree, subject: int) -> bool:
    token = tree.tokens[subject]
    return (
        token.pos == "NOUN"
        and token.feats.get("Case") == "Nom"
        and token.feats.get("Animacy") == "Inan"
        and tree.start_in_entity(subject) is None
        and not tree.quote_depth(subject)
        and not any(
            tree.rels[c] in ("appos", "nummod", "nummod:gov", "acl:relcl", "parataxis") for c in tree.children[subject]
        )
        and not any(tree.tokens[j].text in '«"(' for j in tree.subtree(subject))
    )


def _short_participle(tree: Tree, i: int, subject: int, inflector: Inflector) -> Iterator[Edit]:
    auxiliary = tree.child(i, "aux:pass", "cop", "aux")
    if inflector.lemma(tree.tokens[i]) in _STATES:
        return
    if auxiliary is None or tree.tokens[auxiliary].feats.get("Tense") != "Past":
        return
    if any(tree.rels[c] in ("conj", "cc") and tree.tokens[c].feats.get("VerbForm") == "Part" for c in tree.children[i]):
        return
    yield from _edit(tree, i, subject, inflector, auxiliary)


def _reflexive(tree: Tree, i: int, subject: int, inflector: Inflector) -> Iterator[Edit]:
    if any(tree.rels[c] == "conj" for c in tree.children[i]) or tree.rels[i] == "conj":
        return
    yield from _edit(tree, i, subject, inflector, None)


def _edit(tree: Tree, i: int, subject: int, inflector: Inflector, auxiliary: int | None) -> Iterator[Edit]:
    token = tree.tokens[i]
    verb = inflector.active_plural(token, _NOT_PASSIVE)
    changes = inflector.recase_phrase(tree, subject, "Nom", "Acc")
    if verb is None or changes is None:
        return
    changes[i] = verb
    label = f"{token.text} → {verb}"
    if auxiliary is not None:
        changes[auxiliary] = ""
        label = f"{tree.tokens[auxiliary].text} {label}"
    yield Edit("voice", label, changes=tuple(sorted(changes.items())), touched=frozenset(changes))
