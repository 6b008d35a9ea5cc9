"""Splitting sentences whose meaning is given as RDF triples: a partition of the triples, and a text for each part."""
