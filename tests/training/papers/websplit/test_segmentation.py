from __future__ import annotations

from collections.abc import Sequence

import pytest

from rewrite.splitting.triples.triple import Triple, parse_triple
from training.papers.websplit.webnlg import segment


def sentences(text: str, triples: Sequence[Triple] = ()) -> tuple[str, ...]:
    return segment([(text, triples)])[0]


def _triples(*texts: str) -> list[Triple]:
    return [parse_triple(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        ("Massimo Drago manages A.C. Cesena.", ["A.C._Cesena | manager | Massimo_Drago"]),
        ("It is abbreviated to Abh. Math. Semin. Univ. Hambg. and is German.", []),
        ("Its name is Abh.Math. Semin. Univ.Hambg. in short.", ["X | abbreviation | Abh.Math.Semin.Univ.Hambg."]),
        ("Peter Stoger manages 1. FC Koln.", ["1._FC_Köln | manager | Peter_Stöger"]),
        ("Elliot See died in St. Louis.", []),
        ("Robert E. Lee was a commander.", []),
        ("The director is Dr. G. P. Prabhukumar.", []),
        ("He was in the U.S. House of Representatives.", ["United_States | house | House_of_Representatives"]),
        ("The total area is 347.1 sq. km. and it has a mayor.", []),
        ("It is led by Kerala. which is in India.", []),
        ("Aleksander Barkov Jr . was born in Tampere.", []),
        ("Their name is Associazione Sportiva Roma S.p.A. in full.", []),
    ],
)
def test_a_stop_within_a_name_ends_nothing(text: str, triples: list[str]) -> None:
    assert sentences(text, _triples(*triples)) == (text,)


@pytest.mark.parametrize(
    ("first", "second", "triples"),
    [
        ("Adam was born in the U.S.", "He is retired.", []),
        ("It is in the U.S.", "The capital is Washington, D.C.", []),
        ("It is powered by Caterpillar Inc.", "Caterpillar Inc. is in Illinois.", ["Caterpillar_Inc. | a | Illinois"]),
        ("He plays for Alianza F.C.", "He is from Cork.", []),
        ("It is abbreviated Acta Palaeontol. Pol..", "The ISSN is 3.", ["X | abbr | Acta_Palaeontol._Pol."]),
        ("The escape velocity is 0.5 km/s.", "1099 Figneria is an asteroid.", []),
        ("It's in the United States.", "the airport serves Atlantic City.", []),
        ('The anthem is "Romane!".', "It is old.", []),
    ],
)
def test_a_sentence_ends_after_a_name_too(first: str, second: str, triples: list[str]) -> None:
    assert sentences(f"{first} {second}", _triples(*triples)) == (first, second)


def test_a_forgotten_space_is_seen() -> None:
    assert sentences("He was born in Texas.He died in Cork.") == ("He was born in Texas.", "He died in Cork.")
    assert sentences("Its value is 12.5 and Acta Math.Hungar is short.") == (
        "Its value is 12.5 and Acta Math.Hungar is short.",
    )


def test_the_parser_is_asked_only_where_rules_cannot_tell() -> None:
    asked: list[str] = []

    def parser(texts: Sequence[str]) -> list[frozenset[int]]:
        asked.extend(texts)
        return [frozenset({0, 13})]

    text = "He met A. B. Austin is in Texas."
    austin = [parse_triple("Austin | state | Texas")]
    assert segment([("One. Two.", ()), (text, ())], parser) == [("One.", "Two."), (text,)]
    assert asked == []
    assert segment([("One. Two.", ()), (text, austin)], parser)[1] == ("He met A. B.", "Austin is in Texas.")
    assert asked == [text]
