"""Russian tokens, morphology, dependency parse and named entities, computed once per distinct text.

The taggers are slovnet's, with the models that the `natasha` wheel carries. They are called directly rather than
through `natasha.Doc`: batches sorted by length and no object per markup make them about twice as fast, with the same
values (`benchmarks/scoring.py` compares the two).
"""

from __future__ import annotations

import importlib.util
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from razdel import sentenize, tokenize

from rerank.errors import ModelNotFound

__all__ = ["LAYERS", "Analysis", "Analyzer", "Entity", "Sentence", "Token"]

LAYERS = ("morph", "syntax", "entities")
_BATCH = 32
# slovnet's convolutions hold [batch, length, channels] arrays: a huge "sentence" is cut for the taggers, not refused.
_LONGEST = 400


class Token:
    """A razdel token. Offsets are in characters of the whole text; `head` indexes the sentence, −1 for a root.

    `pos`, `feats`, `head` and `rel` (Universal Dependencies) hold only once their layer was asked for.
    """

    __slots__ = ("feats", "head", "pos", "rel", "start", "stop", "text")

    def __init__(self, text: str, start: int, stop: int) -> None:
        self.text = text
        self.start = start
        self.stop = stop
        self.pos = ""
        self.feats: dict[str, str] = {}
        self.head = -1
        self.rel = ""

    def __repr__(self) -> str:
        return f"Token({self.text!r}, {self.pos}, head={self.head}, rel={self.rel})"


class Entity:
    """A named entity: character span and type `PER`, `LOC` or `ORG`."""

    __slots__ = ("start", "stop", "text", "type")

    def __init__(self, start: int, stop: int, type: str, text: str) -> None:
        self.start = start
        self.stop = stop
        self.type = type
        self.text = text

    def __repr__(self) -> str:
        return f"Entity({self.text!r}, {self.type})"


class Sentence:
    """A sentence of a text: character span and its tokens."""

    __slots__ = ("start", "stop", "text", "tokens")

    def __init__(self, start: int, stop: int, text: str, tokens: list[Token]) -> None:
        self.start = start
        self.stop = stop
        self.text = text
        self.tokens = tokens


