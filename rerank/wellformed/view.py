"""What the rules look at: words with all their readings, the parse as a graph, and the words lost from the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from pathlib import Path

from rerank.analysis import Analysis
from rerank.morphology import Morphology, Parse
from rerank.surface import Surface
from rerank.wordlists import WordLists

LISTS = WordLists(Path(__file__).with_name("ru.txt"))
CLOSING = frozenset(".!?…»”)]}")
DASHES = frozenset({"—", "–", "-", "--"})
_CASES = LISTS.classes("cases")
_NUMBERS = {"sing": "sing", "plur": "plur"}
_GENDERS = {"masc": "m", "femn": "f", "neut": "n"}
_PERSONS = {"1per": "1", "2per": "2", "3per": "3"}
_TENSES = {"past": "past", "pres": "pres", "futr": "futr"}
_NOMINAL = frozenset({"NOUN", "NPRO"})
_ADJECTIVAL = frozenset({"ADJF", "PRTF"})


@dataclass(frozen=True, slots=True)
class Form:
    """One reading of a word. Unmarked categories are empty; `number` is `sing` or `plur`, `gender` one letter."""

    pos: str
    lemma: str
    case: str
    number: str
    gender: str
    person: str
    tense: str
    grammemes: frozenset[str]
    known: bool

    @property
    def nominal(self) -> bool:
        return self.pos in _NOMINAL

    @property
    def adjectival(self) -> bool:
        return self.pos in _ADJECTIVAL


def _form(parse: Parse, known: bool) -> Form:
    def category(values: Mapping[str, str]) -> str:
        return next((value for grammeme, value in values.items() if grammeme in parse.grammemes), "")

    return Form(
        pos=str(parse.pos),
        lemma=parse.lemma.replace("ё", "е"),
        case=category(_CASES),
        number=category(_NUMBERS),
        gender=category(_GENDERS),
        person=category(_PERSONS),
        tense=category(_TENSES),
        grammemes=parse.grammemes,
        known=known,
    )


class Grammar:
    """All readings of a word, remembered for the last `cache_size` distinct words."""

    def __init__(self, morphology: Morphology, *, cache_size: int = 50_000) -> None:
        self._morphology = morphology
        self.forms: Callable[[str], tuple[Form, ...]] = lru_cache(maxsize=cache_size)(self._forms)

    def _forms(self, word: str) -> tuple[Form, ...]:
        known = self._morphology.known(word)
        return tuple(_form(parse, known) for parse in self._morphology.parse(word))


class View(Surface):
    """Tokens of a text with heads, children and readings.

    Needs the layers `morph` and `syntax`. The parser may answer with several roots or with a cycle, so nothing here
    assumes a tree.
    """

    def __init__(self, analysis: Analysis, grammar: Grammar) -> None:
        super().__init__(analysis)
        self.spans: list[tuple[int, int]] = []
        self.head: list[int] = []
        self._grammar = grammar
        for sentence in analysis.sentences:
            start = len(self.head)
            for place, token in enumerate(sentence.tokens):
                own = token.head < 0 or token.head == place
                self.head.append(-1 if own else start + token.head)
            self.spans.append((start, len(self.head)))

    def forms(self, index: int) -> tuple[Form, ...]:
        """All readings of a token; empty outside the text and for punctuation."""
        return self._readings[index] if 0 <= index < len(self.tokens) else ()

    @cached_property
    def _readings(self) -> list[tuple[Form, ...]]:
        forms = self._grammar.forms
        return [forms(word) if is_word else () for word, is_word in zip(self.lower, self._words, strict=True)]

    def is_word(self, index: int) -> bool:
        return self._words[index]

    @cached_property
    def _words(self) -> list[bool]:
        return [word.isalnum() or any(character.isalnum() for character in word) for word in self.lower]

    def is_comma(self, index: int) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].text == ","

    def word(self, index: int) -> str:
        """The lowercased token, ё folded, or an empty string outside the text."""
        return self.lower[index] if 0 <= index < len(self.tokens) else ""

    def feat(self, index: int, name: str) -> str:
        return self.tokens[index].feats.get(name, "")

    @cached_property
    def children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.tokens]
        for index, head in enumerate(self.head):
            if head >= 0:
                children[head].append(index)
        return children

    def rels(self, index: int) -> set[str]:
        """Relations of the children of a token, without their subtypes."""
        return {self.tokens[child].rel.partition(":")[0] for child in self.children[index]}

    def subtree(self, index: int) -> set[int]:
        found, queue = {index}, [index]
        while queue:
            for child in self.children[queue.pop()]:
                if child not in found:
                    found.add(child)
                    queue.append(child)
        return found

    def sentence_of(self, index: int) -> tuple[int, int]:
        """First token of the sentence around `index`, and one past its last."""
        return next(span for span in self.spans if span[0] <= index < span[1])

    def lemmas(self, index: int) -> set[str]:
        return {form.lemma for form in self.forms(index)} or {self.word(index)}

    def ends_clause(self, index: int) -> bool:
        """Whether the text is over at `index`, or a mark stands there that nothing can reach across."""
        return index >= len(self.tokens) or self.tokens[index].text[0] in CLOSING or self.tokens[index].text in ";"

    def is_finite(self, index: int) -> bool:
        """A finite verb, short adjective or participle, or a predicative word, by tagger and dictionary together."""
        return self._finite[index]

    @cached_property
    def _finite(self) -> list[bool]:
        return [self._read_finite(index) for index in range(len(self.tokens))]

    def _read_finite(self, index: int) -> bool:
        token = self.tokens[index]
        tagged = token.feats.get("VerbForm") == "Fin" or token.feats.get("Variant") == "Short"
        forms = self.forms(index)
        if any(form.pos == "PRED" for form in forms):
            return True
        read = any(form.pos in ("VERB", "ADJS", "PRTS") for form in forms)
        return read and (tagged or token.pos in ("VERB", "AUX") or all(f.pos in ("VERB", "PRTS") for f in forms))


class Alignment:
    """Which words of the source the candidate kept.

    `kept[i]` is the candidate's index of source token i, −1 where it is gone. A word is `dropped` only where it was
    cut out with nothing put in its place and its lemma does not reappear among the candidate's new words; a word
    that was reworded is neither kept nor dropped, and no rule may speak about it.
    """

    def __init__(self, source: View, candidate: View) -> None:
        self.source = source
        self.candidate = candidate
        self.kept = [-1] * len(source)
        self.origin = [-1] * len(candidate)
        cut: list[int] = []
        matcher = SequenceMatcher(None, source.lower, candidate.lower, autojunk=False)
        for kind, i1, i2, j1, j2 in matcher.get_opcodes():
            if kind == "equal":
                for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
                    self.kept[i], self.origin[j] = j, i
            elif kind == "delete" or not any(candidate.is_word(j) for j in range(j1, j2)):
                cut.extend(range(i1, i2))
        new = {
            lemma for j, i in enumerate(self.origin) if i < 0 and candidate.is_word(j) for lemma in candidate.lemmas(j)
        }
        # Of two equal words it is anybody's guess which was cut.
        again = (Counter(source.lower) - Counter(candidate.lower)).keys() & set(candidate.lower)
        self.dropped = {
            i for i in cut if not source.is_word(i) or not (source.lemmas(i) & new or source.lower[i] in again)
        }
        words = [j for j in range(len(candidate)) if candidate.is_word(j)]
        self.share = sum(self.origin[j] >= 0 for j in words) / len(words) if words else 0.0

    def kept_tokens(self) -> Iterator[tuple[int, int]]:
        """Pairs of source and candidate index."""
        return ((i, j) for i, j in enumerate(self.kept) if j >= 0)

    def hole(self, i: int) -> bool:
        """Whether source token `i` alone was cut, its neighbours now standing side by side."""
        before = self.kept[i - 1] if i else -1
        closed = i + 1 < len(self.kept) and self.kept[i + 1] == before + 1
        return i in self.dropped and closed and (i == 0 or before >= 0)
