"""A vocabulary from files of pairs, which a fresh model takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("tokenizers", reason="needs tokenizers: pip install 'rewrite-rerank[hf]'")

from rewrite.errors import BadInput
from tests.training.finetuning import PAIRS
from training.finetuning.base import require_special
from training.tokenizer import main


def _pairs(path: Path) -> Path:
    rows = [json.dumps({"source": s, "target": t}, ensure_ascii=False) for s, t in PAIRS]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_a_vocabulary_of_pairs_is_one_that_a_fresh_model_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tokenizers import Tokenizer

    pairs, out = _pairs(tmp_path / "pairs.jsonl"), tmp_path / "made" / "tokenizer.json"
    assert main([str(pairs), "--out", str(out), "--size", "400"]) == 0
    assert capsys.readouterr().out == f"{out}: 400 tokens\n"
    require_special(out)
    found = Tokenizer.from_file(str(out))
    for text in (*PAIRS[0], "Ещё не виданное: 17 %."):
        assert found.decode(found.encode(text).ids).strip() == text
    # Its own texts, of both sides, are short in it.
    assert all(len(found.encode(text).ids) < 0.6 * len(text.encode()) for pair in PAIRS for text in pair)
    again = tmp_path / "again.json"
    assert main([str(pairs), "--out", str(again), "--size", "400"]) == 0
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize(
    ("text", "size", "status", "told"),
    [
        (None, 400, 1, "Cannot read"),
        ("", 400, 1, "hold no pairs"),
        ('{"a": 1}\n', 400, 1, "no key 'source', its keys: 'a'"),
        ('{"source": "а", "target": "б"}\n', 100, 2, "--size is 100: give a whole number of 260 or more."),
    ],
)
def test_what_makes_no_vocabulary_is_told_and_leaves_nothing(
    text: str | None, size: int, status: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "pairs.jsonl", tmp_path / "tokenizer.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main([str(path), "--out", str(out), "--size", str(size)]) == status
    assert told in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [(None, "Cannot read"), ("{}", "it is no tokenizer.json"), ('{"added_tokens": []}', "it has no </s>")],
)
def test_a_file_that_is_no_vocabulary_for_a_fresh_model_is_answered_with_how_to_make_one(
    text: str | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=told) as caught:
        require_special(path)
    assert "python -m training.tokenizer PAIRS --out FILE" in caught.value.hint
