"""The fact guard for English: what a candidate may not change about its source."""

from rerank.english.facts.guard import KINDS, EnglishFactGuard

__all__ = ["KINDS", "EnglishFactGuard"]
