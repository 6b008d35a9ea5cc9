"""What three readers said of single edits."""

from __future__ import annotations

import pytest

from training.edit_readings import main, passed_by


def test_every_edit_has_a_chance_and_three_verdicts() -> None:
    for kind in ("cut", "change"):
        chances, passed = passed_by(kind)
        assert chances.shape == (160,)
        assert passed.shape == (160, 3)
        assert ((chances > 0) & (chances < 1)).all()


def test_agreement_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'rewrite-rerank[train]'")
    main()
    told = capsys.readouterr().out
    assert "readers 1 and 2: agree on 0.96, kappa 0.91" in told
    assert "the model as a judge of each reader: AUC 0.798, 0.735, 0.722" in told
