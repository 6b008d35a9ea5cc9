"""Sets of triples as one line of words, for encoders."""

from __future__ import annotations

from collections.abc import Iterable

from training.papers.websplit.triples import Triple, entity_name, property_name

__all__ = ["linearise"]


def linearise(triples: Iterable[Triple]) -> str:
    """`subject | property | object || …`, entities and properties as words, in the order given.

    Given depth-first, as parts of the benchmark are, that is the order of section 5.3.
    """
    return " || ".join(
        f"{entity_name(triple.subject)} | {property_name(triple.property)} | {entity_name(triple.object)}"
        for triple in triples
    )
