"""Simplification by editing the parse: cuts, splits and simpler words."""

from rewrite.generators.edits.generator import EditsGenerator

__all__ = ["EditsGenerator"]
