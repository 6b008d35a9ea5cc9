"""The keyword options of `rewrite.simplify`, `split` and `compress`, as the options declare them.

`python -m tests.keywords` writes `rewrite/keywords.py` anew.
"""

from __future__ import annotations

from pathlib import Path

from rewrite import CompressOptions, Options, SplitOptions
from rewrite.declaration import UserOptions

__all__ = ["FILE", "text"]

FILE = Path(__file__).parent.parent / "rewrite" / "keywords.py"
_HEAD = '''"""What `rewrite.simplify`, `split` and `compress` take by keyword, for editors and type checkers.

Written by `python -m tests.keywords` from the options that it repeats; a test compares them.
"""

from __future__ import annotations

from typing import Literal, TypedDict
'''


def text() -> str:
    """What the file has to say."""
    models: dict[str, type[UserOptions]] = {
        "SimplifyKeywords": Options,
        "SplitKeywords": SplitOptions,
        "CompressKeywords": CompressOptions,
    }
    return _HEAD + "".join(_declaration(name, model) for name, model in models.items())


def _declaration(name: str, model: type[UserOptions]) -> str:
    fields = "".join(f"    {field}: {_type(info.annotation)}\n" for field, info in model.model_fields.items())
    return f'\n\nclass {name}(TypedDict, total=False):\n    """The fields of `{model.__name__}`."""\n\n{fields}'


def _type(annotation: object) -> str:
    name = (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else str(annotation)
    )
    return name.replace("typing.", "").replace("'", '"')


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
