"""Learning from the texts of the benchmark's parts what is said with which triples.

Of the texts of a part, those that name all of its entities and nothing else become templates, the mentions of entities
replaced by slots; templates are gathered by what the triples are without their entities, and of each key the most
frequent and most typical are kept.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from rewrite.splitting.triples.entity_names import is_literal, own_name, words
from rewrite.splitting.triples.slots import Span, entities, place
from rewrite.splitting.triples.template_book import Template, TemplateBook, key_of
from rewrite.splitting.triples.triple import Triple
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.examples import learn_splitter

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Who an entity is decides these, not what is said of it.
_SLIPS = re.compile(r"\bit's (?!an?\b|the\b|in\b|\{)|\b(\w+) \1\b", re.IGNORECASE)
# A noun between the name and its verb lacks its *'s*: *{0} former team is {1}*.
_VERBLESS = re.compile(
    r"^\{\d+\} (?:(?!(?:also|now|once|still|never|first|and|or|which|who|that|in|of|at|on|by|from|to|with|for)\b|"
    r"\w+(?:ly|ed|s|ing)\b)\w+ )+(?:is|was|are|were)\b",
    re.MULTILINE,
)
_GENDERED = re.compile(r"\b(?:he|she|his|her|him|hers|himself|herself|i|we|you|my|our|your)\b", re.IGNORECASE)
_LONGEST = 400
_QUOTED = re.compile(r"[\"“”„«»`]+|(?<!\w)['‘]+(?=\{)|(?<=\})['’]+(?!\w)")
_MOST = {1: 8, 2: 4, 3: 3}
"""How many templates of a key are kept, by its triples; larger keys have none."""
_ENOUGH = 3
"""Texts that a category must have for templates of its own."""
_COMPARED = 150
_TYPICAL = 1.5
"""How much a template's likeness to the others of its key counts against the logarithm of its count."""


def small_words(texts: Iterable[str]) -> frozenset[str]:
    """Words that texts write with a small letter, three times at least: they are no names where they begin one."""
    counts = Counter(word for text in texts for word in _WORD.findall(text) if word[0].islower())
    return frozenset(word for word, count in counts.items() if count >= 3)


