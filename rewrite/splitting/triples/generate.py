"""Sentences for triples: each partition's blocks by their templates, entities as the complex sentence has them.

What was written must say all that the sentence says, and no more than sentence and triples do.
"""

from __future__ import annotations

import difflib
import heapq
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rerank.english.facts.guard_words import DENYING
from rerank.guard import Violation
from rerank.types import Candidate
from rewrite.splitting.guard import FUNCTION_WORDS
from rewrite.splitting.triples.entity_names import UNIT_WORDS, fold, mentions, own_name, words
from rewrite.splitting.triples.slots import Spelling, entities, fill, fuller, spelling
from rewrite.splitting.triples.template_book import Partition, Template, TemplateBook, unseen
from rewrite.splitting.triples.triple import Triple, depth_first, entity_name, property_name

TEMPLATES = "templates"
"""The generator's name."""
_PER_UNSEEN = 1.0
"""Risk, in nats, of each property that no template was learnt for."""
_PARTITIONS = 12
_BLOCK = 0.5
"""What each block of a partition is worth, in nats: short sentences are what is asked for. Tuned on dev."""
_UNSEEN = 3.0
"""What a property without templates costs, in nats."""
_STRANGE = 0.3
"""What a content word of a template costs that the sentence does not have. Tuned on dev."""
_SHARED = 0.6
_TENSE = 0.6
_OTHER_TENSE = {"is": "was", "was": "is", "are": "were", "were": "are", "has": "had", "had": "has"}
_DISAGREES = 2.0
"""What *is* behind several, and a noun that the name before it ends in, cost."""
_DATED = {
    "on": re.compile(r"^\d{4}$"),
    "in": re.compile(r"^\d{4}-\d\d?-\d\d?$|^\d\d?\w* \w+ \d{4}$|^[A-Z]\w+ \d\d?\w*,? \d{4}$"),
}
_SEVERAL = re.compile(r"(?:people|ans|ese)$")
_NAME = re.compile(r"[^\W_]+")
_ROOT = 4
"""Letters that two words of one name share at least: *Canada*, *Canadian*."""
_ALIKE = 0.8
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Draft:
    """Sentences for triples, in order.

    `logprob` is that of the partition, of which each block is worth `_BLOCK` more, plus the templates' scores against
    the best ones of their blocks, in nats, and against the likeliest draft, whose own is 0.
    `blocks` are the triples of each part as text, its template, and whether that was learnt.
    """

    sentences: tuple[str, ...]
    blocks: tuple[tuple[str, str, bool], ...]
    logprob: float

    @property
    def known(self) -> bool:
        """Whether all blocks have templates."""
        return all(known for *_, known in self.blocks)

    def candidate(self) -> Candidate:
        """The draft as a candidate, a sentence a line."""
        unseen = sum(not known for *_, known in self.blocks)
        return Candidate(
            "\n".join(self.sentences),
            generator=TEMPLATES,
            logprob=self.logprob,
            tokens=1,
            edits=tuple(f"wrote “{template}” for {triples}" for triples, template, _ in self.blocks),
            risk=_PER_UNSEEN * unseen,
        )


@dataclass(frozen=True, slots=True)
class _Option:
    """A template for a block, with its cost ≥ 0 beside that of the block's best."""

    template: Template
    cost: float


