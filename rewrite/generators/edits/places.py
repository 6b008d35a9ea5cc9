"""*Российская армия* → *армия России*, *XX век* → *20 век*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["countries", "roman_centuries"]

_COUNTRIES = dict(
    pair.split("=")
    for pair in """российский=России советский=СССР украинский=Украины белорусский=Белоруссии казахстанский=Казахстана
    азербайджанский=Азербайджана армянский=Армении грузинский=Грузии молдавский=Молдавии латвийский=Латвии
    литовский=Литвы эстонский=Эстонии киргизский=Киргизии узбекский=Узбекистана туркменский=Туркмении
    таджикский=Таджикистана финский=Финляндии шведский=Швеции норвежский=Норвегии датский=Дании немецкий=Германии
    германский=Германии французский=Франции английский=Англии британский=Великобритании итальянский=Италии
    испанский=Испании португальский=Португалии польский=Польши чешский=Чехии словацкий=Словакии венгерский=Венгрии
    румынский=Румынии болгарский=Болгарии сербский=Сербии хорватский=Хорватии греческий=Греции турецкий=Турции
    иранский=Ирана израильский=Израиля египетский=Египта китайский=Китая японский=Японии индийский=Индии
    пакистанский=Пакистана австрийский=Австрии швейцарский=Швейцарии нидерландский=Нидерландов бельгийский=Бельгии
    канадский=Канады австралийский=Австралии бразильский=Бразилии аргентинский=Аргентины мексиканский=Мексики
    индонезийский=Индонезии ирландский=Ирландии шотландский=Шотландии афганский=Афганистана сирийский=Сирии
    иракский=Ирака кубинский=Кубы вьетнамский=Вьетнама корейский=Кореи монгольский=Монголии""".split()
)
# Nouns that belong to a state; *немецкие колонисты* are not colonists of Germany.
_STATE_NOUNS = frozenset(
    """армия войско власть правительство экономика президент парламент флот рынок территория законодательство политика
    общество промышленность столица посол министр граница суд закон конституция бюджет история население разведка
    руководство командование флаг гражданин город авиация министерство посольство полиция герб регион область сборная
    вооруженный лидер премьер-министр депутат чиновник дипломат банк компания предприятие университет""".split()
)
# Numerals, joined ones and such as Cyrillic letters make up.
_ROMAN_PART = re.compile(r"[IVXХІ]+([—–-]\w+)*$")
_ROMAN = {"I": 1, "V": 5, "X": 10}
_JOINTS = frozenset({"и", "или", "—", "–", "-", ","})
_REACH = 4
_STEM = 5


def countries(tree: Tree, valency: Valency) -> Iterator[Edit]:
    """The adjective of a country before its army, government, market … as the country's name after it."""
    for i, token in enumerate(tree.tokens):
        head = tree.heads[i]
        if tree.rels[i] != "amod" or head != i + 1 or token.pos != "ADJ" or tree.quote_depth(i):
            continue
        country = _COUNTRIES.get(valency.lemma(token))
        if country is None or valency.lemma(tree.tokens[head]) not in _STATE_NOUNS or (i and token.text[:1].isupper()):
            continue
        if country == "СССР" and valency.lemma(tree.tokens[head]) == "власть":
            # The form of government, not the power of a state.
            continue
        others = [
            c for c in tree.children[head] if c != i and tree.rels[c] in ("nmod", "amod", "appos", "conj", "flat:name")
        ]
        after = tree.tokens[head + 1] if head + 1 < len(tree) else None
        if (
            others
            or tree.tokens[head].text[:1].isupper()
            or (after is not None and after.pos in ("NOUN", "PROPN", "ADJ"))
        ):
            continue
        if _chained(tree, i, head) or _named_elsewhere(tree, i, country, valency):
            continue
        noun = tree.tokens[head].text
        yield Edit(
            "word",
            f"{token.text} {noun} → {noun} {country}",
            changes=((i, ""), (head, f"{noun} {country}")),
            touched=frozenset({i, head}),
        )


def _chained(tree: Tree, i: int, head: int) -> bool:
    """Whether two genitives would stand in a row: *высадку войск Англии*."""
    if tree.tokens[head].feats.get("Case") != "Gen":
        return False
    above = tree.heads[head]
    return any(j >= 0 and tree.tokens[j].pos in ("NOUN", "PROPN") for j in (i - 1, above))


def _named_elsewhere(tree: Tree, i: int, country: str, valency: Valency) -> bool:
    """Whether the sentence names the country once already: *политики Грузии … территории Грузии*."""
    stems = (country.lower()[:-1][:_STEM], valency.lemma(tree.tokens[i])[:-3])
    return any(tree.lower(j).startswith(stems) for j in range(len(tree)) if j != i)


def roman_centuries(tree: Tree, valency: Valency) -> Iterator[Edit]:
    """Roman numerals of all the centuries of the sentence as digits: *в XVIII и XIX веках, а в XX веке* → *18, 19, 20*.

    All or none: *в 12 веке …, а в XIII в.* would write one sentence in two ways.
    """
    found: set[int] = set()
    for i, token in enumerate(tree.tokens[:-1]):
        if _is_roman(token.text) and valency.lemma(tree.tokens[i + 1]) == "век":
            found |= {i, *(j for j in range(max(0, i - _REACH), i) if _shares_noun(tree, j))}
    if not found or any(_other_century(tree, j) for j in range(len(tree)) if j not in found):
        return
    changes = tuple((j, str(_value(tree.tokens[j].text))) for j in sorted(found))
    label = ", ".join(f"{tree.tokens[j].text} → {number}" for j, number in changes)
    yield Edit("word", label, changes=changes, touched=frozenset(found))


def _other_century(tree: Tree, j: int) -> bool:
    """A century that stays Roman: *XIII в.*, *XII—XIII веках*, *XIII столетие*."""
    if not _ROMAN_PART.match(tree.tokens[j].text):
        return False
    following = next((k for k in range(j + 1, len(tree)) if not _passed_over(tree, k)), j)
    # The dot tells *в.* from a preposition: *при Петре I и в XVIII веке*.
    short = tree.lower(following) in ("в", "вв") and tree.tokens[min(following + 1, len(tree) - 1)].text == "."
    return short or tree.lower(following).startswith(("век", "столети"))


def _passed_over(tree: Tree, k: int) -> bool:
    return tree.lower(k) in _JOINTS or _ROMAN_PART.match(tree.tokens[k].text) is not None


def _shares_noun(tree: Tree, j: int) -> bool:
    """A numeral before *и* or a dash and not after a name: *Пётр I и XVIII век*."""
    named = j > 1 and tree.tokens[j - 1].text[:1].isupper()
    return _is_roman(tree.tokens[j].text) and tree.lower(j + 1) in _JOINTS and not named


def _is_roman(text: str) -> bool:
    return bool(text) and set(text) <= set(_ROMAN)


def _value(roman: str) -> int:
    values = [_ROMAN[c] for c in roman]
    return sum(-v if v < max(values[k + 1 :], default=0) else v for k, v in enumerate(values))
