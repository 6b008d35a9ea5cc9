"""CTranslate2 against transformers on the same tiny models, and what only this engine does."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rerank.checkpoint import is_converted
from rewrite.engines import convert
from rewrite.engines.base import Message, ModelInput, Sample
from rewrite.engines.cache import build_once, fingerprint
from rewrite.engines.convert import CARD, converted, read_card
from rewrite.engines.ct2 import CT2Engine, Settings, create
from rewrite.engines.hf import create as create_hf
from rewrite.errors import BadModel, BadOption, CannotWrite, ContextTooLong, MissingExtra, ModelNotFound, RewriteError
from rewrite.generators.base import Sampling
from tests.rewrite.engines.hf_cases import Theirs
from tests.rewrite.engines.scored import exact_logprobs, logprobs
from tests.rewrite.engines.tiny import SOURCES

FAMILIES = ["gpt2", "t5", "t5_gated", "marian", "bart", "pegasus", "pegasus_padded"]
GREEDY = Sampling(n=1, temperature=0, max_tokens=20)


def inputs(family: str) -> list[ModelInput]:
    prompt = "<s>{} <Simplify:>" if family == "gpt2" else "{}"
    return [ModelInput(source=source, text=prompt.format(source)) for source in SOURCES]


def first(drawn: Sequence[Any]) -> list[Sample]:
    assert not [error for error in drawn if isinstance(error, RewriteError)]
    return [group[0] for group in drawn]


@pytest.mark.parametrize("family", FAMILIES)
def test_greedy_texts_in_float32_are_those_of_transformers_token_by_token(
    family: str, tiny_model: Callable[[str], Path]
) -> None:
    folder = str(tiny_model(family))
    ours = first(create(folder, {"compute_type": "float32"}).sample(inputs(family), GREEDY))
    theirs = first(create_hf(folder, {}).sample(inputs(family), GREEDY))
    assert [(s.text, s.tokens, s.finish_reason) for s in ours] == [(s.text, s.tokens, s.finish_reason) for s in theirs]
    assert [s.logprob for s in ours] == pytest.approx([s.logprob for s in theirs], abs=1e-3)
    assert any((sample.tokens or 0) > 3 for sample in ours)


def test_special_tokens_that_take_in_the_space_beside_them_are_read_as_transformers_does(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tests.rewrite.engines.tiny import tiny_gpt2

    folder = str(tiny_gpt2(tmp_path / "model", strips=True))
    asked = [ModelInput(source=source, text=f"<b> {source} <Simplify:>") for source in SOURCES]
    ours, theirs = create(folder, {"compute_type": "float32"}), create_hf(folder, {})
    pairs = zip(first(ours.sample(asked, GREEDY)), first(theirs.sample(asked, GREEDY)), strict=True)
    for mine, other in pairs:
        assert (mine.text, mine.tokens) == (other.text, other.tokens)
        assert mine.logprob == pytest.approx(other.logprob, abs=1e-3)


def test_a_source_of_more_than_a_thousand_tokens_is_read_to_its_end(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tests.rewrite.engines.tiny import tiny_t5

    engine = create(str(tiny_t5(tmp_path / "model")), {"compute_type": "float32"})
    long = "Дождь. " * 250
    asked = [ModelInput(source=long, text=long + end) for end in ("Кошка спала.", "Дети нашли кошку во дворе.")]
    assert len(engine._files.tokens.encode(asked[0].text)) > 1024
    one, two = logprobs(engine, asked, ["Кошка.", "Кошка."])
    assert one != two
    said = first(engine.sample(asked, GREEDY))
    assert said[0].logprob != said[1].logprob


@pytest.mark.parametrize(("option", "value", "most"), [("temperature", 0.05, 2), ("top_p", 0.05, 2), ("top_k", 1, 1)])
def test_what_narrows_the_draw_narrows_it(
    option: str, value: float, most: int, tiny_model: Callable[[str], Path]
) -> None:
    engine, wide = create(str(tiny_model("gpt2")), {}), Sampling(n=20, max_tokens=4, temperature=2.0, top_p=1.0)
    (free,), (narrow,) = (
        engine.sample(inputs("gpt2")[:1], sampling) for sampling in (wide, replace(wide, **{option: value}))
    )
    assert isinstance(free, list)
    assert isinstance(narrow, list)
    assert len({sample.text for sample in free}) > 10
    assert len({sample.text for sample in narrow}) <= most


def test_weights_that_are_missing_are_named_and_nothing_is_kept(
    tiny_model: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    folder = tmp_path / "model"
    shutil.copytree(tiny_model("gpt2"), folder)
    weights = safetensors.load_file(folder / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "h.1.mlp" not in name}
    safetensors.save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    for _ in range(2):
        with pytest.raises(BadModel, match=r"h\.1\.mlp"):
            create(str(folder), {}).sample(inputs("gpt2"), GREEDY)
    assert "REPORT" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("make", [create, create_hf])
def test_a_folder_without_a_tokenizer_is_refused(
    make: Callable[[str, dict[str, str]], Any], tiny_model: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model("gpt2"), folder, ignore=shutil.ignore_patterns("tokenizer*"))
    with pytest.raises(BadModel, match="no tokenizer"):
        make(str(folder), {}).sample(inputs("gpt2"), GREEDY)


def test_a_text_too_long_to_be_scored_is_an_error_with_both_lengths(tiny_model: Callable[[str], Path]) -> None:
    with pytest.raises(ContextTooLong) as caught:
        create(str(tiny_model("gpt2")), {}).token_logprobs([ModelInput(source="")], ["Дождь идёт. " * 200])
    assert caught.value.context == 128


def test_calls_from_several_threads_do_not_cut_each_other_off(tiny_model: Callable[[str], Path]) -> None:
    engine = create(str(tiny_model("gpt2")), {})
    long, short = Sampling(n=4, max_tokens=40), Sampling(n=2, max_tokens=1)
    alone = engine.sample(inputs("gpt2"), long)
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(engine.sample, inputs("gpt2") * 4, long)
        while not slow.done():
            engine.sample(inputs("gpt2")[:1], short)
    assert slow.result() == alone * 4


@pytest.mark.parametrize("family", FAMILIES)
def test_probabilities_of_a_given_text_are_those_of_transformers(
    family: str, tiny_model: Callable[[str], Path]
) -> None:
    theirs = Theirs(tiny_model(family), seq2seq=family != "gpt2")
    texts = [" Кошка спала.", " Дождь идёт.", " The cat.", " Дети нашли кошку."]
    ours = exact_logprobs(tiny_model(family), inputs(family), texts)
    for asked, text, (logprob, count) in zip(inputs(family), texts, ours, strict=True):
        tokens = theirs.tokenizer(text_target=text, add_special_tokens=False)["input_ids"]
        tokens.append(theirs.tokenizer.eos_token_id)
        assert count == len(tokens)
        assert logprob == pytest.approx(theirs.logprob(asked.text, tokens), abs=1e-3)


def test_a_text_by_itself_is_scored_after_the_token_that_begins_texts(tiny_model: Callable[[str], Path]) -> None:
    theirs = Theirs(tiny_model("gpt2"), seq2seq=False)
    ((logprob, _),) = exact_logprobs(tiny_model("gpt2"), [ModelInput(source="")], ["Кошка спала."])
    tokens = [*theirs.tokenizer("Кошка спала.")["input_ids"], theirs.tokenizer.eos_token_id]
    assert logprob == pytest.approx(theirs.logprob("<s>", tokens), abs=1e-3)


def test_texts_of_more_tokens_than_are_read_at_once_come_back_in_their_order(
    tiny_model: Callable[[str], Path],
) -> None:
    texts = [" Кошка спала.", " Дождь идёт с утра.", " The cat."] * 100
    engine = create(str(tiny_model("gpt2")), {"compute_type": "float32"})
    asked = inputs("gpt2")[:1] * len(texts)
    found = [sum(p for _, p in tokens) for tokens in engine.token_logprobs(asked, texts)]
    alone = [sum(p for _, p in tokens) for text in texts[:3] for tokens in engine.token_logprobs(asked[:1], [text])]
    assert found == pytest.approx(alone * 100, abs=1e-3)


def test_what_sampling_says_of_a_text_is_its_probability(fine_tuned: Path) -> None:
    from tests.rewrite.engines.pairs import PAIRS

    engine = create(str(fine_tuned), {"compute_type": "float32"})
    asked = [ModelInput(source=source, text=f"<s>{source} <Simplify:>") for source, _ in PAIRS[:8]]
    compared = 0
    for one, group in zip(asked, engine.sample(asked, Sampling(n=4, max_tokens=60)), strict=True):
        assert isinstance(group, list)
        for sample in group:
            ((logprob, tokens),) = logprobs(engine, [one], [sample.text])
            # Otherwise the text does not say which tokens were drawn.
            if sample.finish_reason == "stop" and tokens == sample.tokens:
                assert logprob == pytest.approx(sample.logprob, abs=1e-3)
                compared += 1
    assert compared >= 16


def test_a_model_is_converted_once_and_whole(
    tiny_model: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path))
    source = tiny_model("gpt2")
    folder = converted(source, quantization="int8")
    assert is_converted(folder)
    assert read_card(folder).context == 128
    assert "Converting" in capsys.readouterr().err
    monkeypatch.setattr(convert, "convert", lambda *_, **__: pytest.fail("converted twice"))
    assert converted(source, quantization="int8") == folder
    assert capsys.readouterr().err == ""
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_changed_model_is_converted_anew(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(tiny_model("gpt2"), copy)
    before = fingerprint(copy, ())
    (copy / "config.json").write_text(
        json.dumps({**json.loads((copy / "config.json").read_text()), "note": 1}), encoding="utf-8"
    )
    assert fingerprint(copy, ()) != before
    assert fingerprint(copy, ("int8",)) != fingerprint(copy, ("float32",))


def test_a_conversion_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def build(scratch: Path) -> None:
        (scratch / "half").write_text("…")
        raise BadModel("broken")

    with pytest.raises(BadModel, match="broken"):
        build_once(tmp_path / "cache" / "model", build)
    assert list((tmp_path / "cache").iterdir()) == []


def _build(target: str) -> str:
    return str(build_once(Path(target), lambda scratch: (scratch / "model.bin").write_bytes(b"1" * 1_000) and None))


def test_processes_that_convert_at_once_share_one_result(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.map(_build, [str(tmp_path / "model")] * 8)
    assert set(found) == {str(tmp_path / "model")}
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_cache_that_cannot_be_written_says_what_to_set(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="REWRITE_CACHE"):
        build_once(tmp_path / "file" / "model", lambda scratch: None)


def test_a_converted_folder_is_used_as_it_is(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "converted"
    folder.mkdir()
    convert.convert(tiny_model("gpt2"), folder, quantization="float32")
    drawn = create(str(folder), {}).sample(inputs("gpt2"), GREEDY)
    assert (
        first(drawn)[0].text
        == first(create(str(tiny_model("gpt2")), {"compute_type": "float32"}).sample(inputs("gpt2"), GREEDY))[0].text
    )
    (folder / CARD).unlink()  # as the library's own converter leaves it
    foreign = create(str(folder), {})
    assert foreign.info.kind == "causal"
    assert first(foreign.sample(inputs("gpt2"), GREEDY))[0].tokens == first(drawn)[0].tokens


def test_workers_and_threads_do_not_change_what_is_drawn(tiny_model: Callable[[str], Path]) -> None:
    folder, sampling = str(tiny_model("gpt2")), Sampling(n=4, max_tokens=10)
    one = create(folder, {"workers": "1", "threads": "2"}).sample(inputs("gpt2"), sampling)
    assert create(folder, {"workers": "4", "threads": "1"}).sample(inputs("gpt2"), sampling) == one


def test_the_samples_of_a_source_differ(tiny_model: Callable[[str], Path]) -> None:
    (found,) = create(str(tiny_model("gpt2")), {}).sample(
        inputs("gpt2")[:1], Sampling(n=9, max_tokens=10, temperature=2.0)
    )
    assert isinstance(found, list)
    assert len({sample.text for sample in found}) == 9


def test_short_draws_are_the_same_however_the_threads_run(tiny_model: Callable[[str], Path]) -> None:
    # Four sources at once: one that set its seed before another had read its own would change what that draws.
    engine, sampling = create(str(tiny_model("gpt2")), {"workers": "4"}), Sampling(n=8, max_tokens=1, temperature=2.0)
    once = engine.sample(inputs("gpt2"), sampling)
    assert all(engine.sample(inputs("gpt2"), sampling) == once for _ in range(20))


def test_a_chat_model_reads_the_conversation_as_its_template_writes_it(tiny_model: Callable[[str], Path]) -> None:
    engine = create(str(tiny_model("chat")), {"compute_type": "float32"})
    assert engine.info.chat
    messages = (Message("system", "Ты редактор."), Message("user", "Дождь."))
    said = engine.sample([ModelInput(source="Дождь.", messages=messages)], GREEDY)
    text = "<s>system: Ты редактор.</s><s>user: Дождь.</s><s>assistant:"
    assert said == engine.sample([ModelInput(source="Дождь.", text=text)], GREEDY)


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"compute_type": "int4"}, ["compute_type", "int4", "int8"]),
        ({"threads": "-1"}, ["threads", "-1"]),
        ({"speed": "9"}, ["speed: unknown", "compute_type"]),
    ],
)
def test_wrong_settings_are_named(options: dict[str, str], parts: list[str]) -> None:
    with pytest.raises(BadOption) as caught:
        create("model", options)
    assert all(part in str(caught.value) for part in parts)


def test_broken_models_are_named(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "converted"
    folder.mkdir()
    convert.convert(tiny_model("gpt2"), folder, quantization="int8")
    (folder / "model.bin").write_bytes((folder / "model.bin").read_bytes()[:1_000])
    with pytest.raises(BadModel, match="converted"):
        create(str(folder), {}).sample(inputs("gpt2"), GREEDY)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(BadModel, match=r"tokenizer\.json"):
        create(str(folder), {}).sample(inputs("gpt2"), GREEDY)
    with pytest.raises(ModelNotFound, match="nothing-here"):
        create(str(tmp_path / "nothing-here"), {}).sample(inputs("gpt2"), GREEDY)


def test_without_transformers_a_model_to_be_converted_says_what_to_install(
    tiny_model: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_model("gpt2")
    monkeypatch.setenv("REWRITE_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[hf\]'"):
        CT2Engine(str(folder), Settings()).sample(inputs("gpt2"), GREEDY)
