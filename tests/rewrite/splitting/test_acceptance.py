"""What the judge of splits looks at, and what the bundled one makes of plain cases."""

from __future__ import annotations

import numpy as np
import pytest

from rewrite.splitting.acceptance import FEATURES, load_acceptance, split_features
from rewrite.splitting.split import render
from rewrite.splitting.wholeness import SentenceJudge
from tests.rewrite.splitting.marking import marked


@pytest.fixture(scope="module")
def judge() -> SentenceJudge:
    return SentenceJudge()


def row(judge: SentenceJudge, text: str, opener: str = "", of: str = "") -> dict[str, float]:
    words, split = marked(text, opener, of=of)
    pair = render(words, split)
    assert pair is not None
    (features,) = split_features(words, [split], [pair], -2.0, judge.probabilities)
    return dict(zip(FEATURES, features.tolist(), strict=True))


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
def test_features_say_what_was_done(judge: SentenceJudge, text: str, opener: str, expected: dict[str, float]) -> None:
    text = text.replace("{, founded in 1909,| }", "{, |founded in 1909,}")
    features = row(judge, text, opener)
    assert {name: features[name] for name in expected} == expected
    assert features["none"] == -2.0
    assert features["over_none"] == features["logprob"] + 2.0


def test_no_split_has_no_row(judge: SentenceJudge) -> None:
    words, _ = marked("The old town lies on a river{, and| it has a castle}.")
    assert split_features(words, [], [], -1.0, judge.probabilities).shape == (0, len(FEATURES))


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (
            ("The town lies on a river{, and| it has had a castle since 1909}.", ""),
            ("The town lies on a river{ and| a lake that is deep}.", "it is"),
        ),
        (
            ("The company was founded in Berlin{, and| moved to Rome in 1990}.", "it"),
            ("The company was founded in Berlin and moved to Rome{ |in 1990}.", "it was"),
        ),
        (
            ("The film was a success{, but| critics did not like it at all}.", "however ,"),
            ("The film that critics did not like{ |at all was a success}.", ""),
        ),
    ],
)
def test_the_bundled_judge_tells_a_good_split_from_a_torn_one(
    judge: SentenceJudge, good: tuple[str, str], bad: tuple[str, str]
) -> None:
    rows = [list(row(judge, *example).values()) for example in (good, bad)]
    surer, torn = load_acceptance().predict(np.array(rows))
    assert surer > 0.7
    assert torn < surer - 0.4
