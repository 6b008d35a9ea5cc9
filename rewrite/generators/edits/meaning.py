"""What a sentence would no longer say, or say wrongly, without a part of it: one named rule per reason.

*Большая часть территории* → *часть территории* (quantity), *не прибегая к* lost (negation), *по мнению X* lost
(attribution). The rules are pure functions of the tree and a node, as in `protect`, which applies them.
"""

from __future__ import annotations

from collections.abc import Callable

from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.wordlists import ATTRIBUTION, CONDITION, COPULAR, NEGATION, PARTIAL_HEAD

__all__ = ["RULES", "Rule"]

Rule = Callable[[Tree, int, Valency], bool]

_HE = frozenset("он она они его ее её их ему ей им".split())


def negation(tree: Tree, i: int, valency: Valency) -> bool:
    """Something inside is negated or excluded: leaving it out could turn the meaning round."""
    after = tree.words(i)[-1] + 1
    if tree.rels[i] == "advmod" and after < len(tree) and tree.lower(after) == "не":
        # «Уже не был» → «не был»
        return True
    words = tree.words(i)
    if len(words) > 4 and tree.rels[i] in ("acl:relcl", "acl", "conj", "parataxis", "appos"):
        words = words[:2]
    lemmas = [valency.lemma(tree.tokens[j]) for j in words]
    if any(lemma in NEGATION for lemma in lemmas):
        return True
    # «средства с недоказанной эффективностью» → «средства»
    return tree.rels[i] in ("nmod", "obl") and any(
        lemma.startswith(("не", "без")) and tree.tokens[j].pos == "ADJ" for j, lemma in zip(words, lemmas, strict=True)
    )


def condition(tree: Tree, i: int, valency: Valency) -> bool:
    """A condition or a purpose limits the claim."""
    if any(tree.rels[c] == "mark" and tree.lower(c) in CONDITION for c in tree.children[i]):
        return True
    head = tree.heads[i]
    if tree.rels[i] in ("amod", "acl") and any(
        tree.rels[c] == "case" and tree.lower(c) == "при" for c in tree.children[head]
    ):
        # «При правильно установленной позиции» → «при позиции»
        return True
    opening = [tree.lower(j) for j in tree.words(i)[:2]]
    return tree.rels[i] in ("advcl", "obl") and (opening[0] in CONDITION | {"при"} or opening == ["в", "случае"])


def attribution(tree: Tree, i: int, valency: Valency) -> bool:
    """Without *по словам X* a report becomes a fact."""
    if tree.rels[i] == "parataxis" and any(tree.tokens[j].text in '«»"' for j in tree.subtree(i)):
        return True
    words = [valency.lemma(tree.tokens[j]) for j in tree.words(i)[:3]]
    if words[:2] in (["с", "точка"], ["по", "мнение"], ["на", "взгляд"]):
        return True
    return (
        bool(words)
        and words[0] in ("по", "согласно", "как", "под")
        and (words[0] in ("согласно", "как") or any(w in ATTRIBUTION for w in words))
    )


def contrast(tree: Tree, i: int, valency: Valency) -> bool:
    """*Для гражданских дел, но не для уголовных*: the second half answers the first."""
    words = tree.words(i)
    after = [tree.lower(j) for j in range(words[-1] + 1, min(words[-1] + 4, len(tree)))]
    before = [tree.lower(j) for j in range(max(0, words[0] - 6), words[0])]
    return (
        (after[:2] in ([",", "но"], [",", "а"]) and "не" in after)
        or (tree.rels[i] == "conj" and "не" in before and tree.lower(words[0]) in ("а", "но"))
        or bool({"чем", "нежели", "реже", "чаще"} & set(after[:2]))
        or bool({"чем", "нежели"} & set(before[-3:]))
        # «От восхищения до пренебрежения»
        or (
            tree.lower(words[0]) in ("до", "по", "в", "вплоть")
            and bool({"от", "с", "из"} & set(before))
            and _range(tree, i)
        )
    )


def _range(tree: Tree, i: int) -> bool:
    head = tree.heads[i]
    return any(
        c < i and c != i and any(tree.lower(p) in ("от", "с", "со", "из") for p in tree.children[c])
        for c in (*tree.children[head], head)
    )


def counted(tree: Tree, i: int, valency: Valency) -> bool:
    """What a quantity word counts: *больше доказательств*, *несколько человек*."""
    first = tree.words(i)[0]
    if first and tree.lower(first - 1) in ("более", "менее", "около", "свыше", "почти", "больше", "меньше", "примерно"):
        return True
    return tree.tokens[tree.heads[i]].pos in ("ADV", "NUM", "DET", "PRON", "SYM") and tree.rels[i] != "advmod"


def plural_subject(tree: Tree, i: int, valency: Valency) -> bool:
    """Cutting half of a coordinated subject would break agreement, and half of a pair its sense."""
    head = tree.heads[i]
    if tree.rels[i] != "conj" or head < 0:
        return False
    siblings = [c for c in tree.children[head] if tree.rels[c] == "conj"]
    nominative = tree.tokens[head].pos in ("NOUN", "PROPN", "PRON") and tree.tokens[head].feats.get("Case") == "Nom"
    if nominative and tree.tokens[head].feats.get("Number") != "Plur" and len(siblings) < 2:
        return True
    before = [tree.lower(j) for j in range(max(0, min(tree.words(head)) - 3), i)]
    if any(w in ("между", "как", "оба", "обе", "либо", "ни", "или", "столько") for w in before):
        return True
    return any(tree.tokens[j].pos == "NUM" for j in tree.children[head])


def partial_head(tree: Tree, i: int, valency: Valency) -> bool:
    """*Часть*, *половина*, *уровень* … mean nothing without what they are of."""
    if tree.rels[i] not in ("nmod", "amod", "acl"):
        return False
    return valency.lemma(tree.tokens[tree.heads[i]]) in PARTIAL_HEAD


