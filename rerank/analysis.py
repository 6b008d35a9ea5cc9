"""Russian tokens, morphology, dependency parse and named entities, computed once per distinct text.

The taggers are slovnet's, with the models that the `natasha` wheel carries, run by `rerank.taggers`: several times as
fast as through `natasha.Doc` on texts that resemble each other, with the same values.
"""

from __future__ import annotations

import importlib.util
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from razdel import sentenize, tokenize

from rerank.errors import ModelNotFound

if TYPE_CHECKING:
    from rerank.loading import Models
    from rerank.morphology import Morphology
    from rerank.taggers import EntityTagger, MorphTagger, SyntaxParser, Windows

Span = tuple[int, int, str]
"""Start, stop and text."""

LAYERS = ("morph", "syntax", "entities")
# A parser scores every pair of words: a huge "sentence" is cut for the taggers, not refused.
_LONGEST = 400
# Words that are tagged at once; more take memory, fewer share less.
_WORDS_AT_ONCE = 12_000


def tokens(text: str) -> list[Span]:
    """The tokens of a text."""
    return [(token.start, token.stop, token.text) for token in tokenize(text)]


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without the spaces around them."""
    return [(sentence.start, sentence.stop, sentence.text) for sentence in sentenize(text)]


@dataclass(slots=True, eq=False)
class Token:
    """A razdel token. Offsets are in characters of the whole text; `head` indexes the sentence, −1 for a root.

    `pos`, `feats`, `head` and `rel` (Universal Dependencies) hold only once their layer was asked for.
    """

    text: str
    start: int
    stop: int
    pos: str = ""
    feats: dict[str, str] = field(default_factory=dict, repr=False)
    head: int = -1
    rel: str = ""


@dataclass(slots=True, eq=False)
class Entity:
    """A named entity: character span and type `PER`, `LOC` or `ORG`."""

    start: int
    stop: int
    type: str
    text: str


@dataclass(slots=True, eq=False)
class Sentence:
    """A sentence of a text: character span and its tokens."""

    start: int
    stop: int
    text: str
    tokens: list[Token]


@dataclass(slots=True, eq=False)
class Analysis:
    """Sentences, tokens and entities of one text; `layers` says which of an analyser's layers are filled in."""

    text: str
    sentences: list[Sentence]
    entities: tuple[Entity, ...] = ()
    layers: set[str] = field(default_factory=set)

    @property
    def tokens(self) -> list[Token]:
        return [token for sentence in self.sentences for token in sentence.tokens]


def _segment(text: str) -> list[Sentence]:
    if not text.strip():
        return []
    segments = [Sentence(*span, []) for span in sentences(text)]
    # Tokens of the whole text are shared out, as natasha does: tokenising each sentence alone may differ at its edges.
    position = 0
    for start, stop, token in tokens(text):
        while start >= segments[position].stop and position < len(segments) - 1:
            position += 1
        segments[position].tokens.append(Token(token, start, stop))
    return [sentence for sentence in segments if sentence.tokens]


def _data_folder() -> Path:
    # The models are found without importing natasha, which would load pymorphy2 and yargy for nothing.
    spec = importlib.util.find_spec("natasha")
    if spec is None or spec.origin is None:
        raise ModelNotFound("natasha is not installed.", hint="Run: pip install natasha")
    return Path(spec.origin).parent / "data"


