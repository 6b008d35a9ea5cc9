"""Whether a packed model still says what its checkpoint says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.errors import BadInput, RewriteError
from rewrite.controls import spread_for
from rewrite.engines.base import Sample
from rewrite.errors import BadModel
from rewrite.generators.base import Sampling
from rewrite.prompting import Prompt
from training.exporting.options import Quantization, VerifyOptions
from training.records import Lines, Malformed

__all__ = ["Agreement", "Bounds", "bounds", "measure", "require", "sentences"]

_TOKENS = 2.0  # for each of the source: more than a rewrite needs, so that texts come to their end
_SENTENCES = {
    "ru": (
        "Город, основанный в 1703 году, является крупным портом на берегу Балтийского моря.",
        "Жители деревни неоднократно обращались в администрацию с просьбой отремонтировать дорогу.",
        "Учёные установили, что площадь ледников за последние десять лет значительно уменьшилась.",
        "Он отказался от должности, поскольку не был согласен с решением совета директоров.",
        "Книга, написанная в годы войны, впервые была опубликована лишь спустя двадцать лет.",
        "В связи с проведением ремонтных работ движение поездов было временно приостановлено.",
        "Композитор, родившийся в семье врача, начал заниматься музыкой в возрасте пяти лет.",
        "По словам директора завода, новый цех заработает не раньше следующей осени.",
        "Река берёт начало в горах, течёт на север и впадает в озеро несколькими рукавами.",
        "Несмотря на сильный дождь, на площади собралось около трёх тысяч человек.",
        "Этот вид птиц обитает преимущественно в хвойных лесах и питается семенами.",
        "После окончания университета она работала учителем в небольшой сельской школе.",
    ),
    "en": (
        "The city, which was founded in 1703, is a major port on the shore of the Baltic Sea.",
        "Residents of the village have repeatedly asked the council to have the road repaired.",
        "Scientists found that the area of the glaciers had shrunk considerably within ten years.",
        "He declined the position because he did not agree with the decision of the board.",
        "The book, written during the war, was first published only twenty years later.",
        "Owing to repair work, the movement of trains was temporarily suspended on Monday.",
        "The composer, born into a doctor's family, took up music at the age of five.",
        "According to the director of the plant, the new workshop will open next autumn.",
        "The river rises in the mountains, flows north and enters the lake in several arms.",
        "Despite heavy rain, about three thousand people gathered in the square.",
        "This species of bird lives mainly in coniferous forests and feeds on seeds.",
        "After leaving university she worked as a teacher at a small country school.",
    ),
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """`same`: least share of sentences with the same text; `gap`: most nats a token of difference, on average."""

    same: float
    gap: float


# Eight bits turn a choice between two near-equal words now and then, and everything after it.
_BOUNDS: dict[Quantization, Bounds] = {
    "int8": Bounds(same=0.5, gap=0.1),
    "int8_float32": Bounds(same=0.5, gap=0.1),
    "float16": Bounds(same=0.8, gap=0.02),
    "float32": Bounds(same=1.0, gap=0.001),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of `sentences`, how many have the `same` greedy text in both, and how far the log-probabilities are apart.

    `gap` is the mean over the sentences of |log p − log p'| / tokens, in nats, of the checkpoint's greedy text.
    """

    sentences: int
    same: int
    gap: float


def bounds(options: VerifyOptions, quantization: Quantization) -> Bounds:
    """Those of the recipe, and the usual ones for the quantisation where it gives none."""
    usual = _BOUNDS[quantization]
    return Bounds(
        same=usual.same if options.same is None else options.same,
        gap=usual.gap if options.gap is None else options.gap,
    )


def sentences(options: VerifyOptions, language: str, file: Path | None) -> tuple[str, ...]:
    """What both models are asked. Raises `BadInput` for a file that cannot be read or holds nothing."""
    if file is None:
        return options.sentences or _SENTENCES[language]
    read = []
    with Lines(file) as lines:
        for number, line in lines:
            if isinstance(line, Malformed):
                raise BadInput(f"{file}, line {number}: {line.reason}.", hint="Save it as UTF-8, a sentence a line.")
            read += [line.strip()] if line.strip() else []
    if not read:
        raise BadInput(f"{file}: no sentence in it.", hint="Write one a line.")
    return tuple(read)


def measure(checkpoint: Path, packed: Path, prompt: Prompt, texts: Sequence[str]) -> Agreement:
    """Ask both models, transformers in 32 bits first and then CTranslate2, on the processor.

    Sentences that do not fit the model are left out. Raises `BadModel` where none fits.
    """
    from rewrite.engines import ct2, hf

    asked = [prompt.render(text, spread_for(text)[0].text if prompt.controlled else "") for text in texts]
    greedy = Sampling(n=1, temperature=0, max_tokens=_TOKENS, stop=prompt.stop)
    theirs = hf.create(str(checkpoint), {"device": "cpu", "dtype": "float32"})
    answered = [(one, _first(drawn)) for one, drawn in zip(asked, theirs.sample(asked, greedy), strict=True)]
    fitting = [(one, sample.text) for one, sample in answered if sample is not None]
    crowded = theirs.too_long([one for one, _ in fitting], [text for _, text in fitting])
    fitting = [pair for i, pair in enumerate(fitting) if i not in crowded]
    if not fitting:
        raise BadModel(
            f"{checkpoint}: none of the {len(texts)} sentences fits the model, so it cannot be verified.",
            hint="Give shorter ones in export.verify.sentences.",
        )
    inputs, answers = [one for one, _ in fitting], [text for _, text in fitting]
    before = theirs.logprobs(inputs, answers)
    theirs.close()
    ours = ct2.create(str(packed), {"device": "cpu"})
    mine = [_first(drawn) for drawn in ours.sample(inputs, greedy)]
    after = ours.logprobs(inputs, answers)
    ours.close()
    gaps = [abs(a - b) / tokens for (a, tokens), (b, _) in zip(before, after, strict=True)]
    same = sum(sample is not None and sample.text == text for sample, text in zip(mine, answers, strict=True))
    return Agreement(sentences=len(fitting), same=same, gap=sum(gaps) / len(gaps))


def require(agreement: Agreement, allowed: Bounds, quantization: Quantization) -> None:
    """Raise `BadModel` with all figures, and what to write instead, where the models are further apart than allowed."""
    if agreement.same >= allowed.same * agreement.sentences and agreement.gap <= allowed.gap:
        return
    raise BadModel(
        f"The packed model says other things than the checkpoint: {agreement.same} of {agreement.sentences} greedy "
        f"texts are the same (at least {allowed.same:.0%} wanted), log-probabilities differ by {agreement.gap:.4f} "
        f"nats a token (at most {allowed.gap:g}).",
        hint=_remedy(agreement, quantization),
    )


def _remedy(agreement: Agreement, quantization: Quantization) -> str:
    finer = {"float16": "float32", "float32": ""}.get(quantization, "float32 (float16 for a GPU)")
    # Rounded away from what was measured, so that the same model would pass.
    same = math.floor(100 * agreement.same / agreement.sentences) / 100
    gap = math.ceil(1000 * agreement.gap) / 1000
    wider = f"take these bounds for this model: export.verify: {{same: {same:g}, gap: {gap:g}}}"
    little = "A model that has learnt little is turned by rounding: train it longer, "
    return f"{little}set export.quantization: {finer}, or {wider}." if finer else f"{little}or {wider}."


def _first(drawn: Sequence[Sample] | RewriteError) -> Sample | None:
    return None if isinstance(drawn, RewriteError) else drawn[0]
