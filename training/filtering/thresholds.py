"""The section `filter` of a recipe: which pairs are kept."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from rewrite.declaration import Section
from training.pairs import BAD_ROWS, PairFile

Score = Annotated[float, Field(ge=0.0, le=1.0)]


class Thresholds(Section):
    """The least score with which a pair is kept, by RuSimScore's components; 0 switches a rule off.

    The defaults are those of the paper's section 4. Its similarity, 0.75, is a cosine of LASER vectors; the embedded
    encoder spreads the same pairs wider and has a default of its own, see `training.filtering.rules`.
    """

    entities: Annotated[Score, Field(description="ES: names that survive.")] = 0.65
    similarity: Annotated[
        Score | None,
        Field(description="SimS: sameness of meaning. Not given: 0.75 with `laser:`, 0.3 with the embedded encoder."),
    ] = None
    readability: Annotated[Score, Field(description="RS: reading ease.")] = 0.6
    length: Annotated[Score, Field(description="LeS: shorter than the source, but not too short.")] = 0.55
    lexical: Annotated[Score, Field(description="LS: common words.")] = 0.65
    depth: Annotated[Score, Field(description="DS: flat parse. The score is never below 0.5.")] = 0.5


class FilterOptions(Section):
    """What the step `filter` may be told; unknown keys and values out of range are refused."""

    pairs: Annotated[tuple[PairFile, ...], Field(min_length=1, description="One file of pairs or several, in order.")]
    thresholds: Annotated[Thresholds, Field(description="Least scores; for Russian only.")] = Thresholds()
    variant: Annotated[
        Literal["paper", "released"],
        Field(description="Of RuSimScore. The thresholds are of the paper's; `released` draws scores towards 0.5."),
    ] = "paper"
    encoder: Annotated[str, Field(description="Of SimS: `navec`, `laser:PATH`.")] = "navec"
    frequencies: Annotated[str, Field(description="Of LS: `wordfreq`, or a FrequencyWords file.")] = "wordfreq"
    copy_limit: Annotated[
        Score | None,
        Field(description="Pairs with at least this share of words in common, in order, are copies; `null`: none is."),
    ] = 0.95
    language_check: Annotated[bool, Field(description="Whether pairs in another language are dropped.")] = True
    duplicates: Annotated[bool, Field(description="Whether a pair is dropped that was kept before.")] = True
    min_words: Annotated[int | None, Field(ge=1, description="Least words of source and target.")] = None
    max_words: Annotated[int | None, Field(ge=1, description="Most words of source and target.")] = 200
    bad_rows: Annotated[
        float, Field(ge=0.0, le=1.0, description="Share of malformed rows above which the run is given up.")
    ] = BAD_ROWS
    jobs: Annotated[int | None, Field(ge=1, description="Processes; all cores if not given.")] = None

    @field_validator("pairs", mode="before")
    @classmethod
    def _one_file(cls, value: Any) -> Any:
        return (value,) if isinstance(value, (str, dict)) else value

    @model_validator(mode="after")
    def _words_in_order(self) -> FilterOptions:
        if self.min_words is not None and self.max_words is not None and self.min_words > self.max_words:
            raise ValueError(f"min_words {self.min_words} is more than max_words {self.max_words}")
        return self
