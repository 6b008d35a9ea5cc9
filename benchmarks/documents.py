"""Documents through the pipeline: is everything but their words as it was, and do marks stay on their words?

    python -m benchmarks.documents --data ../shared/data
    python -m benchmarks.documents --files 20 --kind html

Real files: Markdown, HTML and DOCX of the packages that are installed here and of their documentation, and Russian ones
made of news and wiki paragraphs, with headings, lists, tables, links and emphasis on their words. Russian ones are
simplified (`--generator edits`), the others split (`--generator splitter`) and compressed, each by the real pipeline.

Told of each format: files; files that crashed; files whose structure changed (a hash of everything but words);
sentences; those that were changed; of those the pipeline would change and that have marks, in how many all marks could
be kept (`kept`), in how many by the first choice (`at once`); segments that kept their source since their structure
would have changed (`refused`). A sentence whose marks cannot be kept stays as it was.
"""

from __future__ import annotations

import io
import lzma
import random
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.measuring import command_line
from rewrite.compression.compression_options import CompressOptions
from rewrite.datasets import data_folder
from rewrite.documents.formats import FORMATS
from rewrite.documents.revision import revisions
from rewrite.documents.segments import Mark, Segment
from rewrite.errors import BadInput
from rewrite.layout import has_cyrillic
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result
from rewrite.splitting.split_options import SplitOptions

