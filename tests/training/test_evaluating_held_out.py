"""Rewrites that no evaluator has learnt from: which they are, and that they go to a file and come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.datasets import load_rsse
from rewrite.errors import BadInput
from tests.paths import need_data
from tests.training.contrasts import contrasts
from tests.training.heads import write_data
from training.evaluating.examples import is_held_out, positives
from training.evaluating.held_out import held_out, main
from training.masked.corpora import HeldBack
from training.negatives.sampling import Positive
from training.splitting.pairs import SETS, read_set

LONG = "The Kingdom of Daventry is in serious trouble because its magical items have been stolen ."


def test_held_out_sources_go_to_a_file_and_come_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rsse").mkdir()
    rows = "".join(f'{n},"Завод {n}, построенный давно.",Завод {n} построен.\n' for n in range(40))
    (tmp_path / "rsse" / "dev_sents.csv").write_text(f",INPUT:source,OUTPUT:output\n{rows}", encoding="utf-8")
    assert main(["--data", str(tmp_path)]) == 0
    (tmp_path / "held.csv").write_text(capsys.readouterr().out, encoding="utf-8")
    found = load_rsse(tmp_path / "held.csv")
    assert found
    assert all(is_held_out(one.source) for one in found)
    read = [Positive(one.source, text) for one in found for text in one.references]
    assert held_out("rsse", str(tmp_path)) == read


def test_of_splits_those_that_another_set_has_are_left_out(tmp_path: Path) -> None:
    data = write_data(tmp_path)
    for name in ("desse_minwiki/MinWiki/matchvp_train", "desse_minwiki/ACL2021/train", "bisect/valid"):
        (data / name).parent.mkdir(parents=True)
    validation = (data / "wikisplit" / "validation.tsv").read_text(encoding="utf-8").split("\n")
    validation[3_505] = f"{LONG}\tThe Kingdom is in trouble . <::::> Its items have been stolen ."
    validation[3_506] = "Nobody has it , and so it stays .\tNobody has it . <::::> It stays ."
    (data / "wikisplit" / "validation.tsv").write_text("\n".join(validation), encoding="utf-8")
    other = "the Kingdom of Daventry is in serious trouble after its items vanished.\n"
    for name, text in (("MinWiki/matchvp_train", other), ("ACL2021/train", "He left.\n")):
        for ending in ("complex", "simple"):
            (data / f"desse_minwiki/{name}.{ending}").write_text(text, encoding="utf-8")
    for ending in ("src", "dst"):
        (data / f"bisect/valid.{ending}").write_text("She ran .\n", encoding="utf-8")
    found = held_out("wikisplit-dev", str(data))
    assert Positive("Nobody has it , and so it stays .", "Nobody has it . It stays .") in found
    assert LONG not in {one.source for one in found}
    assert LONG in {pair.complex for pair in read_set("wikisplit-dev", data)}
    (data / "bisect" / "valid.src").unlink()
    with pytest.raises(BadInput, match=r"valid\.src"):
        held_out("wikisplit-dev", str(data))


def test_a_file_of_ones_own_is_read_whole(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text('{"source": "He left Rome.", "text": "He left."}\n\n', encoding="utf-8")
    assert held_out(str(own)) == [Positive("He left Rome.", "He left.")]
    with pytest.raises(BadInput, match="No set and no file"):
        held_out("lenta")


@pytest.mark.parametrize(
    "row",
    [
        "no json",
        '{"source": "a"}',
        '["a", "b"]',
        '{"source": "a", "text": null}',
        '{"source": "a", "text": "\\u00ad"}',
        '{"source": " ", "text": "a"}',
    ],
)
def test_a_bad_row_of_a_file_is_named(row: str, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(f'{{"source": "He left Rome.", "text": "He left."}}\n\n{row}\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"own\.jsonl, line 3"):
        held_out(str(own))


def test_the_english_rows_at_hand_share_no_eight_words_with_what_is_learnt_from() -> None:
    data = need_data("wikisplit").parent
    found = held_out("wikisplit-dev", str(data))
    assert len(found) > 480
    learnt = HeldBack(p.complex for name in SETS if name != "wikisplit-dev" for p in read_set(name, data))
    assert not any(one.source in learnt for one in found)
    simplified = [one for name in ("turkcorpus", "asset") for one in positives(name, data, Path, 10**6, 0)]
    assert len(simplified) > 15_000
    learnt = HeldBack(text for one in simplified for text in (one.source, one.text))
    assert not any(text in learnt for one in found for text in (one.source, one.text))


def test_summaries_of_newsroom_are_those_by_people() -> None:
    data = need_data("metaeval_newsroom_qags/Newsroom/data.json").parents[2]
    found = held_out("newsroom", str(data))
    assert len({one.source for one in found}) == 60
    assert all(one.text and one.text not in one.source[:20] for one in found)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_pairs_by_hand_are_whole_and_there_once(language: str) -> None:
    pairs = contrasts(language)
    assert len(pairs) == len(set(pairs)) > 50
    assert all(text.strip() == text and text for one in pairs for text in (one.kind, one.source, one.good, one.bad))
    assert all(one.good != one.bad != one.source != one.good for one in pairs)
