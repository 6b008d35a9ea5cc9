"""What the judge of splits looks at, and what the bundled one makes of plain cases."""

from __future__ import annotations

import math
from itertools import chain

import pytest

from rewrite.splitting.acceptance import FEATURES, split_features
from rewrite.splitting.model import SplitModel
from rewrite.splitting.search import Search, Wanted
from rewrite.splitting.words import sentence_analyzer
from tests.rewrite.splitting.marking import marked


def row(text: str, opener: str = "", of: str = "") -> dict[str, float]:
    words, split = marked(text, opener, of=of)
    (found,) = split_features(words, [split], -2.0)
    return dict(zip(FEATURES, found.tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "opener", "expected"),
    [
        ("The old town lies on a river{, and| it has a castle}.", "", {"dropped:and": 1, "has_subject": 1}),
        ("The old town lies on a river{, and| has a castle}.", "it", {"has_subject": 0, "opener:it": 1, "personal": 1}),
        ("Mary Smith met the mayor{, who| was ill}.", "she", {"relation:acl:relcl": 1, "dropped:who": 1}),
        ("The club{, founded in 1909,| } won the cup twice.", "it was", {"be": 1, "past_opener": 1, "middle": 1}),
        ("She said that the town was old{ and| it had a castle}.", "", {"reported": 1}),
        ("If it rains, the match is off{, and| the fans go home}.", "", {"limiting": 1}),
    ],
)
def test_features_say_what_was_done(text: str, opener: str, expected: dict[str, float]) -> None:
    text = text.replace("{, founded in 1909,| }", "{, |founded in 1909,}")
    found = row(text, opener)
    assert {name: found[name] for name in expected} == expected
    assert found["none"] == -2.0
    assert found["over_none"] == found["logprob"] + 2.0


def test_no_split_has_no_row() -> None:
    words, _ = marked("The old town lies on a river{, and| it has a castle}.")
    assert split_features(words, [], -1.0).shape == (0, len(FEATURES))


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(SplitModel(), sentence_analyzer(), Wanted())


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (
            "The town lies on a river. It has had a castle since 1909.",
            "The town lies on a river. It is a lake that is deep.",
        ),
        (
            "The company was founded in Berlin. It moved to Rome in 1990.",
            "The company was founded in Berlin and moved to Rome. It was in 1990.",
        ),
        (
            "The film was a success. However, critics did not like it at all.",
            "The film that critics did not like. At all was a success.",
        ),
    ],
)
def test_the_bundled_judge_tells_a_good_split_from_a_torn_one(search: Search, good: str, bad: str) -> None:
    # Of two sources that have a split in common the surer counts.
    sources = (
        "The town lies on a river, and it has had a castle since 1909.",
        "The town lies on a river and a lake that is deep.",
        "The company was founded in Berlin, and moved to Rome in 1990.",
        "The company was founded in Berlin and moved to Rome in 1990.",
        "The film was a success, but critics did not like it at all.",
        "The film that critics did not like at all was a success.",
    )
    chances: dict[str, float] = {}
    for one in chain(*search.run(sources, 10)):
        text = one.text.replace("\n", " ")
        assert one.risk is not None
        chances[text] = max(math.exp(-one.risk), chances.get(text, 0.0))
    assert chances[good] > 0.6
    # What is not offered at all has no chance.
    assert chances.get(bad, 0.0) < chances[good] - 0.4
