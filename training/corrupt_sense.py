"""Corruptions of polarity, modality and quantity. Each function yields (name of the edit, corrupted sentence)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from rerank.analysis import Analysis, Token
from training.corrupt_tools import GRAMMEMES, Forms, before, cut, put

__all__ = ["modalities", "negations", "quantities"]


def negations(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    tokens = analysis.tokens
    for i, token in enumerate(tokens):
        low, previous = token.text.lower(), tokens[i - 1].text.lower() if i else ""
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        if low == "не" and following is not None and previous != "тем":
            yield "не removed", cut(analysis, token)
        elif low == "нет" and following is not None and following.text[0].isalpha():
            yield "нет → есть", put(analysis, token, "есть")
        elif low == "без" and following is not None and following.pos in {"NOUN", "ADJ"}:
            yield "без → с", put(analysis, token, "с")
        elif low == "кроме" and following is not None and following.text not in {"того", "этого"}:
            yield "кроме removed", cut(analysis, token)
        elif previous in {"не", "ни", "без", "нет"} or not token.text[0].isalpha():
            continue
        elif (
            token.pos == "VERB"
            and token.feats.get("VerbForm") == "Fin"
            and "не" not in [t.text for t in tokens[i - 3 : i]]
        ):
            yield "не + verb", before(analysis, token, "не")
            yield "никогда не", before(analysis, token, "никогда не")
        elif token.feats.get("Variant") == "Short" and token.pos in {"ADJ", "VERB"}:
            yield "не + short form", before(analysis, token, "не")
        elif token.feats.get("VerbForm") in {"Inf", "Conv", "Part"} and token.pos == "VERB":
            yield f"не + {token.feats['VerbForm']}", before(analysis, token, "не")
        elif token.pos == "ADJ" and forms.morphology.parse(low)[0].pos == "ADJF" and low.islower():
            yield "не + adjective", before(analysis, token, "не")
        elif token.pos == "ADV" and low.endswith("о") and forms.morphology.parse(low)[0].pos == "ADVB":
            yield "не + adverb", before(analysis, token, "не")
        elif (
            low == "с"
            and _free(tokens, i)
            and following is not None
            and following.feats.get("Case") == "Ins"
            and following.pos == "NOUN"
        ):
            yield (
                "с → без",
                put(analysis, token, "без " + (forms.form(following.text, {"gent"}) or "него"), until=following),
            )


def _free(tokens: Sequence[Token], i: int) -> bool:
    """Whether «с» is not part of «наряду с» nor already under a denial."""
    return not {"не", "наряду"} & {t.text.lower() for t in tokens[max(0, i - 3) : i]}


def modalities(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    tokens = analysis.tokens
    for i, token in enumerate(tokens):
        parse = forms.morphology.parse(token.text)[0]
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        swapped = _SWAPS.get(token.text.lower())
        infinitive = following is not None and following.feats.get("VerbForm") == "Inf"
        if swapped and infinitive and tokens[i - 1].text.lower() != "не":
            yield f"{token.text.lower()} → {swapped}", put(analysis, token, swapped)
        negated = i > 0 and tokens[i - 1].text.lower() == "не" and parse.lemma == "мочь"
        if parse.lemma in {"мочь", "должный"} and infinitive and following is not None and not negated:
            finite = forms.finite(following, token)
            if finite:
                yield "marker removed", put(analysis, token, finite, until=following)
        elif parse.lemma in {"планировать", "намеренный", "собираться", "пытаться", "хотеть"} and infinitive:
            finite = forms.finite(following, token) if following is not None else ""
            if finite:
                yield "intention removed", put(analysis, token, finite, until=following)
        elif (
            following is not None
            and following.text == ","
            and token.text.lower() in {"вероятно", "возможно", "якобы", "предположительно", "видимо"}
        ):
            yield "doubt removed", _without_comma(analysis, tokens, i)
        elif token.text.lower() == "бы" and tokens[i - 1].pos == "VERB":
            yield "бы removed", cut(analysis, token)
        fin = token.feats.get("VerbForm") == "Fin" and token.pos == "VERB" and parse.pos == "VERB" and token.start
        if fin and parse.lemma not in {"мочь", "хотеть", "быть"} and not _modal_near(tokens, i):
            for edit, marker in (("может", "мочь"), ("должен", "должен"), ("намерен", "намерен"), ("хочет", "хотеть")):
                form = forms.marker(marker, token)
                if form and (infinitive_form := forms.form(token.text, {"INFN"})):
                    yield f"{edit} inserted", put(analysis, token, f"{form} {infinitive_form}")
            yield (
                "doubt inserted",
                before(analysis, token, rng.choice(["якобы", "вероятно,", "возможно,", "предположительно"])),
            )
            yield (
                "бы inserted",
                put(analysis, token, token.text + " бы") if "past" in parse.grammemes else analysis.text,
            )


_SWAPS = {
    "может": "должен", "могут": "должны", "должен": "может", "должны": "могут", "должна": "может", "должно": "может",
    "можно": "нельзя", "нельзя": "можно", "необходимо": "можно", "нужно": "нельзя", "следует": "нельзя",
    "надо": "нельзя",
}  # fmt: skip


def _modal_near(tokens: Sequence[Token], i: int) -> bool:
    return any(
        t.text.lower() in {"бы", "если", "чтобы", "не", "вероятно", "возможно"} for t in tokens[max(0, i - 6) : i + 3]
    )


def _without_comma(analysis: Analysis, tokens: Sequence[Token], i: int) -> str:
    text, token = analysis.text, tokens[i]
    rest = text[token.stop :].lstrip(" ,")
    head = text[: token.start].rstrip()
    head = head[:-1] if head.endswith(",") and text[token.stop : token.stop + 1] == "," else head
    joined = f"{head} {rest}".strip()
    return joined[:1].upper() + joined[1:]


def quantities(forms: Forms, analysis: Analysis, rng: random.Random) -> Iterator[tuple[str, ...]]:
    tokens = analysis.tokens
    for i, token in enumerate(tokens[:-1]):
        lemma, following = forms.morphology.lemma(token.text), tokens[i + 1]
        low = token.text.lower()
        if lemma == "часть" and following.feats.get("Case") == "Gen" and token.feats.get("Number") == "Sing":
            previous = tokens[i - 1] if i else None
            if previous is not None and forms.morphology.lemma(previous.text) in {"большой", "больший", "значительный"}:
                yield "большая часть → часть", cut(analysis, previous)
            elif (previous is None or previous.pos not in {"ADJ", "DET", "PUNCT"}) and following.pos == "NOUN":
                noun = forms.form(
                    following.text, {_case(token), GRAMMEMES.get(following.feats.get("Number", ""), "sing")}
                )
                if noun:
                    yield "часть dropped", put(analysis, token, noun, until=following)
        elif lemma == "большинство" and following.feats.get("Number") == "Plur":
            noun = forms.form(following.text, {_case(token), "plur"}) if following.pos == "NOUN" else ""
            whole = forms.form("весь", {_case(token), "plur"})
            if noun and whole:
                yield "большинство → все", put(analysis, token, f"{whole} {noun}", until=following)
                yield "большинство dropped", put(analysis, token, noun, until=following)
            yield "большинство → часть", put(analysis, token, forms.form("часть", {_case(token)}))
        elif lemma in {"некоторый", "многий"} and following.feats.get("Number") == "Plur":
            yield "некоторые → все", put(analysis, token, forms.form("весь", {"plur", _case(token)}) or "все")
        elif lemma == "один" and following.text == "из" and i + 2 < len(tokens):
            yield from _one_of(forms, analysis, tokens, i)
        elif token.pos == "NOUN" and _noun(forms, low) and token.feats.get("Number") == "Plur" and low.islower():
            yield from _quantified(forms, analysis, tokens, i, rng)
        elif token.pos == "ADJ" and low.islower() and following.pos == "NOUN" and _gradable(forms, low):
            yield "самый", before(analysis, token, forms.inflect("самый", token))
        if token.pos == "NOUN" and token.feats.get("Number") == "Sing" and low.islower():
            word = rng.choice(["первый", "единственный"])
            form = forms.inflect(word, token)
            if form and tokens[i - 1].pos in {"VERB", "ADP", "CCONJ"} and "перв" not in analysis.text.lower():
                yield f"{word} inserted", before(analysis, token, form)


def _case(token: Token) -> str:
    return GRAMMEMES.get(token.feats.get("Case", ""), "nomn")


def _noun(forms: Forms, word: str) -> bool:
    """Whether the dictionary calls it a plural noun too: the tagger takes «многие» and «иронические» for nouns."""
    parses = forms.morphology.parse(word)
    return any(p.pos == "NOUN" and "plur" in p.grammemes for p in parses)


def _gradable(forms: Forms, word: str) -> bool:
    return any("Qual" in p.grammemes and "Supr" not in p.grammemes for p in forms.morphology.parse(word)[:1])


def _one_of(forms: Forms, analysis: Analysis, tokens: Sequence[Token], i: int) -> Iterator[tuple[str, ...]]:
    words = tokens[i + 2 : i + 5]
    if words[0].text in {"самых", "наиболее"} or "Supr" in forms.morphology.parse(words[0].text)[0].grammemes:
        phrase = []
        for word in words:
            form = forms.form(word.text, {"sing", _case(tokens[i])}) if word.pos in {"ADJ", "NOUN"} else word.text
            phrase.append(form or word.text)
            if word.pos == "NOUN":
                yield "one of dropped", put(analysis, tokens[i], " ".join(phrase), until=word)
                return
    elif words[0].pos == "ADJ":
        yield "one of → all", put(analysis, tokens[i], "все из", until=tokens[i + 1])


def _quantified(
    forms: Forms, analysis: Analysis, tokens: Sequence[Token], i: int, rng: random.Random
) -> Iterator[tuple[str, ...]]:
    token, previous = tokens[i], tokens[i - 1] if i else None
    bare = previous is None or previous.pos in {"VERB", "ADP", "CCONJ"}
    whole = any(t.text.lower().startswith(("все", "весь", "кажд", "люб", "общ")) for t in tokens)
    if bare and token.feats.get("Case") in {"Nom", "Gen", "Dat", "Ins"}:
        if not whole:
            yield "все inserted", before(analysis, token, forms.form("все", {_case(token)}) or "все")
        genitive = forms.form(token.text, {"plur", "gent"})
        if genitive and token.feats["Case"] == "Nom":
            yield "большинство inserted", put(analysis, token, f"большинство {genitive}")
            yield "часть inserted", put(analysis, token, f"часть {genitive}")
            yield "половина inserted", put(analysis, token, f"половина {genitive}")
