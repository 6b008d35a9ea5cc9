"""Where an English sentence ends, and where an abbreviation does."""

from __future__ import annotations

import pytest

from rewrite.splitting.splitter import sentences_in


@pytest.mark.parametrize(
    "text",
    [
        "Its chapel is dedicated to him, whom Fr. Zahm saw there.",
        "Smith holds a Ph.D. from Oxford and teaches at Yale.",
        "Prof. A. B. Smith, Ph.D., of St. John's College, won the prize.",
        "Smith, Jr., of Ohio, won the race.",
        "He lives at No. 5 in Rome.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert sentences_in(text).sentences == (text,)


def test_sentences_end_at_stops() -> None:
    assert sentences_in("He left Rome. She stayed. He is old.").sentences == (
        "He left Rome.",
        "She stayed.",
        "He is old.",
    )