_PLACES = (sysconfig.get_paths()["purelib"], "/usr/share", "/usr/lib/python3", "/usr/lib/libreoffice")
_MOST_BYTES = 300_000
_SETS = ("nerel_wikinews", "news_lenta_sample", "news_ng", "news_russia_today")
Run = Callable[[list[str]], Sequence[Result]]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--files", type=int, default=70, help="of each format, half of them made; 70 by default")
    parser.add_argument("--kind", choices=("markdown", "html", "docx"), action="append", help="this format only")
    parser.add_argument("--segments", type=int, default=60, help="of a file at most are rewritten; 60 by default")
    parser.add_argument("--seed", type=int, default=0, help="of which files, and of the marks on those that are made")
    arguments = parser.parse_args()
    runs = {
        "simplify": Pipeline(Options(generator="edits")).run,
        "split": Pipeline(SplitOptions(generator="splitter")).run,
        "compress": Pipeline(CompressOptions()).run,
    }
    columns = (
        "files",
        "crashed",
        "structure changed",
        "sentences",
        "changed",
        "with marks",
        "kept",
        "at once",
        "refused",
    )
    print("\t".join(("format", *columns, "seconds")))
    for kind in arguments.kind or ("markdown", "html", "docx"):
        chosen = random.Random(arguments.seed)
        real = list(_real(kind))
        files = chosen.sample(real, min(len(real), arguments.files // 2))
        made = _made(kind, data_folder(arguments.data), arguments.files - len(files), chosen)
        began, counts = time.perf_counter(), Counter[str]()
        for number, (name, data) in enumerate((*files, *made)):
            counts["files"] += 1
            try:
                counts += _measured(kind, data, runs, number, arguments.segments)
            except BadInput as error:
                print(f"refused {name}: {error}", file=sys.stderr)
                counts["files"] -= 1
            except Exception as error:  # that is what is counted
                print(f"crashed {name}: {error!r}", file=sys.stderr)
                counts["crashed"] += 1
        print("\t".join([kind, *(str(counts[c]) for c in columns), f"{time.perf_counter() - began:.0f}"]), flush=True)


def _measured(kind: str, data: bytes, runs: Mapping[str, Run], number: int, most: int) -> Counter[str]:
    document = FORMATS[kind].read(data)
    counts = Counter({"unequal": int(document.written([()] * len(document.segments)) != data and kind != "docx")})
    segments = list(document.segments)
    first = segments[:most]
    is_russian = has_cyrillic(" ".join(segment.text for segment in first))
    run = runs["simplify" if is_russian else ("split", "compress")[number % 2]]
    made = revisions(first, run([segment.text for segment in first]))
    changes = [[c for r in sentences for c in r.changes] for sentences in made]
    after = FORMATS[kind].read(document.written([*changes, *([] for _ in segments[most:])]))
    counts["structure changed"] = int(after.structure() != document.structure()) + counts.pop("unequal")
    counts["refused"] = len(getattr(document, "refused", ()))
    for segment, sentences in zip(first, made, strict=True):
        for revision in sentences:
            counts["sentences"] += 1
            counts["changed"] += revision.state == "changed"
            if revision.state in ("changed", "marks") and _has_marks(segment, revision.start, revision.stop):
                counts["with marks"] += 1
                counts["kept"] += revision.state == "changed"
                counts["at once"] += revision.is_first
    return counts


def _has_marks(segment: Segment, start: int, stop: int) -> bool:
    """Whether a mark begins or ends in a sentence, and not only around all of it."""

    def cuts(mark: Mark) -> bool:
        return start < mark.start < stop or start < mark.stop < stop or (mark.start, mark.stop) == (start, stop)

    return any(map(cuts, segment.marks))


def _real(kind: str) -> Iterator[tuple[str, bytes]]:
    for place in _PLACES:
        for suffix in FORMATS[kind].suffixes:
            for path in sorted(Path(place).rglob(f"*{suffix}")):
                if path.is_file() and 200 < path.stat().st_size < _MOST_BYTES:
                    yield str(path), path.read_bytes()


def _made(kind: str, data: Path, count: int, chosen: random.Random) -> Iterator[tuple[str, bytes]]:
    """Russian documents: a heading, paragraphs, a list, a table, a quotation, with marks on words drawn by chance."""
    texts: list[str] = []
    for name in _SETS:
        with lzma.open(data / "ru_mono" / f"{name}.txt.xz", "rt", encoding="utf-8") as lines:
            texts += [line.strip() for line in islice(lines, 2_000) if 120 < len(line) < 900]
    make = {"markdown": _markdown, "html": _html, "docx": _docx}[kind]
    for number in range(count):
        yield f"made {number}", make([_Marked(text, chosen) for text in chosen.sample(texts, 9)])


class _Marked:
    """A paragraph cut into pieces, each with what it is: plain, bold, italic, link, both or note."""

    def __init__(self, text: str, chosen: random.Random) -> None:
        words = text.replace("*", "").replace("_", "").replace("[", "(").replace("]", ")").split()
        self.pieces: list[tuple[str, str]] = []
        place = 0
        while place < len(words):
            plain = chosen.randint(2, 9)
            marked = chosen.randint(1, 4)
            kind = chosen.choice(("bold", "italic", "link", "both", "note"))
            self.pieces += [("plain", " ".join(words[place : place + plain]))]
            self.pieces += [(kind, " ".join(words[place + plain : place + plain + marked]))]
            place += plain + marked
        self.pieces = [(kind, words) for kind, words in self.pieces if words]
        self.text = " ".join(words)


_MARKDOWN = {"plain": "{}", "bold": "**{}**", "italic": "*{}*", "link": "[{}](https://example.org/a?b=1)"}
_MARKDOWN |= {"both": "***{}***", "note": "{}[^1]"}
_HTML = {"plain": "{}", "bold": "<b>{}</b>", "italic": '<i class="x">{}</i>', "link": '<a href="/a?b=1&amp;c">{}</a>'}
_HTML |= {"both": "<strong><em>{}</em></strong>", "note": '{}<sup><a href="#n1">1</a></sup>'}


def _inline(paragraph: _Marked, signs: dict[str, str]) -> str:
    return " ".join(signs[kind].format(words) for kind, words in paragraph.pieces)


def _markdown(paragraphs: Sequence[_Marked]) -> bytes:
    a, b, c, d, e, f, *others = (_inline(paragraph, _MARKDOWN) for paragraph in paragraphs)
    lines = [
        "---",
        "title: Отчёт",
        "---",
        "",
        "# Отчёт",
        "",
        a,
        "",
        "## О чём",
        "",
        f"- {b}",
        f"- {c}",
        "",
        f"> {d}",
        "",
    ]
    lines += [
        "| № | текст |",
        "| --- | --- |",
        f"| 1 | {e.replace('|', '')} |",
        "",
        "```python",
        "print('да')",
        "```",
        "",
    ]
    return "\n".join([*lines, f, "", *others, "", "[^1]: Сноска о том, что было сказано.", ""]).encode("utf-8")


def _html(paragraphs: Sequence[_Marked]) -> bytes:
    a, b, c, d, e, *others = (_inline(paragraph, _HTML) for paragraph in paragraphs)
    head = '<!DOCTYPE html>\n<html lang="ru"><head><meta charset="utf-8"><title>Отчёт</title></head>\n<body>'
    body = f"<h1>Отчёт</h1>\n<p>{a}</p>\n<ul><li>{b}<li>{c}</ul><blockquote>{d}</blockquote>"
    table = f"<table><tr><td>1</td><td>{e}</td></tr></table><script>var a = '<p>да</p>';</script>"
    return "\n".join([head, body, table, *(f"<p>{text}" for text in others), "</body></html>\n"]).encode("utf-8")


def _docx(paragraphs: Sequence[_Marked]) -> bytes:
    import docx

    document: Any = docx.Document()
    document.add_heading("Отчёт", 1)
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "1"
    homes = [document.add_paragraph() for _ in paragraphs[2:]]
    homes += [document.add_paragraph(style="List Bullet"), table.cell(0, 1).paragraphs[0]]
    for home, paragraph in zip(homes, paragraphs, strict=True):
        for kind, words in paragraph.pieces:
            run = home.add_run(f"{words} ")
            run.bold, run.italic, run.underline = kind in ("bold", "both"), kind in ("italic", "both"), kind == "link"
            run.font.superscript = None
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


if __name__ == "__main__":
    main()
