"""`rewrite generate`: candidates alone, unscored, as a generator draws them; and `rewrite prompts`."""

from __future__ import annotations

import json
import sys
from enum import Enum
from typing import Annotated

import typer

from rewrite.commands.flags import with_options
from rewrite.commands.shared import (
    Format,
    Input,
    MaybeText,
    MaybeTexts,
    Output,
    OutputFormat,
    documented_exits,
    given_lines,
)
from rewrite.request import Options, not_of
from rewrite.unused import draws_here


class Task(Enum):
    """What a language model is asked to do."""

    simplify = "simplify"
    split = "split"
    rephrase = "rephrase"


class Language(Enum):
    """Language of the text."""

    ru = "ru"
    en = "en"


@with_options(skip=not_of("draw"))
def generate(
    texts: Annotated[
        MaybeTexts, typer.Argument(metavar="[TEXT]...", help="A sentence each; without any, standard input is read.")
    ] = None,
    *,
    task: Annotated[Task, typer.Option("--task", help="What a language model is asked to do.")] = Task.simplify,
    language: Annotated[Language, typer.Option("--language", help="Language of the text.")] = Language.ru,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    debug: Annotated[
        bool, typer.Option("--debug", help="Say on standard error what cleaning did to each candidate.")
    ] = False,
    options: Options,
) -> None:
    """Draw candidates only: no scores, no guard. A line holds a sentence; its candidates come out separated by tabs.

    With --format jsonl everything is told, what cleaning dropped as well, in the form that replay:FILE plays back.
    """
    from rewrite.batch import Pace, check_record
    from rewrite.commands.lines import run_chunks
    from rewrite.commands.work import draw_work

    chunks, source = given_lines(texts, input, Pace() if draws_here(options) else None)
    check_record(None, source=source, output=output, recordings=options.recordings)
    run_chunks(
        lambda load: draw_work(options, task=task.value, language=language.value, format=format, debug=debug),
        chunks,
        source=source,
        output=output,
        processes=1,
    )


def prompts(
    name: Annotated[
        MaybeText,
        typer.Argument(
            metavar="[NAME]", help="A prompt to show filled in, by name or file; without it all are listed."
        ),
    ] = None,
    text: Annotated[str, typer.Option("--text", help="The sentence it is filled in with.")] = "{source}",
) -> None:
    """List the prompts that language models can be asked with, or show one."""
    with documented_exits():
        from rewrite.batch import LineWriter
        from rewrite.prompting import load_prompt

        if name is None:
            LineWriter().write(_listing().encode("utf-8"))
            return
        prompt = load_prompt(name)
        given = prompt.render(text)
        shown = "".join(f"{message.role}: {message.content}\n" for message in given.messages) or f"{given.text}\n"
        # What the command line could not read as UTF-8 goes out as it came.
        LineWriter().write(shown.encode("utf-8", "surrogateescape"))
        if prompt.stop:
            print(f"ends at: {json.dumps(list(prompt.stop), ensure_ascii=False)}", file=sys.stderr)


def _listing() -> str:
    """All shipped prompts, a line each."""
    from rewrite.prompting import shipped_prompts

    return "".join(f"{p.name:28} {p.kind:8} {p.task:9} {p.language}\n" for p in shipped_prompts())