def adjective_complement(tree: Tree, i: int, valency: Valency) -> bool:
    """*Признан виновным в убийстве* → *признан виновным*."""
    head = tree.heads[i]
    return tree.tokens[head].pos == "ADJ" and i > head and tree.rels[i] in ("obl", "nmod", "iobj", "advmod")


def figure(tree: Tree, i: int, valency: Valency) -> bool:
    """A number or an ordinal alone: *со счётом 4:0* → *со счётом*, *в седьмой раз* → *в раз*."""
    token = tree.tokens[i]
    if (tree.rels[i] == "amod" and valency.ordinal(token)) or token.pos == "NUM" or token.text[:1].isdigit():
        return i not in tree.brackets
    return all(tree.tokens[j].pos == "NUM" or tree.tokens[j].text[:1].isdigit() for j in tree.words(i)) and (
        i not in tree.brackets
    )


def restrictive_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """A clause on *тот*, *первый*, *единственный* says which one is meant."""
    if tree.rels[i] not in ("acl", "acl:relcl"):
        return False
    head = tree.heads[i]
    token = tree.tokens[head]
    if token.feats.get("Number") == "Plur" and valency.lemma(token) in _PEOPLE and tree.child(head, "amod") is None:
        # «Не рекомендуется лицам, страдающим …» → «не рекомендуется лицам»
        return True
    return token.pos in ("PRON", "DET") or tree.limited(head)


_PEOPLE = frozenset(
    "лицо человек гражданин ребенок мужчина женщина пациент больной организация предприятие случай страна".split()
)
_THOUSANDS = frozenset("тысяча миллион миллиард сотня десяток тыс млн".split())


def modifier_of_counted(tree: Tree, i: int, valency: Valency) -> bool:
    """*50 тысяч человек старше ста лет* → *50 тысяч человек*: the number was of those only."""
    head = tree.heads[i]
    return tree.rels[i] in ("nmod", "acl", "acl:relcl", "amod") and (
        tree.child(head, "nummod", "nummod:gov") is not None
        or (tree.heads[head] >= 0 and valency.lemma(tree.tokens[tree.heads[head]]) in _THOUSANDS)
        or (head > 0 and (tree.tokens[head - 1].pos == "NUM" or tree.tokens[head - 1].text == "."))
    )


def not_this(tree: Tree, i: int, valency: Valency) -> bool:
    """*На неопределённый срок*, *несвоевременно*, *каждый третий*, *в тот вечер*: a small word that decides."""
    lemma = valency.lemma(tree.tokens[i])
    head = tree.heads[i]
    if tree.rels[i] == "conj" and _counted_list(tree, i):
        return True
    if tree.lower(i) == "же":
        # «Того же цвета»
        return True
    if tree.rels[i] in ("amod", "advmod") and lemma.startswith("не") and len(lemma) > 4:
        return True
    if tree.rels[i] not in ("det", "amod", "advmod", "obl"):
        return False
    if lemma in _EACH or (lemma in _THIS and tree.child(head, "case") is not None):
        return True
    return tree.tokens[-1].text == "?"


def _counted_list(tree: Tree, i: int) -> bool:
    # «Два села: Токари и Чернетчина», «следующие документы: заявление и паспорт»
    colons = [j for j in range(i) if tree.tokens[j].text == ":"]
    return bool(colons) and any(
        t.pos == "NUM" or t.text.lower().startswith("следующ") for t in tree.tokens[: colons[-1]]
    )


_EACH = frozenset(
    """каждый любой весь всякий никакой другой иной остальной некоторый бывший единственный последний
    первый второй третий один оба вдвое втрое много
    мало немного несколько столько множество""".split()
)
_THIS = frozenset("этот тот такой его ее их свой".split())


def antecedent(tree: Tree, i: int, valency: Valency) -> bool:
    """The name that a pronoun in the rest stands for: *когда Толстой приехал, он ответил*."""
    inside = set(tree.subtree(i))
    named = any(tree.tokens[j].pos == "PROPN" or tree.start_in_entity(j) is not None for j in inside)
    return (
        named
        and tree.rels[i] in ("advcl", "acl:relcl", "parataxis", "conj")
        and any(j not in inside and tree.lower(j) in _HE and j > i for j in range(len(tree)))
    )


def predicative(tree: Tree, i: int, valency: Valency) -> bool:
    """*Стала российской*: what something becomes or is."""
    token = tree.tokens[i]
    if token.feats.get("Case") != "Ins" or tree.child(i, "case") is not None:
        return False
    return any(valency.lemma(tree.tokens[j]) in COPULAR for j in range(max(0, i - 4), i))


def exclusive(tree: Tree, i: int, valency: Valency) -> bool:
    """*Исключительно через функции доступа*: without it the claim is of all."""
    return tree.rels[i] not in ("conj", "parataxis", "advcl") and any(
        tree.lower(j) in ("только", "лишь", "исключительно", "именно") for j in tree.words(i)
    )


def topic(tree: Tree, i: int, valency: Valency) -> bool:
    """What is spoken of: *заявил о намерении уйти* → *заявил*."""
    return tree.tokens[tree.heads[i]].pos in ("VERB", "NOUN", "ADJ") and any(
        tree.rels[c] == "case" and tree.lower(c) in ("о", "об", "обо") for c in tree.children[i]
    )


RULES: tuple[Rule, ...] = (
    negation,
    condition,
    attribution,
    contrast,
    counted,
    figure,
    restrictive_clause,
    modifier_of_counted,
    not_this,
    antecedent,
    predicative,
    exclusive,
    topic,
    partial_head,
    adjective_complement,
    plural_subject,
)
