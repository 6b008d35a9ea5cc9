"""A parser trained for seconds on a made-up treebank: what goes in, what comes out, and when it is made again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from rerank.english import EnglishAnalyzer
from rerank.errors import BadInput
from rewrite.checksums import verify_sums
from rewrite.errors import BadOption
from tests.training.heads import treebank
from training.english_parser import english_parser, main
from training.parsing.treebanks import name_tags, read_blocks, unified
from training.recipe import Run, load_recipe


def open_parser(folder: Path, out: Path, **changed: Any) -> Run:
    """The run of a recipe that learns forty sentences, and not those of the document that dev has."""
    bank = {"files": str(folder / "o*.conllu"), "what": "A treebank", "licence": "CC BY 4.0"}
    parser = {
        "licence": "CC0",
        "train": [bank],
        "dev": str(folder / "dev.conllu"),
        "max_steps": 40,
        "eval_every": 20,
        "sentences_at_once": 2,
    }
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump({"name": "tiny", "language": "en", "parser": {**parser, **changed}}), "utf-8")
    return Run(load_recipe(path), out, str(folder))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with treebanks, and `out`, a run that is over."""
    folder = tmp_path_factory.mktemp("parser")
    treebank(folder / "one.conllu", {"a": 40, "held": 5})
    treebank(folder / "dev.conllu", {"held": 5})
    assert english_parser(open_parser(folder, folder / "out")) == folder / "out" / "model"
    return folder


class TestTreebanks:
    def test_labels_that_treebanks_do_not_share_are_dropped(self, tmp_path: Path) -> None:
        (tmp_path / "x.conllu").write_text(
            "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            "1\tdo\tdo\tAUX\tVBP\tTense=Pres|Style=Coll\t0\tnmod:poss\t_\tMSeg=x\n"
            "2\tn't\tnot\tPART\tRB\tPolarity=Neg\t1\tobl:tmod\t_\t_\n"
            "2.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t_\t_\n",
            encoding="utf-8",
        )
        (block,) = read_blocks(tmp_path / "x.conllu")
        assert unified(block, names=False).split("\n") == [
            "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
            "1\tdo\tdo\tAUX\t_\tTense=Pres\t0\tnmod:poss\t_\t_",
            "2\tn't\tnot\tPART\t_\tPolarity=Neg\t1\tobl\t_\t_",
        ]

    @pytest.mark.parametrize("row", ["1\tword", "x\tw\t_\t_\t_\t_\t_\t_\t_\t_"])
    def test_a_broken_row_is_named(self, tmp_path: Path, row: str) -> None:
        (tmp_path / "x.conllu").write_text(f"# text\n{row}\n", encoding="utf-8")
        with pytest.raises(BadInput, match=r"x\.conllu, line 2"):
            list(read_blocks(tmp_path / "x.conllu"))

    def test_bytes_that_are_no_text_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "x.conllu").write_bytes(b"1\t\xff\n")
        with pytest.raises(BadInput, match=r"x\.conllu, line 1: byte 3"):
            list(read_blocks(tmp_path / "x.conllu"))


def mention_rows(*rows: tuple[str, str, int, str, str]) -> list[tuple[str, ...]]:
    return [
        (str(n), form, form, pos, "_", "_", str(head), rel, "_", f"Entity={entity}" if entity else "_")
        for n, (form, pos, head, rel, entity) in enumerate(rows, 1)
    ]


class TestNames:
    def test_a_run_of_proper_nouns_has_the_type_of_the_mention_it_heads(self) -> None:
        rows = mention_rows(
            ("Ann", "PROPN", 3, "nsubj", "(1-person-new-n-cf1-1,2-sgl"),
            ("Lee", "PROPN", 1, "flat", "1)"),
            ("left", "VERB", 0, "root", ""),
            ("Rome", "PROPN", 3, "obj", "(2-place-new-n-cf1-1-sgl)"),
        )
        assert list(name_tags(rows).values()) == ["B-PER", "I-PER", "O", "B-LOC"]

    def test_an_adjective_like_name_is_not_what_it_describes(self) -> None:
        rows = mention_rows(
            ("Rome", "PROPN", 2, "nmod:poss", "(1-person-new-n-cf1-2-sgl(2-place-new-n-cf2-1-sgl)"),
            ("mayors", "NOUN", 3, "nsubj", "1)"),
            ("met", "VERB", 0, "root", ""),
            ("Tuesday", "PROPN", 3, "obl", "(3-time-new-n-cf1-1-sgl)"),
        )
        assert list(name_tags(rows).values()) == ["B-LOC", "O", "O", "O"]

    def test_names_reach_over_of(self) -> None:
        rows = mention_rows(
            ("Bank", "PROPN", 0, "root", "(1-organization-new-n-cf1-1-sgl"),
            ("of", "ADP", 3, "case", ""),
            ("England", "PROPN", 1, "nmod", "(2-place-new-n-cf1-1-sgl)1)"),
        )
        assert list(name_tags(rows).values()) == ["B-ORG", "I-ORG", "I-ORG"]


