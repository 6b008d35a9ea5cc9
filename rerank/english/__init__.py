"""English sentences, morphology, dependency parse, lemmas and names, through spaCy."""

from rerank.english.analyzer import ENGLISH_LAYERS, EnglishAnalyzer, EnglishToken

__all__ = ["ENGLISH_LAYERS", "EnglishAnalyzer", "EnglishToken"]
