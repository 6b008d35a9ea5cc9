"""`rewrite compress`: text in, shorter text out, nothing learnt from pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rerank.workers import Work
from rewrite.commands.flags import with_options
from rewrite.commands.shared import Explain, Format, Input, Output, OutputFormat, Texts, given_lines
from rewrite.compression.options import CompressOptions

__all__ = ["compress"]

# The paper's, for whoever compares with it: from Python alone.
_PAPER = ("overlap", "compare", "bias")


@with_options(skip=_PAPER, model=CompressOptions)
def compress(
    texts: Texts = None,
    *,
    input: Input = None,
    output: Output = None,
    format: Format = OutputFormat.text,
    explain: Explain = False,
    options: CompressOptions,
) -> None:
    """Shorten text in any language: words are cut that change the least, by a masked language model."""
    from rewrite.batch import Pace, arguments
    from rewrite.commands.stream import run_chunks

    chunks, source = given_lines(texts, input, Pace())
    wanted = _Wanted(options)
    if texts:
        for _ in wanted.passing(arguments(texts)):
            pass
        wanted.require()

    def prepare(load: bool) -> Work:
        from rewrite.commands.work import compress_work

        return compress_work(options, format=format, explain=explain)

    run_chunks(prepare, wanted.passing(chunks), source=source, output=output, processes=1, alone=True)
    wanted.require()


class _Wanted:
    """Protected words that no line so far holds: with many lines, each need be in one of them only."""

    def __init__(self, options: CompressOptions) -> None:
        self._lang = options.lang
        self._missing: Sequence[str] = options.keep

    def passing(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The chunks as they are, looked through on their way."""
        from rewrite.compression.compressor import missing_words

        for chunk in chunks:
            if self._missing:
                self._missing = missing_words(self._missing, chunk.decode("utf-8").split("\n"), self._lang)
            yield chunk

    def require(self) -> None:
        """Raises `BadOption` for a word that was in no line."""
        from rewrite.compression.compressor import require_kept

        require_kept(self._missing, [], self._lang)
