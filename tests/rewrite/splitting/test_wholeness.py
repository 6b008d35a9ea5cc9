"""The judge of whole sentences as the splitter asks it, with a model that was taught nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rerank.errors import ModelNotFound
from rewrite.splitting import wholeness
from rewrite.splitting.wholeness import SentenceJudge
from tests.training.heads import write_judge

TEXTS = ["Alan Shepard was born in Rome .", "Was born in Rome .", "He met the mayor .", "In Oslo ."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_judge(tmp_path_factory.mktemp("judge"), window=20)


@pytest.fixture
def judge(folder: Path) -> SentenceJudge:
    return SentenceJudge(folder, threads=1)


def test_each_text_has_a_chance_whatever_stands_beside_it(folder: Path, judge: SentenceJudge) -> None:
    together = judge.probabilities([*TEXTS, TEXTS[1]])
    assert together.shape == (5,)
    assert together.dtype == np.float64
    assert ((together > 0) & (together < 1)).all()
    assert together[1] == together[4]
    assert len(set(together[:4])) == 4
    alone = [SentenceJudge(folder, threads=1).probabilities([text])[0] for text in TEXTS]
    assert np.abs(together[:4] - alone).max() < 0.01


def test_no_texts_and_empty_ones_are_answered(judge: SentenceJudge) -> None:
    assert judge.probabilities([]).shape == (0,)
    assert 0 < judge.probabilities([""])[0] < 1


def test_of_a_text_longer_than_the_window_its_beginning_is_read(judge: SentenceJudge) -> None:
    long = "He met the mayor in Rome and " * 20
    first, second = judge.probabilities([long + "left .", long + "was born in Oslo ."])
    assert first == pytest.approx(second, abs=1e-6)


def test_a_text_that_was_judged_is_not_judged_again(judge: SentenceJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    real = judge._judged

    def judged(texts: Sequence[str]) -> list[float]:
        asked.append(list(texts))
        return real(texts)

    monkeypatch.setattr(judge, "_judged", judged)
    first = judge.probabilities(TEXTS[:2])
    assert (judge.probabilities([TEXTS[1], TEXTS[2], TEXTS[0]])[[2, 0]] == first).all()
    assert asked == [TEXTS[:2], [TEXTS[2]]]


def test_only_so_many_texts_are_remembered_the_latest_asked(
    judge: SentenceJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wholeness, "_REMEMBERED", 2)
    judge.probabilities(TEXTS[:2])
    judge.probabilities([TEXTS[0], TEXTS[2]])
    assert list(judge._known) == [TEXTS[0], TEXTS[2]]
    assert judge.probabilities(TEXTS).shape == (4,)


def test_the_signature_changes_with_the_model(folder: Path, judge: SentenceJudge, tmp_path: Path) -> None:
    import shutil

    copy = shutil.copytree(folder, tmp_path / "copy")
    assert SentenceJudge(copy).signature() == judge.signature()
    (copy / "head.npz").write_bytes(b"other")
    assert SentenceJudge(copy).signature() != judge.signature()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match="nowhere") as refused:
        SentenceJudge(tmp_path / "nowhere")
    assert "training.wholeness" in refused.value.hint