class Generator:
    """Writes sentences by the templates of a book."""

    def __init__(self, book: TemplateBook) -> None:
        self._book = book

    def drafts(self, sentence: str, triples: Sequence[Triple], n: int = 10, wanted: int | None = None) -> list[Draft]:
        """At most n drafts, the best first, each with another text. Triples need not be in order.

        With `wanted`, drafts of about as many sentences come first.
        """
        ordered = depth_first(triples)
        said = fuller(sentence, {entity: spelling(sentence, entity, self._book.names) for entity in entities(ordered)})
        present = frozenset(words(sentence))
        best: dict[tuple[str, ...], Draft] = {}
        # The category is that of what the tree begins with: of a place within it nothing is known.
        category, inner = self._book.category(ordered), {triple.object for triple in ordered}
        for partition, cost in self._partitions(ordered, wanted):
            options = [
                self._options(block, present, "" if block[0].subject in inner else category, said)
                for block in partition
            ]
            for chosen in _cheapest(options, n):
                draft = _draft(partition, chosen, cost, said)
                if draft.sentences not in best or best[draft.sentences].logprob < draft.logprob:
                    best[draft.sentences] = draft
        top = max(draft.logprob for draft in best.values())
        ranked = sorted(
            best.values(), key=lambda draft: (_away(draft, wanted), not draft.known, -draft.logprob, draft.sentences)
        )
        return [replace(draft, logprob=draft.logprob - top) for draft in ranked[:n]]

    def _partitions(self, triples: Sequence[Triple], wanted: int | None) -> list[tuple[Partition, float]]:
        """Partitions whose larger blocks have templates, with their costs; always the one into single triples, too."""
        candidates = self._book.partitioner.candidates(triples)
        kept = [
            (partition, -math.log(probability) - _BLOCK * len(partition))
            for partition, probability in candidates
            if all(len(block) == 1 or self._book.of(block) for block in partition)
        ]
        single = tuple((triple,) for triple in triples)
        if all(partition != single for partition, _ in kept):
            kept.append((single, 1.0 - math.log(candidates[-1][1]) - _BLOCK * len(single)))
        return sorted(kept, key=lambda costed: (abs(len(costed[0]) - wanted) if wanted else 0, costed[1]))[:_PARTITIONS]

    def _options(
        self, block: Sequence[Triple], present: frozenset[str], category: str, said: Mapping[str, Spelling]
    ) -> list[_Option]:
        templates = self._book.of(block, category)
        if not templates:
            return [_Option(unseen(block[0]), _UNSEEN)]
        familiar = present | FUNCTION_WORDS
        texts = [said[entity].text for entity in entities(block)]
        said_words = frozenset(word for text in texts for word in words(text))
        costs = [
            _STRANGE * _strange(template.text, familiar)
            - _SHARED * _shared(template.text, present - said_words)
            + _TENSE * _tense(template.text, present)
            + _DISAGREES * _clashes(template.text, texts)
            - template.score
            for template in templates
        ]
        least = min(costs)
        return [_Option(template, cost - least) for template, cost in zip(templates, costs, strict=True)]


def _away(draft: Draft, wanted: int | None) -> int:
    return 0 if wanted is None else abs(len(draft.sentences) - wanted)


def _strange(template: str, familiar: frozenset[str]) -> int:
    return len({word for word in words(template) if word.isalpha() and word not in familiar})


def _shared(template: str, present: frozenset[str]) -> int:
    return len({word for word in words(template) if word.isalpha() and word in present and word not in FUNCTION_WORDS})


def _tense(template: str, present: frozenset[str]) -> int:
    """How many finite forms of *be* and *have* a template has that the sentence has only in the other tense."""
    return sum(_OTHER_TENSE.get(word, word) in present and word not in present for word in words(template))


def _clashes(template: str, texts: Sequence[str]) -> int:
    """How often a template and its names disagree.

    A verb is singular behind several, a noun repeats a name's end (*the Region region*), *on* is before a year, *in*
    before a day.
    """
    count = 0
    for slot in re.finditer(r"\{(\d+)\} (\w+)", template):
        text, after = texts[int(slot[1])], slot[2]
        count += after in ("is", "was", "has") and _SEVERAL.search(text) is not None
        count += text.lower().endswith(f" {after}")
    for slot in re.finditer(r"\b(on|in) \{(\d+)\}", template):
        count += _DATED[slot[1]].search(texts[int(slot[2])]) is not None
    return count


def _cheapest(options: Sequence[Sequence[_Option]], n: int) -> list[tuple[_Option, ...]]:
    """The n choices of one option each that cost least, the cheapest first."""
    choices: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for block in options:
        grown = (
            (cost + option.cost, (*numbers, number)) for cost, numbers in choices for number, option in enumerate(block)
        )
        choices = heapq.nsmallest(n, grown)
    return [tuple(block[number] for block, number in zip(options, numbers, strict=True)) for _, numbers in choices]


