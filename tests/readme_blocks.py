"""The commands that README and docs show, with the output they promise.

A fenced `console` block holds commands after `$ ` and their output (both streams) below each. The commands of one
document run in order in one empty folder. `python -m tests.readme_blocks` writes the outputs anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rewrite.base.package import KNOWN
from rewrite.commands.default_generator import SIMPLIFY_DEFAULT, SPLIT_DEFAULT
from rewrite.engines.ct2 import CT2Engine

__all__ = ["DOCUMENTS", "refresh"]

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = tuple(
    path for path in (*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md")) if "```console" in path.read_text()
)


def refresh(document: str) -> str:
    """`document` with the output under each command replaced by what the command prints now."""
    lines: list[str] = []
    inside = False
    # Made ready now, so that no command below tells that it makes it.
    for adapter in KNOWN:
        if CT2Engine(adapter).info.folder is None:
            raise RuntimeError(f"{adapter} was not made ready")
    with tempfile.TemporaryDirectory() as folder:
        for line in document.splitlines():
            if line.startswith("```"):
                inside = line == "```console"
                lines.append(line)
            elif not inside:
                lines.append(line)
            elif line.startswith("$ "):
                lines.append(line)
                lines += _output(line[2:], folder)
    return "\n".join(lines) + "\n"


def _output(command: str, folder: str) -> list[str]:
    scripts = str(Path(sys.executable).parent)
    # What a user sees, whatever generator the tests are run with.
    ours = (SIMPLIFY_DEFAULT.variable, SPLIT_DEFAULT.variable)
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    environment = {**kept, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        encoding="utf-8",
    )
    return done.stdout.splitlines()


def main() -> None:
    for path in DOCUMENTS:
        path.write_text(refresh(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
