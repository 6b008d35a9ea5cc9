"""A page that shows what was changed, and why: for people to read, in any browser, from one file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from itertools import count
from pathlib import Path

from rewrite.documents.revision import Revision
from rewrite.documents.segments import Segment
from rewrite.server.phrases import skip_phrase
from rewrite.server.schemas import Ui
from rewrite.tally import Fate, Tally

_WORDS: dict[str, tuple[str, str]] = {
    "counts": ("Changed {changed} of {total} sentences", "Изменено предложений: {changed} из {total}"),
    "legend": (
        "Choose a changed sentence to see why. The others have the number of their reason:",
        "Нажмите на изменённое предложение, чтобы узнать почему. У остальных номер причины:",
    ),
    "gone": ("deleted: ", "удалено: "),
    "come": ("inserted: ", "вставлено: "),
    "text": ("New text", "Новый текст"),
    "score": ("Score", "Оценка"),
    "runner_up": ("Runner-up", "Второй вариант"),
    "previous": ("Previous change", "Предыдущее изменение"),
    "next": ("Next change", "Следующее изменение"),
    "left": ("left as it was", "оставлено как было"),
    "marks": ("left for its formatting", "оставлено из-за оформления"),
    "passed": ("passed over", "пропущено"),
    "failed": ("failed", "ошибка"),
}
_REASONS = {
    "no rewrite was found": "другой формулировки не нашлось",
    "every rewrite was blocked": "все варианты отклонила проверка",
    "no rewrite is better": "лучшего варианта нет",
    "its marks could not be kept": "оно бы потерялось",
}
"""Why a sentence was not changed, in Russian; why it was passed over, `skip_phrase` says."""


def changes_page(
    title: str,
    segments: Sequence[Segment],
    revisions: Sequence[Sequence[Revision]],
    *,
    language: str = "",
    ui: Ui = "en",
) -> str:
    """One HTML page, without scripts, of a document or of the lines of a file with what became of its sentences.

    `language` is that of segments that say none, `ui` that of the page's own words.
    """
    return _Page(ui, language, revisions).page(title, segments)


class _Page:
    def __init__(self, ui: Ui, language: str, revisions: Sequence[Sequence[Revision]]) -> None:
        self._ui, self._language, self._revisions = ui, language, revisions
        self._tally = Tally()
        for revision in (revision for of_segment in revisions for revision in of_segment):
            self._tally.add(revision.state, revision.why or ("" if revision.state == "changed" else "-"))
        reasons = ((state, why) for state, of_state in self._tally.reasons.items() for why, _ in of_state.most_common())
        self._numbers = dict(zip(reasons, count(1)))
        self._change = 0

    def _word(self, name: str) -> str:
        return _WORDS[name][self._ui == "ru"]

    def page(self, title: str, segments: Sequence[Segment]) -> str:
        css = Path(__file__).with_name("changes_page.css").read_text(encoding="utf-8")
        policy = f"default-src 'none'; style-src 'sha256-{b64encode(sha256(css.encode()).digest()).decode()}'"
        blocks = [self._block(*pair) for pair in zip(segments, self._revisions, strict=True)]
        return "\n".join(
            (
                f'<!DOCTYPE html>\n<html lang="{self._ui}">\n<head>\n<meta charset="utf-8">',
                f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{escape(title)}</title>\n<style>{css}</style>\n</head>\n<body>",
                *self._header(title),
                "<main>",
                *blocks,
                "</main>\n</body>\n</html>\n",
            )
        )

    def _header(self, title: str) -> Iterator[str]:
        counts = self._word("counts").format(changed=self._tally.fates["changed"], total=self._tally.total)
        yield f'<header>\n<h1>{escape(title)}</h1>\n<p class="counts">{counts}</p>'
        if self._numbers:
            yield f'<p class="note">{self._word("legend")}</p>\n<ol>'
            for (state, why), number in self._numbers.items():
                reason = escape(self._reason(state, why))
                yield f'<li id="reason-{number}">{reason}: {self._tally.reasons[state][why]}</li>'
            yield "</ol>"
        yield "</header>"

    def _reason(self, state: Fate, why: str) -> str:
        if why == "-":
            return self._word(state)
        shown = _REASONS[why] if self._ui == "ru" and why in _REASONS else skip_phrase(self._ui, why)
        return f"{self._word(state)} ({shown})"

    def _block(self, segment: Segment, revisions: Sequence[Revision]) -> str:
        language = escape(segment.language or self._language)
        pieces = [f'<div class="block" lang="{language}">' if language else '<div class="block">']
        place = 0
        for revision in revisions:
            pieces.append(escape(segment.text[place : revision.start]))
            pieces.append(self._sentence(segment, revision))
            place = revision.stop
        return "".join((*pieces, escape(segment.text[place:]), "</div>"))

    def _sentence(self, segment: Segment, revision: Revision) -> str:
        if revision.state == "changed":
            return self._changed(segment, revision)
        number = self._numbers[revision.state, revision.why or "-"]
        why = escape(self._reason(revision.state, revision.why or "-"))
        return (
            f'<span class="same {revision.state}">{escape(segment.text[revision.start : revision.stop])}'
            f'<a href="#reason-{number}" lang="{self._ui}" title="{why}" aria-label="{why}">{number}</a></span>'
        )

    def _changed(self, segment: Segment, revision: Revision) -> str:
        """A sentence that can be opened, with what went and came."""
        shown: list[str] = []
        text: list[str] = []
        place = revision.start
        for change in revision.changes:
            between, gone = segment.text[place : change.start], segment.text[change.start : change.stop]
            shown += (escape(between), self._edit("del", "gone", gone), self._edit("ins", "come", change.text))
            text += (between, change.text)
            place = change.stop
        rest = segment.text[place : revision.stop]
        self._change += 1
        return (
            f'<details id="change-{self._change}"><summary>{"".join(shown)}{escape(rest)}</summary>'
            f'<div class="why">{self._why("".join((*text, rest)), revision)}</div></details>'
        )

    def _edit(self, tag: str, word: str, text: str) -> str:
        hidden = f'<span class="hidden" lang="{self._ui}">[{self._word(word)}</span>'
        end = '<span class="hidden">]</span>'
        return f"<{tag}>{hidden}{escape(text)}{end}</{tag}>" if text else ""

    def _why(self, text: str, revision: Revision) -> str:
        rows = [("text", f'<dd class="text">{escape(text)}</dd>')]
        if revision.score is not None:
            score = f"{revision.score:.2f}"
            rows.append(("score", f'<dd><meter value="{score}" aria-hidden="true"></meter>{score}</dd>'))
        if revision.runner_up:
            rows.append(("runner_up", f'<dd class="text">{escape(revision.runner_up)}</dd>'))
        listed = "".join(f'<dt lang="{self._ui}">{self._word(name)}</dt>{row}' for name, row in rows)
        steps = ((self._change - 1, "previous"), (self._change + 1, "next"))
        links = [
            f'<a href="#change-{number}">{self._word(name)}</a>'
            for number, name in steps
            if 0 < number <= self._tally.fates["changed"]
        ]
        return f'<dl>{listed}</dl><p lang="{self._ui}">{" · ".join(links)}</p>' if links else f"<dl>{listed}</dl>"
