"""What a cut costs, on models and scorers whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.masked.base import LogProbs, Row, Word
from rerank.ndd.attention import Balanced
from rerank.ndd.distance import Ndd
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.compression.compression_options import MOST_OVER, CompressOptions
from rewrite.compression.objectives import NddObjective, PerplexityObjective, ScorerDistance, objective_of
from rewrite.compression.protection import protection_of
from rewrite.compression.stages import Stage, stages
from rewrite.compression.word_analysis import WordAnalyzer, language_of, problem
from rewrite.generators.deletion import Objective, Trial
from rewrite.generators.spans import adjacent_words, every_subtree
from tests.english import parsed

SOURCE = "alpha beta gamma delta epsilon"


class Known:
    """A masked model of one token a letter at most, whose expectation at a mask depends on the tokens beside it."""

    name, window, mask, prefix, suffix = "known", 20, 1, (2,), (3,)

    def signature(self) -> str:
        return self.name

    def tokens(self, word: Word) -> tuple[int, ...]:
        if word.text.isascii():
            return (10 + sum(map(ord, word.text)) % 20,)
        return (0,) if word.text[0] > "\u0400" else tuple(range(10, 10 + len(word.text)))

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        return [np.stack([self._expected(row, place) for place in row.positions]) for row in rows]

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        raise NotImplementedError

    def _expected(self, row: Row, place: int) -> LogProbs:
        beside = row.tokens[place - 1] * 7 + row.tokens[place + 1]
        scores = np.cos(np.arange(30) * (1 + beside % 5) / 3.0) + np.arange(30) / 20
        log_probs: LogProbs = (scores - np.log(np.exp(scores).sum())).astype(np.float32)
        return log_probs


def trial(*removed: Sequence[int], source: str = SOURCE) -> Trial:
    """The source without its words number …: first what stands now, then with a span less."""
    analysis = WordAnalyzer("en").analyze_one(source)
    starts = [token.start for token in analysis.tokens]
    words = source.split()
    gone = tuple(frozenset(starts[k] for k in places) for places in removed)
    texts = tuple(" ".join(w for k, w in enumerate(words) if k not in places) for places in removed)
    return Trial(source, texts, gone, analysis)


def values(objective: Objective, *removed: Sequence[int]) -> list[float]:
    (scores,) = objective([trial(*removed)])
    return [float(value) for value in scores]


CUTS = ([1], [1, 2], [1, 3])


class TestNdd:
    @pytest.mark.parametrize(("initial", "base"), [(False, [0, 2, 3, 4]), (True, [0, 1, 2, 3, 4])])
    def test_distances_are_from_the_text_as_it_stands_or_from_the_source(self, initial: bool, base: list[int]) -> None:
        ndd = Ndd(Known(), divergence="kl", attention=Balanced(0.9))
        words = [Word(word) for word in SOURCE.split()]
        source = ndd.read([words[k] for k in base])
        kept = [[base.index(k) for k in base if k not in cut] for cut in CUTS[1:]]
        expected = [-ndd.distances([(source, [source.keep(places)])])[0][0] for places in kept]
        assert values(NddObjective(ndd, initial=initial), *CUTS) == pytest.approx([0.0, *expected], abs=1e-6)
        assert min(expected) < max(expected) < 0

    @pytest.mark.parametrize(("method", "reach"), [("ndd", 4), ("fast-ndd", 2)])
    def test_the_methods_are_those_of_the_paper(self, method: str, reach: int) -> None:
        options = CompressOptions(method=method, bias=0.9)
        objective = objective_of(options, Known(), language="en", analyzer=WordAnalyzer("en"))
        assert isinstance(objective, NddObjective)
        settings = objective.ndd.signature()
        assert "kl," in settings
        assert "balanced(0.9)" in settings
        assert "bias(0.9)" in settings
        comparison = objective.ndd.read([Word(word) for word in SOURCE.split()]).keep([0, 1, 3, 4])
        assert np.count_nonzero(objective.ndd.weights(comparison)) == reach


class TestPerplexity:
    @pytest.mark.parametrize(("initial", "before"), [(False, SOURCE.replace(" beta", "")), (True, SOURCE)])
    def test_a_cut_costs_what_perplexity_grows_by(self, initial: bool, before: str) -> None:
        model = Known()
        after = [" ".join(w for k, w in enumerate(SOURCE.split()) if k not in cut) for cut in CUTS[1:]]
        expected = [perplexity(model, before) - perplexity(model, text) for text in after]
        gains = values(PerplexityObjective(model, language="en", initial=initial), *CUTS)
        assert gains == pytest.approx([0.0, *expected], abs=1e-6)
        assert len(set(gains)) == 3


def perplexity(model: Known, text: str) -> float:
    """A mean of −log p, each word masked alone."""
    line = (2, *(model.tokens(Word(word))[0] for word in text.split()), 3)
    places = range(1, len(line) - 1)
    rows = [Row((*line[:place], model.mask, *line[place + 1 :]), (place,)) for place in places]
    return -float(np.mean([model.predict([row])[0][0, line[row.positions[0]]] for row in rows]))


class Shared:
    """The share of the source's words that a candidate has."""

    name = "shared"
    range = (0.0, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return self.name

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        words = source.split()
        return np.array([sum(w in c.text.split() for w in words) / len(words) for c in candidates])


class TestScorers:
    @pytest.mark.parametrize(("initial", "expected"), [(False, [0.0, -0.25, -0.25]), (True, [0.0, -0.4, -0.4])])
    def test_a_cut_costs_what_the_likeness_lacks_to_one(self, initial: bool, expected: list[float]) -> None:
        objective = ScorerDistance(Shared(), analyzer=WordAnalyzer("en"), initial=initial)
        assert values(objective, *CUTS) == pytest.approx(expected)
        assert values(objective, [1]) == [0.0]


class TestSpans:
    def test_lengths_are_those_of_the_paper_where_a_threshold_decides(self, analyzer: Analyzer) -> None:
        def longest(**options: object) -> list[object]:
            chosen = {"syntax": None, "exact": True, "names": False, "longest": None, "analyzer": analyzer, **options}
            kinds = stages("ru", **chosen).kinds  # type: ignore[arg-type]
            return [kind.finder.keywords["longest"] for kind in kinds if isinstance(kind.finder, partial)]

        assert longest() == [9]
        assert longest(syntax=False) == [5]
        assert longest(longest=7) == [7]
        # What stands between marks, then words side by side; the subtrees stand behind what `tied` lets through.
        assert longest(exact=False) == [20, 5, 5]
        (kind,) = stages("ru", syntax=True, exact=True, names=False, longest=None, analyzer=analyzer).kinds
        assert isinstance(kind.finder, partial)
        assert kind.finder.func is every_subtree
        (kind,) = stages("zh", syntax=None, exact=False, names=False, longest=None, analyzer=None).kinds
        assert isinstance(kind.finder, partial)
        assert kind.finder.func is adjacent_words

    def test_subtrees_are_longer_where_a_ratio_decides(self) -> None:
        adjectives = "".join(f"a{n} ADJ 26 amod\n" for n in range(22))
        rows = f"He PRON 2 nsubj\nleft VERB 0 root\nin ADP 26 case\n{adjectives}house NOUN 2 obl\n_. PUNCT 2 punct"

        def words(longest: int | None) -> int:
            span_stages = stages("en", syntax=True, exact=False, names=False, longest=longest, analyzer=Analyzer())
            return max(len(s.starts) for kind in span_stages.kinds for s in kind.finder(parsed(rows), frozenset()))

        assert (words(None), words(24), words(2)) == (5, 24, 2)

    def test_careful_kinds_come_first_and_what_hurts_stops_early(self) -> None:
        def kinds_of(language: str, careful: bool) -> tuple[Stage, ...]:
            span_stages = stages(
                language, syntax=None, exact=False, names=False, longest=None, analyzer=Analyzer(), careful=careful
            )
            return span_stages.kinds

        for language, first in (("en", 3), ("ru", 1)):
            kinds = kinds_of(language, False)
            careful, completing, others = kinds[:first], kinds[first : first + 2], kinds[first + 2 :]
            assert len(kinds_of(language, True)) == first
            assert all(kind.near and not kind.least and kind.above < MOST_OVER for kind in careful)
            assert all(kind.near and kind.least and kind.above == MOST_OVER for kind in completing)
            assert completing[1].beyond > completing[0].beyond
            assert len(others) == 8
            assert all(kind.least and not kind.near and kind.above == MOST_OVER for kind in others)

    def test_names_of_the_parser_s_recogniser_are_kept(self) -> None:
        analysis = parsed("in ADP 2 case\nrome PROPN 3 obl\nrained VERB 0 root", names=("rome",))
        assert protection_of(analysis, "en").fixed == frozenset()
        assert protection_of(analysis, "en", keep_entities=True).fixed == {analysis.text.index("rome")}


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "share"),
        [("слово слова", "100%"), ("слово слова alpha", "67%"), ("éclairé dévoilé", "100%"), ("5 слово ,", "100%")],
    )
    def test_mostly_unknown_or_spelled_words_are_refused(self, text: str, share: str) -> None:
        error = problem([Word(word) for word in text.split()], Known())
        assert error is not None
        assert f"no words for {share}" in str(error)

    @pytest.mark.parametrize("text", ["alpha слово", "alpha été", "5 6", "alpha"])
    def test_some_unknown_words_are_not(self, text: str) -> None:
        assert problem([Word(word) for word in text.split()], Known()) is None

    def test_the_window_counts_the_tokens_around(self) -> None:
        assert problem([Word("a")] * 18, Known()) is None
        error = problem([Word("a")] * 19, Known())
        assert error is not None
        assert "has 21 tokens, the model known takes 20" in str(error)

    @pytest.mark.parametrize(
        ("given", "language"), [("zh-CN", "zh"), ("en-gb", "en"), ("pt-br", "other"), ("ru", "ru")]
    )
    def test_a_region_makes_no_other_language(self, given: str, language: str) -> None:
        assert language_of("text", CompressOptions(lang=given).lang) == language
