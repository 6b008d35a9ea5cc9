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
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from anyio import to_thread
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from rewrite.errors import BadInput, OtherLanguage
from rewrite.server.connection import client_of
from rewrite.server.edits import account, find_edits
from rewrite.server.phrases import advice
from rewrite.server.schemas import Edit, RewriteRequest, RewriteResult, Sentence, Text, Ui
from rewrite.server.tables import better_rows
from rewrite.server.tasks import read_options
from rewrite.task import task_of
from rewrite.version import version

router = APIRouter(prefix="/v2", tags=["languagetool"])

_NAMES = {
    **{f"en-{region}": f"English ({region})" for region in ("US", "GB", "AU", "CA", "NZ", "ZA")},
    "ru-RU": "Russian",
}
_CODES = {code.lower(): code for code in _NAMES} | {"en": "en-US", "ru": "ru-RU"}
"""Codes of languages, as clients write them, and as LanguageTool does."""
_CATEGORY = "STYLE"
"""LibreOffice underlines this one in blue, others as mistakes."""
_RULES = {
    "replace": ("REWRITE_REPLACE", {"en": "Simpler wording", "ru": "Сказать проще"}),
    "delete": ("REWRITE_DELETE", {"en": "What may be left out", "ru": "Что можно опустить"}),
    "insert": ("REWRITE_INSERT", {"en": "Words to add", "ru": "Что добавить"}),
    "split": ("REWRITE_SPLIT", {"en": "A long sentence", "ru": "Длинное предложение"}),
    "order": ("REWRITE_ORDER", {"en": "Order of words", "ru": "Порядок слов"}),
}
"""By kind of edit the id of its rule, and what that is called."""
_MOST = 5
"""Replacements of a match."""
_LOOKED_AT = 20
"""Rewrites of a sentence that alternatives are looked for in."""
_AROUND = 40
_BEFORE = re.compile(r"(?:\w+|\S)\s*$")
_BEHIND = re.compile(r"\s*(?:\w+(?:[-'’.,]\w+)*|\S)")


class _Form(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class CheckForm(_Form):
    """What LanguageTool's clients send, as a form or in the query; other fields are passed over."""

    text: Text | None = None
    data: str | None = Field(None, description='{"text": "…"} or {"annotation": [{"text": "…"}, {"markup": "<b>"}]}')
    language: str = Field(description="ru-RU, en-US and others of /v2/languages, or auto.")
    enabled_rules: str = ""
    disabled_rules: str = ""
    enabled_categories: str = ""
    disabled_categories: str = ""
    enabled_only: str = ""
    preferred_variants: str = ""
    mode: str = "all"


class _Part(_Form):
    text: Text | None = None
    markup: Text | None = None
    interpret_as: Text = ""

    def pieces(self) -> list[_Part]:
        """The part, with each line end of Windows (two characters) as markup that is read as the one of others."""
        _require_one("a part of data.annotation", text=self.text, markup=self.markup)
        if self.text is None:
            return [_Part(markup=self.markup, interpret_as=self.interpret_as.replace("\r\n", "\n"))]
        lines = [_Part(text=line) for line in self.text.split("\r\n")]
        end = _Part(markup="\r\n", interpret_as="\n")
        return [piece for line in lines for piece in (line, end)][:-1]


class _Data(_Form):
    text: Text | None = None
    annotation: list[_Part] | None = None


@dataclass(frozen=True)
class _Document:
    """What a client sent, markup included, and the `plain` text that is to be read: `starts` and `ends` say for each of
    its characters where the document has it."""

    whole: str
    plain: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, parts: Sequence[_Part]) -> _Document:
        whole: list[str] = []
        plain: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        begin = 0
        for part in (piece for given in parts for piece in given.pieces()):
            shown, read = part.text or part.markup or "", part.interpret_as if part.text is None else part.text
            end = begin + len(shown)
            whole.append(shown)
            plain.append(read)
            starts += range(begin, end) if part.text else [begin] * len(read)
            ends += range(begin + 1, end + 1) if part.text else [end] * len(read)
            begin = end
        return cls("".join(whole), "".join(plain), starts, ends)


