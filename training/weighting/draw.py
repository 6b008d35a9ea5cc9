"""Score tables of many texts, drawn and scored once and kept: one run of the models serves all weights.

A batch is a file named by what it holds: the texts, and everything behind the values (the models' files and the code
too, as their sizes and times tell). So a change of either never meets an old file, and a run that was broken off goes
on after its last whole batch.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

import rerank
import rewrite
from rerank.analysis import Analyzer
from rerank.types import Candidate, ScoreTable
from rerank.workers import default_processes, ordered_map
from rewrite.datasets import Example
from rewrite.engines.registry import create_engine
from rewrite.errors import BadOption, RewriteError
from rewrite.generators import create_generator, known_generators
from rewrite.generators.base import Generator
from rewrite.layout import Layout
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result, SentenceResult, choose
from rewrite.specs import parse_specs
from training.disk import write_whole
from training.weighting.weight_options import WeightOptions

BATCH = 50
_CANDIDATES = TypeAdapter(tuple[Candidate, ...])
Report = Callable[[str], None]
# What chooses from a table is no part of it.
_CHOOSING = {"preset", "control", "weights", "best", "diverse", "record"}


def digest(*parts: object) -> str:
    """A short name for plain data: 16 hexadecimal digits of its SHA-256."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _stamps(places: Iterable[Path]) -> list[tuple[str, int, int]]:
    """Name, size and time of each file among `places` and in the folders among them."""
    inside = sorted(path for place in places for path in (place.rglob("*") if place.is_dir() else (place,)))
    files = ((path, path.stat()) for path in inside if path.is_file() and "__pycache__" not in path.parts)
    return [(path.name, status.st_size, status.st_mtime_ns) for path, status in files]


@lru_cache(maxsize=1)
def _code() -> str:
    """The packages' code and bundled models: in a checkout they change without a new version."""
    return digest(_stamps(Path(str(package.__file__)).parent for package in (rerank, rewrite)))


def _models(options: Options) -> list[tuple[str, int, int]]:
    """The files of all models and recordings that `options` name; of a model on a server the name is all there is."""
    places = [Path(path).expanduser() for path in options.recordings]
    models = (spec for spec in options.models if spec.kind.draws)
    engines = [create_engine(spec.scheme, spec.target, options.engine) for spec in models]
    return _stamps([*places, *(engine.info.folder for engine in engines if engine.info.folder is not None)])


def pipeline_options(options: WeightOptions, *, generator: str | None = None) -> Options:
    """The options of `rewrite simplify` that the tables are made with. Raises `BadOption`."""
    misplaced = sorted((_CHOOSING | {"n", "generator", "seed"}) & set(options.pipeline))
    if misplaced:
        raise BadOption(f"pipeline.{misplaced[0]} has no place among the other options.", hint="It changes no table.")
    # Weight 0 so that fluency is measured wherever a model for it is named.
    weights = {"fluency": 0.0} if options.pipeline.get("fluency") else {}
    return Options(
        **options.pipeline,
        n=options.n,
        generator=generator or options.generator,
        seed=options.seed or 0,
        best=1,
        weights=weights,
    )


def draw_tables(
    texts: Sequence[str],
    options: Options,
    folder: Path,
    *,
    generator: Generator | None = None,
    label: str = "",
    processes: int | None = None,
    report: Report = print,
) -> list[Result]:
    """One result for each text, from `folder` or from a new draw that is kept there.

    `label` names what else decides the values, such as the model of a `generator` that is given. Raises the generator's
    error where it failed on a source: the batches before are kept, and a batch with a failure is not.
    """
    pipeline = Pipeline(options, generator=generator)
    settings = options.model_dump(mode="json", exclude=_CHOOSING)
    behind = (pipeline.settings, settings, _models(options), _code(), label)
    batches = [list(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)]
    paths = [folder / f"{digest(behind, batch)}.json.gz" for batch in batches]
    kept = {path: _read(path) for path in paths}
    missing = [(path, batch) for path, batch in zip(paths, batches, strict=True) if kept[path] is None]
    done = len(texts) - sum(len(batch) for _, batch in missing)
    workers = 1 if options.runs_alone else processes or default_processes()
    if missing and workers > 1:
        pipeline.load()
    chunks = (json.dumps(batch, ensure_ascii=False).encode() for _, batch in missing)
    for (path, batch), answer in zip(missing, ordered_map(_work(pipeline), chunks, workers), strict=True):
        with write_whole(path) as draft:
            draft.write_bytes(answer)
        kept[path] = json.loads(gzip.decompress(answer))
        done += len(batch)
        report(f"tables: {done:,} of {len(texts):,} sources")
    if not missing:
        report(f"tables: all {len(texts):,} sources were there")
    return [_restored(row, pipeline) for path in paths for row in kept[path] or ()]


