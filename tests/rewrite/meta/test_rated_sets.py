"""Readers of rated texts: what they take, what they leave out with a word, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate.meta.rated_sets import load_rated
from rewrite.judging.row_metric import Row
from tests.paths import need_data


def document(**changes: Any) -> dict[str, Any]:
    systems = {
        "a": {"sys_summ": "One. ", "scores": {"fluency": 1, "zest": 2.5}},
        "b": {"sys_summ": "Two.", "scores": {"fluency": 3, "zest": 2.0}},
    }
    return {"src": "The source.", "ref_summ": "A reference.", "sys_summs": systems, **changes}


def written(folder: Path, content: Any) -> Path:
    path = folder / "mine.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_file_is_read_as_it_stands(tmp_path: Path) -> None:
    data = load_rated("summaries", written(tmp_path, {"x": document(), "y": document()}))
    assert (data.name, data.aspects, data.documents, data.systems) == (
        "mine",
        ("fluency", "zest"),
        ("x", "y"),
        ("a", "b"),
    )
    first = data.items[0]
    assert (first.document, first.system, dict(first.ratings)) == ("x", "a", {"fluency": 1.0, "zest": 2.5})
    assert first.row == Row("The source.", "One.", ("A reference.",))
    assert data.notes == ()
    assert all(row.references for row in data.rows)
    assert load_rated("summaries", tmp_path / "mine.json", aspects=["zest"]).aspects == ("zest",)


def test_several_references_are_read_each_once(tmp_path: Path) -> None:
    entry = document(ref_summs=["Another.", "A reference.", " "])
    (tmp_path / "data.json").write_text(json.dumps({"x": entry}), encoding="utf-8")
    data = load_rated("summaries", tmp_path)
    assert data.name == tmp_path.name
    assert [item.row.references for item in data.items] == [("A reference.", "Another.")] * 2


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    systems = {
        "b": {"sys_summ": "Two.", "scores": {"fluency": None, "zest": 2}},
        "c": {"sys_summ": "Three.", "scores": {"fluency": None, "zest": 1}},
    }
    entry = document(ref_summ="The source.", ref_summs=[""], sys_summs=systems)
    data = load_rated("summaries", written(tmp_path, {"x": entry}))
    assert data.notes == (
        "left out: 1 reference that is the source itself (document x)",
        "left out: 2 ratings of fluency (the first in document x, system b)",
    )
    assert data.systems == ("b", "c")
    assert data.aspects == ("fluency", "zest")
    assert not any(row.references for row in data.rows)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "mine.json, line 1, column 2: not JSON"),
        ("3", "mine.json: Input should be"),
        ({"x": 1}, "mine.json, document 'x': Input should be a valid dictionary, not '1'. Expected"),
        (
            {"x": document(src=" \u200b")},
            "mine.json, document 'x', src: Input should be a text of which something is seen",
        ),
        (
            {"x": document(sys_summs={"a": {"sys_summ": " ", "scores": {}}})},
            "mine.json, document 'x', sys_summs.a.sys_summ: Input should be a text of which something is seen, not ' '",
        ),
        ({"x": document(src=None)}, "mine.json, document 'x', src: Input should be a valid string, not 'None'"),
        ({"x": document(ref_summs=[1])}, "mine.json, document 'x', ref_summs.0: Input should be a valid string"),
        ({"x": document(sys_summs=[])}, "mine.json, document 'x', sys_summs: Input should be"),
        ({"x": document(sys_summs={"a": "One."})}, "mine.json, document 'x', sys_summs.a: Input should be"),
        ({"x": document(sys_summs={"a": {"scores": {}}})}, "document 'x', sys_summs.a.sys_summ: Field required. Exp"),
        ({"x": document(sys_summs={"a": {"sys_summ": "One."}})}, "document 'x', sys_summs.a.scores: Field required"),
        *(
            (
                {"x": document(sys_summs={"a": {"sys_summ": "One.", "scores": {"fluency": rating}}})},
                "mine.json, document 'x', sys_summs.a.scores.fluency: Input should be",
            )
            for rating in ("high", True, -1e300, 10**400, float("nan"))
        ),
        ({}, "has 0 texts and no rating of any"),
        ([], "mine.json: Input should be a valid dictionary"),
        ({"x": document(sys_summs={"a": {"sys_summ": "One.", "scores": {}}})}, "has 1 text and no rating of any"),
        ("[" * 100_000, "mine.json: lists within lists"),
    ],
)
def test_a_bad_file_is_named_with_the_place(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        load_rated("summaries", written(tmp_path, content))
    assert message in str(raised.value)
    assert "sys_summs" in raised.value.hint


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"x": %s, "y": %s, "x": %s}' % ((json.dumps(document()),) * 3), "x"),
        (json.dumps({"x": document()}).replace('"b"', '"a"'), "a"),
        (json.dumps({"x": document()}).replace("zest", "fluency"), "fluency"),
        (json.dumps({"x": document()}).replace("ref_summ", "src"), "src"),
    ],
)
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path, content: str, name: str) -> None:
    # JSON keeps the last of them, and what the first held would be lost without a word.
    with pytest.raises(BadInput, match=f"mine.json: the name '{name}' is there more than once in one object"):
        load_rated("summaries", written(tmp_path, content))


def test_ratings_that_others_have_are_missing(tmp_path: Path) -> None:
    systems = {
        "a": {"sys_summ": "One.", "scores": {"fluency": 1, "coherence": 2}},
        "b": {"sys_summ": "Two.", "scores": {"fluency": 1, "cohrence": 3}},
        "c": {"sys_summ": "Three.", "scores": {}},
    }
    data = load_rated("summaries", written(tmp_path, {"x": document(sys_summs=systems)}))
    assert data.aspects == ("coherence", "fluency", "cohrence")
    assert data.notes == (
        "left out: 1 rating of fluency (document x, system c)",
        "left out: 2 ratings of coherence (the first in document x, system b)",
        "left out: 2 ratings of cohrence (the first in document x, system a)",
    )


@pytest.mark.parametrize(("ratings", "binary"), [((0, 1), True), ((1, 1), False), ((0, 2), False), ((0.5, 1), False)])
def test_ratings_of_0_and_1_are_seen(tmp_path: Path, ratings: tuple[float, float], binary: bool) -> None:
    systems = {
        name: {"sys_summ": f"{name}.", "scores": {"right": rating, "zest": 3}}
        for name, rating in zip("ab", ratings, strict=True)
    }
    path = written(tmp_path, {"x": document(sys_summs=systems)})
    assert load_rated("summaries", path, aspects=["right"]).binary == binary
    assert not load_rated("summaries", path).binary


def test_simplifications_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rated.csv"
    head = "sent_id,sys_name,orig_sent,simp_sent,fluency,meaning,simplicity\n"
    path.write_text(head + '1,A,"One, two.",One.,80,90,50.5\n', encoding="utf-8")
    data = load_rated("simplicity-da", path)
    (item,) = data.items
    assert item.row == Row("One, two.", "One.")
    assert dict(item.ratings) == {"fluency": 80, "meaning": 90, "simplicity": 50.5}
    for row, message in (
        ("1,A,a,b,1,1,x", "line 2: 'x' is not a number"),
        ("1,A,a,b,1,,1", "line 2: '' is not a number"),
        ("1,A,a,,1,1,1", "line 2: no sent_id, sys_name, orig_sent or simp_sent"),
        ("1,,a,b,1,1,1", "line 2: no sent_id"),
    ):
        path.write_text(f"{head}{row}\n", encoding="utf-8")
        with pytest.raises(BadInput, match=message):
            load_rated("simplicity-da", path)
    path.write_text(head + "1,A,a,b,1,1,1\n1,A,a,c,1,1,1\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 3: 'A' has sentence '1' a second time"):
        load_rated("simplicity-da", path)


def test_sentences_of_rucola_are_their_own_sources(tmp_path: Path) -> None:
    path = tmp_path / "dev.csv"
    path.write_text("id,sentence,acceptable\n0,Он пришёл.,1\n1,Он пришла.,0\n", encoding="utf-8")
    data = load_rated("rucola", path)
    assert data.items[1].row == Row("Он пришла.", "Он пришла.")
    assert [dict(item.ratings) for item in data.items] == [{"acceptable": 1}, {"acceptable": 0}]
    assert (data.binary, data.language) == (True, "ru")
    path.write_text("id,sentence,acceptable\n0,Он пришёл.,да\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2: acceptable is 'да'"):
        load_rated("rucola", path)


def test_names_are_checked(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"'newsrom'.*newsroom, qags-cnn"):
        load_rated("newsrom")
    with pytest.raises(BadOption, match="no place of its own"):
        load_rated("summaries")
    with pytest.raises(BadOption, match=r"has no aspect 'charm'\. It has fluency, zest"):
        load_rated("summaries", written(tmp_path, {"x": document()}), aspects=["charm"])


def test_the_sets_at_hand_have_what_their_makers_say() -> None:
    folder = need_data("metaeval_newsroom_qags").parent
    newsroom = load_rated("newsroom", folder)
    assert newsroom.aspects == ("informativeness", "relevance", "coherence", "fluency")
    assert (len(newsroom.documents), len(newsroom.systems), len(newsroom.items)) == (60, 7, 420)
    for name, texts in (("qags-cnn", 235), ("qags-xsum", 239)):
        data = load_rated(name, folder)
        assert (len(data.items), len(data.systems)) == (texts, 1)
        assert not any(row.references for row in data.rows)
        (note,) = data.notes
        assert note.startswith(f"left out: {texts} references that are the source itself (the first in document ")
    assert len(load_rated("simplicity-da", folder).items) == 600
    labels = [item.ratings["acceptable"] for item in load_rated("rucola", folder).items]
    assert (len(labels), sum(labels)) == (1804, 1149)


def test_a_set_is_found_in_any_folder_on_the_way_to_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "metaeval_newsroom_qags" / "Newsroom"
    folder.mkdir(parents=True)
    (folder / "data.json").write_text(json.dumps({"x": document()}), encoding="utf-8")
    for given in (tmp_path, folder.parent, folder, folder / "data.json"):
        assert load_rated("newsroom", given).name == "newsroom"
    assert load_rated("summaries", folder).name == "Newsroom"


def test_a_set_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"rucola is not in '.*': there is no rucola/data/out_of_domain_dev\.csv\. Give"):
        load_rated("rucola", tmp_path)
    monkeypatch.setenv("REWRITE_DATA", str(tmp_path))
    with pytest.raises(BadInput, match=r"there is no simplicity_da/simplicity_DA\.csv"):
        load_rated("simplicity-da")
    with pytest.raises(BadInput, match=r"summaries is not in 'nowhere': there is no data\.json\. Give --data"):
        load_rated("summaries", "nowhere")
    with pytest.raises(BadInput, match=r"there is no data\.json\."):
        load_rated("summaries", tmp_path)


def test_the_columns_of_another_file_are_not_told_without_end(tmp_path: Path) -> None:
    path = tmp_path / "dev.csv"
    path.write_text(",".join(f"column{n}" for n in range(1000)) + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no column 'id', found 'column0'") as raised:
        load_rated("rucola", path)
    assert len(str(raised.value)) < 500
