"""English text in, shorter sentences out: candidates from a small model, chosen by weights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from rerank.caution import Caution
from rerank.consensus import Consensus
from rerank.likelihood import Likelihood
from rerank.masked.registry import create_masked_model
from rerank.masked.words import guess_language
from rerank.rank import score_tables
from rerank.registry import create_scorer
from rerank.scorer import Context, Limited, Scorer
from rerank.seams import SeamFluency
from rerank.signature import signature
from rerank.splits import Brevity, Splits
from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights, load_preset
from rewrite.compression.analyzer import WordAnalyzer
from rewrite.errors import BadInput
from rewrite.layout import Layout
from rewrite.result import SentenceResult
from rewrite.selection import choose
from rewrite.specs import MASKED_COMPONENTS
from rewrite.splitting.acceptance import acceptance_signature
from rewrite.splitting.guard import check
from rewrite.splitting.model import SplitModel
from rewrite.splitting.options import SplitOptions
from rewrite.splitting.parsing import Parser
from rewrite.splitting.presets import SPLIT_PRESETS
from rewrite.splitting.result import Splitting
from rewrite.splitting.search import Search, Wanted
from rewrite.splitting.sentences import sentences_in
from rewrite.splitting.triples.pipeline import TriplesPool
from rewrite.splitting.triples.reading import GivenTriples, check_count, triples_of
from rewrite.splitting.triples.triple import Triple
from rewrite.splitting.wholeness import SentenceJudge

__all__ = ["Splitter"]

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST = 6
_LONGEST_LIMIT = 12


class Splitter:
    """Splits English texts as `options` say; build it once for many texts.

    `model` and `parser` replace the bundled ones. Nothing is loaded before the first text. Work is batched over all
    sentences of a call. Raises `BadWeights`, `BadInput` (a preset that cannot be read) and `ModelNotFound` at once.
    """

    def __init__(
        self, options: SplitOptions | None = None, *, model: SplitModel | None = None, parser: Parser | None = None
    ) -> None:
        self.options = o = options or SplitOptions()
        self.model = model or SplitModel(None if o.model == "bundled" else Path(o.model))
        self.parser = parser or Parser()
        wanted = Wanted(o.sentences, o.max_words)
        preset = o.preset if o.preset in SPLIT_PRESETS or "." not in o.preset else load_preset(o.preset)[1]
        asked = {*o.weights, *(() if isinstance(preset, str) else preset)}
        self.scorers: tuple[Scorer, ...] = (
            Splits(wanted.target, at_least=o.sentences is None),
            Brevity(o.max_words or _LONGEST_LIMIT),
            Likelihood(),
            Consensus(),
            Caution(),
            *((SeamFluency(lambda: create_masked_model("bundled:en")),) if SeamFluency.name in asked else ()),
            *(create_scorer(name) for name in MASKED_COMPONENTS if name in asked),
        )
        self.weights = Weights.resolve(
            [scorer.name for scorer in self.scorers],
            preset=preset,
            control=o.control,
            explicit=o.weights,
            presets=SPLIT_PRESETS,
            also=(SeamFluency.name, *MASKED_COMPONENTS),
        )
        self._judge = SentenceJudge()
        self._search = Search(self.model, self.parser, wanted, o.n, self._judge.probabilities)
        self._triples = TriplesPool()

    def run(self, texts: Sequence[str], triples: Sequence[GivenTriples] | None = None) -> list[Splitting]:
        """One result per text, in order. A text is a sentence or a paragraph; each of its sentences is split.

        Sentences that need no split come back as they are, and so do those that cannot be read: then their result says
        why. With `triples`, a list of them for each text, a text that has any is one sentence, and sentences written
        for its triples are candidates too.
        """
        if isinstance(texts, (str, bytes)) or not all(isinstance(text, str) for text in texts):
            raise BadInput("The texts are no list of strings.", hint='Write run(["…"]), or split("…") for one text.')
        if triples is not None:
            return self._run_told(texts, triples)
        layouts = [sentences_in(text) for text in texts]
        sentences = list(dict.fromkeys(s for layout in layouts for s in layout.sentences))
        foreign = {s for text, layout in zip(texts, layouts, strict=True) if _foreign(text) for s in layout.sentences}
        done = {s: _passed(s, s in foreign) for s in sentences}
        done.update(self._split([s for s in sentences if done[s] is None]))
        return [self._result(text, layout, done) for text, layout in zip(texts, layouts, strict=True)]

    def _run_told(self, texts: Sequence[str], triples: Sequence[GivenTriples]) -> list[Splitting]:
        check_count(len(triples), len(texts))
        told = [triples_of(one) for one in triples]
        plain = iter(self.run([text for text, one in zip(texts, told, strict=True) if not one]))
        with_triples = [text.strip() for text, one in zip(texts, told, strict=True) if one]
        own = iter(self._search.run(with_triples) if with_triples else ())
        return [self._told(text, one, next(own)) if one else next(plain) for text, one in zip(texts, told, strict=True)]

    def _told(self, text: str, triples: Sequence[Triple], own: Sequence[Candidate]) -> Splitting:
        """A text with triples, as one sentence; `own` are the candidates that the splitter has without them."""
        sentence = text.strip()
        layout = Layout((sentence,), (text[: text.find(sentence)], text[text.find(sentence) + len(sentence) :]))
        settings = f"{self.settings}+{self._triples.signature}"
        if _CONTROL.search(sentence):
            done = SentenceResult(sentence, skipped="control characters")
        elif problem := self._triples.problem(sentence, triples):
            done = SentenceResult(sentence, error=problem)
        else:
            written = self._triples.candidates(sentence, triples, self.options.n, self.options.sentences)
            target = self._triples.target(written) if self.options.sentences is None else None
            scorers = [target if target and isinstance(one, Splits) else one for one in self.scorers]
            (done,) = self._judged([(sentence, [*written, *own])], scorers, triples)
        return Splitting(text, (done,), layout, self.weights, self.options, settings)

    def _split(self, sentences: Sequence[str]) -> dict[str, SentenceResult | None]:
        pools = list(zip(sentences, self._search.run(sentences), strict=True)) if sentences else []
        return {one.source: one for one in self._judged(pools, self.scorers)}

    def _judged(
        self,
        pools: Sequence[tuple[str, Sequence[Candidate]]],
        scorers: Sequence[Scorer],
        triples: Sequence[Triple] = (),
    ) -> list[SentenceResult]:
        limited = [scorer for scorer in scorers if isinstance(scorer, Limited)]
        tables = score_tables([(source, _measurable(pool, limited)) for source, pool in pools], scorers, self._context)
        return [
            SentenceResult(
                table.source,
                choices=choose(table, self.weights, options=self.options),
                table=table,
                drawn=len(table.candidates),
            )
            for table in (self._blocked(table, triples) for table in tables)
        ]

    def _blocked(self, table: ScoreTable, triples: Sequence[Triple]) -> ScoreTable:
        """The table with candidates blocked that the guard finds a changed fact in."""
        (words,) = self.parser.parse([table.source])
        reasons = (
            self._triples.blocked(table.source, triples, c)
            if c.generator == "templates"
            else "; ".join(v.message for v in check(words, c.text))
            for c in table.candidates
        )
        return replace(table, blocked=tuple(reasons))

    def _result(self, text: str, layout: Layout, done: dict[str, SentenceResult | None]) -> Splitting:
        found = tuple(one for s in layout.sentences if (one := done[s]) is not None)
        return Splitting(text, found, layout, self.weights, self.options, self.settings)

    @cached_property
    def _context(self) -> Context:
        return Context(WordAnalyzer("en"))

    @property
    def settings(self) -> str:
        """Signature of everything behind a result but the weights."""
        o = self.options
        told: dict[str, object] = {"n": o.n, "sentences": o.sentences, "max_words": o.max_words}
        told |= {
            "model": self.model.signature(),
            "parser": self.parser.signature,
            "judge": f"{acceptance_signature()}+{self._judge.signature()}",
        }
        return signature(self.scorers, settings=told)


def _measurable(pool: Sequence[Candidate], scorers: Sequence[Limited]) -> list[Candidate]:
    unfit = {i for scorer in scorers for i in scorer.unfit([candidate.text for candidate in pool])}
    return [candidate for i, candidate in enumerate(pool) if i not in unfit]


def _foreign(text: str) -> bool:
    return bool(_WORD.search(text)) and guess_language(text) != "en"


def _passed(sentence: str, foreign: bool) -> SentenceResult | None:
    """A sentence that stands as it is, with the reason; `None` where it may be split."""
    if _CONTROL.search(sentence):
        return SentenceResult(sentence, skipped="control characters")
    words = len(_WORD.findall(sentence))
    if words < _FEWEST:
        return SentenceResult(sentence, skipped=f"fewer than {_FEWEST} words" if words else "no words")
    if foreign:
        return SentenceResult(sentence, error="It does not look like English.")
    return None
