"""Word files made for tests: all that Word puts between words, at random, by a seed."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_STRICT_OFFICE = "http://purl.oclc.org/ooxml/officeDocument"
_SPACES = (
    f'xmlns:w="{W}" xmlns:r="{_OFFICE}/relationships" xmlns:m="{_OFFICE}/math" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="11"><w:name w:val="toc 1"/><w:basedOn w:val="a"/></w:style>
<w:style w:type="paragraph" w:styleId="HTML"><w:name w:val="HTML Preformatted"/><w:basedOn w:val="a"/></w:style>
<w:style w:type="paragraph" w:styleId="my"><w:name w:val="mine"/><w:basedOn w:val="HTML"/></w:style>
<w:style w:type="character" w:styleId="HTML1"><w:name w:val="HTML Code"/></w:style>
</w:styles>"""

SENTENCES = (
    "Комитет принял решение о выделении средств на ремонт школы в Твери.",
    "В связи с аварией на подстанции была приостановлена подача воды в жилые дома.",
    "Учёные обнаружили, что вода на планете осуществляет движение под толстым слоем льда.",
    "Как сообщил глава района, работы будут завершены до конца 2026 года.",
    "Рабочие вынуждены были произвести ремонт моста, который соединяет берега реки.",
    "The committee has made a decision to provide assistance to the residents of the town.",
    "Prior to the commencement of the works, the bridge was utilised by approximately 300 cars a day.",
)


def run(text: str, properties: str = "") -> str:
    """A run with a format."""
    format_ = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{format_}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(content: str, style: str = "") -> str:
    return f'<w:p>{f"""<w:pPr><w:pStyle w:val="{style}"/></w:pPr>""" if style else ""}{content}</w:p>'


def field(instruction: str, result: str) -> str:
    """A field of several runs, with a result."""
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{x}"/></w:r>' for x in ("begin", "separate", "end"))
    return f'{begin}<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>{separate}{result}{end}'


def text_box(content: str) -> str:
    """A run with a text box, as Word writes it for readers new and old."""
    box = f"<w:txbxContent>{content}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor distT="0" distB="0" distL="0" '
        'distR="0" simplePos="0" relativeHeight="1" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1">'
        '<wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH>'
        '<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>'
        '<wp:extent cx="2000000" cy="900000"/><wp:wrapNone/><wp:docPr id="7" name="Box"/><a:graphic>'
        '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>'
        '<wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="900000"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx>{box}</wps:txbx><wps:bodyPr/></wps:wsp>'
        "</a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict>"
        f'<v:shape style="width:150pt;height:70pt"><v:textbox>{box}</v:textbox></v:shape></w:pict></mc:Fallback>'
        "</mc:AlternateContent></w:r>"
    )


