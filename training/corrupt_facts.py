"""Corruptions of values and names. Each function yields (name of the edit, corrupted sentence)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from rerank.analysis import Analysis, Token
from training.corrupt_tools import (
    GRAMMEMES,
    Forms,
    agreement,
    before,
    cut,
    entity_tokens,
    exchange,
    is_roman,
    put,
    quoted,
)

__all__ = ["dates", "entities", "latin", "numbers", "quotations", "units"]

_MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
_NUMBER_WORDS = "два три четыре пять шесть семь восемь девять десять двенадцать двадцать сорок сто".split()
_ORDINALS = ["второй", "третий", "четвёртый", "пятый", "шестой", "седьмой", "восьмой", "десятый", "двенадцатый"]
_UNITS = (
    "километр метр сантиметр миллиметр миля", "тонна килограмм грамм центнер", "рубль доллар евро",
    "год месяц день час",
    "час минута секунда", "тысяча миллион миллиард", "процент промилле", "гектар акр", "век десятилетие год",
    "человек процент", "градус процент", "литр тонна", "неделя месяц", "век год", "десятилетие месяц",
)  # fmt: skip
_ABBREVIATIONS = ("км м см мм", "тыс млн млрд", "кг г т", "лет месяцев", "% ‰", "га км", "кВт МВт", "мин ч")
_NATIONS = "российский французский немецкий китайский польский турецкий японский шведский итальянский".split()
_ROMANS = "I II III IV V VI VII VIII IX X XI XII XV XVI XVII XVIII XIX XX XXI".split()
_LATIN = ("Windows", "Reuters", "Orion", "Times", "Nova", "Airbus", "Linux", "Delta", "Marcus", "Vista")
_FIRST_NAMES = {"Masc": ("Иван", "Пётр", "Николай", "Виктор"), "Fem": ("Анна", "Мария", "Ольга", "Вера")}


def _digit(text: str, rng: random.Random) -> str:
    at = rng.choice([i for i, c in enumerate(text) if c.isdigit()])
    other = rng.choice([d for d in "123456789" if d != text[at]])
    return text[:at] + other + text[at + 1 :]


def numbers(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    tokens = analysis.tokens
    digits = [t for t in tokens if t.text[0].isdigit()]
    for token in digits:
        yield "digit", put(analysis, token, _digit(token.text, rng))
        if token.text.isdigit() and len(token.text) < 4:
            yield "magnitude", put(analysis, token, token.text + "0")
            yield "fraction", put(analysis, token, token.text + ",5")
    for left, right in itertools.pairwise(digits):
        if left.text != right.text and left.text.isdigit() and right.text.isdigit():
            yield "exchange", exchange(analysis, left, right) if _counted(tokens, left, right) else analysis.text
    for token in tokens:
        parse = forms.morphology.parse(token.text)[0]
        if parse.pos == "NUMR" and parse.lemma in _NUMBER_WORDS:
            other = rng.choice([w for w in _NUMBER_WORDS if w != parse.lemma])
            yield "spelled", put(analysis, token, forms.inflect(other, token) or other)
        elif "Anum" in parse.grammemes and parse.lemma in (*_ORDINALS, "первый"):
            other = rng.choice([w for w in _ORDINALS if w != parse.lemma])
            yield "ordinal", put(analysis, token, forms.inflect(other, token))
        elif is_roman(token.text) and len(token.text) > 1:
            yield "roman", put(analysis, token, rng.choice([r for r in _ROMANS if r != token.text]))
        elif parse.pos == "NOUN" and token.feats.get("Number") == "Plur" and token.text.islower():
            form = forms.form(rng.choice(_NUMBER_WORDS[3:]), {GRAMMEMES.get(token.feats.get("Case", ""), "nomn")})
            if form and token.feats.get("Case") in {"Gen", "Dat", "Ins", "Loc"}:
                yield "insert", before(analysis, token, form)


def _counted(tokens: Sequence[Token], left: Token, right: Token) -> bool:
    """Whether the two numbers count different nouns, so that exchanging them changes something."""
    nouns = []
    for number in (left, right):
        following = tokens[tokens.index(number) + 1 : tokens.index(number) + 3]
        nouns.append(next((t.text for t in following if t.pos == "NOUN"), ""))
    return bool(nouns[0] and nouns[1]) and nouns[0][:1] != nouns[1][:1] and not set(nouns) & set(_MONTHS)


def dates(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    tokens = analysis.tokens
    for i, token in enumerate(tokens):
        if token.text in _MONTHS:
            yield "month", put(analysis, token, rng.choice([m for m in _MONTHS if m != token.text]))
            if i and tokens[i - 1].text.isdigit():
                day = rng.choice([str(d) for d in range(1, 31) if str(d) != tokens[i - 1].text])
                yield "day", put(analysis, tokens[i - 1], day)
                yield "both", put(analysis, tokens[i - 1], f"{day} {rng.choice(_MONTHS)}", until=token)
        elif token.text.isdigit() and len(token.text) == 4:
            yield "year", put(analysis, token, _digit(token.text, rng))
            yield "near year", put(analysis, token, str(int(token.text) + rng.choice([-2, -1, 1, 2, 10, -10])))
            if (
                i + 1 < len(tokens)
                and tokens[i + 1].text in {"году", "года"}
                and i
                and tokens[i - 1].text.lower() == "в"
            ):
                yield "month added", put(analysis, token, f"{rng.choice(_IN_MONTHS)} {token.text}")
        elif is_roman(token.text) and i + 1 < len(tokens) and tokens[i + 1].text.startswith(("век", "столет")):
            yield "century", put(analysis, token, rng.choice([r for r in _ROMANS if r != token.text]))
    verbs = [t for t in tokens if t.pos == "VERB" and t.feats.get("Tense") == "Past" and t.start]
    for token in verbs[:1]:
        yield "date added", put(analysis, token, f"{token.text} {rng.randint(1, 30)} {rng.choice(_MONTHS)}")
        yield "year added", put(analysis, token, f"{token.text} в {rng.randint(1700, 2020)} году")
        if not any(t.text.lower().startswith(("зим", "весн", "лет", "осен")) for t in tokens):
            yield "season added", put(analysis, token, f"{token.text} {rng.choice(['зимой', 'весной', 'осенью'])}")


_IN_MONTHS = "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре".split()


def units(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    """Units exchanged: those of the sentence, and those of a measure planted in the source itself (third item)."""
    tokens = analysis.tokens
    for i, token in enumerate(tokens[1:], 1):
        number = tokens[i - 1]
        measured = number.text[0].isdigit() or number.pos == "NUM" or number.text.lower() in {"несколько", "через"}
        calendar = number.text.isdigit() and len(number.text) == 4 and token.text.startswith("го")
        if not measured or calendar or number.text.count(".") > 1:
            continue
        lemma = forms.morphology.lemma(token.text)
        for other in sorted({o for group in _UNITS if lemma in group.split() for o in group.split()} - {lemma}):
            form = "лет" if other == "год" and token.feats.get("Case") == "Gen" else forms.inflect(other, token)
            if form:
                yield f"{lemma} → {other}", put(analysis, token, form)
        for other in sorted({o for group in _ABBREVIATIONS if token.text in group.split() for o in group.split()}):
            if other != token.text:
                yield f"{token.text} → {other}", put(analysis, token, other)
        counted = token.pos == "NOUN" and token.feats.get("Case") == "Gen" and token.text not in _MONTHS
        if counted and number.text[0].isdigit() and lemma not in " ".join(_UNITS).split():
            yield "noun → unit", put(analysis, token, rng.choice(["километров", "тонн", "процентов", "рублей"]))
    nouns = [t for t in tokens if t.pos == "NOUN" and t.start]
    if nouns:
        noun, amount = rng.choice(nouns), rng.choice(_AMOUNTS)
        first, second = rng.sample(rng.choice(_MEASURES).split(), 2)
        source = put(analysis, noun, f"{noun.text} ({amount} {first})")
        yield "planted", put(analysis, noun, f"{noun.text} ({amount} {second})"), source


_AMOUNTS = ("5", "12", "37", "2,5", "140", "6 тыс.", "3 млн", "80", "более 20", "до 15", "двадцать", "десять", "сто")
_MEASURES = (
    "км м см мм",
    "километров метров сантиметров миль",
    "кг г т",
    "тонн килограммов граммов центнеров",
    "рублей долларов евро франков",
    "лет месяцев дней часов минут",
    "процентов градусов километров",
    "гектаров литров километров",
    "человек километров процентов",
    "МВт кВт Вт",
    "м² км² га",
)


def entities(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    for token in entity_tokens(analysis):
        stem = token.text[:3].lower()
        others = [e for e in forms.entities[agreement(token)] if e[:3].lower() != stem and e not in analysis.text]
        if others and token.feats.get("Case"):
            yield "replaced", put(analysis, token, rng.choice(others))
            yield "joined", put(analysis, token, f"{token.text} и {rng.choice(others)}")
        names = _FIRST_NAMES.get(token.feats.get("Gender", ""))
        if names and any(e.type == "PER" and e.start == token.start for e in analysis.entities):
            name = rng.choice([n for n in names if n[:3] not in analysis.text])
            yield "first name", before(analysis, token, forms.inflect(name, token) or name)
    for token in analysis.tokens:
        lemma = forms.morphology.lemma(token.text)
        if lemma in _NATIONS:
            other = rng.choice([n for n in _NATIONS if n[:4] not in analysis.text.lower()])
            yield "nation", put(analysis, token, forms.inflect(other, token))
        elif token.pos == "VERB" and token.feats.get("Tense") == "Past" and token.start:
            places = [e for e in forms.entities[("Loc", "Fem", "Sing")] if e[:4].lower() not in analysis.text.lower()]
            yield "place", put(analysis, token, f"{token.text} в {rng.choice(places)}")


def latin(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    for token in analysis.tokens:
        text = token.text
        if text.isascii() and text.isalpha() and not is_roman(text) and len(text) > 2:
            at = rng.randrange(1, len(text) - 1)
            swapped = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            if swapped != text:
                yield "swapped", put(analysis, token, swapped)
            yield "dropped", put(analysis, token, text[:at] + text[at + 1 :])
            yield (
                "letter",
                put(analysis, token, text[:at] + rng.choice("aeouknrt".replace(text[at], "")) + text[at + 1 :]),
            )
            yield "other", put(analysis, token, rng.choice([w for w in forms.latin if w.lower() != text.lower()]))
    nouns = [t for t in analysis.tokens if t.pos in {"NOUN", "PROPN"} and t.start]
    for token in nouns[:2]:
        word = rng.choice([w for w in (*_LATIN, *forms.latin) if w.lower() not in analysis.text.lower()])
        yield "inserted", put(analysis, token, f"{token.text} {word}")
        yield "bracketed", put(analysis, token, f"{token.text} ({word})")


def quotations(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    for start, stop in quoted(analysis):
        inside = [t for t in analysis.tokens if start <= t.start and t.stop <= stop and t.text[0].isalpha()]
        text = analysis.text[start:stop]
        other = rng.choice([q for q in forms.quotes if q not in analysis.text and text not in q])
        yield "other", analysis.text[:start] + other + analysis.text[stop:]
        for token in inside:
            others = [n for n in forms.nouns[agreement(token)] if n[:3] != token.text[:3].lower()]
            if token.pos == "NOUN" and others:
                yield "word", put(analysis, token, rng.choice(others))
        if len(inside) > 2:
            yield "shortened", cut(analysis, rng.choice(inside[1:-1]))
        if len(inside) > 1:
            yield "order", exchange(analysis, inside[0], inside[1])
        last = inside[-1] if inside else None
        if last is not None:
            word = rng.choice(forms.nouns[("Gen", "Masc", "Sing")])
            yield "lengthened", put(analysis, last, f"{last.text} {word}")
    nouns = [t for t in analysis.tokens if t.pos == "NOUN" and t.start]
    for token in nouns[:1]:
        words = rng.choice([q for q in forms.quotes if q not in analysis.text])
        yield "new", put(analysis, token, f"{token.text} «{words}»")
