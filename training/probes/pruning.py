"""Whether what is pruned is subordinate: depths of pruned words and subtrees among pruned spans (Table 7)."""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rerank.analysis import Analysis, Token
from rerank.masked.base import MaskedModel
from rerank.ndd.attention import Balanced
from rerank.ndd.distance import Ndd
from rewrite.compression.choices import ToRatio, Under
from rewrite.compression.counting import WordCount
from rewrite.compression.objectives import NddObjective, PerplexityObjective, words_of
from rewrite.compression.options import LONGEST_SPAN
from rewrite.compression.sentences import problem
from rewrite.errors import BadInput
from rewrite.generators.choosing import Choice, Offer, Pending
from rewrite.generators.deletion import DeletionSearch, Objective
from rewrite.generators.deletion import Path as SearchPath
from rewrite.generators.spans import Span, adjacent_words
from rewrite.generators.tree import Tree
from training.probes.models import drawn, masked_model, run_signature
from training.probes.progress import Progress
from training.probes.published import PRUNING
from training.probes.report import PAPER, Cell, Probe, ProbeReport, Table
from training.probes.treebank import GoldAnalyzer, depths, read_treebank

__all__ = ["PROBE", "Pruned", "proportions", "random_spans", "run"]

_MU = 0.9
_ROUNDS = 5
_COLUMNS = ("Depth-1", "Depth-2", "Depth-3", "Depth-≥4", "Subtree-1", "Subtree-2", "Subtree-≥3")


@dataclass(frozen=True, slots=True)
class Pruned:
    """A sentence and the spans pruned from it, by the places of their words, in the order in which they went."""

    analysis: Analysis
    spans: Sequence[frozenset[int]]
    """Each without what went before it; those of one round count as going one after the other."""
