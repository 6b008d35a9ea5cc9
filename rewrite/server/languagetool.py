"""Simplifications in the form of LanguageTool's HTTP API: what LibreOffice, editors and browser add-ons ask.

Each edit of the best rewrite is a match: its offset and length count UTF-16 units, as those of the Java server and the
strings of LibreOffice and of browsers do (an emoji is two). A match is never empty and never leaves nothing, for which
editors have no menu entry: a word beside it is taken in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, ValidationError

from rewrite.errors import BadInput
from rewrite.layout import has_cyrillic
from rewrite.server.connection import client_of
from rewrite.server.edits import find_edits
from rewrite.server.schemas import Edit, RewriteRequest, RewriteResult, Sentence, Text, Ui
from rewrite.server.tables import better_rows
from rewrite.version import version

router = APIRouter(prefix="/v2", tags=["languagetool"])

LANGUAGES = (
    ("English", "en", "en"),
    ("English (Australian)", "en", "en-AU"),
    ("English (Canadian)", "en", "en-CA"),
    ("English (GB)", "en", "en-GB"),
    ("English (New Zealand)", "en", "en-NZ"),
    ("English (South African)", "en", "en-ZA"),
    ("English (US)", "en", "en-US"),
    ("Russian", "ru", "ru-RU"),
)
"""Name, short code and long code, as LanguageTool has them."""
_GUESSED = {"en": "en-US", "ru": "ru-RU"}
_CATEGORY = "STYLE"
"""LibreOffice underlines this one in blue, others as mistakes."""
_RULES = {
    "replace": ("REWRITE_SIMPLER_WORDS", {"en": "Simpler words", "ru": "Слова проще"}),
    "delete": ("REWRITE_LEAVE_OUT", {"en": "What may be left out", "ru": "Что можно опустить"}),
    "insert": ("REWRITE_ADD_WORDS", {"en": "Words to add", "ru": "Что добавить"}),
    "split": ("REWRITE_SPLIT_SENTENCE", {"en": "A long sentence", "ru": "Длинное предложение"}),
    "order": ("REWRITE_WORD_ORDER", {"en": "Order of words", "ru": "Порядок слов"}),
}
"""By kind of edit the id of its rule, and what that is called."""
_MOST = 5
"""Replacements of a match."""
_LOOKED_AT = 20
"""Rewrites of a sentence that alternatives are looked for in."""
_AROUND = 40
_BEFORE = re.compile(r"(?:\w+|\S)\s*$")
_BEHIND = re.compile(r"\s*(?:\w+(?:[-'’.,]\w+)*|\S)")


class CheckForm(BaseModel):
    """What LanguageTool's clients send, as a form or in the query; other fields are passed over."""

    text: Text | None = None
    data: str | None = Field(None, description='{"text": "…"} or {"annotation": [{"text": "…"}, {"markup": "<b>"}]}')
    language: str = Field("", description="ru-RU, en-US and others of /v2/languages, or auto.")
    enabledRules: str = ""  # noqa: N815
    disabledRules: str = ""  # noqa: N815
    enabledCategories: str = ""  # noqa: N815
    disabledCategories: str = ""  # noqa: N815
    enabledOnly: str = ""  # noqa: N815
    preferredVariants: str = ""  # noqa: N815
    mode: str = "all"


class _Annotation(BaseModel):
    text: Text | None = None
    markup: Text | None = None
    interpretAs: Text | None = None  # noqa: N815


class _Data(BaseModel):
    text: Text | None = None
    annotation: list[_Annotation] | None = None


@dataclass(frozen=True)
class _Document:
    """What a client sent, markup included, and the `plain` text that is to be read: `starts` and `ends` say for each of
    its characters where the document has it."""

    whole: str
    plain: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, parts: Sequence[_Annotation]) -> _Document:
        whole, plain = "", ""
        starts: list[int] = []
        ends: list[int] = []
        for part in parts:
            if (part.text is None) == (part.markup is None) or (part.text is not None and part.interpretAs is not None):
                hint = 'Each part is {"text": …}, or {"markup": …} with or without "interpretAs".'
                raise BadInput(f"data: a part of the annotation is {part.model_dump(exclude_none=True)}.", hint=hint)
            begin = len(whole)
            read = part.text if part.text is not None else part.interpretAs or ""
            whole, plain = whole + (part.text or part.markup or ""), plain + read
            starts += range(begin, len(whole)) if part.text else [begin] * len(read)
            ends += range(begin + 1, len(whole) + 1) if part.text else [len(whole)] * len(read)
        return cls(whole, plain, starts, ends)