class Analyzer:
    """Analyses texts in batches and remembers the last `cache_size` distinct ones.

    Nothing is loaded until the first text needs it: each tagger is read on its own, on first use.
    """

    language = "ru"
    layers: tuple[str, ...] = LAYERS
    """What may be asked for beside sentences and tokens."""

    def __init__(self, *, cache_size: int = 20_000) -> None:
        self._cache: OrderedDict[str, Analysis] = OrderedDict()
        self.cache_size = cache_size

    @cached_property
    def navec(self) -> Any:
        """The word vectors inside natasha (250 k words × 300 dimensions, quantised), with corpus counts."""
        return self._models.navec

    @cached_property
    def morphology(self) -> Morphology:
        """The one dictionary that whoever holds this analyser shares."""
        from rerank.morphology import Morphology

        return Morphology()

    @cached_property
    def _models(self) -> Models:
        from rerank.loading import Models

        return Models(_data_folder())

    @cached_property
    def _morph(self) -> MorphTagger:
        from rerank.taggers import MorphTagger

        return MorphTagger(self._models.morph())

    @cached_property
    def _syntax(self) -> SyntaxParser:
        from rerank.taggers import SyntaxParser

        return SyntaxParser(self._models.syntax())

    @cached_property
    def _ner(self) -> EntityTagger:
        from rerank.taggers import EntityTagger

        return EntityTagger(self._models.ner())

    def load(self, layers: Iterable[str] = LAYERS) -> None:
        """Load the taggers of `layers` now rather than at the first text."""
        for layer in layers:
            getattr(self, {"morph": "_morph", "syntax": "_syntax", "entities": "_ner"}[layer])

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        """One `Analysis` per text, in order, with at least the `layers` asked for.

        Distinct texts are analysed once, neighbours together. The result is shared: treat it as read-only. Raises
        `ValueError` for what is none of `layers`.
        """
        wanted = tuple(layers)
        if unknown := [layer for layer in wanted if layer not in self.layers]:
            raise ValueError(f"unknown analysis layer {unknown[0]!r}, known: {', '.join(self.layers) or 'none'}")
        distinct = dict.fromkeys(texts)
        new = [text for text in distinct if text not in self._cache]
        begun = dict(zip(new, self._begin(new), strict=True)) if new else {}
        analyses = {text: begun.get(text) or self._cache[text] for text in distinct}
        for layer in wanted:
            missing = [a for a in analyses.values() if layer not in a.layers]
            if missing:
                fill: Callable[[list[Analysis]], None] = getattr(self, f"_fill_{layer}")
                fill(missing)
                for analysis in missing:
                    analysis.layers.add(layer)
        self._remember(analyses)
        return [analyses[text] for text in texts]

    def analyze_one(self, text: str, layers: Iterable[str] = ()) -> Analysis:
        """`analyze` for a single text."""
        return self.analyze([text], layers)[0]

    def _remember(self, analyses: dict[str, Analysis]) -> None:
        for text, analysis in analyses.items():
            self._cache[text] = analysis
            self._cache.move_to_end(text)
        while len(self._cache) > self.cache_size:
            self._cache.popitem(last=False)

    def _begin(self, texts: list[str]) -> list[Analysis]:
        """Analyses of texts that are not remembered, with what there is at once."""
        return [Analysis(text, _segment(text)) for text in texts]

    def _fill_morph(self, analyses: list[Analysis]) -> None:
        for pieces, words, windows in _batches(_pieces(analyses)):
            for piece, tags in zip(pieces, self._morph(words, windows), strict=True):
                for token, (pos, feats) in zip(piece.tokens, tags, strict=True):
                    token.pos = pos
                    token.feats = feats

    def _fill_syntax(self, analyses: list[Analysis]) -> None:
        for pieces, words, windows in _batches(_pieces(analyses)):
            for piece, arcs in zip(pieces, self._syntax(words, windows), strict=True):
                for token, (head, rel) in zip(piece.tokens, arcs, strict=True):
                    token.head = head - 1 + piece.offset if head else -1
                    token.rel = rel

    def _fill_entities(self, analyses: list[Analysis]) -> None:
        from slovnet.bio import bio_spans

        # The tagger sees whole texts, as in natasha; very long ones are tagged sentence by sentence.
        jobs: list[_Piece] = []
        owners: list[Analysis] = []
        for analysis in analyses:
            tokens = analysis.tokens
            parts = [_Piece(0, tokens)] if len(tokens) <= _LONGEST else _pieces([analysis])
            jobs += parts
            owners += [analysis] * len(parts)
        spans: dict[int, list[Entity]] = {id(a): [] for a in analyses}
        owner = iter(owners)
        for pieces, words, windows in _batches(jobs):
            for piece, tags in zip(pieces, self._ner(words, windows), strict=True):
                analysis = next(owner)
                spans[id(analysis)].extend(
                    Entity(s.start, s.stop, s.type, analysis.text[s.start : s.stop])
                    for s in bio_spans(piece.tokens, tags)
                )
        for analysis in analyses:
            analysis.entities = tuple(spans[id(analysis)])


class _Piece(NamedTuple):
    """What a tagger sees at once: tokens of one sentence from `offset` on."""

    offset: int
    tokens: list[Token]


def _pieces(analyses: list[Analysis]) -> list[_Piece]:
    """Sentences as work for the taggers; those over `_LONGEST` tokens are cut."""
    sentences = (sentence for analysis in analyses for sentence in analysis.sentences)
    return [
        _Piece(start, sentence.tokens[start : start + _LONGEST])
        for sentence in sentences
        for start in range(0, len(sentence.tokens), _LONGEST)
    ]


def _batches(pieces: list[_Piece]) -> Iterator[tuple[list[_Piece], list[list[str]], Windows]]:
    """Pieces in order, about `_WORDS_AT_ONCE` words at a time, with their words and windows."""
    from rerank.taggers import Windows

    start, words = 0, 0
    for stop, piece in enumerate(pieces, start=1):
        words += len(piece.tokens)
        if words >= _WORDS_AT_ONCE or stop == len(pieces):
            batch = pieces[start:stop]
            sequences = [[token.text for token in piece.tokens] for piece in batch]
            yield batch, sequences, Windows(sequences)
            start, words = stop, 0