@router.get("/languages")
def languages(request: Request) -> list[dict[str, str]]:
    """Languages in which texts are simplified."""
    known = {model.lang for model in request.app.state.service.models(installed=True) if model.task == "simplify"}
    return [{"name": name, "code": code[:2], "longCode": code} for code, name in _NAMES.items() if code[:2] in known]


_FORM = {"application/x-www-form-urlencoded": {"schema": CheckForm.model_json_schema()}}


@router.get("/check")
@router.post("/check", openapi_extra={"requestBody": {"content": _FORM}})
async def check(request: Request) -> dict[str, Any]:
    """Edits of the best rewrite of a text, each with the alternatives of the n-best."""
    form = await _form(request)
    request.app.state.service.check_length(len(form.text or ""))
    document = await to_thread.run_sync(_document, form)
    code = _CODES.get(form.language.lower().replace("_", "-"), "")
    if not code and form.language != "auto":
        hint = f"Supported: auto, en, ru, {', '.join(_NAMES)}."
        raise BadInput(f"{form.language!r} is not a language code known here.", hint=hint)
    rules = _asked_rules(form)
    signature, matches = "", list[dict[str, Any]]()
    options = read_options("simplify", {}, {}, None, request.app.state.service.settings)
    guess = partial(task_of(options).language, document.plain, options)
    language = code[:2] or await to_thread.run_sync(guess)
    wanted = [c.strip() for c in form.preferred_variants.split(",") if c.strip().startswith(f"{language}-")]
    code = code or _CODES.get((wanted or [language])[0].lower(), "")
    # Add-ons ask twice: for what concerns the whole text, of which there is nothing here, and for the rest.
    if rules and form.mode != "textLevelOnly" and document.plain.strip():
        ui: Ui = "ru" if language == "ru" else "en"
        lang = None if form.language == "auto" else language
        asked = RewriteRequest.model_validate({"text": document.plain, "lang": lang, "ui": ui})
        try:
            response = await request.app.state.service.rewrite_all(asked, client=client_of(request))
        except OtherLanguage:
            # A text in any language is checked as it is typed: of one that was not named there is nothing to say.
            if lang is not None:
                raise
        else:
            result: RewriteResult = response.results[0]
            signature = result.signature
            found = await to_thread.run_sync(lambda: list(_matches(result, document, ui)))
            matches = [match for match in found if match["rule"]["id"] in rules]
    shown = {"name": _NAMES.get(code, "unknown"), "code": code or "und"}
    source = "given" if form.language != "auto" else "letters"
    software = {"name": "rewrite-rerank", "version": version(), "buildDate": "", "apiVersion": 1, "premium": False}
    return {
        "software": {**software, "status": ""},
        "signature": signature,
        "warnings": {"incompleteResults": False},
        "language": {**shown, "detectedLanguage": {**shown, "confidence": 1.0, "source": source}},
        "matches": matches,
    }


async def _form(request: Request) -> CheckForm:
    """The query and the form; clients send the form's UTF-8 with and without percent signs."""
    try:
        body = (await request.body()).decode("utf-8")
        fields = dict(parse_qsl(body, keep_blank_values=True, errors="strict"))
        return CheckForm.model_validate({**request.query_params, **fields})
    except UnicodeDecodeError:
        raise BadInput("The form is not UTF-8.", hint="Send the text as UTF-8.") from None
    except ValidationError as error:
        raise BadInput(_first_fault(error)) from None


def _document(form: CheckForm) -> _Document:
    _require_one("the form", text=form.text, data=form.data)
    if form.data is None:
        return _Document.of([_Part(text=form.text)])
    try:
        data = _Data.model_validate_json(form.data)
    except ValidationError as error:
        raise BadInput(f"data: {_first_fault(error)}.", hint='It is {"text": …} or {"annotation": […]}.') from None
    _require_one("data", text=data.text, annotation=data.annotation)
    return _Document.of([_Part(text=data.text)] if data.annotation is None else data.annotation)


def _require_one(place: str, **given: object) -> None:
    if sum(value is not None for value in given.values()) != 1:
        raise BadInput(f"Of {place} one must be given: {' or '.join(given)}.")


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return ": ".join(part for part in (".".join(map(str, first["loc"])), first["msg"]) if part)