@router.get("/languages")
def languages() -> list[dict[str, str]]:
    """Languages in which texts are simplified."""
    return [{"name": name, "code": code, "longCode": long_code} for name, code, long_code in LANGUAGES]


_FORM = {"application/x-www-form-urlencoded": {"schema": CheckForm.model_json_schema()}}


@router.get("/check")
@router.post("/check", openapi_extra={"requestBody": {"content": _FORM}})
async def check(request: Request) -> dict[str, Any]:
    """Edits of the best rewrite of a text, each with the alternatives of the n-best."""
    form = await _form(request)
    document = _document(form)
    code = next((long for name, _, long in LANGUAGES if long.lower() == form.language.lower().replace("_", "-")), "")
    code = {"ru": "ru-RU"}.get(form.language.lower(), code)
    if not code and form.language != "auto":
        known = ", ".join(sorted(long_code for *_, long_code in LANGUAGES))
        what = f"{form.language!r} is not a language code known here." if form.language else "'language' is missing."
        raise BadInput(what, hint=f"Supported language codes are: auto, ru, {known}.")
    rules = _asked_rules(form)
    matches: list[dict[str, Any]] = []
    # Add-ons ask twice: for what concerns the whole text, of which there is nothing here, and for the rest.
    if rules and form.mode != "textLevelOnly" and document.plain.strip():
        ui: Ui = "ru" if code == "ru-RU" or (not code and has_cyrillic(document.plain)) else "en"
        asked = {"text": document.plain, "lang": code[:2] or None, "ui": ui}
        service, client = request.app.state.service, client_of(request)
        response = await service.rewrite_all(RewriteRequest.model_validate(asked), client=client)
        result: RewriteResult = response.results[0]
        code = code or _variant(result.language, form.preferredVariants)
        matches = [match for match in _matches(result, document, ui) if match["rule"]["id"] in rules]
    name = next((name for name, _, long_code in LANGUAGES if long_code == code), "unknown")
    language = {"name": name, "code": code or "und"}
    detected = {**language, "confidence": 1.0, "source": "given" if form.language != "auto" else "letters"}
    software = {"name": "rewrite-rerank", "version": version(), "buildDate": "", "apiVersion": 1, "premium": False}
    return {
        "software": {**software, "status": ""},
        "warnings": {"incompleteResults": False},
        "language": {**language, "detectedLanguage": detected},
        "matches": matches,
    }


async def _form(request: Request) -> CheckForm:
    """The query and the form; clients send the form's UTF-8 with and without percent signs."""
    try:
        body = (await request.body()).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"Byte {error.start} of the form is not UTF-8.", hint="Send the text as UTF-8.") from error
    fields = {**request.query_params, **dict(parse_qsl(body, keep_blank_values=True))}
    try:
        return CheckForm.model_validate(fields)
    except ValidationError as error:
        raise BadInput(_first_fault(error)) from None


def _document(form: CheckForm) -> _Document:
    if (form.text is None) == (form.data is None):
        raise BadInput("Give 'text' or 'data', one of them.", hint="As in text=…&language=ru-RU.")
    if form.text is not None:
        return _Document.of([_Annotation(text=form.text)])
    try:
        data = _Data.model_validate_json(form.data or "")
    except ValidationError as error:
        raise BadInput(f"data: {_first_fault(error)}", hint='It is JSON: {"text": …} or {"annotation": […]}.') from None
    if (data.text is None) == (data.annotation is None):
        raise BadInput("data: give 'text' or 'annotation', one of them.")
    return _Document.of(data.annotation if data.annotation is not None else [_Annotation(text=data.text)])


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return ": ".join(part for part in (".".join(map(str, first["loc"])), first["msg"]) if part)


