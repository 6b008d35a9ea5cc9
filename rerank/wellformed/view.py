"""What the rules look at: words with all their readings, the parse as a graph, and the words lost from the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

from rerank.analysis import Analysis
from rerank.tree import Tree

if TYPE_CHECKING:
    from rerank.wellformed.readings import Form, Grammar


Fault = tuple[str, str]
"""What a rule finds: the piece of text, and the reason in words."""
CLOSING = frozenset(".!?…»”)]}")
DASHES = frozenset({"—", "–", "-", "--"})


class View(Tree):
    """The tokens of all sentences of a text, with readings. Needs the layers `morph` and `syntax`; without a `grammar`
    no word has readings.
    """

    def __init__(self, analysis: Analysis, grammar: Grammar | None = None) -> None:
        super().__init__(analysis.tokens)
        self.text = analysis.text
        self.lower = [token.text.lower().replace("ё", "е") for token in self.tokens]
        self.spans: list[tuple[int, int]] = []
        self._grammar = grammar
        self.heads = []
        for sentence in analysis.sentences:
            start = len(self.heads)
            self.heads += [start + head if head >= 0 else -1 for head in Tree(sentence.tokens).heads]
            self.spans.append((start, len(self.heads)))

    def forms(self, index: int) -> tuple[Form, ...]:
        """All readings of a token; empty outside the text and for punctuation."""
        return self._readings[index] if 0 <= index < len(self.tokens) else ()

    @cached_property
    def _readings(self) -> list[tuple[Form, ...]]:
        if self._grammar is None:
            return [()] * len(self.tokens)
        forms = self._grammar.forms
        return [forms(word) if is_word else () for word, is_word in zip(self.lower, self._words, strict=True)]

    def is_word(self, index: int) -> bool:
        return self._words[index]

    @cached_property
    def _words(self) -> list[bool]:
        return [word.isalnum() or any(character.isalnum() for character in word) for word in self.lower]

    def is_comma(self, index: int) -> bool:
        return 0 <= index < len(self.tokens) and self.tokens[index].text == ","

    def word(self, number: int) -> str:
        """The lowercased token, ё folded, or an empty string outside the text."""
        return self.lower[number] if 0 <= number < len(self.tokens) else ""

    def feat(self, index: int, name: str) -> str:
        return self.tokens[index].feats.get(name, "")

    def child_relations(self, index: int) -> set[str]:
        """Relations of the children of a token, without their subtypes."""
        return {self.relation(child) for child in self.children[index]}

    def sentence_of(self, index: int) -> tuple[int, int]:
        """First token of the sentence around `index`, and one past its last."""
        return next(span for span in self.spans if span[0] <= index < span[1])

    def lemmas(self, index: int) -> set[str]:
        return {form.lemma for form in self.forms(index)} or {self.word(index)}

    def quote(self, start: int, stop: int) -> str:
        """The text from token `start` up to and including token `stop`, cut to the text."""
        start, stop = max(start, 0), min(stop, len(self.tokens) - 1)
        return self.text[self.tokens[start].start : self.tokens[stop].stop]

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
