"""Tables of paraphrases say of which language they are, and are refused for texts of another."""

from __future__ import annotations

import pytest

from rerank.errors import BadInput
from rerank.foreign import foreign
from rerank.paraeval.table import PairTable, bundled, require_language


@pytest.mark.parametrize(("own", "another"), [("en", "ru"), ("ru", "en")])
def test_the_bundled_tables_are_of_their_languages(own: str, another: str) -> None:
    text = " ".join(word for phrase in bundled(own).phrases for word in phrase)
    assert foreign(text, own) == ""
    assert foreign(text, another)


def test_what_a_table_says_of_itself_counts() -> None:
    mine = PairTable([("haus", "gebäude", 1.0)], language="other")
    with pytest.raises(BadInput, match="paraphrases are of language 'other', the texts of 'en'"):
        require_language(mine, "en")
