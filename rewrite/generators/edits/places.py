"""*Российская армия* → *армия России*, *XX век* → *20 век*."""

from __future__ import annotations

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
_ROMAN = {"I": 1, "V": 5, "X": 10}
_JOINTS = frozenset({"и", "или", "—", "–", "-", ","})
_REACH = 4


def countries(tree: Tree, valency: Valency) -> Iterator[Edit]:
    """The adjective of a country before its army, government, market … as the country's name after it."""
    for i, token in enumerate(tree.tokens):
        head = tree.heads[i]
        if tree.rels[i] != "amod" or head != i + 1 or token.pos != "ADJ" or tree.quote_depth(i):
            continue
        country = _COUNTRIES.get(valency.lemma(token))
        if country is None or valency.lemma(tree.tokens[head]) not in _STATE_NOUNS or (i and token.text[:1].isupper()):
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
        noun = tree.tokens[head].text
        yield Edit(
            "word",
            f"{token.text} {noun} → {noun} {country}",
            changes=((i, ""), (head, f"{noun} {country}")),
            touched=frozenset({i, head}),
        )


def roman_centuries(tree: Tree, valency: Valency) -> Iterator[Edit]:
    """Roman numerals of centuries as digits, those that share the noun with another (*XIX и XX века*) together."""
    for i, token in enumerate(tree.tokens[:-1]):
        if not _is_roman(token.text) or valency.lemma(tree.tokens[i + 1]) != "век":
            continue
        shared = [j for j in range(max(0, i - _REACH), i) if _shares_noun(tree, j)]
        changes = tuple((j, str(_value(tree.tokens[j].text))) for j in [*shared, i])
        label = ", ".join(f"{tree.tokens[j].text} → {number}" for j, number in changes)
        yield Edit("word", label, changes=changes, touched=frozenset(j for j, _ in changes))


def _shares_noun(tree: Tree, j: int) -> bool:
    """A numeral before *и* or a dash and not after a name: *Пётр I и XVIII век*."""
    named = j > 1 and tree.tokens[j - 1].text[:1].isupper()
    return _is_roman(tree.tokens[j].text) and tree.lower(j + 1) in _JOINTS and not named


def _is_roman(text: str) -> bool:
    return bool(text) and set(text) <= set(_ROMAN)


def _value(roman: str) -> int:
    values = [_ROMAN[c] for c in roman]
    return sum(-v if v < max(values[k + 1 :], default=0) else v for k, v in enumerate(values))
