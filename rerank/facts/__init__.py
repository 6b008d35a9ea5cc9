"""The fact guard: what a candidate may not change about its source."""

from rerank.facts.guard import KINDS, FactGuard, Violation

__all__ = ["KINDS", "FactGuard", "Violation"]
