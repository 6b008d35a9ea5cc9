"""What a prompt is: its fields, what they may hold, and how a source is put into it."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, field_validator, model_validator

from rewrite.engines.base import Kind, Message, ModelInput
from rewrite.errors import BadInput, BadOption
from rewrite.layout import one_line

# `any` is a model that does one thing whatever it is asked, and a prompt without words of a language.
Task = Literal["simplify", "split", "rephrase", "any"]
Language = Literal["ru", "en", "any"]

_SOURCE, _TARGET, _CONTROLS = "{source}", "{target}", "{controls}"
_TAG = re.compile(r"<[^<>\s]+>")
# Beginnings of what tokenizers commonly take for a control token wherever it stands in a text: </s>, <|im_end|>, …
_CONTROL = re.compile(
    r"<(?=[|｜][^<>]*[|｜]>|/?s>|(?:bos|eos|pad|unk|mask|cls|sep)>|(?:extra_id|start_of|end_of)_\w+>)|\[(?=/?INST\])"
)
_SLOTS = re.compile(f"{re.escape(_SOURCE)}|{re.escape(_CONTROLS)}")
_Text = Annotated[str, Field(min_length=1)]


class Families(BaseModel):
    """Which models a prompt is chosen for; see `rewrite.prompting.files.choose_prompt`.

    `name`: patterns (`*`, `?`) of the model's name, in lower case; `model_type`: the architecture in its config;
    `chat_template`: any model that has a chat template.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: tuple[_Text, ...] = ()
    model_type: tuple[_Text, ...] = ()
    chat_template: StrictBool = False

    @field_validator("name", "model_type")
    @classmethod
    def _in_lower_case(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            if pattern != pattern.lower():
                raise ValueError(f"{pattern!r} has to be in lower case")
        return patterns


class Example(BaseModel):
    """A source with the answer that is wanted, shown to a chat model as turns that came before."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: _Text
    target: _Text


class Prompt(BaseModel):
    """How a source is put to a model.

    - `template`: what a causal model continues, an encoder reads or a chat's user says, with `{source}` once, and
      after it, for a model that learnt control values, `{controls}`.
    - `target` (causal): what followed the template in training, with `{target}` once, up to the end marker, which
      begins with a stop string; without it the prompt cannot be trained with.
    - `stop`: strings at which an answer ends. `temperature`: the one that the model was meant to be sampled at.
    - `system`, `examples` (chat): the system's turn, and what the model is shown before it is asked.
    - `families`: the models that it is chosen for.

    Built directly it raises pydantic's `ValidationError`; `load_prompt` raises `BadInput` instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[\w.-]+$")]
    task: Task
    language: Language
    kind: Kind
    template: _Text
    target: _Text | None = None
    stop: tuple[_Text, ...] = ()
    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)] | None = None
    system: str = ""
    examples: tuple[Example, ...] = ()
    families: Families = Families()

    @field_validator("template")
    @classmethod
    def _holds_the_source_once(cls, template: str) -> str:
        before, slot, after = template.partition(_CONTROLS)
        if slot and _SOURCE not in before:
            raise ValueError(f"{_CONTROLS} comes after {_SOURCE}")
        _with_slot(before + after, _SOURCE)
        return template

    @field_validator("target")
    @classmethod
    def _holds_the_target_once(cls, target: str | None) -> str | None:
        return target if target is None else _with_slot(target, _TARGET)

    @field_validator("system")
    @classmethod
    def _holds_no_slot(cls, system: str) -> str:
        if _SOURCE in system or _TARGET in system:
            raise ValueError(f"{_SOURCE} and {_TARGET} are not filled in here")
        return system

    @model_validator(mode="after")
    def _keys_go_together(self) -> Prompt:
        chat = self.kind == "chat"
        for key, given in (("system", self.system), ("examples", self.examples)):
            if given and not chat:
                raise ValueError(f"{key}: only for kind chat, not for {self.kind}")
        if self.controlled and chat:
            raise ValueError(f"template: {_CONTROLS} is not for kind chat")
        if self.target is not None and self.kind != "causal":
            raise ValueError(f"target: only for kind causal, not for {self.kind}")
        if self.target is not None and not self._end_marker.startswith(self.stop):
            raise ValueError(f"target: what follows {_TARGET} has to begin with a stop string, got {self.target!r}")
        return self

    @property
    def markers(self) -> tuple[str, ...]:
        """The prompt's own words around source and target, without space at their ends; an answer should hold none."""
        pieces = (*re.split(_SLOTS, self.template), *(self.target or "").partition(_TARGET)[::2])
        return tuple(dict.fromkeys(piece.strip() for piece in pieces if piece.strip()))

    @property
    def controlled(self) -> bool:
        """Whether the model reads control values after the source."""
        return _CONTROLS in self.template

    def render(self, source: str, controls: str = "") -> ModelInput:
        """The input of a model for `source`, a sentence, and what stands for `{controls}` (`rewrite.controls`).

        The source goes in as text, so braces in it mean nothing. Runs of line breaks and control characters become a
        space, for templates are made of lines. A space breaks the prompt's own tags in it (`< Simplify:>`) and usual
        control tokens (`< /s>`, `< |im_end|>`): a tokenizer would read these as what they name, and the model would
        take what follows for another text. Words such as `Simplify` or `EndText` stay, since they may be meant: the
        prompt's own come last, and there the model goes on, but an answer that repeats a stop string is cut before it.
        `ModelInput.source` keeps the source as it was.
        """
        template = _fill(self.template, _CONTROLS, controls) if self.controlled else self.template
        text = _fill(template, _SOURCE, self._harmless(source))
        if self.kind != "chat":
            return ModelInput(source=source, text=text)
        turns = [Message("system", self.system)] if self.system else []
        for example in self.examples:
            turns.append(Message("user", _fill(self.template, _SOURCE, self._harmless(example.source))))
            turns.append(Message("assistant", self._harmless(example.target)))
        return ModelInput(source=source, messages=(*turns, Message("user", text)))

    def training_text(self, source: str, target: str, controls: str = "") -> str:
        """The line that a causal model learns this pair from: what `render` gives, then the target and the end marker.

        Source and target are treated as in `render`. Raises `BadInput` for a target with a stop string in it, at which
        the model would learn to break off, and `BadOption` for a prompt that does not say how its training text ends.
        """
        if self.target is None:
            raise BadOption(
                f"The prompt {self.name!r} has no `target`, so it cannot be trained with.",
                hint=f'In the file of a causal prompt write how its training text ends: target: " {_TARGET} </s>".',
            )
        answer = self._harmless(target)
        held = next((stop for stop in self.stop if stop in answer), None)
        if held is not None:
            raise BadInput(
                f"The target {target!r} holds {held!r}, where {self.name!r} stops.", hint="Leave out this pair."
            )
        return self.render(source, controls).text + _fill(self.target, _TARGET, answer)

    def signature(self) -> str:
        """Name and a digest of all that decides what is drawn."""
        content = self.model_dump(include={"kind", "template", "stop", "temperature", "system"})
        content["examples"] = [[example.source, example.target] for example in self.examples]
        return f"{self.name}#{hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:10]}"

    @property
    def _end_marker(self) -> str:
        return (self.target or "").partition(_TARGET)[2].lstrip(" ")

    def _harmless(self, text: str) -> str:
        text = _CONTROL.sub(r"\g<0> ", one_line(text))
        for tag in _TAG.findall(" ".join((*self.markers, *self.stop))):
            text = text.replace(tag, f"< {tag[1:]}")
        return text


def _with_slot(text: str, slot: str) -> str:
    if text.count(slot) != 1:
        raise ValueError(f"has to hold {slot} once, got {text!r}")
    if set("{}") & set(text.replace(slot, "")):
        raise ValueError(f"may hold no other braces than {slot}, got {text!r}")
    return text


def _fill(template: str, slot: str, value: str) -> str:
    before, _, after = template.partition(slot)
    return before + value + after
