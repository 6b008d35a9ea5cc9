"""What goes over the wire: requests, results and events, as pydantic models that are the OpenAPI description too.

Options of a task are not here: they are those of its own declaration (`rewrite.task_options`).
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rewrite.server.settings import TaskName

Ui = Literal["en", "ru"]


def _encodable(text: str) -> str:
    # JSON may hold half of a pair of surrogates, which no text has and nothing can print.
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("the text has half of a surrogate pair, which is no character") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Message(BaseModel):
    """A part of a request: frozen, and without keys that nobody declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RewriteRequest(Message):
    """`text`, or several `texts`, to rewrite; `options` and `weights` are the task's own, by name."""

    task: TaskName = "simplify"
    lang: str | None = Field(None, description="Language of the texts, such as en or ru; without it, it is guessed.")
    text: Text | None = None
    texts: list[Text] | None = Field(None, min_length=1)
    options: dict[str, Any] = Field(default_factory=dict, description="What GET /v1/tasks lists, by name.")
    weights: dict[str, Any] = Field(default_factory=dict, description="Component to exponent of 0 or more.")
    stream: bool = Field(False, description="Send server-sent events, each sentence as it is done.")
    ui: Ui = Field("en", description="Language of reasons.")

    @model_validator(mode="after")
    def _one_of_both(self) -> RewriteRequest:
        if (self.text is None) == (self.texts is None):
            raise ValueError("give text or texts, one of them")
        return self

    @property
    def given(self) -> list[str]:
        """All texts of the request."""
        return [self.text] if self.text is not None else list(self.texts or ())


class Edit(BaseModel):
    """Code points `start` to `end` of a sentence's source become `replacement`."""

    start: int
    end: int
    replacement: str
    why: str
    kind: Literal["replace", "delete", "insert", "split", "order"]


class TableCandidate(BaseModel):
    """A row of a table; `blocked` says why it may not be chosen, empty where it may."""

    model_config = ConfigDict(extra="forbid")

    text: Text
    generator: str = ""
    count: int = 1
    blocked: str = ""
    edits: list[str] = Field(default_factory=list)


class Table(BaseModel):
    """A score table: what `POST /v1/reweight` needs, and a page that chooses by itself.

    `values` is candidates × components. Candidates come in the order that settles ties.
    """

    model_config = ConfigDict(extra="forbid")

    source: Text
    components: list[str]
    candidates: list[TableCandidate]
    values: list[list[Finite]]
    source_values: list[Finite]
    threshold: Finite
    digest: str = ""

    def computed_digest(self) -> str:
        """SHA-256 of the canonical JSON of all other fields: keys sorted, no spaces, every value written as a float."""
        fields = self.model_dump(exclude={"digest"})
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Sentence(BaseModel):
    """What became of one sentence. `choice` is a row of the table, null where the source stands.

    `order` holds the rows that may be chosen, best first, as many as `best` says; `scores` a score for each row.
    """

    source: str
    text: str
    skipped: str = ""
    error: str = ""
    score: float | None = None
    choice: int | None = None
    order: list[int] = Field(default_factory=list)
    scores: list[float] = Field(default_factory=list)
    why: list[str] = Field(default_factory=list)
    edits: list[Edit] = Field(default_factory=list)
    table: Table | None = None


class Ease(BaseModel):
    """How easy a text is to read: words in a sentence, and the share of its words, names apart, that are rare.

    Rare is what occurs less than once in a million words; null in languages without a list.
    """

    words_per_sentence: float
    rare_words: float | None


class Readability(BaseModel):
    source: Ease
    text: Ease


class Grade(BaseModel):
    """School grades, where there is a formula for the language."""

    source: float
    text: float


class ResultHead(BaseModel):
    """A rewritten text but for its sentences, the last event of a text in a stream."""

    source: str
    text: str
    language: str
    signature: str
    score: float | None
    weights: dict[str, float]
    threshold: float
    gaps: list[str]
    grade: Grade | None
    readability: Readability


class RewriteResult(ResultHead):
    """`text` is gaps[0] + sentence + gaps[1] + …: one gap more than sentences."""

    sentences: list[Sentence]


class RewriteResponse(BaseModel):
    version: str
    task: TaskName
    results: list[RewriteResult]


class StartedText(BaseModel):
    """What a text was cut into: source sentences, and what stands between them; and what is chosen by."""

    gaps: list[str]
    sentences: list[str]
    language: str
    weights: dict[str, float]
    threshold: float


class StartEvent(BaseModel):
    type: Literal["start"] = "start"
    version: str
    task: TaskName
    results: list[StartedText]


class SentenceEvent(BaseModel):
    """Sentence `index` of text `result` is done."""

    type: Literal["sentence"] = "sentence"
    result: int
    index: int
    sentence: Sentence


class ResultEvent(ResultHead):
    """Text `result` is done."""

    type: Literal["result"] = "result"
    result: int


Event = StartEvent | SentenceEvent | ResultEvent


class ErrorBody(BaseModel):
    """What is wrong, what to do about it, and the names that would be known where one is not."""

    message: str
    hint: str = ""
    type: str
    known: list[str] = Field(default_factory=list)


class ErrorResponse(BaseModel):
    error: ErrorBody


class ReadabilityRequest(Message):
    """Texts to measure. No model is asked."""

    texts: list[Text] = Field(min_length=1)
    lang: str | None = None


class TextEase(Ease):
    """How easy a text is to read; `grade` is null where there is no formula for its language."""

    grade: float | None


class ReadabilityResponse(BaseModel):
    version: str
    results: list[TextEase]


class ScoreRequest(Message):
    """Candidates from anywhere, to be scored and guarded as those of the task are. Nothing is drawn.

    Of `options` those count that guards and scorers read, such as `keep`.
    """

    task: TaskName = "simplify"
    lang: str | None = None
    source: Text
    candidates: list[Text] = Field(min_length=1)
    options: dict[str, Any] = Field(default_factory=dict, description="What GET /v1/tasks lists, by name.")
    weights: dict[str, Any] = Field(default_factory=dict)
    preset: str | None = None
    control: float | None = None
    ui: Ui = "en"


class ScoreResponse(BaseModel):
    """`rows[i]` is the row of the table that candidate i became, `scores[i]` its score, blocked or not."""

    version: str
    language: str
    table: Table
    rows: list[int]
    scores: list[float]
    choice: int | None
    why: list[str]
    signature: str


class ReweightRequest(Message):
    """Tables of earlier answers, to choose from again; without weights those of the preset or the knob."""

    tables: list[Table] = Field(min_length=1)
    task: TaskName = "simplify"
    lang: str | None = None
    weights: dict[str, Any] | None = None
    preset: str | None = None
    control: float | None = None
    ui: Ui = "en"


class Reweighted(BaseModel):
    """The choice from one table: `order` holds the rows that may be chosen, best first."""

    choice: int | None
    order: list[int]
    score: float
    scores: list[float]
    why: list[str]
    signature: str


class ReweightResponse(BaseModel):
    version: str
    choices: list[Reweighted]


class ComponentInfo(BaseModel):
    name: str
    what: str


class TaskInfo(BaseModel):
    """`options` is the JSON schema of what may be set; `needs` the command that installs what is missing.

    `components` are what weights are for, `paths` where to ask for the task.
    """

    name: TaskName | Literal["judge"]
    paths: list[str]
    languages: list[str]
    options: dict[str, Any]
    components: list[ComponentInfo]
    needs: str = ""


class ModelInfo(BaseModel):
    """A task in a language, as clients that know models by name ask for it: `simplify-ru`."""

    id: str
    task: TaskName
    lang: str