def _draft(partition: Partition, chosen: Sequence[_Option], cost: float, said: dict[str, Spelling]) -> Draft:
    texts = [
        fill(option.template.text, [said[entity] for entity in entities(block)])
        for block, option in zip(partition, chosen, strict=True)
    ]
    return Draft(
        sentences=tuple(line for text in texts for line in text.split("\n")),
        blocks=tuple(
            (" || ".join(map(str, block)), option.template.text.replace("\n", " "), option.template.count > 0)
            for block, option in zip(partition, chosen, strict=True)
        ),
        logprob=-cost - sum(option.cost for option in chosen),
    )


def absent(sentence: str, triples: Sequence[Triple]) -> list[str]:
    """The names of the entities of which a sentence has nothing: no form of the name, no word of it, no number."""
    present = words(sentence)
    return [
        entity_name(entity)
        for entity in entities(triples)
        if not mentions(sentence, entity) and not any(_among(word, present) for word in words(entity_name(entity)))
    ]


def _among(word: str, others: Sequence[str]) -> bool:
    if word[:1].isdigit() or len(word) < _ROOT:
        return len(word) > 2 and word in others
    return any(other.startswith(word[:_ROOT]) or _alike(word, other) for other in others)


def _alike(word: str, other: str) -> bool:
    """Whether two words are one name, one of them misspelt."""
    if abs(len(word) - len(other)) > 1 or min(len(word), len(other)) <= _ROOT:
        return False
    return difflib.SequenceMatcher(None, word, other, autojunk=False).ratio() > _ALIKE


def strangers(sentence: str, triples: Sequence[Triple]) -> str:
    """Why triples do not belong to a sentence, which has fewer than half of their entities; empty where they do."""
    missing = absent(sentence, triples)
    if 2 * len(missing) <= len(entities(triples)):
        return ""
    names = ", ".join(repr(name) for name in missing[:_SHOWN])
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    verb = "is" if len(missing) == 1 else "are"
    return f"The triples do not belong to the sentence: {names}{more} {verb} not in it."


def check_sentences(sentence: str, triples: Sequence[Triple], candidate: str) -> list[Violation]:
    """What sentences written for triples leave out of the sentence, or say beyond it and the triples; empty if nothing.

    All numbers and names of the sentence must be there. A number, a name, a unit or a denial may be there only if the
    sentence or the triples have it; other words are the templates'. Kinds: `number`, `name`, `negation`, `invented`.
    """
    entity_words = [word for entity in entities(triples) for word in words(entity_name(entity))]
    known = [*words(sentence), *entity_words, *(word for t in triples for word in words(property_name(t.property)))]
    said = words(candidate)
    name_words = [word for entity in entities(triples) for word in words(own_name(entity))]
    wanted = dict.fromkeys([*_numbers(sentence), *_names(sentence, name_words)])
    violations = [
        Violation("number" if word[0].isdigit() else "name", word, f"drops {word!r}")
        for word in wanted
        if not (word in said or (len(word) >= _ROOT and not word[0].isdigit() and _among(word, said)))
    ]
    new = [word for word in dict.fromkeys(said) if word not in known]
    named = set(_names(candidate, ()))
    for word in new:
        if word[0].isdigit():
            violations.append(Violation("number", word, f"adds {word!r}"))
        elif word in DENYING:
            violations.append(Violation("negation", word, f"denies with {word!r}"))
        elif word in named and not _among(word, known):
            violations.append(Violation("name", word, f"adds {word!r}"))
        elif word in UNIT_WORDS:
            violations.append(Violation("invented", word, f"adds {word!r}"))
    return violations


def _numbers(text: str) -> list[str]:
    return [word for word in words(text) if word[0].isdigit()]


def _names(text: str, also: Sequence[str]) -> list[str]:
    """Words with a capital, in lower case; those that open a sentence only if they are among `also`."""
    names = []
    for line in text.split("\n"):
        opens = True
        for match in _NAME.finditer(line):
            word = match.group()
            lower = fold(word).lower()
            inner = any(c.isupper() for c in word[1:])
            if word[0].isupper() and lower not in FUNCTION_WORDS and (not opens or inner or lower in also):
                names.append(lower)
            opens = line[match.end() : match.end() + 2] == ". " and len(word) > 3
    return names