class Analysis:
    """Sentences, tokens and entities of one text; `layers` says which of `LAYERS` are filled in."""

    __slots__ = ("entities", "layers", "sentences", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.layers: set[str] = set()
        self.entities: tuple[Entity, ...] = ()
        self.sentences = _segment(text)

    @property
    def tokens(self) -> list[Token]:
        return [token for sentence in self.sentences for token in sentence.tokens]


def _segment(text: str) -> list[Sentence]:
    if not text.strip():
        return []
    sentences = [Sentence(s.start, s.stop, s.text, []) for s in sentenize(text)]
    # Tokens of the whole text are shared out, as natasha does: tokenising each sentence alone may differ at its edges.
    position = 0
    for token in tokenize(text):
        while token.start >= sentences[position].stop and position < len(sentences) - 1:
            position += 1
        sentences[position].tokens.append(Token(token.text, token.start, token.stop))
    return [sentence for sentence in sentences if sentence.tokens]


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

    def __init__(self, *, cache_size: int = 20_000) -> None:
        self._cache: OrderedDict[str, Analysis] = OrderedDict()
        self.cache_size = cache_size

    @cached_property
    def navec(self) -> Any:
        """The word vectors inside natasha (250 k words × 300 dimensions, quantised), with corpus counts."""
        from navec import Navec

        return Navec.load(_data_folder() / "emb" / "navec_news_v1_1B_250K_300d_100q.tar")

    @cached_property
    def _morph(self) -> Any:
        from slovnet import Morph

        return self._tagger(Morph, "slovnet_morph_news_v1.tar")

    @cached_property
    def _syntax(self) -> Any:
        from slovnet import Syntax

        return self._tagger(Syntax, "slovnet_syntax_news_v1.tar")

    @cached_property
    def _ner(self) -> Any:
        from slovnet import NER

        return self._tagger(NER, "slovnet_ner_news_v1.tar")

    def _tagger(self, kind: Any, file: str) -> Any:
        return kind.load(_data_folder() / "model" / file, batch_size=_BATCH).navec(self.navec)

    def load(self, layers: Iterable[str] = LAYERS) -> None:
        """Load the taggers of `layers` now rather than at the first text."""
        for layer in layers:
            getattr(self, {"morph": "_morph", "syntax": "_syntax", "entities": "_ner"}[layer])

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        """One `Analysis` per text, in order, with at least the `layers` asked for.

        Distinct texts are tagged once, in batches sorted by length. The result is shared: treat it as read-only.
        """
        wanted = tuple(layers)
        found: dict[str, Analysis] = {}
        for text in texts:
            if text not in found:
                found[text] = self._cache.get(text) or Analysis(text)
        for layer in wanted:
            missing = [a for a in found.values() if layer not in a.layers]
            if missing:
                self._fill(layer, missing)
                for analysis in missing:
                    analysis.layers.add(layer)
        self._remember(found)
        return [found[text] for text in texts]

    def analyze_one(self, text: str, layers: Iterable[str] = ()) -> Analysis:
        """`analyze` for a single text."""
        return self.analyze([text], layers)[0]

    def _remember(self, found: dict[str, Analysis]) -> None:
        for text, analysis in found.items():
            self._cache[text] = analysis
            self._cache.move_to_end(text)
        while len(self._cache) > self.cache_size:
            self._cache.popitem(last=False)

    def _fill(self, layer: str, analyses: list[Analysis]) -> None:
        fill: dict[str, Callable[[list[Analysis]], None]] = {
            "morph": self._fill_morph,
            "syntax": self._fill_syntax,
            "entities": self._fill_entities,
        }
        if layer not in fill:
            raise ValueError(f"unknown analysis layer {layer!r}, known: {', '.join(LAYERS)}")
        fill[layer](analyses)

    def _fill_morph(self, analyses: list[Analysis]) -> None:
        pieces = _pieces(analyses)
        for piece, markup in zip(pieces, self._morph.map([p.words() for p in pieces]), strict=True):
            for token, tag in zip(piece.tokens, markup.tokens, strict=True):
                token.pos = tag.pos
                token.feats = tag.feats

    def _fill_syntax(self, analyses: list[Analysis]) -> None:
        pieces = _pieces(analyses)
        for piece, markup in zip(pieces, self._syntax.map([p.words() for p in pieces]), strict=True):
            for token, arc in zip(piece.tokens, markup.tokens, strict=True):
                token.head = int(arc.head_id) - 1 + piece.offset if arc.head_id != "0" else -1
                token.rel = arc.rel

    def _fill_entities(self, analyses: list[Analysis]) -> None:
        # The tagger sees whole texts, as in natasha; very long ones are tagged sentence by sentence.
        jobs: list[tuple[Analysis, int, str]] = []
        for analysis in analyses:
            if sum(len(s.tokens) for s in analysis.sentences) <= _LONGEST:
                jobs.append((analysis, 0, analysis.text))
            else:
                jobs.extend((analysis, start, text) for start, text in _spans(analysis))
        jobs = sorted((job for job in jobs if job[2].strip()), key=lambda job: len(job[2]))
        spans: dict[int, list[Entity]] = {id(a): [] for a in analyses}
        for (analysis, offset, _), markup in zip(jobs, self._ner.map([job[2] for job in jobs]), strict=True):
            spans[id(analysis)].extend(
                Entity(s.start + offset, s.stop + offset, s.type, analysis.text[s.start + offset : s.stop + offset])
                for s in markup.spans
            )
        for analysis in analyses:
            analysis.entities = tuple(sorted(spans[id(analysis)], key=lambda e: e.start))


class _Piece:
    """What a tagger sees at once: tokens of one sentence from `offset` on."""

    __slots__ = ("offset", "tokens")

    def __init__(self, offset: int, tokens: list[Token]) -> None:
        self.offset = offset
        self.tokens = tokens

    def words(self) -> list[str]:
        return [token.text for token in self.tokens]


def _sentence_pieces(sentence: Sentence) -> list[_Piece]:
    starts = range(0, len(sentence.tokens), _LONGEST)
    return [_Piece(start, sentence.tokens[start : start + _LONGEST]) for start in starts]


def _pieces(analyses: list[Analysis]) -> list[_Piece]:
    """Work for the taggers, shortest first; sentences over `_LONGEST` tokens are cut."""
    pieces = [p for a in analyses for s in a.sentences for p in _sentence_pieces(s)]
    return sorted(pieces, key=lambda piece: len(piece.tokens))


def _spans(analysis: Analysis) -> list[tuple[int, str]]:
    pieces = [p for s in analysis.sentences for p in _sentence_pieces(s)]
    return [(p.tokens[0].start, analysis.text[p.tokens[0].start : p.tokens[-1].stop]) for p in pieces]