def _read(path: Path) -> list[dict[str, Any]] | None:
    """The rows of a batch; `None` where there are none, or the file is damaged: then it is drawn again."""
    try:
        rows: list[dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError, zlib.error):
        return None
    return rows


def _work(pipeline: Pipeline) -> Callable[[bytes], bytes]:
    def work(chunk: bytes) -> bytes:
        results = pipeline.run(json.loads(chunk))
        failed = [s.error for result in results for s in result.sentences if s.error]
        if failed:
            raise RewriteError(
                f"The generator failed on {len(failed)} sentences: {failed[0]}",
                hint="The tables made before are kept: run again to go on.",
            )
        rows = json.dumps([_plain(result) for result in results], ensure_ascii=False, default=np.ndarray.tolist)
        return gzip.compress(rows.encode("utf-8"), 6, mtime=0)

    return work


def _plain(result: Result) -> dict[str, Any]:
    """A result with its tables and without its choice, which weights make anew; floats read back to the last bit."""
    parts = [asdict(replace(part, choices=())) for part in result.sentences]
    return {"source": result.source, "layout": asdict(result.layout), "parts": parts}


def _restored(row: dict[str, Any], pipeline: Pipeline) -> Result:
    sentences = []
    for part in row["parts"]:
        plain = part.pop("table")
        table = plain and _restored_table(plain)
        part["choices"] = choose(table, pipeline.weights, options=pipeline.options) if table else ()
        sentences.append(SentenceResult(**part, table=table))
    layout = Layout(**{name: tuple(texts) for name, texts in row["layout"].items()})
    return Result(row["source"], tuple(sentences), layout, pipeline.weights, pipeline.options, pipeline.settings)


def _restored_table(row: dict[str, Any]) -> ScoreTable:
    shape = len(row["candidates"]), len(row["components"])
    return ScoreTable(
        source=row["source"],
        candidates=_CANDIDATES.validate_python(row["candidates"]),
        components=tuple(row["components"]),
        values=np.array(row["values"], dtype=np.float64).reshape(shape),
        source_values=np.array(row["source_values"], dtype=np.float64),
        blocked=tuple(row["blocked"]),
    )


def cross_fitted(
    examples: Sequence[Example],
    folds: npt.NDArray[np.int64],
    options: Options,
    folder: Path,
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
        path = fold_model(examples, inside, folder.parent / "models", analyzer, report)
        report(f"fold {fold + 1} of {int(folds.max()) + 1}")
        made = draw_tables(
            [examples[i].source for i in inside],
            options,
            folder,
            generator=_with_edits(path, options),
            label=path.name,
            processes=processes,
            report=report,
        )
        results.update(zip(inside, made, strict=True))
    return [results[i] for i in range(len(examples))]


def _with_edits(path: Path, options: Options) -> Generator:
    """The generator that `options` name, its `edits` with the model at `path`. Raises `BadOption` for `edits-lm`."""
    from rewrite.generators.edits import EditsGenerator
    from rewrite.generators.edits.keep_and_gain import EditModel

    if any(spec.kind.gains and spec.kind.judge for spec in options.specs):
        raise BadOption("Weights are not tuned on edits-lm.", hint="Tune them on edits: --generator edits.")
    analyzer = Analyzer()
    edits = EditsGenerator(analyzer=analyzer, model=EditModel.load(path))
    return create_generator(options, analyzer=analyzer, makers={"edits": lambda *_: edits})


def has_edits(generator: str) -> bool:
    """Whether `edits` or `edits-lm` is among the generators that `generator` names. Raises `UnknownName`."""
    return any(spec.kind.gains for spec in parse_specs(generator, known_generators()))


def fold_model(
    examples: Sequence[Example], without: Sequence[int], folder: Path, analyzer: Analyzer, report: Report
) -> Path:
    """The file of the edit model trained without some sources, made where it is not there.

    Its name says of what it was made: of these sources and references, by this code.
    """
    from training import edit_model

    left = set(without)
    seen = [(e.source, e.references) for i, e in enumerate(examples) if i not in left]
    path = folder / f"edits-{digest(_code(), _stamps([Path(edit_model.__file__)]), seen)}.npz"
    if not path.exists():
        report(f"training the edit model on {len(seen):,} sources")
        sources, references = [source for source, _ in seen], [list(texts) for _, texts in seen]
        model = edit_model.train_edit_model(analyzer, sources, references)
        with write_whole(path) as draft:
            # numpy puts .npz behind any other name.
            named = draft.with_name(draft.name + ".npz")
            model.save(named)
            named.replace(draft)
    return path
