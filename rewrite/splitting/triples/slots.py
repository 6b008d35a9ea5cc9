"""Texts with slots for entities: where entities stand in a text, and how a text is made of slots and entities again.

A slot is `{0}`, `{1}` …, numbered as entities appear in the triples, depth-first. An article *the* belongs to the
entity, not to the text around it, unless a noun follows that it may belong to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rewrite.splitting.triples.entity_names import fold, mentions, own_name, words
from rewrite.splitting.triples.triple import Triple, entity_name

SLOT = re.compile(r"\{(\d+)\}")
_NAME = re.compile(r"[^\W\d_a-zß-ÿ]\w+")
_THE = re.compile(r"(?<!\w)the\s+[\"'“‘«]*$", re.IGNORECASE)
# What may follow an entity whose article is its own.
_FOLLOWS = re.compile(
    r"\s*(?:$|[^\w\s]|(?:is|was|are|were|has|have|had|in|at|on|of|and|or|by|for|from|with|to|as|which|that|who|whose|where|"
    r"when|while|but|can|comes?|include[sd]?|after|before|between|also|\w+ed|(?!speaking)\w+ing)\b)"
)
_DETERMINERS = re.compile(r"(?:(?<!\w)(?:an?|the|its|their|this|that|one|another|each)|['’]s?)\s+$", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.IGNORECASE)
_VOWEL = re.compile(r"[\"'“‘«]*(?:[AEIOaeio]|[Uu](?!ni|s[aei]|\.?[KS])|[FLMNRSX](?=[A-Z0-9.])|8|11\b|18\b)")
_CAPITAL = re.compile(r"(?m)^(\W*)([a-zß-ÿ])")


@dataclass(frozen=True, slots=True)
class Span:
    """An entity's place in a text, its number, and whether *the*, which is part of the place, stands before it."""

    start: int
    stop: int
    number: int
    the: bool


@dataclass(frozen=True, slots=True)
class Spelling:
    """How an entity is written, and whether *the* goes before it."""

    text: str
    the: bool = False


def entities(triples: Sequence[Triple]) -> list[str]:
    """Subjects and objects as they appear."""
    return list(dict.fromkeys(entity for triple in triples for entity in (triple.subject, triple.object)))


def place(text: str, named: Sequence[str]) -> list[Span]:
    """Where the entities stand, in order and apart from each other: longer names come first. Some may be nowhere."""
    taken: list[Span] = []
    for number in sorted(range(len(named)), key=lambda n: -len(own_name(named[n]))):
        for start, stop in mentions(text, named[number]):
            if not any(start < other.stop and other.start < stop for other in taken):
                article = _THE.search(text[:start]) if _FOLLOWS.match(text[stop:]) else None
                taken.append(Span(start - len(article[0]) if article else start, stop, number, article is not None))
    return sorted(taken, key=lambda span: span.start)


def spelling(sentence: str, entity: str, known: Mapping[str, str]) -> Spelling:
    """An entity as a sentence writes it; as `known` has it, or by its own words, where the sentence has it not.

    `known` gives an entity's usual form in texts, with *the* where that goes before it.
    """
    usual = known.get(entity, own_name(entity))
    the = usual.startswith("the ")
    usual = usual.removeprefix("the ")
    spans = place(sentence, [entity])
    if not spans:
        return Spelling(usual, the)
    span = next((span for span in spans if span.start), spans[0])
    text = sentence[span.start : span.stop]
    text = re.sub(r"(?i)^the\s+[\"'“‘«]*", "", text) if span.the else text
    if text.endswith(".") and not usual.endswith(".") and span.stop >= len(sentence.rstrip()):
        text = text[:-1]
    if text.count("(") != text.count(")"):
        return Spelling(usual, the)
    if re.fullmatch(re.escape(fold(usual).lower()) + "e?s", fold(text).lower()):
        # *Both are desserts* is no way to write Dessert.
        text = usual
    if not span.start and fold(text).lower() == fold(usual).lower():
        # A capital at the beginning of a sentence says nothing of the word's own.
        text = usual
    return Spelling(text, span.the or the)


def fuller(sentence: str, said: Mapping[str, Spelling]) -> dict[str, Spelling]:
    """The spellings of entities, with full names for those of which a sentence has more names than any spelling has.

    *The Atatürk Monument … in Izmir* is *Atatürk Monument (İzmir)* where no other entity is Izmir.
    """
    names = {word for match in _NAME.finditer(sentence) for word in words(match.group())}
    covered = {word for spelt in said.values() for word in words(spelt.text)}
    spellings = dict(said)
    for entity, spelt in said.items():
        whole = entity_name(entity)
        if {word for word in words(whole) if word in names} - covered:
            spellings[entity] = Spelling(whole, spelt.the)
    return spellings


def fill(template: str, spellings: Sequence[Spelling]) -> str:
    """A template with its entities: articles and capitals as they must be, a sentence a line.

    Raises `IndexError` where the template has a slot without an entity.
    """
    done = ""
    position = 0
    for slot in SLOT.finditer(template):
        done += template[position : slot.start()]
        position = slot.end()
        entity = spellings[int(slot[1])]
        if article := _ARTICLE.search(done):
            right = "an" if _VOWEL.match(entity.text) else "a"
            right = right.capitalize() if article[1][0].isupper() else right
            done = done[: article.start()] + right + article[2]
        the = entity.the and not _DETERMINERS.search(done) and _FOLLOWS.match(template[position:])
        done += f"the {entity.text}" if the else entity.text
    done += template[position:]
    return "\n".join(_sentence(line) for line in done.split("\n"))


def _sentence(line: str) -> str:
    line = re.sub(r"\.{2,}$", ".", line.strip())
    word = line.split(" ", 1)[0]
    return line if any(c.isupper() for c in word[1:]) else _CAPITAL.sub(lambda m: m[1] + m[2].upper(), line, count=1)
