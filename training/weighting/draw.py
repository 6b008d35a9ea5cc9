"""Score tables of many texts, drawn and scored once, batch by batch, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from rerank.workers import default_processes, ordered_map
from rewrite.datasets import Example
from rewrite.errors import BadOption, CannotWrite, RewriteError
from rewrite.generators import create_generator, known_generators
from rewrite.generators.base import Generator
from rewrite.pipeline import Pipeline
from rewrite.request import Options, make_options, runs_alone
from rewrite.result import Result
from rewrite.specs import EDITS, parse_specs
from training.disk import write_whole
from training.weighting.cache import TableStore, plain, restore
from training.weighting.fingerprint import code_digest, digest, file_digest, models_digest, trainer_digest
from training.weighting.options import WeightOptions

__all__ = ["BATCH", "Report", "cross_fitted", "draw_tables", "fold_model", "folds_of", "has_edits", "pipeline_options"]

BATCH = 50
Report = Callable[[str], None]
_OURS = frozenset({"n", "generator", "seed", "preset", "control", "weights", "best", "diverse", "record"})


def pipeline_options(options: WeightOptions, *, generator: str | None = None) -> Options:
    """The options of `rewrite simplify` that the tables are made with. Raises `BadOption`."""
    misplaced = sorted(_OURS & set(options.pipeline))
    if misplaced:
        raise BadOption(f"pipeline.{misplaced[0]} has no place among the other options.", hint="It changes no table.")
    # Weight 0 so that fluency is measured wherever a model for it is named.
    weights = {"fluency": 0.0} if options.pipeline.get("fluency") else {}
    return make_options(
        **options.pipeline,
        n=options.n,
        generator=generator or options.generator,
        seed=options.seed or 0,
        best=1,
        weights=weights,
    )


def folds_of(count: int, folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Fold number of each of `count` sources, equal in size, by a seeded shuffle."""
    numbers: npt.NDArray[np.int64] = np.random.default_rng(seed).permutation(count) % folds
    return numbers


def draw_tables(
    texts: Sequence[str],
    options: Options,
    store: TableStore,
    *,
    generator: Generator | None = None,
    label: str = "",
    processes: int | None = None,
    report: Report = print,
) -> list[Result]:
    """One result for each text, from the store or from a new draw that is kept there.

    `label` names what else decides the values, such as the model of a `generator` that is given. Raises the generator's
    error where it failed on a source: the batches before are kept, and a batch with a failure is not.
    """
    pipeline = Pipeline(options, generator=generator)
    behind = (f"options:{_settings(options)}", f"models:{models_digest(options)}", f"code:{code_digest()}", label)
    signature = "|".join((pipeline.settings, *behind))
    batches = [list(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)]
    keys = [store.key(signature, batch) for batch in batches]
    rows = {key: store.load(key) for key in keys}
    missing = [(key, batch) for key, batch in zip(keys, batches, strict=True) if rows[key] is None]
    if missing:
        done = sum(len(batch) for batch in batches) - sum(len(batch) for _, batch in missing)
        workers = 1 if runs_alone(options) else processes or default_processes()
        if workers > 1:
            pipeline.load()
        chunks = (json.dumps(batch, ensure_ascii=False).encode() for _, batch in missing)
        for (key, batch), answer in zip(missing, ordered_map(_work(pipeline), chunks, workers), strict=True):
            rows[key] = json.loads(answer)
            store.save(key, rows[key] or [])
            done += len(batch)
            report(f"tables: {done:,} of {len(texts):,} sources")
    else:
        report(f"tables: all {len(texts):,} sources were there")
    return [
        restore(row, options=options, weights=pipeline.weights, settings=pipeline.settings)
        for key in keys
        for row in rows[key] or []
    ]


def _settings(options: Options) -> str:
    # What chooses from a table is no part of it.
    return digest(
        options.model_dump(mode="json", exclude={"preset", "control", "weights", "best", "diverse", "record"})
    )


