"""Whether a reader would pass a rewrite: what the model of verdicts is asked and says, and the line that hears it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from rewrite import generators
from rewrite.acceptance.verdict import LineAcceptance, VerdictModel, log_odds
from rewrite.errors import BadModel
from rewrite.generators import Engines
from tests.fakes import WordModel

SOURCE = "The municipality has two bridges."
GOOD, BAD, LONG = (
    "The town has two bridges.",
    "The town has no bridges.",
    "The town has two bridges, and a third is built.",
)
ENDS = {GOOD: math.log(0.8), BAD: math.log(0.2)}
LINE = LineAcceptance(
    {"change": 0.5, "verdict": 2.0}, -1.0, {"change": -40.0, "verdict": -7.0}, {"change": 10.0, "verdict": 7.0}
)


def test_the_chance_of_a_text_is_that_of_its_end() -> None:
    engine = WordModel(ends=ENDS, words={"town": -9.0})
    assert VerdictModel(engine).chances(SOURCE, [GOOD, BAD]) == pytest.approx([0.8, 0.2])
    # Whatever the text is, the same is asked: a split.
    assert engine.asked == [(f"{SOURCE}\n3824\n", GOOD), (f"{SOURCE}\n3824\n", BAD)]
    assert VerdictModel(engine).chances(SOURCE, []) == []


def test_a_rounded_probability_is_no_more_than_one() -> None:
    assert VerdictModel(WordModel(ends={GOOD: 1e-6})).chances(SOURCE, [GOOD]) == [1.0]


def test_of_a_text_that_does_not_fit_nothing_is_known_and_the_others_keep_their_places() -> None:
    engine = WordModel(ends=ENDS, window=len(GOOD))
    verdicts = VerdictModel(engine)
    assert verdicts.chances(SOURCE, [BAD, LONG, GOOD]) == [pytest.approx(0.2), None, pytest.approx(0.8)]
    assert LONG not in [text for _, text in engine.asked]
    assert verdicts.fits(SOURCE, [BAD, GOOD])
    assert not verdicts.fits(SOURCE, [BAD, LONG])


def test_sources_with_their_texts_are_read_at_once_and_each_gets_its_own() -> None:
    engine = WordModel(ends=ENDS)
    first, nothing, second = VerdictModel(engine).scored([(SOURCE, [GOOD, BAD]), ("It rained.", []), (GOOD, [BAD])])
    assert [tokens[-1] for tokens in (*first, *second)] == [("<eos>", ENDS[text]) for text in (GOOD, BAD, BAD)]
    assert [token for token, _ in first[0]] == [*GOOD.split(), "<eos>"]
    assert nothing == []
    assert [asked.partition("\n")[0] for asked, _ in engine.asked] == [SOURCE, SOURCE, GOOD]
    assert list(VerdictModel(engine).scored([])) == []


def test_only_where_there_is_a_model_and_its_base_are_verdicts_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generators, "is_installed", lambda: True)
    assert isinstance(Engines().verdicts("en"), VerdictModel)
    assert Engines().verdicts("ru") is None
    monkeypatch.setattr(generators, "is_installed", lambda: False)
    assert Engines().verdicts("en") is None


def test_log_odds_are_those_of_a_chance_within_limits() -> None:
    assert log_odds(0.9) == pytest.approx(math.log(9)) == pytest.approx(-log_odds(0.1))
    assert [log_odds(chance) for chance in (0.0, 0.5, 1.0, None)] == [-7.0, 0.0, 7.0, 0.0]


def test_the_chance_of_a_line_is_a_logistic_one() -> None:
    chances = LINE.predict(np.array([[0.0, 0.5], [2.0, 0.0], [0.0, 0.0]]))
    assert chances == pytest.approx([0.5, 0.5, 1 / (1 + math.e)])
    assert LINE.predict(np.zeros((0, 2))).shape == (0,)


def test_a_line_comes_back_and_hears_features_in_the_order_that_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "line.json"
    LINE.save(file)
    assert LineAcceptance.load(file, ("change", "verdict")) == LINE
    turned = LineAcceptance.load(file, ("verdict", "change"))
    assert turned.predict(np.array([[0.5, 2.0]])) == pytest.approx(LINE.predict(np.array([[2.0, 0.5]])))


@pytest.mark.parametrize(
    "names", [("change",), ("change", "verdict", "length"), ("change", "length")], ids=["fewer", "more", "others"]
)
def test_a_line_of_other_features_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    LINE.save(tmp_path / "line.json")
    with pytest.raises(BadModel, match=r"line\.json"):
        LineAcceptance.load(tmp_path / "line.json", names)


@pytest.mark.parametrize(
    "content",
    [b"{", b"\xff\xfe", b"[]", b"{}", json.dumps({"weights": {"change": "much"}, "offset": 0}).encode()],
    ids=["cut off", "no text", "a list", "empty", "no number"],
)
def test_a_broken_line_is_named_with_what_mends_it(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "line.json"
    file.write_bytes(content)
    with pytest.raises(BadModel, match=r"line\.json: it cannot be read") as caught:
        LineAcceptance.load(file, ("change",))
    assert "pip install" in caught.value.hint
    with pytest.raises(BadModel, match="nothing"):
        LineAcceptance.load(tmp_path / "nothing.json", ("change",))
