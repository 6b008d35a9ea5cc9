"""Counting what heads come with: by hand on a few sentences, and a sample of the corpus where it is at hand."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import rewrite.models
from rerank.analysis import Analysis, Analyzer
from rerank.errors import BadInput
from rerank.morphology import Morphology
from rewrite.generators.valency import RussianValency
from tests.english import parsed
from tests.paths import need_data
from training import valency as valency_recipe
from training.valency import ENGLISH, FILES, count, english_sentences, russian, russian_sentences, table, write_table


@pytest.fixture(scope="module")
def valency() -> RussianValency:
    return RussianValency(Morphology(), table={})


def test_shares_by_hand(analyzer: Analyzer, valency: RussianValency) -> None:
    texts = ["Он обратился к врачу."] * 9 + ["Отец обратился ко мне."] * 9 + ["Он обратился."] * 2
    counts = count(texts, analyzer, russian(valency))
    assert counts.seen["V обратиться"] == 20
    assert counts.bare["V обратиться"] == 2
    assert table(counts)["V обратиться"] == [round(2.5 / 22, 2), {"obl|к|Dat": round(18 / 22, 2)}]


def test_passives_are_heads_of_their_own(analyzer: Analyzer, valency: RussianValency) -> None:
    counts = count(["Мост построен рабочими.", "Рабочие построили мост."], analyzer, russian(valency))
    assert counts.seen["V построить pass"] == counts.seen["V построить"] == 1
    assert counts.frames["V построить"] == {"obj||Acc": 1}


def test_rare_heads_are_left_out(analyzer: Analyzer, valency: RussianValency) -> None:
    assert table(count(["Он обратился к врачу."] * 11, analyzer, russian(valency))) == {}


def test_the_file_is_what_the_generator_reads(tmp_path: Path) -> None:
    path = tmp_path / "table.json.gz"
    write_table({"V обратиться": [0.11, {"obl|к|Dat": 0.82}]}, path)
    first = path.read_bytes()
    write_table({"V обратиться": [0.11, {"obl|к|Dat": 0.82}]}, path)
    assert path.read_bytes() == first
    shipped = Path(rewrite.models.__file__).parent / "valency_ru.json.gz"
    made, known = (json.loads(gzip.decompress(p.read_bytes())) for p in (path, shipped))
    for bare, frames in [*made.values(), *known.values()]:
        assert 0 <= bare <= 1
        assert all(0 < share <= 1 and frame.count("|") in (0, 2) for frame, share in frames.items())
    assert set(made) <= set(known)


def test_only_whole_sentences_are_read(tmp_path: Path) -> None:
    good = "Отряд быстро вошёл в старый большой город."
    bad = [
        "Слишком короткое.",
        "без большой буквы и при этом довольно длинное.",
        "Нет точки в конце этого длинного текста",
    ]
    for name in FILES:
        with lzma.open(tmp_path / f"{name}.txt.xz", "wt", encoding="utf-8") as file:
            file.write("\n".join([good, *bad]))
    assert russian_sentences(tmp_path, None) == [good] * len(FILES)
    assert russian_sentences(tmp_path, 2) == [good] * 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="wikineural"):
        russian_sentences(tmp_path, 10)


def test_the_seed_chooses_the_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valency_recipe, "FILES", {"nerel_wikinews": 8_000})
    texts = need_data("ru_mono")
    first, again, other = (russian_sentences(texts, 60, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 60


GAVE = """
She PRON 2 nsubj
gave VERB 0 root
it PRON 2 obj
to ADP 5 case
him PRON 2 obl
_, PUNCT 2 punct
including VERB 8 case
keys NOUN 2 obl
_. PUNCT 2 punct
"""
WENT = "She PRON 2 nsubj\nwent VERB 0 root\n_. PUNCT 2 punct\n"


class Given(Analyzer):
    """Has one parse for each text."""

    def __init__(self, parses: dict[str, Analysis]) -> None:
        super().__init__()
        self._parses = parses

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        return [self._parses[text] for text in texts]


def test_english_shares_by_hand() -> None:
    parses = {"gave": parsed(GAVE), "went": parsed(WENT)}
    counts = count(["gave"] * 12 + ["went"] * 12, Given(parses), ENGLISH)
    assert counts.seen["V gave"] == 12
    assert counts.bare["V gave"] == 0
    assert counts.frames["V gave"] == {"obj||": 12, "obl|to|": 12, "obl|including|": 12}
    assert "V including" not in counts.seen
    found = table(counts)
    assert found["V gave"] == [round(0.5 / 14, 2), {frame: round(12 / 14, 2) for frame in counts.frames["V gave"]}]
    assert "V went" not in found  # what stands without anything asks for nothing


def test_an_english_head_without_complements_that_stands_bare_is_left_out_when_rare() -> None:
    assert table(count(["went"] * 11, Given({"went": parsed(WENT)}), ENGLISH)) == {}


def test_english_sentences_are_drawn_by_the_seed_and_no_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    data = need_data("parallel_enru").parent
    monkeypatch.setattr(valency_recipe, "SETS", {"flores": 500, "ntrex": 500})
    first, again, other = (english_sentences(data, 100, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == len(set(first)) == 100


def test_missing_english_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="newstest"):
        english_sentences(tmp_path, 10)
