"""Names, Latin-script words and quotations, and the rules for them: all must be the source's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.guard import Violation

_SENTENCE_END = frozenset({".", "!", "?", "…", ";", ":", "•"})
_OPENING = frozenset({"«", '"', "“", "„", "(", "—", "–", "-", "'", "["})
_LINK = frozenset({"и", "по", "в", "на", "о", "об", "за", "при", "для", "с"})
_FUNCTION = frozenset({"PREP", "CONJ", "PRCL", "NPRO", "INTJ"})
# Abbreviations that name no entity.
_GENERIC = frozenset({"сми", "вуз", "тв", "пк", "днк", "рнк"})
# How alike an unknown first word and a word of the source are when one is a misprint of the other.
_MISPRINT = 0.7
_PAIRS = {"«": "»", "„": "“”", "“": "”"}
_LONG = 3


def _groups_of_names() -> tuple[dict[str, tuple[str, ...]], dict[tuple[str, ...], str]]:
    groups: dict[str, tuple[str, ...]] = {}
    phrases: dict[tuple[str, ...], str] = {}
    for row in LISTS.rows("names"):
        first, *_ = names = row.split()
        for name in names:
            if "_" in name:
                phrases[tuple(name.split("_"))] = first
            else:
                groups[name] = (*groups.get(name, ()), first)
    return groups, phrases


#: Folded lemma → its groups, and words of a phrase (as stems are compared, in any case) → group.
GROUPS, PHRASES = _groups_of_names()


def names_of(words: Sequence[Word]) -> list[Word]:
    """Tokens that look like names: capitals, at the start of a sentence only where the word is a name."""
    names = []
    start = True
    shouting = sum(word.upper for word in words) > len(words) / 3
    for i, word in enumerate(words):
        kind = word.kind
        if kind == "mark":
            text = word.text
            if text in _SENTENCE_END:
                previous = words[i - 1] if i else word
                start = text != "." or not (previous.kind == "word" and len(previous.text) == 1 and previous.capital)
            elif text not in _OPENING:
                start = False
            elif text in {"—", "–", "-"}:
                start = start or i == 0
            continue
        if kind == "word":
            if word.capital:
                telling = not start or word.upper or not (word.known or word.compound)
                if (
                    word.name
                    or (
                        telling
                        and not shouting
                        and word.value is None
                        and not _grammatical(word)
                        and word.low not in _GENERIC
                    )
                    or word.lemma in GROUPS
                ):
                    names.append(word)
            elif word.lemma in GROUPS:
                names.append(word)
        elif kind == "code":
            names.append(word)
        start = False
    return names


def _grammatical(word: Word) -> bool:
    return word.pronoun or (word.known and word.top in _FUNCTION and not word.namelike)


class NameIndex:
    """Everything in a source that can support a name, and the answers given so far."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = [word for word in words if word.kind in {"word", "latin", "code", "roman"}]
        self._keys = {key for word in self._words for key in word.names}
        self._groups = set(_groups(self._words))
        self._initials = "".join(word.low[0] for word in self._words)
        self._initials_content = "".join(word.low[0] for word in self._words if word.low not in _LINK)
        self._known: dict[str, bool] = {}

    def supports(self, word: Word) -> bool:
        """Whether the source names what `word` names: same lemma or stem, alias, initials, adjective of a place."""
        known = self._known.get(word.text)
        if known is None:
            known = self._known[word.text] = self._supports(word)
        return known

    def _supports(self, word: Word) -> bool:
        if word.kind == "code":
            return word.low in self._keys
        if word.names & self._keys or self._groups.intersection(_groups([word])):
            return True
        if len(word.low) == 1:
            return any(w.capital and w.low.startswith(word.low) for w in self._words)
        if word.upper and len(word.low) <= 6 and (word.low in self._initials or word.low in self._initials_content):
            return True
        return self._place_adjective(word) or self._inside(word) or self._blend(word) or self._misprint(word)

    def _inside(self, word: Word) -> bool:
        # русский ← русскоязычный, Египет ← древнеегипетский
        groups = set(_groups([word]))
        stems = {word.stem} | {name[:-2] for name, members in GROUPS.items() if groups & set(members)}
        if any(len(stem) >= 5 and stem in other.low for stem in stems for other in self._words):
            return True
        # Черное море ← черноморский, Франция ← франко-шведский: first part, linking vowel, second part.
        base = re.sub("(?:ск|ц)$", "", word.stem)
        start = re.compile(re.escape(base[: max(4, len(base) - 1)]) + ".?[ое]-?.{4}")
        return len(base) >= 4 and any(start.match(other.low) for other in self._words)

    def _misprint(self, word: Word) -> bool:
        # An unknown word that resembles a common noun of the source is that noun misspelt, not a new name.
        if word.known or word.name:
            return False
        return any(
            (not other.capital or (other.known and not other.name))
            and SequenceMatcher(None, word.low, other.low).ratio() >= _MISPRINT
            for other in self._words
        )

    def _place_adjective(self, word: Word) -> bool:
        # московский ↔ Москва: one of the two is an adjective, and they share their stem.
        for other in self._words:
            if not other.capital and not _adjective(other):
                continue
            if _adjective(word) != _adjective(other):
                base = (word if _adjective(word) else other).low
                noun = (other if _adjective(word) else word).low
                shared = _shared(base, noun)
                if shared >= 4 and shared >= len(noun) - 4 and shared >= len(base) - 8:
                    return True
        return False

    def _blend(self, word: Word) -> bool:
        # Генштаб ← Генеральный штаб, Минобороны ← Министерство обороны.
        low = word.low
        if len(low) < 6:
            return False
        for first, second in zip(self._words, self._words[1:], strict=False):
            shared = _shared(low, first.low)
            for cut in range(min(shared, len(low) - 3), 1, -1):
                if _shared(low[cut:], second.low) >= max(3, len(low) - cut - 3):
                    return True
        return False


