"""A parser trained for seconds on a made-up treebank: what goes in, what comes out, and when it is made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rerank.english import EnglishAnalyzer
from rerank.errors import BadInput
from rewrite.checksums import SUMS, verify_sums
from rewrite.errors import BadModel
from tests.training.heads import treebank
from training.english_parser import main, make
from training.parsing.learning import Progress, train
from training.parsing.names import name_tags
from training.parsing.options import ParserRecipe, Treebank, load_parser_recipe, shipped_parser_recipes
from training.parsing.treebanks import document_ids, read_blocks, unified


@pytest.fixture
def recipe(tmp_path: Path) -> ParserRecipe:
    treebank(tmp_path / "one.conllu", {"a": 40, "held": 5})
    treebank(tmp_path / "dev.conllu", {"held": 5})
    bank = Treebank(files=str(tmp_path / "o*.conllu"), what="A treebank", licence="CC BY 4.0")
    return ParserRecipe(
        name="tiny",
        summary="A test.",
        licence="CC0",
        train=(bank,),
        dev=str(tmp_path / "dev.conllu"),
        max_steps=6,
        eval_every=2,
        sentences_at_once=2,
    )


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

    def test_documents_are_told_apart(self, tmp_path: Path) -> None:
        assert document_ids([treebank(tmp_path / "x", {"a": 1, "b": 2})]) == {"a", "b"}

    @pytest.mark.parametrize("row", ["1\tword", "x\tw\t_\t_\t_\t_\t_\t_\t_\t_"])
    def test_a_broken_row_is_named(self, tmp_path: Path, row: str) -> None:
        (tmp_path / "x.conllu").write_text(f"# text\n{row}\n", encoding="utf-8")
        with pytest.raises(BadInput, match=r"x\.conllu, line 2"):
            list(read_blocks(tmp_path / "x.conllu"))

    def test_bytes_that_are_no_text_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "x.conllu").write_bytes(b"1\t\xff\n")
        with pytest.raises(BadInput, match="byte 2"):
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


class TestMaking:
    def test_a_packed_pipeline_parses_and_says_what_it_saw(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        folder = make(recipe, tmp_path / "out")
        assert verify_sums(folder) > 10
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        # The five sentences of the document that dev has are not among them.
        assert card["data"] == [
            {"what": "A treebank", "licence": "CC BY 4.0", "documents": 1, "sentences": 40, "words": 240}
        ]
        assert "| A treebank | CC BY 4.0 |" in (folder / "README.md").read_text(encoding="utf-8")
        assert [t.text for t in EnglishAnalyzer(folder).analyze_one("The cat saw a dog.").tokens][-1] == "."

    def test_the_folder_has_no_pickle_and_no_path_of_the_training(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        folder = make(recipe, tmp_path / "out")
        for path in folder.rglob("*"):
            if path.is_file():
                # A pickle begins with its protocol, or is a zip or gzip of one.
                assert path.read_bytes()[:2] not in (
                    b"\x80\x02",
                    b"\x80\x03",
                    b"\x80\x04",
                    b"\x80\x05",
                    b"PK",
                    b"\x1f\x8b",
                )
                assert str(tmp_path).encode() not in path.read_bytes()

    def test_the_same_recipe_gives_the_same_files(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        first, second = (make(recipe, tmp_path / name) for name in ("one", "two"))
        assert (first / SUMS).read_bytes() == (second / SUMS).read_bytes()

    def test_it_learns(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        folder = make(recipe.model_copy(update={"max_steps": 60, "eval_every": 20}), tmp_path / "out")
        figures = json.loads((folder / "card.json").read_text(encoding="utf-8"))["figures"]["dev"]
        assert figures["dep_las"] > 95
        assert figures["pos_acc"] > 95

    def test_a_pipeline_that_is_too_large_is_refused(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        with pytest.raises(BadModel, match=r"more than the 0\.5 MB"):
            make(recipe.model_copy(update={"max_megabytes": 0.5}), tmp_path / "out")

    def test_treebanks_that_are_not_there_are_named(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        bank = recipe.train[0].model_copy(update={"files": "{data}/none/*.conllu"})
        with pytest.raises(BadInput, match="none"):
            make(recipe.model_copy(update={"train": (bank,)}), tmp_path / "out", data=str(tmp_path))

    def test_too_small_a_treebank_is_refused_in_one_line(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        treebank(tmp_path / "one.conllu", {"a": 3})
        with pytest.raises(BadInput, match="spaCy cannot train"):
            make(recipe, tmp_path / "out")

    def test_only_documents_of_the_sources_asked_for_are_seen(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        bank = recipe.train[0].model_copy(update={"source_urls": ("example.com",)})
        with pytest.raises(BadInput, match="no sentences"):
            make(recipe.model_copy(update={"train": (bank,)}), tmp_path / "out")


class TestAgain:
    def test_what_is_done_is_not_done_again(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        lines: list[str] = []
        make(recipe, tmp_path / "out")
        train(recipe, tmp_path / "out" / "corpus", tmp_path / "out" / "training", say=lines.append)
        assert len(lines) == 1
        assert lines[0].startswith("trained already: 6 steps")

    def test_another_recipe_begins_anew(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        make(recipe, tmp_path / "out")
        other = recipe.model_copy(update={"seed": 1, "max_steps": 2})
        progress = train(other, tmp_path / "out" / "corpus", tmp_path / "out" / "training", say=lambda line: None)
        assert progress.steps == 2

    def test_time_ends_it(self, recipe: ParserRecipe, tmp_path: Path) -> None:
        short = recipe.model_copy(update={"minutes": 1e-6, "max_steps": 10_000})
        make(short, tmp_path / "out")
        told = json.loads((tmp_path / "out" / "training" / "progress.json").read_text(encoding="utf-8"))
        assert Progress(**told).steps == 0


class TestCommand:
    def test_shipped_recipes_are_read(self) -> None:
        assert shipped_parser_recipes() == ("en-all", "en-open")
        for name in shipped_parser_recipes():
            assert load_parser_recipe(name).name == name

    def test_nothing_of_the_open_recipe_forbids_commerce(self) -> None:
        assert not [bank.what for bank in load_parser_recipe("en-open").train if "NC" in bank.licence]

    def test_a_wrong_key_is_one_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "x.yaml").write_text("name: x\ncolour: red\n", encoding="utf-8")
        assert main([str(tmp_path / "x.yaml"), "--out", str(tmp_path / "out")]) == 1
        error = capsys.readouterr().err
        assert "colour" in error
        assert "Traceback" not in error
        assert error.count("\n") == 1

    def test_no_data_folder_is_one_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("REWRITE_DATA", raising=False)
        assert main(["en-open", "--out", str(tmp_path / "out")]) == 1
        assert "--data" in capsys.readouterr().err
