"""English sentences with a parse set by hand, for tests that must not depend on a parser, and the bundled parser."""

from __future__ import annotations

from functools import cache

from rerank.analysis import LAYERS, Analysis, Entity, Sentence
from rerank.english import EnglishAnalyzer, EnglishToken

__all__ = ["bundled", "parsed", "tokens_of"]


@cache
def bundled() -> EnglishAnalyzer:
    """The bundled pipeline, loaded once for all tests."""
    return EnglishAnalyzer()


def tokens_of(rows: str) -> list[EnglishToken]:
    """Tokens of lines `form pos head rel [features] [Lemma=…]`; heads count from 1; no space before `_form`."""
    tokens: list[EnglishToken] = []
    stop = 0
    for line in rows.strip().splitlines():
        form, pos, head, rel, *features = line.split()
        start = stop + (0 if form.startswith("_") or not tokens else 1)
        form = form.removeprefix("_")
        stop = start + len(form)
        token = EnglishToken(form, start, stop)
        token.pos, token.head, token.rel = pos, int(head) - 1, rel
        token.feats = dict(pair.split("=") for pair in features)
        token.lemma = token.feats.pop("Lemma", "")
        tokens.append(token)
    return tokens


def parsed(*sentences: str, names: tuple[str, ...] = ()) -> Analysis:
    """The analysis of sentences given as `tokens_of` reads them; `names` are entities, by their text."""
    text = ""
    found: list[Sentence] = []
    for rows in sentences:
        tokens = tokens_of(rows)
        offset = len(text) + (1 if text else 0)
        text += " " if text else ""
        for token in tokens:
            text += " " * (token.start + offset - len(text)) + token.text
            token.start, token.stop = token.start + offset, token.stop + offset
        found.append(Sentence(offset, len(text), text[offset:], list(tokens)))
    entities = tuple(Entity(text.index(n), text.index(n) + len(n), "MISC", n) for n in names)
    return Analysis(text, found, entities, {*LAYERS, "lemma"})
