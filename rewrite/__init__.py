"""Rewrite text by generate-and-rerank: many candidates, one table of scores, one choice that the user can steer.

    from rewrite import compress, simplify, split
    simplify("…", preset="simple").text
    compress("…", ratio=0.5).text
    split("…").lines

`Pipeline`, `Compressor` and `Splitter` are the same for many texts: they keep the models loaded. Nothing is loaded by
importing this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rewrite.compression.compression_options import CompressOptions
    from rewrite.compression.compressor import Compression, Compressor
    from rewrite.keywords import CompressKeywords, SimplifyKeywords, SplitKeywords
    from rewrite.pipeline import Pipeline
    from rewrite.request import Options
    from rewrite.result import Result
    from rewrite.splitting.split_options import SplitOptions
    from rewrite.splitting.splitter import Splitter, Splitting
    from rewrite.splitting.triples.triple import GivenTriples

__all__ = [
    "CompressOptions",
    "Compression",
    "Compressor",
    "Options",
    "Pipeline",
    "Result",
    "SplitOptions",
    "Splitter",
    "Splitting",
    "compress",
    "simplify",
    "split",
]

_HOMES = {
    "CompressOptions": "rewrite.compression.compression_options",
    "Compression": "rewrite.compression.compressor",
    "Compressor": "rewrite.compression.compressor",
    "Options": "rewrite.request",
    "Pipeline": "rewrite.pipeline",
    "Result": "rewrite.result",
    "SplitOptions": "rewrite.splitting.split_options",
    "Splitter": "rewrite.splitting.splitter",
    "Splitting": "rewrite.splitting.splitter",
}


def compress(text: str, **options: Unpack[CompressKeywords]) -> Compression:
    """Shorten one sentence or paragraph; `options` are the fields of `CompressOptions`, such as `ratio=0.5`.

    Loads the models each time: for many texts, build one `Compressor(CompressOptions(...))` and call its `run`. Raises
    `RewriteError` for an unknown option, a value out of range, a protected word that is not in the text, a model that
    cannot be loaded, and a sentence that the model cannot read.
    """
    from rewrite.candidates import require_texts
    from rewrite.compression.compression_options import CompressOptions
    from rewrite.compression.compressor import Compressor, require_kept

    chosen = CompressOptions(**options)
    require_texts([text])
    require_kept(chosen.keep, [text], chosen.lang)
    return _without_errors(Compressor(chosen).run([text])[0])


def simplify(text: str, **options: Unpack[SimplifyKeywords]) -> Result:
    """Rewrite one sentence or paragraph; `options` are the fields of `Options`, such as `preset="simple"` or `n=50`.

    Loads the models each time: for many texts, build one `Pipeline(Options(...))` and call its `run`. Raises
    `RewriteError` for an unknown option or a value out of range.
    """
    from rewrite.pipeline import Pipeline
    from rewrite.request import Options

    return Pipeline(Options(**options)).run([text])[0]


def split(text: str, triples: GivenTriples | None = None, **options: Unpack[SplitKeywords]) -> Splitting:
    """Split the sentences of an English text; `options` are the fields of `SplitOptions`, such as `sentences=3`.

    `triples` are what one sentence says, as `"subject | property | object"`: sentences are written for them, too.

    Loads the models each time: for many texts, build one `Splitter(SplitOptions(...))` and call its `run`. Raises
    `RewriteError` for an unknown option, a value out of range, a text that is not English, and
    triples that are not the text's.
    """
    from rewrite.splitting.split_options import SplitOptions
    from rewrite.splitting.splitter import Splitter

    return _without_errors(Splitter(SplitOptions(**options)).run([text], None if triples is None else [triples])[0])


_Rewritten = TypeVar("_Rewritten", bound="Result")


def _without_errors(result: _Rewritten) -> _Rewritten:
    from rewrite.errors import BadInput

    for sentence in result.sentences:
        if sentence.error:
            raise BadInput(sentence.error)
    return result


def __dir__() -> list[str]:
    # What is imported on first use is there, too.
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    # Imported on first use, so that `rewrite --help` does not wait for numpy.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