def _work(pipeline: Pipeline) -> Callable[[bytes], bytes]:
    def work(chunk: bytes) -> bytes:
        results = pipeline.run(json.loads(chunk))
        failed = [s.error for result in results for s in result.sentences if s.error]
        if failed:
            raise RewriteError(
                f"The generator failed on {len(failed)} sentences: {failed[0]}",
                hint="The tables made before are kept: run again to go on.",
            )
        return json.dumps([plain(result) for result in results], ensure_ascii=False).encode()

    return work


def cross_fitted(
    examples: Sequence[Example],
    folds: npt.NDArray[np.int64],
    options: Options,
    store: TableStore,
    *,
    processes: int | None = None,
    report: Report = print,
) -> list[Result]:
    """As `draw_tables`, each fold drawn by the edit model that was trained on the others' references.

    What is joined with `edits` draws as it is. Raises `BadOption` where `edits` is not among the generators: no other
    is trained here.
    """
    if not has_edits(options.generator):
        raise BadOption(
            f"--cross-fit with the generator {options.generator!r}.", hint="It trains the model of edits anew; drop it."
        )
    results: dict[int, Result] = {}
    analyzer = Analyzer()
    for fold in range(int(folds.max()) + 1):
        inside = np.flatnonzero(folds == fold).tolist()
        path = fold_model(examples, inside, store.folder.parent / "models", analyzer, report)
        texts = [examples[i].source for i in inside]
        report(f"fold {fold + 1} of {int(folds.max()) + 1}")
        made = draw_tables(
            texts,
            options,
            store,
            generator=_with_edits(path, options),
            label=f"edits:{file_digest(path)}",
            processes=processes,
            report=report,
        )
        results.update(zip(inside, made, strict=True))
    return [results[i] for i in range(len(examples))]


def _with_edits(path: Path, options: Options) -> Generator:
    """The generator that `options` name, its `edits` with the model at `path`. Raises `BadOption` for `edits-lm`."""
    from rewrite.generators.edits import EditsGenerator
    from rewrite.generators.edits.model import EditModel
    from rewrite.generators.joined import JoinedGenerator

    if any(spec.scheme == "edits-lm" for spec in options.specs):
        raise BadOption("Weights are not tuned on edits-lm.", hint="Tune them on edits: --generator edits.")
    analyzer = Analyzer()
    edits = EditsGenerator(analyzer=analyzer, model=EditModel.load(path))
    parts = [
        edits
        if spec.scheme == "edits"
        else create_generator(str(spec), analyzer=analyzer, prompt=options.prompt, engine=options.engine)
        for spec in parse_specs(options.generator, known_generators())
    ]
    return parts[0] if len(parts) == 1 else JoinedGenerator(parts)


def has_edits(generator: str) -> bool:
    """Whether `edits` or `edits-lm` is among the generators that `generator` names. Raises `UnknownName`."""
    return any(spec.scheme in EDITS for spec in parse_specs(generator, known_generators()))


def fold_model(
    examples: Sequence[Example], without: Sequence[int], folder: Path, analyzer: Analyzer, report: Report
) -> Path:
    """The file of the edit model trained without some sources, made where it is not there.

    Its name says of what it was made: of these sources and references, by this code.
    """
    left = set(without)
    seen = [(e.source, e.references) for i, e in enumerate(examples) if i not in left]
    path = folder / f"edits-{digest(code_digest(), trainer_digest(), seen)}.npz"
    if not path.exists():
        from training.edit_model import train_edit_model

        report(f"training the edit model on {len(seen):,} sources")
        sources, references = [source for source, _ in seen], [list(texts) for _, texts in seen]
        model = train_edit_model(analyzer, sources, references)
        with write_whole(path) as draft:
            # numpy puts .npz behind any other name.
            named = draft.with_name(draft.name + ".npz")
            model.save(named)
            named.replace(draft)
    if not path.stat().st_size:
        raise CannotWrite(f"{str(path)!r} is empty.", hint="Remove it and run again.")
    return path
