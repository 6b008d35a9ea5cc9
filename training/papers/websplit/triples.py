"""RDF triples, as `rewrite split --triples` reads them."""

from __future__ import annotations

from rewrite.splitting.triples.triple import Triple, depth_first, entity_name, parse_triple, property_name

__all__ = ["Triple", "depth_first", "entity_name", "parse_triple", "property_name"]
