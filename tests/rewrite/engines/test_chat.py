"""Chat templates without transformers: what models use in them, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewrite.engines.base import Message
from rewrite.engines.chat import render
from rewrite.errors import BadModel

pytest.importorskip("jinja2")
TURNS = (Message("user", "Дождь."), Message("assistant", "Снег."), Message("user", "Град."))


def rendered(template: str, folder: Path) -> str:
    config = {"chat_template": template, "bos_token": "<s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return render(folder, TURNS)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{% for m in messages %}{{ m.content }}{% if loop.first %}{% break %}{% endif %}{% endfor %}", "Дождь."),
        ("{{ bos_token }}{% generation %}{{ messages[1].content }}{%- endgeneration -%}", "<s>Снег."),
        ("{{ messages[0] | tojson(ensure_ascii=False) }}", '{"role": "user", "content": "Дождь."}'),
        ("{{ [1] | tojson(indent=1) }}", "[\n 1\n]"),
    ],
)
def test_what_templates_use_beyond_plain_jinja(template: str, text: str, tmp_path: Path) -> None:
    assert rendered(template, tmp_path) == text


@pytest.mark.parametrize("template", ["{{ messages[0]['content'] + 1 }}", "{% if %}", "{{ messages | tojson(odd=1) }}"])
def test_a_template_that_fails_is_named_with_its_folder(template: str, tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="chat template fails") as caught:
        rendered(template, tmp_path)
    assert str(tmp_path) in str(caught.value)
