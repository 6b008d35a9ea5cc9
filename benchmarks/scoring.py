"""Scoring speed against a naive loop, measured in the same run, with the same values.

The naive loop makes one `natasha.Doc` per candidate, tags it with natasha's default batch size, and analyses the source
anew for each candidate, then computes every component. Ours: all texts analysed together, then `score_tables`. The
pool is made with a seed: references of RSSE dev sources and copies with words dropped.

    python -m benchmarks.scoring --data FOLDER [--sources 200] [--candidates 30] [--naive 20] [--rounds 3]

`--naive` sources are timed with the naive loop (all of them with 0); its values are compared one by one. The kinds take
turns. Bar: 2.5 × the naive loop. Exit code 1 where it is missed or a value differs.
"""

from __future__ import annotations

import os

# Before numpy is imported: one thread, so that programs are what is compared.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import random
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from benchmarks.measuring import Race, Work, command_line, rsse_examples
from rerank.analysis import LAYERS, Analysis, Analyzer, Entity, Sentence, Token
from rerank.rank import Pair, score_tables
from rerank.registry import create_scorer
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, ScoreTable

COMPONENTS = (
    *("lexical", "depth", "length", "readability", "similarity", "entities"),
    *("structure", "brevity", "likelihood", "caution"),
)
BAR = 2.5


def make_pairs(data: str | None, sources: int, candidates: int, seed: int) -> list[Pair]:
    """The first sources of RSSE dev, each with its references and copies that lack 10 to 40 % of the words."""
    rng = random.Random(seed)
    pairs: list[Pair] = []
    for item in rsse_examples(data, sources):
        words = item.source.split()
        texts = dict.fromkeys(item.references[:candidates])
        for _ in range(20 * candidates):
            share = rng.choice((0.1, 0.2, 0.3, 0.4))
            if len(texts) < candidates:
                texts[" ".join(word for word in words if rng.random() > share)] = None
        pairs.append((item.source, [Candidate(text) for text in texts]))
    return pairs


class NaiveAnalyzer(Analyzer):
    """What a straightforward program does: a `natasha.Doc` for every text, every time it is asked for."""

    def __init__(self) -> None:
        super().__init__(cache_size=0)
        from natasha.emb import NewsEmbedding
        from natasha.morph.tagger import NewsMorphTagger
        from natasha.ner import NewsNERTagger
        from natasha.segment import Segmenter
        from natasha.syntax import NewsSyntaxParser

        self._segmenter = Segmenter()
        embedding = NewsEmbedding()
        self._taggers = NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
        self._docs: dict[str, Analysis] = {}

    def doc(self, text: str) -> Analysis:
        from natasha.doc import Doc

        morph, syntax, ner = self._taggers
        doc: Any = Doc(text)
        doc.segment(self._segmenter)
        doc.tag_morph(morph)
        doc.parse_syntax(syntax)
        doc.tag_ner(ner)
        return _adapt(doc)

    def start(self, *texts: str) -> None:
        """Analyse anew; until the next call, the components share these, as one function computing all would."""
        self._docs = {text: self.doc(text) for text in texts}

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        return [self._docs[text] for text in texts]


def _adapt(doc: Any) -> Analysis:
    analysis = Analysis("")
    analysis.text = doc.text
    analysis.layers = {"morph", "syntax", "entities"}
    analysis.entities = tuple(Entity(s.start, s.stop, s.type, s.text) for s in doc.spans)
    analysis.sentences = [
        Sentence(s.start, s.stop, s.text, [_adapt_token(t) for t in s.tokens]) for s in doc.sents if s.tokens
    ]
    return analysis


def _adapt_token(source: Any) -> Token:
    token = Token(source.text, source.start, source.stop)
    token.pos, token.feats, token.rel = source.pos, source.feats, source.rel
    token.head = int(source.head_id.split("_")[1]) - 1
    return token


def naive_tables(pairs: Sequence[Pair], scorers: Sequence[Scorer], naive: NaiveAnalyzer) -> list[np.ndarray[Any, Any]]:
    """Values of each source's candidates, one candidate at a time."""
    context = Context(naive)
    tables = []
    for source, candidates in pairs:
        rows = []
        for candidate in candidates:
            naive.start(source, candidate.text)
            rows.append([scorer.score(source, [candidate], context)[0] for scorer in scorers])
        tables.append(np.array(rows))
    return tables


def tables(pairs: Sequence[Pair], scorers: Sequence[Scorer], context: Context) -> list[ScoreTable]:
    """As the pipeline makes them: all texts are analysed together, then scored."""
    needs = {need for scorer in scorers for need in scorer.needs}
    texts = [text for source, pool in pairs for text in (source, *(c.text for c in pool))]
    context.analyzer.analyze(texts, [layer for layer in LAYERS if layer in needs])
    return score_tables(pairs, scorers, context)


def differing(ours: Sequence[ScoreTable], naive: Sequence[np.ndarray[Any, Any]]) -> int:
    """How many values are not the naive loop's; encoders that compute in float32 may differ by 1e-6."""
    pairs = zip(ours, naive, strict=False)
    return sum(int((np.abs(table.values - expected) > 1e-6).sum()) for table, expected in pairs)


def main() -> int:
    """Print candidates a second; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--candidates", type=int, default=30)
    parser.add_argument("--naive", type=int, default=20, help="sources for the naive loop, 0 for all")
    options = parser.parse_args()
    pairs = make_pairs(options.data, options.sources, options.candidates, seed=1)
    few = pairs[: options.naive or len(pairs)]
    scorers = [create_scorer(name) for name in COMPONENTS]
    warm, naive = Analyzer(), NaiveAnalyzer()
    # All models and lists are loaded before the clock starts: cold start has a benchmark of its own.
    naive_tables(pairs[-1:], scorers, naive)
    tables(pairs[-1:], scorers, Context(warm))

    def fresh() -> Context:
        """With the loaded taggers of `warm` and an empty cache."""
        analyzer = Analyzer(cache_size=len(pairs) + sum(len(pool) for _, pool in pairs))
        vars(analyzer).update({k: v for k, v in vars(warm).items() if k not in vars(analyzer)})
        return Context(analyzer)

    texts, few_texts = (sum(len(pool) for _, pool in some) for some in (pairs, few))
    works = [Work("naive loop", lambda: naive_tables(few, scorers, naive), few_texts)]
    works.append(Work("tables", lambda context: tables(pairs, scorers, context), texts, fresh))
    race = Race.run("candidates", works, rounds=options.rounds)
    print(f"{len(COMPONENTS)} components, {texts} candidates")
    race.print()
    wrong = differing(race.answers["tables"], race.answers["naive loop"])
    print(f"{wrong} values differ")
    return int(wrong > 0 or race.ratio("tables", "naive loop") < BAR)


if __name__ == "__main__":
    sys.exit(main())
