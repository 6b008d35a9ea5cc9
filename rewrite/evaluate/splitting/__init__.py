"""Evaluation of split-and-rephrase, of any system's outputs: docs/evaluation.md."""
