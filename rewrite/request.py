"""What a user may ask of `rewrite simplify`: a declaration that the command line, the Python API and a server share."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from rerank.weights import DEFAULT_PRESET, RELEASED_THRESHOLD
from rewrite.base.package import INSTALL, is_installed
from rewrite.errors import OtherLanguage
from rewrite.specs import Spec
from rewrite.task_options import DrawingOptions, Language, Step, steps_of

_INSTEAD = {
    "en": "For English: --generator edits-lm, gemma-en, or a model of your own, as ct2:MODEL.",
    "ru": "For Russian: --generator gemma-ru, edits or edits-lm.",
}


class Options(DrawingOptions):
    """How a Russian or English text is simplified. Unknown names and values out of range are refused."""

    home: ClassVar[str] = "rewrite.simplification:SIMPLIFY"
    shares_models: ClassVar[bool] = True
    preset: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Weights: balanced, accurate, simple, clear, paper, or a YAML file of your own. "
            "Without it clear for edits-lm, paper where a language model other than the bundled ones draws or drew, "
            "else balanced.",
        ),
        Step.WEIGH,
    ] = None
    generator: Annotated[
        str,
        Field(
            min_length=1,
            description="Where candidates come from: edits, edits-lm, deletion, ct2:MODEL, hf:MODEL, "
            "openai:URL[,URL…]#MODEL, replay:FILE, a bundled model by its name, or several joined by +.",
        ),
        Step.DRAW,
    ] = "edits"
    variant: Annotated[
        Literal["paper", "released"],
        Field(description="RuSimScore as its paper prints it, or as its released code computes it."),
        Step.SCORE,
    ] = "released"
    strict: Annotated[
        bool,
        Field(description="Block candidates that drop a number, name or date as well, in Russian a unit or quotation."),
        Step.SCORE,
    ] = False
    lang: Annotated[
        Language,
        Field(
            description="ru or en. Without it, it is guessed of each text; one that is in neither, or in one that the "
            "generator does not write, is passed over."
        ),
    ] = None

    @model_validator(mode="after")
    def _known_language(self) -> Options:
        if self.told_language not in (None, "ru", "en"):
            raise ValueError(f"--lang {self.lang}: it may be Russian, ru, or English, en")
        return self

    @property
    def chosen_preset(self) -> str:
        """The preset in use: where a language model draws, the paper's weights, but for the project's own adapter.

        For `edits-lm`, which knows where to cut sentences, it is one that asks for short ones, unless the knob says
        what is wanted. So too for a recording of either, which is looked into for that.
        """
        if self.preset is not None:
            return self.preset
        if self.told_language == "en":
            return DEFAULT_PRESET
        preset = next((kind.preset for kind in self._kinds if kind.preset), None)
        if self.control is None and preset is not None:
            return preset
        # What an editor passes was learnt on the adapter's own draws, so `balanced` can be cautious of them too.
        is_adapted = any(spec.is_adapter for spec in self.specs)
        return "paper" if self.draws_from_model and not is_adapted else DEFAULT_PRESET

    def specs_in(self, language: str) -> tuple[Spec, ...]:
        """The generators for texts in `language`, "ru" or "en". Raises `OtherLanguage` where there is none.

        English that nobody has told of is for the adapters that draw it beside generators for Russian, where there are
        any, and not for a model of one's own beside those.
        """
        beside = dict.fromkeys(spec.kind.english for spec in self.specs if language == "en" and spec.kind.english)
        any_language = language if beside and self.told_language is None else ""
        fitting = tuple(spec for spec in self.specs if spec.language in (any_language, language))
        if fitting or beside:
            return fitting or tuple(Spec("ct2", adapter) for adapter in beside)
        known, given = ("Russian", "English") if language == "en" else ("English", "Russian")
        raise OtherLanguage(
            f"--generator {self.generator} is for {known}, and the text is {given}.",
            hint=_INSTEAD[language] if is_installed() else f"{INSTALL}. {_INSTEAD[language]}",
        )

    @property
    def main_language(self) -> str | None:
        return "en" if {spec.language for spec in self.specs} == {"en"} else None

    @property
    def source_share(self) -> float:
        # The released code asks for it, the paper does not.
        return RELEASED_THRESHOLD if self.variant == "released" else 0.0

    @property
    def plain_generators(self) -> tuple[str, ...]:
        from rewrite.generators import known_generators

        return known_generators()

    @property
    def settings(self) -> dict[str, object]:
        return {**super().settings, "strict": self.strict}


def not_of(steps: Step) -> frozenset[str]:
    """The fields of `Options` that no step of `steps` reads."""
    return frozenset(
        n for n, field in Options.model_fields.items() if not any(steps & step for step in steps_of(field))
    )
