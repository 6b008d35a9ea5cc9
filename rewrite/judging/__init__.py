"""Metrics of texts by other people's systems: what `rewrite judge` prints, and what human ratings are compared with."""
