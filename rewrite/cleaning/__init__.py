"""Cleaning of what language models draw: named rules that mend a sample, and others that reject it.

    from rewrite.cleaning import clean, trace
    clean(raw, source).text
    for step in trace(raw, source): ...  # which rule did what

A rule is a function of the text and its `Context`. Repairs are tried in order, again and again until none changes
anything; then the filters are asked, and the first that objects has the text dropped, under its name.
"""

from __future__ import annotations

from rewrite.cleaning.context import Context
from rewrite.cleaning.rules import FILTERS, REPAIRS, RULES, Cleaned, Rule, Step, clean, trace

__all__ = ["FILTERS", "REPAIRS", "RULES", "Cleaned", "Context", "Rule", "Step", "clean", "trace"]
