"""Word files: only words change, and each change can be taken or left."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import docx
import pytest
from lxml import etree

from rerank.errors import BadInput
from rewrite.documents.docx import read_docx
from rewrite.documents.marks import carried
from rewrite.documents.revision import Revision, revisions
from rewrite.documents.segments import Change, Segment, changed
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.rewrite.documents import libreoffice
from tests.rewrite.documents.fake_rewrites import revisions as fake_revisions
from tests.rewrite.documents.word_files import W, field, members, package, paragraph, run, text_box, varied

SOURCE = "В связи с аварией подача воды в дома была приостановлена."
TARGET = "Из-за аварии подача воды в дома приостановлена."


def _changes(all_revisions: Sequence[Sequence[Revision]]) -> list[list[Change]]:
    return [[change for revision in each for change in revision.changes] for each in all_revisions]


def _whole(segment: Segment, text: str) -> list[Revision]:
    changes = carried(segment, 0, len(segment.text), text, language="ru")
    assert changes
    return [Revision(0, len(segment.text), "changed", "", changes, 0.876, "Другое.")]


def _settled(data: bytes, taken: bool) -> list[str]:
    """The text of each paragraph of all parts with all changes taken, or left."""
    texts: list[str] = []
    for name, part in sorted(members(data).items()):
        if not name.startswith("word/") or not name.endswith(".xml") or "comments" in name:
            continue
        root = etree.fromstring(part)
        gone = "del" if taken else "ins"
        for node in [node for node in root.iter(f"{{{W}}}{gone}") if node.get(f"{{{W}}}author") == "rewrite"]:
            node.getparent().remove(node)
        texts += ("".join(t.text or "" for t in p.iter(f"{{{W}}}t", f"{{{W}}}delText")) for p in root.iter(f"{{{W}}}p"))
    return texts


@pytest.mark.parametrize("seed", range(8))
def test_only_words_change_and_changes_taken_or_left_are_the_new_or_the_old_text(seed: int) -> None:
    data = varied(seed)
    document = read_docx(data)
    made = fake_revisions(document.segments, seed)
    assert document.written([[] for _ in made]) == data
    out = document.written(_changes(made))
    refused = set(document.refused)
    again = read_docx(out)
    expected = [
        segment.text if place in refused else changed(segment, changes)[0]
        for place, (segment, changes) in enumerate(zip(document.segments, _changes(made), strict=True))
    ]
    assert [segment.text for segment in again.segments] == expected
    assert sum(a != b.text for a, b in zip(expected, document.segments, strict=True)) > 5
    assert again.structure() == document.structure()
    tracked = document.tracked(made)
    assert _settled(tracked, taken=False) == _settled(data, taken=False)
    assert _settled(tracked, taken=True) == _settled(out, taken=True)
    before, after = members(data), members(out)
    assert list(before) == list(after)
    assert {n for n in before if before[n] != after[n]} <= {
        f"word/{n}.xml" for n in ("document", "header", "footnotes")
    }
    for sign in (b"<w:proofErr", b"<w:bookmarkStart", b"w:footnoteReference", b"w:instrText", b"<w:hyperlink"):
        assert before["word/document.xml"].count(sign) == after["word/document.xml"].count(sign)


def test_the_hash_of_the_structure_sees_formats_links_and_parts() -> None:
    def of(body: str, **others: bytes) -> str:
        return read_docx(package(body, others=others)).structure()

    plain = of(paragraph(run(SOURCE)))
    assert plain == of(paragraph(run(TARGET[:9]) + run(TARGET[9:], '<w:lang w:val="ru-RU"/>')))
    bold, link = run(TARGET[9:], "<w:b/>"), f'<w:hyperlink r:id="link">{run(TARGET[9:])}</w:hyperlink>'
    others = [paragraph(run(TARGET[:9]) + each) for each in (bold, link)]
    others += [paragraph(run(SOURCE), "my"), paragraph(run(SOURCE)) * 2, paragraph(run(SOURCE) + "<w:r><w:br/></w:r>")]
    assert len({plain, of(paragraph(run(SOURCE)), a=b"1"), *map(of, others)}) == len(others) + 2


def test_a_change_is_one_tracked_change_and_new_words_look_as_those_that_they_stand_for() -> None:
    body = paragraph(run("В связи с аварией", "<w:b/>") + run(SOURCE[17:]))
    document = read_docx(package(body))
    made = [_whole(document.segments[0], TARGET)]
    tracked = document.tracked(made, author="rewrite", date=datetime(2026, 11, 30, 12))
    root = etree.fromstring(members(tracked)["word/document.xml"])
    deleted, inserted = (list(root.iter(f"{{{W}}}{name}")) for name in ("del", "ins"))
    assert ["".join(node.itertext()) for node in deleted] == ["В связи с аварией", "была "]
    assert ["".join(node.itertext()) for node in inserted] == ["Из-за аварии"]
    assert inserted[0].find(f".//{{{W}}}b") is not None
    assert {node.get(f"{{{W}}}date") for node in deleted} == {"2026-11-30T12:00:00Z"}
    names = [node.get(f"{{{W}}}id") for node in (*deleted, *inserted)]
    assert len(set(names)) == len(names)


def test_what_is_not_for_its_readers_to_rewrite_stands_as_it_is() -> None:
    own = f'<w:ins w:id="1" w:author="Anna" w:date="2026-01-01T00:00:00Z">{run("была ")}</w:ins>'
    control = f"<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>{paragraph(run(SOURCE))}</w:sdtContent></w:sdt>"
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{x}"/></w:r>' for x in ("begin", "separate", "end"))
    body = (
        paragraph(run("Подача воды ") + own + run("приостановлена.")),
        control,
        paragraph(run("Глава первая\t5"), "11"),
        paragraph(f"{begin}<w:r><w:instrText>INDEX</w:instrText></w:r>{separate}{run('Слово, 3')}"),
        paragraph(run("Дело, 4")),
        paragraph(run("Лицо, 5") + end),
        paragraph(run("print('слово')"), "my"),
        paragraph(run("1 234,5")),
        paragraph(run(SOURCE)),
    )
    document = read_docx(package("".join(body)))
    assert [segment.text for segment in document.segments] == [SOURCE]
    assert document.notes == [
        "1 paragraph has tracked changes of their own and stands as it is",
        "1 paragraph is in content controls (fields of a form) and stands as it is",
    ]
    tracked = document.tracked([_whole(document.segments[0], TARGET)])
    assert own.split(">")[0].encode() in members(tracked)["word/document.xml"]


def test_lines_fields_code_formulas_and_text_boxes() -> None:
    formula = "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>"
    code = run("ls", '<w:rStyle w:val="HTML1"/>')
    first = run("Одна строка.") + "<w:r><w:br/></w:r>" + run("Где ") + formula + run(" и ") + code + run(" — дело.")
    second = (
        field("PAGE", run("12"))
        + run(" стр. и ")
        + field("HYPERLINK x", run("сайт"))
        + text_box(paragraph(run(SOURCE)))
    )
    document = read_docx(package(paragraph(first) + paragraph(second)))
    assert [segment.text for segment in document.segments] == [
        "Одна строка.",
        "Где x=1 и ls — дело.",
        "12 стр. и сайт",
        SOURCE,
    ]
    fixed = [[s.text[m.start : m.stop] for m in s.marks if m.fixed] for s in document.segments]
    assert fixed == [[], ["x=1", "ls"], ["12"], []]
    out = members(document.written([[], [], [], list(_whole(document.segments[3], TARGET)[0].changes)]))
    # What old readers and new ones are shown is the same.
    assert out["word/document.xml"].decode().count("Из-за аварии") == 2


def test_a_comment_says_the_score_and_the_runner_up() -> None:
    document = read_docx(package(paragraph(run(SOURCE))))
    data = document.tracked([_whole(document.segments[0], TARGET)], comments=True)
    assert [comment.text for comment in docx.Document(io.BytesIO(data)).comments] == ["Score 0.88. Runner-up: Другое."]
    # With comments of its own, one is added to them.
    word = docx.Document()
    word.add_comment(word.add_paragraph(SOURCE).runs[0], "Проверить", author="Анна", initials="А")
    stored = io.BytesIO()
    word.save(stored)
    document = read_docx(stored.getvalue())
    data = document.tracked([_whole(document.segments[0], TARGET)], comments=True)
    comments = [(comment.author, comment.text) for comment in docx.Document(io.BytesIO(data)).comments]
    assert comments == [("Анна", "Проверить"), ("rewrite", "Score 0.88. Runner-up: Другое.")]


def test_macros_are_kept_and_told_and_the_strict_namespace_is_read() -> None:
    kind = "application/vnd.ms-word.document.macroEnabled.main+xml"
    macros = package(paragraph(run(SOURCE)), others={"word/vbaProject.bin": b"\xd0\xcf"}, main_type=kind)
    for data, notes in ((macros, 1), (package(paragraph(run(SOURCE)), strict=True), 0)):
        document = read_docx(data)
        assert len(document.notes) == notes
        made = _whole(document.segments[0], TARGET)
        assert read_docx(document.written([list(made[0].changes)])).segments[0].text == TARGET
        out = members(document.tracked([made], comments=True))
        assert out.get("word/vbaProject.bin") == members(data).get("word/vbaProject.bin")


def _zip(**contents: bytes | str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return out.getvalue()


_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
_ENTITY = '<!DOCTYPE w:document [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
_GOOD = package(paragraph(run(SOURCE)))
_BODY = _GOOD.index(b"word/document.xml") + 60


def _with(name: str, text: str | bytes) -> bytes:
    return _zip(**{**members(_GOOD), name: text})


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"plain words", "no Word document: it does not begin as a zip"),
        (_OLE + "EncryptedPackage\0".encode("utf-16-le"), "an encrypted document"),
        (_OLE + "WordDocument\0".encode("utf-16-le"), "Word 97–2003"),
        (_OLE, "an encrypted document or one of an old Office"),
        (_zip(mimetype="application/vnd.oasis.opendocument.text"), "an OpenDocument text"),
        (_zip(mimetype="application/epub+zip"), "an e-book"),
        (_zip(**{"[Content_Types].xml": "<Types><Override ContentType='x.spreadsheetml.x'/></Types>"}), "Excel"),
        (_zip(a="b"), "a zip without a Word document"),
        (_GOOD[:300], "cannot be read as one"),
        (_with("word/document.xml", "<w:document"), "word/document.xml of the Word file is not well-formed"),
        (_with("word/document.xml", f"{_ENTITY}<d>&b;</d>"), "declares a document type"),
        (_with("word/media/x.bin", bytes(70 << 20)), "zip bomb: it unpacks to"),
        (_GOOD[:_BODY] + bytes(20) + _GOOD[_BODY + 20 :], "word/document.xml of the Word file cannot be unpacked"),
    ],
)
def test_what_is_refused_and_why(data: bytes, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        read_docx(data)


@libreoffice.needed
def test_libreoffice_takes_all_changes_as_we_write_them_and_leaves_all_as_they_were(tmp_path: Path) -> None:
    files: dict[str, bytes] = {}
    for seed in range(3):
        document = read_docx(varied(seed))
        made = fake_revisions(document.segments, seed)
        files[f"{seed}-source"] = varied(seed)
        files[f"{seed}-tracked"] = document.tracked(made)
        files[f"{seed}-written"] = document.written(_changes(made))
    # A paragraph all of whose words are others.
    word = package(paragraph(run("Работы")) + paragraph(run(SOURCE)))
    document = read_docx(word)
    files["word"] = document.tracked([_whole(document.segments[0], "Ремонт"), []])
    # Words put in at the end of a paragraph and at the beginning of the next.
    document = read_docx(package(paragraph(run("Один")) + paragraph(run("Два"))))
    ends = ((4, (Change(4, 4, "!", (3,)),)), (3, (Change(0, 0, "Ах, ", (0, 0, 0, 0)),)))
    files["ends"] = document.tracked([[Revision(0, stop, "changed", "", made)] for stop, made in ends])
    texts = libreoffice.texts(files, tmp_path)
    assert texts["ends"] == ("Один!\nАх, Два\n", "Один\nДва\n")
    assert texts["word"] == (f"Ремонт\n{SOURCE}\n", f"Работы\n{SOURCE}\n")
    for seed in range(3):
        source, tracked, written = (texts[f"{seed}-{name}"] for name in ("source", "tracked", "written"))
        assert tracked == (written[0], source[0])
        assert written[0] != source[0]


def test_the_pipeline_rewrites_a_word_file() -> None:
    document = read_docx(package(paragraph(run("В связи с аварией", "<w:b/>") + run(SOURCE[17:]))))
    made = revisions(document.segments, Pipeline(Options(generator="edits")).run([s.text for s in document.segments]))
    assert [revision.state for revision in made[0]] == ["changed"]
    again = read_docx(document.written(_changes(made)))
    assert again.segments[0].text != SOURCE
    assert again.structure() == document.structure()