def _adjective(word: Word) -> bool:
    return word.top == "ADJF"


def _shared(left: str, right: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _groups(words: Sequence[Word]) -> Iterable[str]:
    for i, word in enumerate(words):
        for lemma in (word.lemma, word.low, *word.parts):
            if lemma in GROUPS:
                yield from GROUPS[lemma]
        if word.capital:
            for phrase, group in PHRASES.items():
                if _phrase(words[i : i + len(phrase)], phrase):
                    yield group


def _phrase(words: Sequence[Word], phrase: tuple[str, ...]) -> bool:
    return len(words) == len(phrase) and all(
        _shared(word.low, name) >= min(len(name), len(word.low)) - 3 >= 1
        for word, name in zip(words, phrase, strict=True)
    )


def changed_names(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Names that nothing in the source supports."""
    index = source.of(NameIndex)
    for word in candidate.of(names_of):
        if not index.supports(word):
            yield Violation("entity", word.text, f"the name {word.text} is not in the source")


def swapped_roles(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«A победил B» turned into «B победил A»: two names exchange subject and object of the same active verb.

    Seen only where the forms tell: one name can only be a subject, the other cannot be one.
    """
    if not any(word.top == "VERB" for word in candidate.words):
        return
    was, now = _roles(source), _roles(candidate)
    swapped = sorted(name for name in was.keys() & now.keys() if was[name] != now[name])
    subject = next((name for name in swapped if now[name]), "")
    other = next((name for name in swapped if not now[name]), "")
    if subject and other and _active_verbs(source) & _active_verbs(candidate):
        yield Violation("entity", subject, f"«{subject}» and «{other}» have exchanged their roles")


def _roles(text: Facts) -> dict[str, bool]:
    """Lemma of each name → whether it is a subject (only nominative) or surely not one; unclear ones are left out."""
    roles_of: dict[str, set[bool]] = {}
    for before, word in zip([None, *text.words], text.words, strict=False):
        if word.capital and word.cases and "NOUN" in word.pos and (before is None or before.top != "PREP"):
            clear = word.cases == {"nomn"} or "nomn" not in word.cases
            if clear and word.cases - {"gent", "loct"}:
                roles_of.setdefault(word.lemma, set()).add("nomn" in word.cases)
    return {name: roles.pop() for name, roles in roles_of.items() if len(roles) == 1}


def _active_verbs(text: Facts) -> set[str]:
    return {
        key for word in text.words if word.top == "VERB" and not word.low.endswith(("ся", "сь")) for key in word.keys
    }


def find_quotes(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The quoted passages, nested ones too; a quote that is never closed runs to the end of the text."""
    quotes: list[tuple[Word, ...]] = []
    open_at: list[tuple[str, int]] = []
    for i, word in enumerate(words):
        mark = word.text
        if word.kind != "mark":
            continue
        if open_at and mark in open_at[-1][0]:
            quotes.append(tuple(words[open_at.pop()[1] : i]))
        elif mark in _PAIRS:
            open_at.append((_PAIRS[mark], i + 1))
        elif mark == '"':
            open_at.append(('"', i + 1))
    quotes.extend(tuple(words[start:]) for _, start in open_at)
    return [quote for quote in quotes if any(word.kind != "mark" for word in quote)]


def latin_tokens(words: Sequence[Word]) -> list[Word]:
    """Tokens in Latin script, Roman numerals left out."""
    return [word for word in words if word.kind == "latin"]


class Quotes:
    """The passages of a source that may be quoted, and its Latin words."""

    def __init__(self, words: Sequence[Word]) -> None:
        # Words of the source may be put in quotation marks as they stand: that alone says nothing new.
        self.passages = [*(_content(quote) for quote in find_quotes(words)), _content(words)]
        self.latin = {part for word in words if word.kind in {"latin", "code", "roman"} for part in _spellings(word)}

    def supports(self, quote: Sequence[Word]) -> bool:
        """Whether `quote` stands in the source, unbroken and in its order.

        Up to three words (titles) may be inflected; longer ones must keep every word form.
        """
        content = _content(quote)
        size = len(content)
        same = _same_form if size > _LONG else _same_lemma
        return any(
            all(same(a, b) for a, b in zip(passage[i : i + size], content, strict=True))
            for passage in self.passages
            for i in range(len(passage) - size + 1)
        )

    def supports_latin(self, word: Word) -> bool:
        """Whether the source has this Latin word, up to case and hyphens."""
        return word.low in self.latin or all(part in self.latin for part in _pieces(word.low))


def _content(quote: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in quote if word.kind != "mark")


def _same_form(left: Word, right: Word) -> bool:
    return left.low == right.low


def _same_lemma(left: Word, right: Word) -> bool:
    return left.low == right.low or bool(left.kind == "word" and left.lemmas & right.lemmas)


def _pieces(text: str) -> list[str]:
    return [part for part in text.replace("‑", "-").replace("’", "-").replace("'", "-").split("-") if part]


def _spellings(word: Word) -> list[str]:
    return [word.low, *_pieces(word.low)]


def changed_latin(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Latin-script words that the source does not have."""
    for word in latin_tokens(candidate.words):
        if not source.of(Quotes).supports_latin(word) and not source.of(NameIndex).supports(word):
            yield Violation("latin", word.text, f"{word.text} is not in the source")


def changed_quotes(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Quotations whose words the source does not quote in this order."""
    for quote in find_quotes(candidate.words):
        if not source.of(Quotes).supports(quote):
            text = " ".join(word.text for word in quote)
            yield Violation("quotation", text, f"«{text}» is not quoted in the source")
