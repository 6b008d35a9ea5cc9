"""Evaluation of sentence compression, of any system's outputs: docs/evaluation.md."""
