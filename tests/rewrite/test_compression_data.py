"""Loaders of compression sets and of outputs: the formats, and where a broken file is broken."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest

from rewrite.datasets import Example
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.evaluate import sets
from rewrite.evaluate.compression_corpora import (
    MASKS,
    SETS,
    load_chinese,
    load_google,
    load_sentcomp,
)
from rewrite.evaluate.harness import load_outputs
from tests.paths import need_data


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


load_set = partial(sets.load_set, SETS)


def _refused(load: Callable[[Path], Iterable[object]], path: Path, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(load(path))
    assert message in str(caught.value)
    assert path.name in str(caught.value)


def test_broadcast_has_three_references_and_newsroom_one() -> None:
    folder = need_data("sentcomp").parent
    broadcast, newsroom = load_set("broadcast", folder), load_set("newsroom", folder / "sentcomp" / "newsroom.jsonl")
    assert [len(broadcast.examples), len(newsroom.examples)] == [1370, 280]
    assert {len(example.references) for example in broadcast.examples} == {3}
    assert {len(example.references) for example in newsroom.examples} == {1}
    assert broadcast.examples[1] == Example(
        "Good morning , Jennifer .", ("Good morning , Jennifer .", "Good morning .", "Good morning , Jennifer .")
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[1]", "line 2: '[1]' is not a JSON object"),
        ('{"id": "a", "text": "A b"', "line 2, column"),
        ('{"text": " ", "summaries": ["a"]}', "line 2: no text under 'text'"),
        ('{"text": "A b", "summaries": []}', "line 2: no list of texts under 'summaries'"),
        ('{"text": "A b", "summaries": ["a", ""]}', "line 2: the summary '' is no text"),
    ],
)
def test_a_broken_row_is_named_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    good = '{"id": "a", "text": "A b", "summaries": ["A"]}'
    _refused(load_sentcomp, _write(tmp_path / "set.jsonl", f"{good}\n{row}\n"), message)


def _google(number: int) -> dict[str, object]:
    return {
        "graph": {"id": f"doc-{number}", "sentence": f"Sentence {number} , which is long .", "node": [], "edge": []},
        "compression": {"text": f"Sentence {number} is long .", "edge": []},
        "headline": "Sentence",
        "compression_ratio": 0.7,
    }


@pytest.mark.parametrize("between", ["\n\n", "\n", "", ",\n"])
def test_google_objects_stand_one_after_the_other(tmp_path: Path, between: str) -> None:
    path = _write(tmp_path / "comp-data.json", between.join(json.dumps(_google(i), indent=2) for i in range(3)) + "\n")
    examples = tuple(load_google(path))
    assert [example.source[:10] for example in examples] == ["Sentence 0", "Sentence 1", "Sentence 2"]
    assert examples[1] == Example("Sentence 1 , which is long .", ("Sentence 1 is long .",))
    assert load_set("google", path, limit=2).examples == examples[:2]


def test_google_files_may_be_packed(tmp_path: Path) -> None:
    path = tmp_path / "comp-data.json.gz"
    path.write_bytes(gzip.compress(json.dumps(_google(7)).encode()))
    assert load_set("google", path).examples[0].source.startswith("Sentence 7")
    path.write_bytes(b"{}")
    _refused(load_google, path, "Cannot read")


def test_a_broken_google_object_is_named_with_its_line(tmp_path: Path) -> None:
    good = json.dumps(_google(0), indent=1)
    start = good.count("\n") + 3
    path = _write(tmp_path / "a.json", f'{good}\n\n{{"graph":\n {{"sentence": "A b"}}}}\n')
    _refused(load_google, path, f"line {start}: the object that starts here has no compression.text")
    path = _write(tmp_path / "b.json", f'{good}\n\n{{"graph":\n {{"sentence" "A b"}}}}\n')
    _refused(load_google, path, f"line {start + 1}, column")
    path = _write(tmp_path / "c.json", f'{good}\n\n{{"graph": ["sentence"], "compression": {{"text": "a"}}}}\n')
    _refused(load_google, path, f"line {start}: the object that starts here has no graph.sentence")


def _chinese(folder: Path, records: str, order: str) -> Path:
    _write(folder / "shuffled_idx-3300.txt", order)
    _write(folder / "alldata-3300.txt", records)
    return folder


# The third record lacks a quotation mark, as two of the published ones do; the fourth has a label too few.
_RECORDS = """0\t['啊', '[业务名词]', '活动']
\t['0', '1', '1']
1\t['打', '[电话号码]']
\t['1', '1']
2\t['网', 卡', '死了']
\t['1', '1', '0']
3\t['流量', '套餐']
\t['1']
"""


def test_chinese_masks_become_words_in_the_published_order(tmp_path: Path) -> None:
    folder = _chinese(tmp_path / "Chinese SC dataset", _RECORDS, "[2, 0, 3, 1]").parent
    assert load_chinese(folder, part="train") == [
        Example("网卡死了", ("网卡",)),
        Example("啊某业务活动", ("某业务活动",)),
        Example("打电话", ("打电话",)),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1\t['打'", "4\t['打'", "line 3: expected the words of record 1, and labels"),
        ("['1', '1']", "['1', '2']", "line 3: expected the words of record 1, and labels of 0 and 1 on the next line"),
        ("['打', '[电话号码]']", "打", "line 3: expected the words of record 1"),
        ("\t['1']\n", "", "line 7: expected the words of record 3, and labels"),
    ],
)
def test_a_broken_chinese_record_is_named_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    folder = _chinese(tmp_path, _RECORDS.replace(old, new), "[2, 0, 3, 1]")
    with pytest.raises(BadInput) as caught:
        load_chinese(folder)
    assert f"alldata-3300.txt, {message}" in str(caught.value)


@pytest.mark.parametrize("order", ["[0, 1, 2]", "[0, 0, 1, 2]", '{"0": 1}', "[0, 1"])
def test_an_order_that_is_none_is_refused(tmp_path: Path, order: str) -> None:
    with pytest.raises(BadInput, match=r"shuffled_idx-3300\.txt, line 1"):
        load_chinese(_chinese(tmp_path, _RECORDS, order))


def test_the_chinese_set_can_be_read() -> None:
    folder = need_data("som_ncscm_zh")
    train, dev = (load_chinese(folder, part=part) for part in ("train", "dev"))
    assert [len(train), len(dev)] == [2999, 150]
    assert not any(mask in example.source for mask in MASKS for example in train + dev)


_EXAMPLES = (Example("A b c .", ("A c .",)), Example("D e .", ("D .",)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("out.txt", "A b .\n\n"),
        ("out.tsv", "A b c .\tA b .\nD  e .\t\n"),
        ("out.jsonl", '{"source": "A b c .", "text": "A b ."}\n{"text": ""}\n'),
    ],
)
def test_outputs_are_read_in_three_forms(tmp_path: Path, name: str, text: str) -> None:
    assert load_outputs(_write(tmp_path / name, text), _EXAMPLES) == ["A b .", ""]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("out.txt", "A b .\n", "holds 1 outputs, the set has 2 sources"),
        ("out.tsv", "A b c .\tA\nD e .\n", "line 2: 0 tabs"),
        ("out.tsv", "A b c .\tA\nX .\tX\n", "line 2: the source 'X .' is not that of the set, 'D e .'"),
        ("out.jsonl", '{"text": "A"}\n{"output": "D"}\n', "line 2: no text under 'text', found 'output'"),
        ("out.jsonl", '{"text": "A"}\nD\n', "line 2, column 1: not JSON"),
    ],
)
def test_broken_outputs_are_named_with_their_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    _refused(lambda path: load_outputs(path, _EXAMPLES), _write(tmp_path / name, text), message)


def test_a_set_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REWRITE_DATA", raising=False)
    with pytest.raises(UnknownName, match="Known: broadcast, newsroom, google, zh"):
        load_set("duc", tmp_path)
    with pytest.raises(BadOption, match=r"The set newsroom has no part 'dev'\. Leave --part out"):
        load_set("newsroom", tmp_path, part="dev")
    with pytest.raises(BadInput, match="google needs its file"):
        load_set("google")
    with pytest.raises(BadInput, match="No data folder is named"):
        load_set("broadcast")
    with pytest.raises(BadOption, match=r"no part 'valid'\. Known: dev, train, test"):
        load_set("zh", tmp_path, part="valid")
    with pytest.raises(BadInput, match="holds no example"):
        load_set("broadcast", _write(tmp_path / "empty.jsonl", "\n"))