def package(
    body: str,
    *,
    parts: Mapping[str, str] | None = None,
    others: Mapping[str, bytes] | None = None,
    strict: bool = False,
    main_type: str = f"{_TYPE}.document.main+xml",
) -> bytes:
    """A file with this body; `parts` are its other parts by their kind (`footnotes`), `others` any members."""
    stories = {
        "styles": _STYLES,
        **{k: f"<w:{_root(k)} {_SPACES}>{v}</w:{_root(k)}>" for k, v in (parts or {}).items()},
    }
    office = f"{_OFFICE}/relationships"
    overrides = "".join(f'<Override PartName="/word/{kind}.xml" ContentType="{_TYPE}.{kind}+xml"/>' for kind in stories)
    relations = "".join(
        f'<Relationship Id="r{i}" Type="{office}/{kind}" Target="{kind}.xml"/>' for i, kind in enumerate(stories)
    )
    names = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/x"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main_type}"/>{overrides}</Types>',
        "_rels/.rels": _relations(f'<Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/>'),
        "word/_rels/document.xml.rels": _relations(
            f'{relations}<Relationship Id="link" Type="{office}/hyperlink" Target="https://example.org/" '
            'TargetMode="External"/>'
        ),
        "word/document.xml": f"<w:document {_SPACES}><w:body>{body}</w:body></w:document>",
        **{f"word/{kind}.xml": text for kind, text in stories.items()},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in names.items():
            text = text.replace(W, STRICT).replace(_OFFICE, _STRICT_OFFICE) if strict else text
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}')
        for name, data in (others or {}).items():
            archive.writestr(name, data)
    return out.getvalue()


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def varied(seed: int, sentences: Sequence[str] = SENTENCES, count: int = 12) -> bytes:
    """A file in which words stand among formats, links, fields, notes, bookmarks, text boxes and what Word leaves."""
    rng = random.Random(seed)

    def some(note: str = "") -> str:
        return _mixed(rng, " ".join(rng.sample(list(sentences), min(rng.randint(1, 3), len(sentences)))), note)

    # A note is never in a note or a text box.
    sign = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r>'

    body = [paragraph(some(sign)) for _ in range(count)]
    cells = "".join(f"<w:tc><w:p>{x}</w:p></w:tc>" for x in (some(), run("1 234,5"), some()))
    body.insert(3, f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cells}</w:tr></w:tbl>")
    body.insert(5, paragraph(some() + text_box(paragraph(some())) + some()))
    body.insert(
        6, f"<w:sdt><w:sdtPr><w:richText/></w:sdtPr><w:sdtContent>{paragraph(some()) * 2}</w:sdtContent></w:sdt>"
    )
    body.append(paragraph(run("def f(x): return x  # The code is not a sentence of the text."), "my"))
    notes = f'<w:footnote w:id="2">{paragraph("<w:r><w:footnoteRef/></w:r>" + run(" ") + some())}</w:footnote>'
    parts = {"footnotes": notes, "header": paragraph(some()), "footer": paragraph(field("PAGE", run("7")))}
    return package("".join(body), parts=parts, others={"word/media/image.bin": rng.randbytes(500)})


def _mixed(rng: random.Random, text: str, note: str) -> str:
    """A text in runs, cut in words and between them."""
    out: list[str] = []
    words = text.split(" ")
    while words:
        count = rng.randint(1, 7)
        taken, words = " ".join(words[:count]) + (" " if words[count:] else ""), words[count:]
        end = len(taken.rstrip()) if rng.random() < 0.7 else len(taken)
        inner, rest = taken[:end], taken[end:]
        wrap = rng.choice(
            ("plain", "plain", "plain", "bold", "italic", "link", "tag", "anchor", "field", "torn", "torn")
        )
        out.append(_wrapped(rng, wrap, inner, note))
        out.append(run(rest) if rest else "")
    return "".join(out)


def _wrapped(rng: random.Random, wrap: str, text: str, note: str) -> str:
    number = rng.randint(10, 999)
    if wrap == "bold":
        return run(text, "<w:b/>")
    if wrap == "italic":
        return run(text[:3], '<w:i/><w:lang w:val="ru-RU"/>') + run(text[3:], "<w:i/>")
    if wrap == "link":
        return (
            f'<w:hyperlink r:id="link">{run(text, "<w:u w:val=" + chr(34) + "single" + chr(34) + "/>")}</w:hyperlink>'
        )
    if wrap == "tag":
        return f'<w:smartTag w:uri="u" w:element="e"><w:smartTagPr/>{run(text)}</w:smartTag>'
    if wrap == "field":
        return field('HYPERLINK "https://example.org"', run(text)) + field("ADDIN EN.CITE", run(" (12)"))
    if wrap == "anchor":
        mark = f'<w:bookmarkStart w:id="{number}" w:name="b{number}"/><w:bookmarkEnd w:id="{number}"/>'
        return run(text[:-1]) + mark + run(text[-1:]) + note
    if wrap == "torn":
        hyphen = "<w:r><w:softHyphen/></w:r>" if rng.random() < 0.3 else ""
        page = '<w:r w:rsidR="00AA11BB"><w:lastRenderedPageBreak/>'
        rest = f'{page}<w:t xml:space="preserve">{escape(text[4:])}</w:t></w:r>'
        return f'<w:proofErr w:type="spellStart"/>{run(text[:4])}{hyphen}{rest}<w:proofErr w:type="spellEnd"/>'
    return run(text)


def _root(kind: str) -> str:
    return {"header": "hdr", "footer": "ftr"}.get(kind, kind)


def _relations(text: str) -> str:
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{text}</Relationships>'