def delexicalise(sentences: Sequence[str], triples: Sequence[Triple], small: frozenset[str]) -> str | None:
    """The template of a text, a sentence a line; `None` where it lacks an entity or holds another name or number."""
    named = entities(triples)
    lines: list[str] = []
    seen: set[int] = set()
    for sentence in sentences:
        spans = place(sentence, named)
        seen.update(span.number for span in spans)
        lines.append(_tidy(_with_slots(sentence, spans)))
    template = "\n".join(lines)
    if (
        len(seen) < len(named)
        or len(template) > _LONGEST
        or _GENDERED.search(template)
        or any(pattern.search(template) for pattern in (_SLIPS, _VERBLESS))
    ):
        return None
    known = small | {word for triple in triples for word in re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", triple.property)}
    return template if all(_plain(line, known) for line in lines) else None


def _with_slots(text: str, spans: Sequence[Span]) -> str:
    parts, position = [], 0
    for span in spans:
        parts += [text[position : span.start], f"{{{span.number}}}"]
        position = span.stop
    return "".join([*parts, text[position:]])


def _tidy(line: str) -> str:
    line = _QUOTED.sub("", " ".join(line.split()))
    line = re.sub(r"\{(\d+)\}\s?['’](?=\s)", r"{\1}'s", line).replace("’", "'")
    line = re.sub(r"\s+([.,;:)])", r"\1", line)
    line = re.sub(r",(?=[^\s\d])", ", ", line)
    line = re.sub(r"(?<=\()\s+", "", line)
    line = re.sub(r"[\s,;:.]+\.$", ".", line)
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _plain(line: str, known: frozenset[str]) -> bool:
    """Whether a line is a sentence with nothing in it but slots and common words."""
    bare = re.sub(r"\{\d+\}", " ", line)
    if re.search(r"[\d{}\[\]_|/\\]|\.\s*\S", bare) or line.count("(") != line.count(")"):
        return False
    if not re.search(r"\{\d+\}", line):
        return False
    # A slot beside a slot or inside a word: half a name was found.
    if re.search(r"\}\s*\{|\}\w|\w\{|\}[-–]|[-–]\{|\{\d+\}\.\w", line):
        return False
    plain_words = [
        word for part in re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", bare) for word in re.split(r"-|'s?$", part) if word
    ]
    first = _WORD.match(line)
    if first is not None and plain_words and first.group().lower() in known:
        plain_words = plain_words[1:]
    return bool(plain_words) and all(word in known for word in plain_words)


def usual_names(texts: Iterable[tuple[str, Sequence[Triple]]]) -> dict[str, str]:
    """For each entity the form that most texts have of it, with *the* where most have that, unless it is its own name.

    Forms at the beginning of a sentence count only where an entity is nowhere else: their capital may not be theirs.
    """
    forms: dict[str, Counter[str]] = {}
    opening: dict[str, Counter[str]] = {}
    for sentence, triples in texts:
        named = [entity for entity in entities(triples) if not is_literal(entity)]
        for span in place(sentence, named):
            text = sentence[span.start : span.stop]
            text = ("the " + re.sub(r"(?i)^the\s+", "", text)) if span.the else text
            text = re.sub(r"[\"“”]", "", " ".join(text.split()))
            # A capital that is not the first letter is the name's own wherever it stands.
            inside = span.start or any(c.isupper() for c in text[1:])
            (forms if inside else opening).setdefault(named[span.number], Counter())[text] += 1
    usual = {entity: max(sorted(counts), key=lambda form: counts[form]) for entity, counts in (opening | forms).items()}
    return {entity: form for entity, form in usual.items() if form != own_name(entity) and _whole(form, entity)}


def _whole(form: str, entity: str) -> bool:
    """Whether a form is not just the beginning of a long name."""
    return 2 * len(words(form)) >= len(words(own_name(entity)))


def learn_templates(
    benchmark: WebSplit, sentences: Sequence[ComplexSentence], numbers: Collection[int]
) -> TemplateBook:
    """The templates of the texts of parts `numbers`, with the partitions of the sentences' meanings."""
    parts = [benchmark.parts[number] for number in numbers]
    small = small_words(sentence for part in parts for text in part.texts for sentence in text)
    counts: dict[str, Counter[str]] = {}
    categories: dict[str, Counter[str]] = {}
    for part in parts:
        for triple in part.triples:
            categories.setdefault(triple.property, Counter())[part.category] += 1
        if len(part.triples) in _MOST:
            key = key_of(part.triples)
            made = [delexicalise(text, part.triples, small) for text in part.texts]
            for name in (key, f"{part.category}: {key}"):
                counts.setdefault(name, Counter()).update(template for template in made if template is not None)
    names = usual_names((s, part.triples) for part in parts for text in part.texts for s in text)
    return TemplateBook(_kept(counts), learn_splitter(benchmark, sentences), names, categories)


def _kept(counts: Mapping[str, Counter[str]]) -> dict[str, tuple[Template, ...]]:
    """The best templates of each key that has enough texts; those of a category where they are not those of all."""
    kept: dict[str, tuple[Template, ...]] = {}
    for key, texts in sorted(counts.items(), key=lambda item: ": " in item[0]):
        category, _, general = key.rpartition(": ")
        size = general.count(" | ") + 1
        if texts.total() < (_ENOUGH if category else 1 if size == 1 else 2) or (category and size > 1):
            continue
        if category and texts == counts[general]:
            continue
        kept[key] = _best(texts, _MOST[size])
    return kept


def _best(counts: Counter[str], most: int) -> tuple[Template, ...]:
    """The templates of a key, the best first: by the logarithm of their count and their likeness to the others."""
    texts = [text for text, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))][:_COMPARED]
    grams = [_grams(text) for text in texts]
    total = sum(counts[text] for text in texts)
    scores = {}
    for text, these in zip(texts, grams, strict=True):
        like = sum(_likeness(these, other) * counts[t] for t, other in zip(texts, grams, strict=True)) - counts[text]
        typical = like / (total - counts[text]) if total > counts[text] else 1.0
        scores[text] = math.log(counts[text]) + _TYPICAL * typical
    ranked = sorted(texts, key=lambda text: (-scores[text], text))[:most]
    return tuple(Template(text, counts[text], scores[text] - scores[ranked[0]]) for text in ranked)


def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = text.lower().replace(",", " ,").replace(".", " .").replace("'s", " 's").split()
    return Counter([*((word,) for word in words), *itertools.pairwise(words)])


def _likeness(first: Counter[tuple[str, ...]], second: Counter[tuple[str, ...]]) -> float:
    """F1 of words and pairs of words, in [0, 1]."""
    return 2 * (first & second).total() / (first.total() + second.total())
