"""What tells whether an editor would pass an English text that a language model drew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from rerank.analysis import Analyzer, Sentence, Token
from rerank.encoders.word_vectors import PieceEncoder
from rerank.english.facts import EnglishFactGuard
from rerank.evaluator.packed import PackedEvaluator
from rerank.frequency import Wordfreq
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.text_features import ParsedText, measured
from rewrite.catalogue import EVALUATORS

_EVALUATOR = "evaluator-rewrites-en"
ENGLISH_TEXT_FEATURES = (
    *("certainty", "logprob", "logprob_all", "least", "likeliest", "share", "consensus"),
    *("length", "sentences", "commas", "source_words", "longest"),
    *("quality", "grammar", "content", "least_grammar"),
    *("new", "new_count", "new_likeness", "new_unlike", "new_zipf", "new_rare", "new_lemma", "reinflected"),
    *("new_names", "new_pronouns", "lonely_words", "again"),
    *("gone", "gone_content", "gone_names", "gone_digits", "torn", "agreed_gone", "limits"),
    *("moved", "swapped", "verbless", "first_is_link", "rare_pairs", "lonely_pairs"),
)
"""`quality`, `grammar` and `content` are the evaluator's of source and text, `least_grammar` that of the worst sentence
alone; `limits` counts words of modality and quantity that went or came, the rest is as in `RUSSIAN_TEXT_FEATURES`."""
_PRONOUNS = frozenset("he she it they him her them his its their this that these those who which".split())


class EnglishTextReader:
    """Measures English texts by `ENGLISH_TEXT_FEATURES`. Nothing is loaded before the first.

    `analyzer` reads the texts instead of that of the scorers' context.
    """

    names: tuple[str, ...] = ENGLISH_TEXT_FEATURES
    language = "en"

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        self._analyzer = analyzer
        self.needs = frozenset({"morph", "syntax"}) if analyzer is None else frozenset()
        self._encoder: PieceEncoder | None = None

    def signature(self) -> str:
        """See `DrawnTextReader.signature`."""
        return f"{self._frequencies.signature()}:{self._evaluator.signature()}"

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """See `DrawnTextReader.features`."""
        if not candidates:
            return np.zeros((0, len(self.names)))
        analyzer = self._analyzer or context.analyzer
        analyses = analyzer.analyze([source, *(c.text for c in candidates)], ("morph", "syntax"))
        read, *texts = [ParsedText(analysis, _lemma) for analysis in analyses]
        judged = self._judged(source, candidates, texts)
        limits = self._limits(source, candidates)

        def language_features(text: ParsedText, kept: list[bool], i: int) -> dict[str, float]:
            return {
                **judged[i],
                **_of_cuts(read, kept),
                "longest": _longest(text) / max(1, _longest(read)),
                "limits": limits[i],
                "verbless": sum(not _has_verb(sentence) for sentence in text.analysis.sentences),
            }

        return measured(
            self.names,
            read,
            texts,
            candidates,
            language_features,
            frequencies=self._frequencies,
            likeness=self._likeness(analyzer, read),
            pronouns=_PRONOUNS,
        )

    @cached_property
    def _frequencies(self) -> Wordfreq:
        return Wordfreq("en")

    @cached_property
    def _evaluator(self) -> PackedEvaluator:
        return PackedEvaluator(None, EVALUATORS[_EVALUATOR])

    @cached_property
    def _guard(self) -> EnglishFactGuard:
        return EnglishFactGuard(limits=True)

    def _judged(
        self, source: str, candidates: Sequence[Candidate], texts: Sequence[ParsedText]
    ) -> list[dict[str, float]]:
        names = self._evaluator.outputs
        whole = self._evaluator.judge([(source, c.text) for c in candidates])
        pieces = [[sentence.text for sentence in text.analysis.sentences] for text in texts]
        alone = self._evaluator.judge([("", piece) for piece in chain(*pieces)])[:, names.index("grammar")]
        ends = np.cumsum([len(sentences) for sentences in pieces])[:-1]
        least = [float(grammar.min(initial=1.0)) for grammar in np.split(alone, ends)]
        return [
            {**dict(zip(names, row, strict=True)), "least_grammar": worst}
            for row, worst in zip(whole.tolist(), least, strict=True)
        ]

    def _limits(self, source: str, candidates: Sequence[Candidate]) -> list[int]:
        checked = self._guard.check_all(source, [c.text for c in candidates])
        return [sum(v.kind in ("modality", "quantity") for v in violations) for violations in checked]

    def _likeness(self, analyzer: Analyzer, source: ParsedText) -> Callable[[str], float]:
        self._encoder = self._encoder or PieceEncoder(analyzer)
        given = np.array([self._vector(word) for word in set(source.words)])
        return lambda word: float((given @ self._vector(word)).max(initial=0.0))

    def _vector(self, word: str) -> FloatArray:
        assert self._encoder is not None
        vector = self._encoder.meaning(word).astype(np.float64)
        scaled: FloatArray = vector / (np.linalg.norm(vector) + 1e-9)
        return scaled


def _longest(text: ParsedText) -> int:
    return max((len(sentence.tokens) for sentence in text.analysis.sentences), default=0)


def _lemma(token: Token) -> str:
    return getattr(token, "lemma", "") or token.text.lower()


def _has_verb(sentence: Sentence) -> bool:
    return any(token.feats.get("VerbForm") == "Fin" for token in sentence.tokens)


def _of_cuts(source: ParsedText, kept: list[bool]) -> dict[str, float]:
    heads_of_kept = {head for i, head in enumerate(source.heads) if head >= 0 and kept[i]}
    return {
        "gone_content": sum(not kept[i] for i in source.content) / max(1, len(source.content)),
        "torn": sum(not kept[i] for i in heads_of_kept),
    }