def test_a_packed_pipeline_parses_and_says_what_it_saw(place: Path) -> None:
    folder = place / "out" / "model"
    assert verify_sums(folder) > 10
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert [(item["name"], item["licence"]) for item in card["data"]] == [("A treebank", "CC BY 4.0")]
    assert "| A treebank | training | CC BY 4.0 |" in (folder / "README.md").read_text(encoding="utf-8")
    assert EnglishAnalyzer(folder).signature == "en_tiny@1.0.0"
    assert [t.text for t in EnglishAnalyzer(folder).analyze_one("The cat saw a dog.").tokens][-1] == "."
    assert card["figures"]["dev heads and relations (LAS)"] > 95
    assert card["figures"]["dev parts of speech"] > 95


def test_the_folder_has_no_pickle_and_no_path_of_the_training(place: Path) -> None:
    # A pickle begins with its protocol, or is a zip or gzip of one.
    pickles = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK", b"\x1f\x8b")
    for path in (place / "out" / "model").rglob("*"):
        if path.is_file():
            assert path.read_bytes()[:2] not in pickles
            assert str(place).encode() not in path.read_bytes()


def test_what_is_done_is_not_done_again_and_the_same_recipe_gives_the_same_files(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = shutil.copytree(place / "out", tmp_path / "out")
    shutil.rmtree(out / "model")
    with monkeypatch.context() as patch:
        patch.setattr("training.english_parser.train", lambda *_: pytest.fail("it trains again"))
        english_parser(open_parser(place, out))
    shutil.rmtree(out / "parser" / "training")
    before = (out / "model" / "SHA256SUMS").read_bytes()
    english_parser(open_parser(place, out))
    assert (out / "model" / "SHA256SUMS").read_bytes() == before == (place / "out/model/SHA256SUMS").read_bytes()


def test_another_recipe_in_the_same_folder_is_refused(place: Path) -> None:
    with pytest.raises(BadOption, match=r"parser\.max_steps is 2, was 40"):
        english_parser(open_parser(place, place / "out", max_steps=2))


@pytest.mark.parametrize(
    ("changed", "told"),
    [({"files": "{data}/none/*.conllu"}, "none"), ({"source_urls": ["example.com"]}, "no sentences")],
)
def test_treebanks_that_are_not_there_or_not_of_the_sources_are_named(
    place: Path, tmp_path: Path, changed: dict[str, object], told: str
) -> None:
    bank = {"files": str(place / "o*.conllu"), "what": "A treebank", "licence": "CC BY 4.0"}
    with pytest.raises(BadInput, match=told):
        english_parser(open_parser(place, tmp_path / "out", train=[{**bank, **changed}]))


def test_too_small_a_treebank_is_refused_in_one_line(tmp_path: Path) -> None:
    treebank(tmp_path / "one.conllu", {"a": 3})
    treebank(tmp_path / "dev.conllu", {"held": 5})
    with pytest.raises(BadInput, match="spaCy cannot train"):
        english_parser(open_parser(tmp_path, tmp_path / "out"))


class TestCommand:
    @pytest.mark.parametrize("name", ["en-all", "en-open"])
    def test_shipped_recipes_are_read(self, name: str) -> None:
        options = load_recipe(name).parser
        assert options is not None
        assert name == "en-all" or not [bank.what for bank in options.train if "NC" in bank.licence]

    def test_no_data_folder_is_one_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("REWRITE_DATA", raising=False)
        assert main(["en-open", "--out", str(tmp_path / "out")]) == 1
        assert "--data" in capsys.readouterr().err