def _asked_rules(form: CheckForm) -> set[str]:
    """Ids of the rules that are wanted; those of LanguageTool itself say nothing here."""

    def names(listed: str) -> set[str]:
        return {name.strip() for name in listed.split(",")} - {""}

    ours = {rule for rule, _ in _RULES.values()}
    enabled, disabled = names(form.enabledRules), names(form.disabledRules)
    kinds, others = names(form.enabledCategories), names(form.disabledCategories)
    if form.enabledOnly in ("true", "yes"):
        if not enabled and not kinds:
            raise BadInput("You must specify enabled rules or categories when using enabledOnly=true.")
        return ours if _CATEGORY in kinds else ours & enabled
    return ours & enabled if _CATEGORY in others else ours - (disabled - enabled)


def _variant(language: str, preferred: str) -> str:
    """The long code of a language that was guessed."""
    wanted = [code.strip() for code in preferred.split(",") if code.strip().startswith(f"{language}-")]
    return wanted[0] if wanted else _GUESSED.get(language, language)


def _matches(result: RewriteResult, document: _Document, ui: Ui) -> Iterator[dict[str, Any]]:
    wide = [i for i, character in enumerate(document.whole) if character > "\uffff"]

    def units(place: int) -> int:
        return place + bisect_left(wide, place)

    begin = 0
    for gap, sentence in zip(result.gaps, result.sentences, strict=False):
        begin += len(gap)
        for edit, replacements in _suggestions(sentence, result):
            start, end = document.starts[begin + edit.start], document.ends[begin + edit.end - 1]
            rule, names = _RULES[edit.kind]
            left, right = max(start - _AROUND, 0), min(end + _AROUND, len(document.whole))
            dots, more = "..." if left else "", "..." if right < len(document.whole) else ""
            context = re.sub(r"\s", " ", document.whole[left:right])
            place = {"offset": units(start), "length": units(end) - units(start)}
            shift = len(dots) + units(start) - units(left)
            yield {
                "message": f"{edit.why[:1].upper()}{edit.why[1:]}",
                "shortMessage": names[ui],
                "replacements": [{"value": replacement} for replacement in replacements],
                **place,
                "context": {"text": dots + context + more, "offset": shift, "length": place["length"]},
                "sentence": sentence.source,
                "type": {"typeName": "Hint"},
                "rule": {
                    "id": rule,
                    "description": names[ui],
                    "issueType": "style",
                    "category": {"id": _CATEGORY, "name": "Стиль" if ui == "ru" else "Style"},
                },
                "ignoreForIncompleteSentence": True,
                "contextForSureMatch": -1,
            }
        begin += len(sentence.source)


def _suggestions(sentence: Sentence, result: RewriteResult) -> Iterator[tuple[Edit, list[str]]]:
    """The edits of a sentence, none of them empty, with what the best rewrites have in their places."""
    source, table = sentence.source, sentence.table
    rows = better_rows(sentence, result.weights)[:_LOOKED_AT]
    candidates = [table.candidates[row] for row in rows] if table else []
    others = [find_edits(source, c.text, result.language, "en", c.edits) for c in candidates]
    for edit in _widened(sentence.edits, source):
        known = (_within(edits, edit.start, edit.end, source) for edits in others)
        values = dict.fromkeys((edit.replacement, *(value for value in known if value)))
        values.pop(source[edit.start : edit.end], None)
        yield edit, [*values][:_MOST]


def _widened(edits: Sequence[Edit], source: str) -> Iterator[Edit]:
    """Edits of which none is empty or leaves nothing: such ones have a word beside them, which stays as it is."""
    free = 0
    for edit, limit in zip(edits, [*(e.start for e in edits[1:]), len(source)], strict=True):
        start, end, new = edit.start, edit.end, edit.replacement
        if start == end or not new.strip():
            before, behind = _BEFORE.search(source, free, start), _BEHIND.match(source, end, limit)
            if before and not (behind and (source[start:end] or new)[0].isalnum()):
                start = before.start()
                new = source[start : edit.start] + new
            elif behind:
                end = behind.end()
                new += source[edit.end : end]
        free = end
        if start < end:
            yield edit.model_copy(update={"start": start, "end": end, "replacement": new})


def _within(edits: Sequence[Edit], start: int, end: int, source: str) -> str | None:
    """What edits make of a part of the source; `None` where one of them reaches across its ends."""
    text, place = "", start
    for edit in edits:
        if (edit.end <= start and edit.start < start) or edit.start >= end:
            continue
        if edit.start < start or edit.end > end:
            return None
        text, place = text + source[place : edit.start] + edit.replacement, edit.end
    return text + source[place:end]
