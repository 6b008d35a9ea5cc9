"""What a sentence would no longer say, or say wrongly, without a part of it: one named rule per reason.

*Большая часть территории* → *часть территории* (quantity), *не прибегая к* lost (negation), *по мнению X* lost
(attribution). `protect` applies the rules.
"""

from __future__ import annotations

from rerank.wordlists import denials
from rewrite.generators.edits.clause_grammar import LISTS
from rewrite.generators.edits.edit import Part, Rule
from rewrite.generators.edits.repaired_tree import RepairedTree

_ATTRIBUTION = LISTS.words("attribution")
_CONDITION = LISTS.words("condition")
_COPULAR = LISTS.words("copular")
# Words of doubt limit rather than deny: they are in `degree`.
_NEGATION = denials("ru", "particle", "absence", "never", "cannot") | LISTS.words("negation")
_PARTIAL_HEAD = LISTS.words("partial head")
_HE = frozenset("он она они его ее её их ему ей им".split())
_ON_NOUNS = ("acl", "acl:relcl")
_CLAUSES = (*_ON_NOUNS, "conj", "parataxis", "appos")
_ABOUT = frozenset("более менее около свыше почти больше меньше примерно".split())
_PAIRED = frozenset("между как оба обе либо ни или столько".split())
_ONLY = frozenset("только лишь исключительно именно".split())
_PEOPLE = LISTS.words("people")
_THOUSANDS = frozenset("тысяча миллион миллиард сотня десяток тыс млн".split())
_EACH = LISTS.words("each")
_THIS = frozenset("этот тот такой его ее их свой".split())


def negation(part: Part) -> bool:
    """Something inside is negated or excluded: leaving it out could turn the meaning round."""
    if part.rel == "advmod" and part.after(1) == ["не"]:
        # «Уже не был» → «не был»
        return True
    words = part.words[:2] if len(part.words) > 4 and part.rel in _CLAUSES else part.words
    lemmas = [(part.valency.lemma(part.tree.tokens[j]), part.tree.tokens[j].pos) for j in words]
    # «средства с недоказанной эффективностью» → «средства»
    phrase = part.rel in ("nmod", "obl")
    return any(
        lemma in _NEGATION or (phrase and pos == "ADJ" and lemma.startswith(("не", "без"))) for lemma, pos in lemmas
    )


def condition(part: Part) -> bool:
    """A condition or a purpose limits the claim."""
    tree = part.tree
    if any(tree.rels[c] == "mark" and tree.word(c) in _CONDITION for c in tree.children[part.i]):
        return True
    if part.rel in ("amod", "acl") and any(tree.word(c) == "при" for c in part.siblings("case")):
        # «При правильно установленной позиции» → «при позиции»
        return True
    opening = [tree.word(j) for j in part.words[:2]]
    return part.rel in ("advcl", "obl") and (opening[0] in _CONDITION | {"при"} or opening == ["в", "случае"])


def attribution(part: Part) -> bool:
    """Without *по словам X* a report becomes a fact."""
    if part.rel == "parataxis" and any(part.tree.tokens[j].text in '«"»' for j in part.tree.subtree(part.i)):
        return True
    first, *rest = [part.valency.lemma(part.tree.tokens[j]) for j in part.words[:3]]
    if [first, *rest[:1]] in (["с", "точка"], ["по", "мнение"], ["на", "взгляд"]):
        return True
    return first in ("согласно", "как") or (first in ("по", "под") and not _ATTRIBUTION.isdisjoint((first, *rest)))


def contrast(part: Part) -> bool:
    """*Для гражданских дел, но не для уголовных*: the second half answers the first."""
    after, before = part.after(3), part.before(6)
    opening = part.tree.word(part.first)
    return (
        (after[:2] in ([",", "но"], [",", "а"]) and "не" in after)
        or (part.rel == "conj" and "не" in before and opening in ("а", "но"))
        or not {"чем", "нежели", "реже", "чаще"}.isdisjoint(after[:2])
        or not {"чем", "нежели"}.isdisjoint(before[-3:])
        # «От восхищения до пренебрежения»
        or (opening in ("до", "по", "в", "вплоть") and not {"от", "с", "из"}.isdisjoint(before) and _ends_range(part))
    )


def _ends_range(part: Part) -> bool:
    tree = part.tree
    return any(
        c < part.i and any(tree.word(p) in ("от", "с", "со", "из") for p in tree.children[c])
        for c in (*tree.children[part.head], part.head)
    )


def counted(part: Part) -> bool:
    """What a quantity word counts: *больше доказательств*, *несколько человек*."""
    measured = part.above.pos in ("ADV", "NUM", "DET", "PRON", "SYM") and part.rel != "advmod"
    return measured or not _ABOUT.isdisjoint(part.before(1))


def figure(part: Part) -> bool:
    """A number or an ordinal alone: *со счётом 4:0* → *со счётом*, *в седьмой раз* → *в раз*."""
    if part.i in part.tree.brackets:
        return False
    ordinal = part.rel == "amod" and part.valency.ordinal(part.token)
    return ordinal or _numeral(part.tree, part.i) or all(_numeral(part.tree, j) for j in part.words)


