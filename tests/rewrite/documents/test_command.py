"""Documents on the command line, as a user gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

SENTENCE = "В связи с проведением **ремонтных работ** движение по мосту было [временно](https://a.b/c) приостановлено."
PLAIN = "В связи с проведением ремонтных работ движение по мосту было временно приостановлено."
MARKDOWN = f"""---
title: Мост
---

# Ремонт моста

{SENTENCE}

```
В связи с проведением работ движение было приостановлено.
```

| № | текст |
| --- | --- |
| 1 | {PLAIN} |
"""

Rewrite = Callable[..., tuple[int, str, str]]
"""`rewrite ARGUMENTS…` in the folder of the test; gives the exit code, what it printed and what it said."""


@pytest.fixture
def rewrite(
    run_command: Callable[..., int], capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Rewrite:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REWRITE_GENERATOR", "edits")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = run_command(*arguments)
        return (code, *capfd.readouterr())

    return run


@pytest.fixture
def bridge(tmp_path: Path) -> Path:
    path = tmp_path / "bridge.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return path


def test_markdown_comes_back_with_other_words_alone(rewrite: Rewrite, bridge: Path) -> None:
    code, printed, said = rewrite("simplify", "bridge.md")
    assert code == 0
    assert printed.startswith("---\ntitle: Мост\n---\n\n# Ремонт моста\n\nИз-за проведения **ремонта** движение")
    assert "```\nВ связи с проведением работ движение было приостановлено.\n```\n" in printed
    assert re.search(r"\| 1 \| Из-за проведения .*приостановили\. \|\n$", printed)
    assert said.startswith("rewrite: 2 of 4 sentences changed; 2 passed over (fewer than 4 words 2).")


def test_output_file_is_replaced_in_one_step(rewrite: Rewrite, bridge: Path, tmp_path: Path) -> None:
    code, printed, _ = rewrite("simplify", "bridge.md", "-o", "simple.md")
    assert (code, printed) == (0, "")
    assert "Из-за проведения" in (tmp_path / "simple.md").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bridge.md", "simple.md"]


def test_changes_of_markdown_are_critic_markup(rewrite: Rewrite, bridge: Path) -> None:
    _, printed, _ = rewrite("simplify", "bridge.md", "--changes")
    assert "{--В связи с проведением" in printed
    assert re.sub(r"\{\+\+.*?\+\+\}|\{--|--\}", "", printed) == MARKDOWN


def test_changes_of_any_document_are_a_page(rewrite: Rewrite, bridge: Path, tmp_path: Path) -> None:
    code, _, _ = rewrite("simplify", "bridge.md", "--changes", "-o", "changes.html")
    page = (tmp_path / "changes.html").read_text(encoding="utf-8")
    assert code == 0
    assert re.search(r"<del[^>]*>.*В связи с проведением.*</del>", page)
    assert "<script" not in page


def test_text_is_a_file_where_it_is_the_name_of_one(rewrite: Rewrite, tmp_path: Path) -> None:
    wrapped = (
        "  В связи с проведением седьмых ремонтных работ, которые начались ещё в\n"
        "прошлый понедельник, движение по мосту было временно приостановлено.\n"
        "\n"
        "— Да, — сказал он.\n"
    )
    (tmp_path / "a b.txt").write_text(wrapped, encoding="utf-8")
    code, printed, _ = rewrite("simplify", "a b.txt")
    assert code == 0
    assert printed.startswith("  Из-за проведения седьмых ремонтных работ ")
    assert printed.endswith("\n\n— Да, — сказал он.\n")
    assert max(map(len, printed.splitlines())) <= 72


@pytest.mark.parametrize("name", ["nope.txt", "нет.docx", "corpus.jsonl.gz", "report.odt", "report.doc", "report.pdf"])
def test_file_that_is_not_there(rewrite: Rewrite, name: str) -> None:
    code, printed, said = rewrite("simplify", name)
    assert (code, printed) == (1, "")
    assert said.startswith(f"rewrite: There is no file '{name}'.")


def test_what_is_refused_is_named(rewrite: Rewrite, tmp_path: Path) -> None:
    (tmp_path / "report.docx").write_bytes(b"no zip")
    assert rewrite("simplify", "report.docx", "-o", "x.docx")[2].startswith("rewrite: report.docx: The file is no Word")


def test_words_that_end_in_a_dot_are_no_file(rewrite: Rewrite) -> None:
    code, printed, _ = rewrite("simplify", "Город стоит на реке.", "Конец.txt стоит на реке.")
    assert (code, printed) == (0, "Город стоит на реке.\nКонец.txt стоит на реке.\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("bridge.md", "-o", "x.docx"), "--output ends in .docx, and 'bridge.md' is markdown."),
        (("bridge.md", "--changes", "-o", "x.docx"), "--output ends in .docx, and 'bridge.md' is markdown."),
        (("a.docx", "-o", "x.docm"), "--output ends in .docm, and 'a.docx' in .docx: Word opens no file"),
        (("bridge.md", "--comments"), "--comments are for tracked changes of a Word document."),
        (("bridge.md", "Город."), "'bridge.md' is a file, and more was given beside it."),
        (("bridge.md", "-i", "bridge.md"), "Both a file, 'bridge.md', and --input were given."),
        (("bridge.md", "--best", "3"), "--best 3: a document has room for one rewrite."),
        (("bridge.md", "-o", "bridge.md"), "--output 'bridge.md' is the input file."),
        (("--document", "html", "Город стоит."), "--document html is for a file, not for TEXT."),
        (("--changes", "Город стоит."), "--changes is for documents, and these are lines of text."),
        (("--document", "pdf", "bridge.md"), "--document is 'pdf'"),
    ],
)
def test_what_does_not_fit_is_refused(
    rewrite: Rewrite, bridge: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    bridge.with_name("a.docx").write_bytes(b"PK")
    code, printed, said = rewrite("simplify", *arguments)
    assert (code, printed) == (2, "")
    assert said.startswith(f"rewrite: {complaint}"), said
    assert bridge.read_text(encoding="utf-8") == MARKDOWN


def test_word_file_is_no_text_for_a_terminal(rewrite: Rewrite, tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK")
    code, _, said = rewrite("simplify", "a.docx")
    assert code == 2
    assert said.startswith("rewrite: A Word document is no text for the terminal. Name a file: -o simple.docx.")


def test_rows_tell_every_sentence(rewrite: Rewrite, bridge: Path) -> None:
    _, printed, _ = rewrite("simplify", "-i", "bridge.md", "--format", "jsonl")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [row["source"] for row in rows][:2] == ["Ремонт моста", PLAIN]
    assert rows[0]["state"] == "passed"
    assert rows[1]["state"] == "changed"
    assert rows[1]["text"].startswith("Из-за проведения")


def test_several_processes_do_the_same(rewrite: Rewrite, tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("\n".join(f"{PLAIN[:-1]} {n} дня.\n" for n in range(40)), encoding="utf-8")
    _, alone, _ = rewrite("simplify", "long.md", "--processes", "1")
    _, together, _ = rewrite("simplify", "long.md", "--processes", "2")
    assert alone == together != (tmp_path / "long.md").read_text(encoding="utf-8")


def test_every_task_takes_documents(rewrite: Rewrite, tmp_path: Path) -> None:
    text = (
        "# Alan\n\nAlan **Shepard** was born in New Hampshire and he served as the *Chief* of the Astronaut Office.\n"
    )
    (tmp_path / "alan.md").write_text(text, encoding="utf-8")
    _, split, _ = rewrite("split", "--generator", "splitter", "alan.md")
    assert "Alan **Shepard** was born in New Hampshire. He served as the *Chief* of the Astronaut Office." in split
    sold = (
        "# Sales\n\nThe company, which was founded in 1998 by two brothers from Ohio, sold **1,300 cars** last year.\n"
    )
    (tmp_path / "sold.md").write_text(sold, encoding="utf-8")
    _, compressed, _ = rewrite("compress", "sold.md")
    assert compressed.startswith("# Sales\n\nThe company")
    assert "**1,300 cars**" in compressed
    assert len(compressed) < len(sold)


WRAPPED = """Движение по мосту через реку было приостановлено, так как начались
работы, о которых мы писали ранее. Жители районов, живущие на левом
берегу, вынуждены были добираться на работу пешком. Власти города
обещали закончить ремонт к осени, однако подрядчик сообщил, что
сроки могут быть перенесены в связи с отсутствием финансирования.
"""


@pytest.mark.parametrize("command", ["simplify", "split", "compress"])
def test_a_wrapped_file_is_not_torn_into_lines(rewrite: Rewrite, tmp_path: Path, command: str) -> None:
    (tmp_path / "mail.txt").write_text(WRAPPED, encoding="utf-8")
    code, _, said = rewrite(command, "-i", "mail.txt", "-o", "out.txt")
    assert code == 2
    assert said.count("\n") == 1
    assert "mail.txt: sentences go on from line to line" in said
    assert "--document text" in said
    assert "--document lines" in said
    assert [path.name for path in tmp_path.iterdir()] == ["mail.txt"]


def test_a_wrapped_file_is_taken_as_what_it_is_said_to_be(rewrite: Rewrite, tmp_path: Path) -> None:
    (tmp_path / "mail.txt").write_text(WRAPPED, encoding="utf-8")
    code, printed, _ = rewrite("simplify", "--document", "lines", "-i", "mail.txt")
    assert (code, printed.count("\n")) == (0, WRAPPED.count("\n"))
    code, printed, _ = rewrite("simplify", "--document", "text", "-i", "mail.txt")
    assert code == 0
    assert "вынуждены были добираться на работу пешком" in " ".join(printed.split())
