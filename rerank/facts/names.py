"""Named entities: which capitalised words a candidate may use, given its source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rerank.facts.gazetteer import GROUPS, PHRASES
from rerank.facts.words import Word

__all__ = ["NameIndex", "name_tokens"]

_SENTENCE_END = frozenset({".", "!", "?", "…", ";", ":", "•"})
_OPENING = frozenset({"«", '"', "“", "„", "(", "—", "–", "-", "'", "["})
_PLACE_ADJECTIVE = ("ский", "цкий", "ской", "жский", "ов", "ин")
_LINK = frozenset({"и", "по", "в", "на", "о", "об", "за", "при", "для", "с"})
# Common nouns that texts write with a capital now and then; no entity of their own.
_COMMON = frozenset(
    "бог интернет земля солнце луна вселенная церковь император король президент царь князь государство республика "
    "империя федерация союз область край район город война мир революция господь вера север юг запад восток "
    "северный южный западный восточный церковный".split()
)
_PEOPLE = frozenset({"nomn", "gent", "datv", "accs", "ablt", "loct"})


def name_tokens(words: Sequence[Word]) -> list[int]:
    """Positions of tokens that look like names: capitals inside a sentence, and at its start where the word is a name."""
    found = []
    start = True
    for i, word in enumerate(words):
        kind = word.kind
        if kind == "mark":
            text = word.text
            if text in _SENTENCE_END:
                start = text != "." or not (i and len(words[i - 1].text) == 1 and words[i - 1].capital)
            elif text not in _OPENING:
                start = False
            elif text in {"—", "–", "-"}:
                start = start or i == 0
            continue
        if kind == "word":
            if word.capital:
                if not start or word.upper or word.name or not word.known:
                    found.append(i)
            elif GROUPS.get(word.lemma):
                found.append(i)
        elif kind == "code":
            found.append(i)
        start = False
    return found


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
        if word.parts and all(self._part(part) for part in word.parts if part not in _LINK):
            return True
        return self._place_adjective(word) or self._blend(word)

    def _part(self, part: str) -> bool:
        return part in self._keys or any(_shared(part, w.low) >= max(4, len(part) - 3) for w in self._words)

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
    return "ADJF" in word.pos and ("ск" in word.low[-6:] or "цк" in word.low[-6:])


def _shared(left: str, right: str) -> int:
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count


def _groups(words: Sequence[Word]) -> Iterable[str]:
    for i, word in enumerate(words):
        for lemma in (word.lemma, word.low, *word.parts):
            if lemma in GROUPS:
                yield GROUPS[lemma]
        if word.capital:
            for phrase, group in PHRASES.items():
                if _phrase(words[i : i + len(phrase)], phrase):
                    yield group


def _phrase(words: Sequence[Word], phrase: tuple[str, ...]) -> bool:
    return len(words) == len(phrase) and all(
        _shared(word.low, name) >= min(len(name), len(word.low)) - 3 >= 1 for word, name in zip(words, phrase, strict=True)
    )