def _numeral(tree: RepairedTree, i: int) -> bool:
    return tree.tokens[i].pos == "NUM" or tree.tokens[i].text[:1].isdigit()


def restrictive_clause(part: Part) -> bool:
    """A clause on *тот*, *первый*, *единственный* says which one is meant."""
    if part.rel not in _ON_NOUNS:
        return False
    if part.above.feats.get("Number") == "Plur" and part.above_lemma in _PEOPLE and not part.above_has("amod"):
        # «Не рекомендуется лицам, страдающим …» → «не рекомендуется лицам»
        return True
    return part.above.pos in ("PRON", "DET") or part.tree.limited(part.head)


def modifier_of_counted(part: Part) -> bool:
    """*50 тысяч человек старше ста лет* → *50 тысяч человек*: the number was of those only."""
    tree, head = part.tree, part.head
    if part.rel not in ("nmod", "amod", *_ON_NOUNS):
        return False
    of_thousands = tree.heads[head] >= 0 and part.valency.lemma(tree.tokens[tree.heads[head]]) in _THOUSANDS
    after_figure = head > 0 and (tree.tokens[head - 1].pos == "NUM" or tree.tokens[head - 1].text == ".")
    return of_thousands or after_figure or part.above_has("nummod", "nummod:gov")


def not_this(part: Part) -> bool:
    """*На неопределённый срок*, *несвоевременно*, *каждый третий*, *в тот вечер*: a small word that decides."""
    if part.rel == "conj" and _in_announced_list(part):
        return True
    if part.tree.word(part.i) == "же":
        # «Того же цвета»
        return True
    if part.rel in ("amod", "advmod") and part.lemma.startswith("не") and len(part.lemma) > 4:
        return True
    if part.rel not in ("det", "amod", "advmod", "obl"):
        return False
    this = part.lemma in _EACH or (part.lemma in _THIS and part.above_has("case"))
    return this or part.tree.tokens[-1].text == "?"


def _in_announced_list(part: Part) -> bool:
    # «Два села: Токари и Чернетчина», «следующие документы: заявление и паспорт»
    colons = [j for j in range(part.i) if part.tree.tokens[j].text == ":"]
    return bool(colons) and any(
        t.pos == "NUM" or t.text.lower().startswith("следующ") for t in part.tree.tokens[: colons[-1]]
    )


def antecedent(part: Part) -> bool:
    """The name that a pronoun in the rest stands for: *когда Толстой приехал, он ответил*."""
    tree, inside = part.tree, part.tree.subtree(part.i)
    return (
        part.rel in ("advcl", "acl:relcl", "parataxis", "conj")
        and any(tree.tokens[j].pos == "PROPN" or tree.start_in_entity(j) is not None for j in inside)
        and any(j not in inside and tree.word(j) in _HE for j in range(part.i + 1, len(tree)))
    )


def predicative(part: Part) -> bool:
    """*Стала российской*: what something becomes or is."""
    if part.token.feats.get("Case") != "Ins" or part.has("case"):
        return False
    return any(part.valency.lemma(token) in _COPULAR for token in part.tree.tokens[max(0, part.i - 4) : part.i])


def exclusive(part: Part) -> bool:
    """*Исключительно через функции доступа*: without it the claim is of all."""
    alone = part.rel not in ("conj", "parataxis", "advcl")
    return alone and any(part.tree.word(j) in _ONLY for j in part.words)


def topic(part: Part) -> bool:
    """What is spoken of: *заявил о намерении уйти* → *заявил*."""
    tree = part.tree
    about = (tree.rels[c] == "case" and tree.word(c) in ("о", "об", "обо") for c in tree.children[part.i])
    return part.above.pos in ("VERB", "NOUN", "ADJ") and any(about)


def partial_head(part: Part) -> bool:
    """*Часть*, *половина*, *уровень* … mean nothing without what they are of."""
    return part.rel in ("nmod", "amod", "acl") and part.above_lemma in _PARTIAL_HEAD


def adjective_complement(part: Part) -> bool:
    """*Признан виновным в убийстве* → *признан виновным*."""
    behind = part.rel in ("obl", "nmod", "iobj", "advmod") and part.i > part.head
    return behind and part.above.pos == "ADJ"


def plural_subject(part: Part) -> bool:
    """Cutting half of a coordinated subject would break agreement, and half of a pair its sense."""
    if part.rel != "conj" or part.head < 0:
        return False
    tree, feats = part.tree, part.above.feats
    nominative = part.above.pos in ("NOUN", "PROPN", "PRON") and feats.get("Case") == "Nom"
    if nominative and feats.get("Number") != "Plur" and len(part.siblings("conj")) < 2:
        return True
    before = (tree.word(j) for j in range(max(0, min(tree.words(part.head)) - 3), part.i))
    return any(w in _PAIRED for w in before) or any(tree.tokens[j].pos == "NUM" for j in tree.children[part.head])


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
