"""What all corruptions share: replacement words of the corpus, inflection, and cutting and pasting of tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rerank.analysis import Analysis, Token
from rerank.morphology import Morphology

__all__ = ["GRAMMEMES", "Forms", "agreement", "before", "cut", "entity_tokens", "exchange", "is_roman", "put", "quoted"]

GRAMMEMES = {
    "Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct", "Sing": "sing",
    "Plur": "plur", "Masc": "masc", "Fem": "femn", "Neut": "neut",
}  # fmt: skip


def agreement(token: Token) -> tuple[str, ...]:
    """Case, gender and number of a token: what a replacement must share."""
    return tuple(token.feats.get(feature, "") for feature in ("Case", "Gender", "Number"))


def entity_tokens(analysis: Analysis) -> list[Token]:
    """Proper nouns inside a named entity."""
    spans = [(e.start, e.stop) for e in analysis.entities]
    return [
        t
        for t in analysis.tokens
        if t.pos == "PROPN"
        and t.text.isalpha()
        and len(t.text) > 2
        and any(a <= t.start and t.stop <= b for a, b in spans)
    ]


def is_roman(text: str) -> bool:
    """Whether a token is made of Roman digits."""
    return bool(text) and set(text) <= set("IVXLCDM")


def quoted(analysis: Analysis) -> list[tuple[int, int]]:
    """Character spans inside «…»."""
    spans = []
    text, start = analysis.text, 0
    while (start := text.find("«", start)) >= 0 and (stop := text.find("»", start)) > 0:
        spans.append((start + 1, stop))
        start = stop
    return spans


def put(analysis: Analysis, token: Token, text: str, *, until: Token | None = None) -> str:
    """The sentence with `text` in place of `token` (… `until`)."""
    if token.start == 0:
        text = text[:1].upper() + text[1:]
    return analysis.text[: token.start] + text + analysis.text[(until or token).stop :]


def cut(analysis: Analysis, token: Token) -> str:
    """The sentence without `token`."""
    rest = analysis.text[token.stop :].lstrip(" ,") if token.start == 0 else analysis.text[token.stop :].lstrip()
    text = analysis.text[: token.start] + rest
    return text[:1].upper() + text[1:]


def before(analysis: Analysis, token: Token, words: str) -> str:
    """The sentence with `words` put before `token`."""
    follow = token.text if token.pos == "PROPN" or token.start else token.text[:1].lower() + token.text[1:]
    return put(analysis, token, f"{words} {follow}")


def exchange(analysis: Analysis, left: Token, right: Token) -> str:
    """The sentence with two tokens in each other's place."""
    text = analysis.text
    return text[: left.start] + right.text + text[left.stop : right.start] + left.text + text[right.stop :]


class Forms:
    """Replacements that the other sentences of a corpus offer, and their inflected forms."""

    def __init__(self, analyses: Sequence[Analysis], morphology: Morphology) -> None:
        self.morphology = morphology
        self.entities: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self.nouns: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self.latin: list[str] = []
        self.quotes: list[str] = []
        for analysis in analyses:
            self._collect(analysis)

    def _collect(self, analysis: Analysis) -> None:
        for token in entity_tokens(analysis):
            self.entities[agreement(token)].append(token.text)
        for token in analysis.tokens:
            if token.text.isascii() and token.text.isalpha() and len(token.text) > 2 and not is_roman(token.text):
                self.latin.append(token.text)
            if token.pos == "NOUN" and token.text.islower():
                self.nouns[agreement(token)].append(token.text)
        self.quotes.extend(analysis.text[a:b] for a, b in quoted(analysis))

    def inflect(self, word: str, like: Token) -> str:
        """`word` in the case, number and gender of `like`; empty where it has no such form."""
        grammemes = {GRAMMEMES[value] for value in like.feats.values() if value in GRAMMEMES}
        if like.feats.get("Number") == "Plur" or not word.endswith("й"):
            grammemes -= {"masc", "femn", "neut"}
        form = self.form(word, grammemes)
        if not form and "sing" in grammemes | {"sing"}:
            form = self.form(word, grammemes - {"sing", "plur"})
        return form.capitalize() if like.text[:1].isupper() and form else form

    def form(self, word: str, grammemes: set[str]) -> str:
        """`word` with these grammemes, or an empty string."""
        for parse in self.morphology.analyzer.parse(word):
            if (form := parse.inflect(grammemes)) is not None:
                return str(form.word)
        return ""

    def finite(self, infinitive: Token, like: Token) -> str:
        """The infinitive as a finite verb in the tense and number of the modal word `like`, or an empty string."""
        parse = self.morphology.parse(infinitive.text)[0]
        number = "plur" if like.feats.get("Number") == "Plur" else "sing"
        if like.feats.get("Tense") == "Past":
            gender = {} if number == "plur" else {GRAMMEMES.get(like.feats.get("Gender", ""), "masc")}
            return self.form(infinitive.text, {"past", number, *gender})
        return self.form(infinitive.text, {"futr" if "perf" in parse.grammemes else "pres", number, "3per"})

    def marker(self, lemma: str, like: Token) -> str:
        """A modal word («мочь», «хотеть», «должен», «намерен») in the form of the finite verb `like`."""
        plural = like.feats.get("Number") == "Plur"
        gender = like.feats.get("Gender", "Masc")
        if lemma in {"должен", "намерен"}:
            stem = "должн" if lemma == "должен" else lemma
            return stem + "ы" if plural else {"Masc": lemma, "Fem": stem + "а", "Neut": stem + "о"}.get(gender, lemma)
        if like.feats.get("Tense") == "Past":
            return self.form(lemma, {"past", "plur"} if plural else {"past", "sing", GRAMMEMES.get(gender, "masc")})
        return self.form(lemma, {"pres", "plur" if plural else "sing", "3per"})
