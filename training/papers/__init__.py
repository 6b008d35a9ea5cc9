"""Reproductions of papers: what their tables measured, measured again."""
