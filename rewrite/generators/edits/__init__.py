"""Simplification by editing the parse: cuts, simpler words and plainer constructions."""

from rewrite.generators.edits.generator import EditsGenerator

__all__ = ["EditsGenerator"]
