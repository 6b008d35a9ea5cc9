"""What tests of networks on a small encoder share: a recipe of one section, a run that is over, and one that stops."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from training.heads.step import DevJudge

__all__ = ["Place", "broken_copy", "stop_and_go_on", "without_torch", "write_section"]

_LEARNING: Mapping[str, Any] = {
    "dropout": 0.0,
    "batch_tokens": 512,
    "precision": "fp32",
    "device": "cpu",
    "threads": 1,
    "data": [{"name": "pairs of a grammar", "licence": "none stated"}],
}


@dataclass(frozen=True)
class Place:
    """Where things lie: the data folder, the masked model, and a run, which mostly is over."""

    data: Path
    encoder: Path
    run: Path

    @property
    def model(self) -> Path:
        return self.run / "model"


def write_section(folder: Path, name: str, section: str, values: Mapping[str, Any]) -> Path:
    """A recipe `name` whose only section learns on one thread in 32 bits, with further `values`."""
    path = folder / "recipe.yaml"
    recipe = {"name": name, "language": "en", "seed": 3, section: {**_LEARNING, **values}}
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return path


def stop_and_go_on(
    main: Callable[[list[str]], int],
    arguments: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    """Run a command twice, with Ctrl-C where the first looks at dev examples; what the second prints."""

    def stop(self: DevJudge, model: object, step: int) -> float:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(DevJudge, "judge", stop)
        assert main([*arguments]) == 130
    assert "stopped" in capsys.readouterr().err
    assert not (Path(arguments[arguments.index("--out") + 1]) / "model").exists()
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def broken_copy(model: Path, copy: Path, name: str, content: str | None) -> Path:
    """A copy of a packed folder whose file `name` has this content, or is missing."""
    shutil.copytree(model, copy)
    if content is None:
        (copy / name).unlink()
    else:
        (copy / name).write_text(content, encoding="utf-8")
    return copy


def without_torch(code: str) -> str:
    """What some code prints in a process that has no torch and no transformers."""
    code = f"import sys\nsys.modules['torch'] = sys.modules['transformers'] = None\nfrom pathlib import Path\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