def _asked_rules(form: CheckForm) -> set[str]:
    """Ids of the rules that are wanted; those of LanguageTool itself say nothing here."""
    lists = (form.enabled_rules, form.disabled_rules, form.enabled_categories, form.disabled_categories)
    enabled, disabled, kinds, others = ({name.strip() for name in listed.split(",")} - {""} for listed in lists)
    ours = {rule for rule, _ in _RULES.values()}
    if form.enabled_only in ("true", "yes"):
        if not enabled and not kinds:
            raise BadInput("You must specify enabled rules or categories when using enabledOnly=true.")
        return ours if _CATEGORY in kinds else ours & enabled
    return ours & enabled if _CATEGORY in others else ours - (disabled - enabled)


def _matches(result: RewriteResult, document: _Document, ui: Ui) -> Iterator[dict[str, Any]]:
    wide = [i for i, character in enumerate(document.whole) if character > "\uffff"]

    def units(place: int) -> int:
        return place + bisect_left(wide, place)

    begin = 0
    for gap, sentence in zip(result.gaps, result.sentences, strict=False):
        begin += len(gap)
        for edit, replacements in _suggestions(sentence, result, ui):
            start, end = document.starts[begin + edit.start], document.ends[begin + edit.end - 1]
            left, right = max(start - _AROUND, 0), min(end + _AROUND, len(document.whole))
            dots, more = "..." if left else "", "..." if right < len(document.whole) else ""
            context = dots + re.sub(r"\s", " ", document.whole[left:right]) + more
            length, shift = units(end) - units(start), len(dots) + units(start) - units(left)
            rule, names = _RULES[edit.kind]
            category = {"id": _CATEGORY, "name": "Стиль" if ui == "ru" else "Style"}
            yield {
                "message": f"{edit.why[:1].upper()}{edit.why[1:]}",
                "shortMessage": names[ui],
                "replacements": [{"value": replacement} for replacement in replacements],
                "offset": units(start),
                "length": length,
                "context": {"text": context, "offset": shift, "length": length},
                "sentence": sentence.source,
                "type": {"typeName": "Hint"},
                "rule": {"id": rule, "description": names[ui], "issueType": "style", "category": category},
                "ignoreForIncompleteSentence": True,
                "contextForSureMatch": -1,
            }
        begin += len(sentence.source)


def _suggestions(sentence: Sentence, result: RewriteResult, ui: Ui) -> Iterator[tuple[Edit, list[str]]]:
    """The edits of a sentence as advice, none of them empty, with what the best rewrites have in their places."""
    source, table = sentence.source, sentence.table
    rows = better_rows(sentence, result.weights)[:_LOOKED_AT] if sentence.edits else []
    candidates = [table.candidates[row] for row in rows] if table else []
    others = [find_edits(source, c.text, result.language, "en", c.edits) for c in candidates]
    suggested = [
        edit.model_copy(update={"why": account(source, edit, result.language, ui, advice)}) for edit in sentence.edits
    ]
    for edit in _widened(suggested, source):
        known = (_within(edits, edit.start, edit.end, source) for edits in others)
        values = dict.fromkeys((edit.replacement, *(value for value in known if value)))
        values.pop(source[edit.start : edit.end], None)
        yield edit, [*values][:_MOST]


def _widened(edits: Sequence[Edit], source: str) -> list[Edit]:
    """Edits of which none is empty or leaves nothing: such ones have a word beside them, which stays as it is."""
    wide: list[Edit] = []
    for edit, limit in zip(edits, [*(e.start for e in edits[1:]), len(source)], strict=False):
        start, end, new = edit.start, edit.end, edit.replacement
        if start == end or not new.strip():
            free = wide[-1].end if wide else 0
            before, behind = _BEFORE.search(source, free, start), _BEHIND.match(source, end, limit)
            if before and not (behind and (source[start:end] or new)[0].isalnum()):
                start, new = before.start(), source[before.start() : start] + new
            elif behind:
                end, new = behind.end(), new + source[end : behind.end()]
            elif wide:  # the word between them is in the last one
                last = wide.pop()
                start, new = last.start, last.replacement + source[last.end : start] + new
        wide.append(edit.model_copy(update={"start": start, "end": end, "replacement": new}))
    return [edit for edit in wide if edit.start < edit.end]


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
