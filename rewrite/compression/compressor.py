"""Text in, shorter text out, in whatever language the masked language model knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rerank.analysis import Analyzer
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.signature import signature
from rewrite.compression.counting import count_words
from rewrite.compression.deleter import Deleter
from rewrite.compression.options import CompressOptions
from rewrite.compression.protection import places_of
from rewrite.compression.result import CompressedSentence, Compression
from rewrite.compression.sentences import language_of, sentences_of, skip_reason
from rewrite.compression.stages import stages
from rewrite.errors import BadInput, BadOption, UnknownName

__all__ = ["Compressor", "missing_words", "require_kept", "require_read"]


class Compressor:
    """Compresses texts as `options` say; build it once for many texts.

    `model` replaces the one that the options name, `analyzers` the parsers by language. Nothing is loaded before the
    first text of a language. Work is batched over all sentences of a call. Raises `UnknownName` for a name that stands
    for no model.
    """

    def __init__(
        self,
        options: CompressOptions | None = None,
        *,
        model: MaskedModel | None = None,
        analyzers: Mapping[str, Analyzer] | None = None,
    ) -> None:
        self.options = options or CompressOptions()
        self._model = model
        if model is None:
            parse_masked_name(self.options.masked_model)
        self._analyzers = analyzers or {}
        self._deleters: dict[str, Deleter] = {}

    def run(self, texts: Sequence[str]) -> list[Compression]:
        """One result per text, in order. A text is a sentence or a paragraph, compressed sentence by sentence.

        Sentences that the model cannot read come back as they are, with an error in their result. So do those all in
        capitals, and those whose language was guessed and has no bundled model, or no parser where an option needs one.
        Raises the error of a model or parser that cannot be loaded, and `BadOption` for an option that the language of
        the texts, where it was given, has no use for.
        """
        if isinstance(texts, (str, bytes)) or not all(isinstance(text, str) for text in texts):
            raise BadInput("The texts are no list of strings.", hint='Write run(["…"]), or compress("…") for one text.')
        languages = [language_of(text, self.options.lang) for text in texts]
        layouts = [sentences_of(text, language) for text, language in zip(texts, languages, strict=True)]
        done: dict[tuple[str, str], CompressedSentence] = {}
        for language in dict.fromkeys(languages):
            mine = (layout for layout, its in zip(layouts, languages, strict=True) if its == language)
            found = self._compress(language, list(dict.fromkeys(s for layout in mine for s in layout.sentences)))
            done.update(((language, one.source), one) for one in found)
        return [
            Compression(
                text,
                layout,
                tuple(done[language, sentence] for sentence in layout.sentences),
                self._signature(language) if layout.sentences else "",
                self.options.best,
            )
            for text, layout, language in zip(texts, layouts, languages, strict=True)
        ]

    def _compress(self, language: str, sentences: Sequence[str]) -> list[CompressedSentence]:
        skipped = {sentence: skip_reason(sentence, language) for sentence in sentences}
        found = [
            CompressedSentence.unchanged(sentence, count_words(sentence, language), skipped=reason)
            for sentence, reason in skipped.items()
            if reason
        ]
        open_sentences = [sentence for sentence, reason in skipped.items() if not reason]
        return [*found, *(self._shortened(language, open_sentences) if open_sentences else ())]

    def _shortened(self, language: str, sentences: Sequence[str]) -> list[CompressedSentence]:
        try:
            deleter = self.deleter(language)
        except (UnknownName, BadOption) as error:
            # Lines in a language that has no model or parser must not stop the others, unless all are said to be in it.
            if self.options.lang is not None:
                raise
            return [CompressedSentence.unchanged(s, count_words(s, language), error=str(error)) for s in sentences]
        return deleter.run(sentences)

    def deleter(self, language: str) -> Deleter:
        """What compresses sentences of one of `rerank.masked.words.LANGUAGES`, loaded on first use."""
        if language not in self._deleters:
            o = self.options
            found = stages(
                language,
                syntax=o.syntax,
                exact=o.goal is None,
                names=o.keep_entities,
                longest=o.longest,
                analyzer=self._analyzers.get(language),
                careful=o.careful,
            )
            model = self._model or create_masked_model(o.masked_model, language=language, device=o.device)
            self._deleters[language] = Deleter(o, model, found, language=language)
        return self._deleters[language]

    def _signature(self, language: str) -> str:
        deleter = self._deleters.get(language)
        if deleter is None:  # every sentence was passed through
            return ""
        settings = {name: value for name, value in self.options.model_dump().items() if name not in ("best", "device")}
        settings |= {"model": deleter.model.signature(), "lang": language, "syntax": deleter.stages.syntax}
        return signature([], settings=settings)


def missing_words(keep: Sequence[str], texts: Sequence[str], given: str | None = None) -> list[str]:
    """The protected words that are in none of `texts`; `given` is their language where known."""
    places = [(text, language_of(text, given)) for text in texts]
    return [word for word in keep if not any(places_of(word, *place) for place in places)]


def require_kept(keep: Sequence[str], texts: Sequence[str], given: str | None = None) -> None:
    """Raise `BadOption` for a protected word that is in none of `texts`."""
    for word in missing_words(keep, texts, given):
        raise BadOption(
            f"--keep {word}: there is no such word in the text.",
            hint="Write it as in the text; case does not matter.",
        )


def require_read(compression: Compression) -> Compression:
    """The same, or `BadInput` where a sentence of it could not be compressed."""
    for sentence in compression.errors:
        raise BadInput(sentence.error)
    return compression
