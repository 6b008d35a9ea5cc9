"""Judges of rewrites by what readers passed: of texts that a language model drew, and of cuts of a sentence in two."""
