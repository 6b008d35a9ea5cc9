"""Meta-evaluation: how far metrics agree with what people said of the same texts. docs/metaevaluation.md."""

from __future__ import annotations

from rewrite.evaluate.meta.run import MetaReport, MetaSettings, evaluate_metrics
from rewrite.evaluate.meta.scores import BASELINES, Scored, baselines_of, load_scores, run_metrics
from rewrite.evaluate.meta.sets import SETS, Rated, RatedSet, load_rated
from rewrite.evaluate.resampling import Bootstrap

__all__ = [
    "BASELINES",
    "SETS",
    "Bootstrap",
    "MetaReport",
    "MetaSettings",
    "Rated",
    "RatedSet",
    "Scored",
    "baselines_of",
    "evaluate_metrics",
    "load_rated",
    "load_scores",
    "run_metrics",
]
