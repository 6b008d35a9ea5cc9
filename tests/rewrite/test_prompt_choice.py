"""Which prompt a model gets: from its folder, its name, its chat template, its architecture, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rewrite.engines.base import ModelInfo
from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.prompting import choose_prompt, load_prompt, require_fit

CHECKOUT = Path(__file__).resolve().parents[2] / "prompts"

MINE = """
name: mine
task: simplify
language: ru
kind: causal
template: "{source} =>"
"""


def model(
    name: str, kind: Any = None, model_type: str = "", *, folder: Path | None = None, chat: bool = False
) -> ModelInfo:
    return ModelInfo(name=name, kind=kind, model_type=model_type, folder=folder, chat=chat)


@pytest.mark.parametrize(
    ("info", "task", "language", "chosen"),
    [
        (model("orzhan/rugpt3-simplify-large", "causal", "gpt2"), "simplify", "ru", "rugpt3_simplify_released"),
        (model("/models/RuGPT3-Simplify-large/"), "simplify", "ru", "rugpt3_simplify_released"),
        (
            model("hub/models--orzhan--rugpt3-simplify-large/snapshots/0a1"),
            "simplify",
            "ru",
            "rugpt3_simplify_released",
        ),
        (model("flax-community/t5-base-wikisplit", "seq2seq", "t5"), "split", "en", "seq2seq_plain"),
        (model("unikei/t5-base-split-and-rephrase", "seq2seq", "t5"), "split", "en", "seq2seq_plain"),
        (model("cointegrated/rut5-base-paraphraser", "seq2seq", "t5"), "rephrase", "ru", "seq2seq_plain"),
        (model("cointegrated/rut5-base-multitask", "seq2seq", "t5"), "simplify", "ru", "rut5_multitask_simplify"),
        (model("cointegrated/rut5-base-multitask", "seq2seq", "t5"), "rephrase", "ru", "rut5_multitask_paraphrase"),
        (model("Vamsi/T5_Paraphrase_Paws", "seq2seq", "t5"), "rephrase", "en", "t5_paraphrase"),
        (model("humarin/chatgpt_paraphraser_on_T5_base", "seq2seq", "t5"), "rephrase", "en", "t5_paraphrase"),
        (model("mrm8488/t5-small-finetuned-text-simplification", "seq2seq"), "simplify", "en", "t5_simplify"),
        (model("eilamc14/bart-base-text-simplification", "seq2seq", "bart"), "simplify", "en", "wikilarge_simplify"),
        (model("someone/my-simplifier", "seq2seq", "bart"), "simplify", "en", "seq2seq_plain"),
        (model("someone/my-simplifier", "seq2seq", "mbart"), "split", "ru", "seq2seq_plain"),
        (model("someone/my-simplifier", "seq2seq", "marian"), "simplify", "ru", "seq2seq_plain"),
        (model("someone/my-simplifier", "seq2seq", "mt5"), "simplify", "ru", "seq2seq_plain"),
        (model("Qwen/Qwen2.5-7B-Instruct", "causal", "qwen2", chat=True), "simplify", "ru", "chat_simplify_ru"),
        (model("Qwen/Qwen2.5-7B-Instruct", "causal", "qwen2", chat=True), "split", "en", "chat_split_en"),
        (model("qwen2.5:7b", "chat"), "simplify", "en", "chat_simplify_en"),
        (model("ours/wikisplit-qwen", "chat"), "split", "ru", "chat_split_ru"),
    ],
)
def test_the_model_says_which_prompt(info: ModelInfo, task: str, language: str, chosen: str) -> None:
    assert choose_prompt(info, task=task, language=language).name == chosen


@pytest.mark.parametrize(
    "info",
    [
        model("ai-forever/rugpt3large_based_on_gpt2", "causal", "gpt2"),
        model("gpt2", "causal", "gpt2"),
        model("someone/ruT5-simplification", "seq2seq", "t5"),
        model("something", None),
    ],
)
def test_an_architecture_alone_does_not_say_what_a_model_was_taught(info: ModelInfo) -> None:
    with pytest.raises(UnknownName, match=rf"No prompt is known for the model '{info.name}'") as caught:
        choose_prompt(info, task="simplify", language="ru")
    assert "--prompt" in caught.value.hint
    assert "prompt.yaml" in caught.value.hint


def test_the_hint_lists_the_prompts_that_the_model_can_take() -> None:
    with pytest.raises(UnknownName) as caught:
        choose_prompt(model("gpt2", "causal", "gpt2"), task="simplify", language="ru")
    assert "rugpt3_simplify" in caught.value.hint
    assert "seq2seq_plain" not in caught.value.hint


@pytest.mark.parametrize(
    ("info", "task", "language", "told"),
    [
        (model("cointegrated/rut5-base-multitask", "seq2seq", "mt5"), "split", "ru", "simplify in 'ru'.*not to split"),
        (model("orzhan/rugpt3-simplify-large", "causal", "gpt2"), "simplify", "en", "in 'ru', not to simplify in 'en'"),
        (model("qwen2.5:7b", "chat"), "rephrase", "ru", "to rephrase in 'ru'"),
        (model("qwen2.5:7b", "chat"), "simplify", "de", "to simplify in 'de'"),
    ],
)
def test_a_model_that_does_something_else_is_refused(info: ModelInfo, task: str, language: str, told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        choose_prompt(info, task=task, language=language)


@pytest.mark.parametrize("name", ["orzhan/rugpt3-simplify-large", "gpt2"])
def test_the_prompt_in_the_models_folder_wins(tmp_path: Path, name: str) -> None:
    (tmp_path / "prompt.yaml").write_text(MINE, "utf-8")
    info = model(name, "causal", "gpt2", folder=tmp_path, chat=True)
    assert choose_prompt(info, task="simplify", language="ru").name == "mine"


def test_a_bad_prompt_in_the_models_folder_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "prompt.yaml").write_text(f"{MINE}colour: red\n", "utf-8")
    with pytest.raises(BadInput, match=r"prompt\.yaml, colour: unknown key"):
        choose_prompt(model("rugpt3-simplify", folder=tmp_path), task="simplify", language="ru")


def test_the_prompt_in_the_models_folder_says_what_the_model_does(tmp_path: Path) -> None:
    (tmp_path / "prompt.yaml").write_text(MINE, "utf-8")
    with pytest.raises(UnknownName, match="known to simplify in 'ru', not to split in 'ru'"):
        choose_prompt(model("mine", "causal", folder=tmp_path), task="split", language="ru")


def test_a_folder_without_a_prompt_is_chosen_for_by_name(tmp_path: Path) -> None:
    info = model("rugpt3-simplify-large", "causal", "gpt2", folder=tmp_path)
    assert choose_prompt(info, task="simplify", language="ru").name == "rugpt3_simplify_released"


@pytest.mark.parametrize(
    ("name", "info"),
    [
        ("chat_simplify_ru", model("gpt2", "causal", "gpt2")),
        ("chat_simplify_ru", model("bart", "seq2seq", "bart")),
        ("seq2seq_plain", model("gpt2", "causal", "gpt2")),
        ("rugpt3_simplify", model("bart", "seq2seq", "bart")),
        ("rugpt3_simplify", model("qwen2.5:7b", "chat")),
    ],
)
def test_a_prompt_of_another_kind_is_refused(name: str, info: ModelInfo, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=f"'{name}' is of kind"):
        require_fit(load_prompt(name), info)
    (tmp_path / "prompt.yaml").write_bytes((CHECKOUT / f"{name}.yaml").read_bytes())
    with pytest.raises(BadOption, match=f"'{name}' is of kind"):
        choose_prompt(model(info.name, info.kind, folder=tmp_path), task="simplify", language="ru")


@pytest.mark.parametrize(
    ("name", "info"),
    [
        ("chat_simplify_ru", model("qwen", "causal", chat=True)),
        ("rugpt3_simplify", model("qwen", "causal", chat=True)),
        ("chat_simplify_ru", model("a model behind a server")),
        ("seq2seq_plain", model("a model behind a server")),
    ],
)
def test_a_prompt_that_may_fit_is_taken(name: str, info: ModelInfo) -> None:
    require_fit(load_prompt(name), info)
