"""Prompts: shipped files, what a bad file is told, how sources are put in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from rewrite.errors import BadInput, BadOption, UnknownName
from rewrite.prompting import Prompt, known_prompts, load_prompt

CHECKOUT = Path(__file__).resolve().parents[2] / "prompts"
SENTENCE = "Филипп женился в седьмой раз на знатной македонянке Клеопатре."
ANSWER = "Филипп женился в седьмой раз."
CAUSAL = [name for name in known_prompts() if load_prompt(name).kind == "causal"]
CHATS = [name for name in known_prompts() if load_prompt(name).kind == "chat"]

GOOD: dict[str, Any] = {
    "name": "mine",
    "task": "simplify",
    "language": "ru",
    "kind": "causal",
    "template": "{source} =>",
    "target": " {target} <end>",
    "stop": ["<end>"],
}
GOOD_CHAT: dict[str, Any] = {
    "name": "talk",
    "task": "split",
    "language": "en",
    "kind": "chat",
    "template": "Split: {source}",
    "examples": [{"source": "A and B.", "target": "A. B."}],
}


def written(folder: Path, content: object, name: str = "mine.yaml") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content, allow_unicode=True), "utf-8")
    return str(path)


# Shipped files


def test_the_shipped_prompts_are_those_of_the_checkout() -> None:
    assert set(known_prompts()) == {path.stem for path in CHECKOUT.glob("*.yaml")}


def test_an_installed_package_reads_the_prompts_beside_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "_prompts").mkdir()
    written(tmp_path / "_prompts", GOOD)
    monkeypatch.setattr("rewrite.prompting.files.files", lambda package: tmp_path)
    assert known_prompts() == ("mine",)
    assert load_prompt("mine").template == "{source} =>"


@pytest.mark.parametrize("name", known_prompts())
def test_every_shipped_prompt_is_named_like_its_file_and_holds_the_source_once(name: str) -> None:
    prompt = load_prompt(name)
    rendered = prompt.render(SENTENCE)
    assert prompt.name == name
    assert rendered.source == SENTENCE
    asked = rendered.messages[-1].content if prompt.kind == "chat" else rendered.text
    assert asked.count(SENTENCE) == 1
    assert bool(rendered.text) != bool(rendered.messages)


def test_the_format_of_the_paper() -> None:
    prompt = load_prompt("rugpt3_simplify")
    assert prompt.render(SENTENCE).text == f"<s>{SENTENCE} <Simplify:>"
    assert prompt.training_text(SENTENCE, ANSWER) == f"<s>{SENTENCE} <Simplify:> {ANSWER} </s>"
    assert prompt.stop == ("</s>",)


def test_the_format_of_the_released_checkpoint() -> None:
    prompt = load_prompt("rugpt3_simplify_released")
    assert prompt.render(SENTENCE).text == f"Text: {SENTENCE} Simplify"
    assert prompt.training_text(SENTENCE, ANSWER) == f"Text: {SENTENCE} Simplify {ANSWER} EndText"
    assert set(prompt.stop) == {"\n", "<s>", "</s>", "Simplify", "End", "Text"}
    assert prompt.temperature == 0.9


@pytest.mark.parametrize("name", CAUSAL)
def test_a_training_line_begins_with_the_prompt_and_ends_with_a_stop_string(name: str) -> None:
    prompt = load_prompt(name)
    line = prompt.training_text(SENTENCE, ANSWER)
    asked = prompt.render(SENTENCE).text
    assert line.startswith(asked)
    assert line.endswith(prompt.stop)
    # What generation cuts from the same line is the target and nothing else.
    rest = line[len(asked) :]
    assert rest[: min(rest.find(stop) for stop in prompt.stop if stop in rest)].strip() == ANSWER


@pytest.mark.parametrize("name", known_prompts())
def test_no_prompt_ends_in_a_space(name: str) -> None:
    # Subword tokenizers join a space to the word that follows, so such a prompt ends in a token never seen in training.
    assert not load_prompt(name).template.endswith(" ")


def test_each_task_and_language_has_a_chat_prompt() -> None:
    assert {(load_prompt(name).task, load_prompt(name).language) for name in CHATS} == {
        (task, language) for task in ("simplify", "split") for language in ("ru", "en")
    }


@pytest.mark.parametrize("name", CHATS)
def test_examples_keep_numbers_and_names(name: str) -> None:
    examples = load_prompt(name).examples
    assert len(examples) >= 3
    for example in examples:
        words = example.target.replace(".", " ").replace(",", " ").split()
        kept = [word for word in example.source.replace(".", " ").replace(",", " ").split()[1:] if word[0].isdigit()]
        assert set(kept) <= set(words), example.source


@pytest.mark.parametrize("name", [name for name in CHATS if "split" in name])
def test_examples_of_splitting_are_split(name: str) -> None:
    for example in load_prompt(name).examples:
        assert example.target.count(". ") + 1 >= 2 > example.source.count(". ") + 1


# Examples


def test_examples_are_asked_like_the_source() -> None:
    prompt = load_prompt("chat_simplify_ru")
    messages = prompt.render(SENTENCE).messages
    assert [message.role for message in messages] == ["system", *["user", "assistant"] * 3, "user"]
    example = prompt.examples[0]
    assert messages[1].content.replace(example.source, SENTENCE) == messages[-1].content
    assert messages[2].content == example.target


# Names and paths


def test_an_unknown_name_suggests_close_ones() -> None:
    with pytest.raises(UnknownName, match="rugpt3_simplfy") as caught:
        load_prompt("rugpt3_simplfy")
    assert "Did you mean rugpt3_simplify" in caught.value.hint
    assert all(name in caught.value.hint for name in known_prompts())


def test_a_file_is_found_by_its_path_its_ending_or_because_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, GOOD)
    written(tmp_path, GOOD, "plain")
    assert load_prompt("mine.yaml") == load_prompt("./mine.yaml") == load_prompt("plain")


def test_a_shipped_name_means_the_shipped_prompt_whatever_lies_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, GOOD, "rugpt3_simplify")
    assert load_prompt("rugpt3_simplify").name == "rugpt3_simplify"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nothing\.yaml"):
        load_prompt(str(tmp_path / "nothing.yaml"))


# Bad files


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"colour": "red"}, "colour: unknown key"),
        ({"template": None}, "template: missing"),
        ({"name": None}, "name: missing"),
        ({"template": "Simplify this."}, r"template is .*: has to hold \{source\} once"),
        ({"template": "{source} {source}"}, r"template is .*: has to hold \{source\} once"),
        ({"template": "{source} {x}"}, "template is .*: may hold no other braces"),
        ({"template": "{source} }"}, "template is .*: may hold no other braces"),
        ({"template": 7}, "template is 7: it should be a valid string"),
        ({"target": "no slot <end>"}, r"target is .*: has to hold \{target\} once"),
        ({"target": " {target} {source}<end>"}, "target is .*: may hold no other braces"),
        ({"target": " {target} <other>"}, "target: .*begin with a stop string"),
        ({"target": " {target}"}, "target: .*begin with a stop string"),
        ({"task": "sing"}, "task is 'sing': it should be 'simplify'"),
        ({"language": "de"}, "language is 'de': "),
        ({"kind": "diffusion"}, "kind is 'diffusion': "),
        ({"stop": "<end>"}, "stop is '<end>': "),
        ({"stop": ["<end>", ""]}, r"stop\.1 is '': "),
        ({"stop": ["<end>", 5]}, r"stop\.1 is 5: "),
        ({"temperature": "0.9"}, "temperature is '0.9': "),
        ({"temperature": True}, "temperature is True: "),
        ({"temperature": -1}, "temperature is -1: "),
        ({"system": "You are."}, "system: only for kind chat"),
        ({"examples": [{"source": "a", "target": "b"}]}, "examples: only for kind chat"),
        ({"families": {"name": ["*GPT*"]}}, r"families\.name is .*lower case"),
        ({"families": {"nome": ["*gpt*"]}}, r"families\.nome: unknown key"),
        ({"families": ["gpt"]}, "families is .*: it should be a valid dictionary"),
        ({"name": "a@1"}, "name is 'a@1': "),
    ],
)
def test_a_bad_key_is_named_with_its_file(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    content = {key: value for key, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(BadInput, match=rf"mine\.yaml, {told}"):
        load_prompt(written(tmp_path, content))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"target": " {target}"}, "target: only for kind causal"),
        ({"system": "Split {source}."}, "system is .*: "),
        ({"examples": [{"source": "A and B."}]}, r"examples\.0\.target: missing"),
        ({"examples": [{"source": "A.", "target": "B.", "note": "c"}]}, r"examples\.0\.note: unknown key"),
        ({"examples": ["A."]}, r"examples\.0 is .*: "),
    ],
)
def test_a_bad_key_of_a_chat_prompt_is_named_with_its_file(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=rf"mine\.yaml, {told}"):
        load_prompt(written(tmp_path, {**GOOD_CHAT, **change}))


def test_all_bad_keys_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"task is .*; colour: unknown key "):
        load_prompt(written(tmp_path, {**GOOD, "task": "sing", "colour": "red"}))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('name: a\ntemplate: "{source}', r"mine\.yaml, line 2, column \d+: not YAML"),
        ("- a\n- b\n", r"mine\.yaml: expected a mapping"),
        ("", r"mine\.yaml: expected a mapping, got None"),
        ("name: !!python/object:os.system {}\n", r"mine\.yaml, line 1, column \d+: not YAML"),
    ],
)
def test_a_file_that_is_no_mapping_is_told_where(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        load_prompt(written(tmp_path, text))


def test_a_file_that_is_not_utf8_is_told_where(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes("name: имя".encode("cp1251"))
    with pytest.raises(BadInput, match=r"mine\.yaml, byte 6: not UTF-8"):
        load_prompt(str(tmp_path / "mine.yaml"))


def test_a_prompt_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_prompt("rugpt3_simplify").name = "other"  # type: ignore[misc]


# Sources


@pytest.mark.parametrize("source", ["{}", "{source}", "{0} и {target}", "{source!r:>99}", "}{", "100 % %s"])
@pytest.mark.parametrize("name", ["rugpt3_simplify", "seq2seq_plain"])
def test_braces_in_a_source_are_text(name: str, source: str) -> None:
    prompt = load_prompt(name)
    assert prompt.render(source).text == prompt.template.replace("{source}", source)


def test_braces_in_a_training_pair_are_text() -> None:
    line = load_prompt("rugpt3_simplify").training_text("{target}", "{source}")
    assert line == "<s>{target} <Simplify:> {source} </s>"


@pytest.mark.parametrize("broken", ["a\nb", "a\r\nb", "a\u2028b", " a\n\n\nb\n", "a\x00b"])
@pytest.mark.parametrize("name", known_prompts())
def test_line_breaks_in_a_source_become_a_space(name: str, broken: str) -> None:
    prompt = load_prompt(name)
    expected = prompt.render("a b")
    assert prompt.render(broken).text == expected.text
    assert prompt.render(broken).messages == expected.messages
    assert prompt.render(broken).source == broken


@pytest.mark.parametrize("source", ["Он ввёл <Simplify:> в поле.", "Конец </s> и <s>начало.", "</s></s>"])
def test_a_source_cannot_hold_the_tags_of_the_prompt(source: str) -> None:
    prompt = load_prompt("rugpt3_simplify")
    text = prompt.render(source).text
    assert (text.count("<s>"), text.count("<Simplify:>"), text.count("</s>")) == (1, 1, 0)
    assert text.replace("< ", "<") == prompt.template.replace("{source}", source)


def test_tags_of_ones_own_prompt_are_broken_too(tmp_path: Path) -> None:
    assert load_prompt(written(tmp_path, GOOD)).render("a <end> b").text == "a < end> b =>"


@pytest.mark.parametrize(
    "token", ["<|im_end|>", "<｜User｜>", "<end_of_turn>", "<eos>", "[/INST]", "<extra_id_0>", "</s>"]
)
@pytest.mark.parametrize("name", ["chat_split_en", "seq2seq_plain"])
def test_a_source_cannot_hold_control_tokens(name: str, token: str) -> None:
    rendered = load_prompt(name).render(f"Before {token} after.")
    text = rendered.text or rendered.messages[-1].content
    assert token not in text
    assert text.endswith(f"Before {token[0]} {token[1:]} after.")


@pytest.mark.parametrize("source", ["a < b, c > d", "<b>Да</b>", "[INSTANCE]", "x <- y", "2 <3> 1", "Simplify EndText"])
def test_other_angles_brackets_and_words_stay(source: str) -> None:
    assert load_prompt("rugpt3_simplify_released").render(source).text == f"Text: {source} Simplify"


def test_a_target_with_a_stop_string_cannot_be_learnt() -> None:
    with pytest.raises(BadInput, match="'Text'"):
        load_prompt("rugpt3_simplify_released").training_text(SENTENCE, "Он открыл Text Editor.")


def test_a_target_with_a_tag_of_the_prompt_does_not_end_the_line_early() -> None:
    line = load_prompt("rugpt3_simplify").training_text(SENTENCE, "Он написал </s>\nи ушёл.")
    assert line.endswith("Он написал < /s> и ушёл. </s>")


def test_only_a_prompt_with_a_target_can_be_trained_with(tmp_path: Path) -> None:
    without = {key: value for key, value in GOOD.items() if key != "target"}
    for prompt in (load_prompt(written(tmp_path, without)), load_prompt("seq2seq_plain")):
        with pytest.raises(BadOption, match=f"'{prompt.name}' has no `target`"):
            prompt.training_text(SENTENCE, ANSWER)


def test_markers_are_the_prompts_own_words() -> None:
    assert load_prompt("rugpt3_simplify").markers == ("<s>", "<Simplify:>", "</s>")
    assert load_prompt("rugpt3_simplify_released").markers == ("Text:", "Simplify", "EndText")
    assert load_prompt("seq2seq_plain").markers == ()


# Signature


def test_a_signature_names_the_prompt_and_changes_with_what_the_model_sees() -> None:
    prompt = Prompt(**GOOD)
    assert prompt.signature().startswith("mine#")
    assert prompt.signature() == Prompt(**GOOD).signature()
    assert prompt.signature() == Prompt(**GOOD, families={"name": ["*mine*"]}).signature()
    for change in ({"template": "{source} ->"}, {"stop": ["<end>", "\n"]}, {"temperature": 0.5}):
        assert Prompt(**{**GOOD, **change}).signature() != prompt.signature()


def test_a_signature_changes_with_the_examples() -> None:
    prompt = load_prompt("chat_split_ru")
    assert prompt.signature().startswith("chat_split_ru#")
    assert prompt.model_copy(update={"examples": prompt.examples[:1]}).signature() != prompt.signature()
    assert not set(prompt.signature()) & set("|\n ")


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, r"path.*rewrite prompts"), ("имя".encode("cp1251"), "UTF-8"), (b'template: "{source', "quotes")],
)
def test_a_file_that_cannot_be_read_comes_with_what_to_do(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "mine.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        load_prompt(str(path))
    assert re.search(told, caught.value.hint)
