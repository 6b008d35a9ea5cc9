"""Which sources the model of a fold never saw: a list that lies with the model, and its check before it is scored.

Models of the folds are trained elsewhere, by folds of their own. What they are asked to rewrite in cross-validation
must be what they held out, whatever the seed, the number of folds or the rows that folds are counted over: so each says
what that was, and nothing is taken on trust.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from rewrite.errors import BadInput, CannotWrite
from rewrite.generators import known_generators
from rewrite.specs import parse_specs

__all__ = ["FOLD", "HELD_OUT", "check_held_out", "held_out_file", "of_fold", "write_held_out"]

FOLD = "{fold}"
"""What stands for the number of the fold, from 0, in a generator's name."""
HELD_OUT = "held_out.json"
_SHOWN = 60


def of_fold(generator: str, fold: int) -> str:
    """The generator with the number of the fold in its place."""
    return generator.replace(FOLD, str(fold))


def held_out_file(target: Path) -> Path:
    """Where the list of a model's folder lies, or that of a recording: in the folder, beside the file."""
    return target.with_name(f"{target.name}.{HELD_OUT}") if target.is_file() else target / HELD_OUT


def write_held_out(target: Path, sources: Iterable[str], *, fold: int) -> None:
    """Say that the model or recording `target`, of `fold`, never saw `sources`: digests of their texts, as JSON.

    Case, spaces and the way that letters are put together make no difference. Raises `CannotWrite`.
    """
    told = {"fold": fold, "never_seen": sorted({_mark(source) for source in sources})}
    path = held_out_file(target)
    try:
        path.write_text(json.dumps(told, indent=0) + "\n", encoding="utf-8")
    except OSError as error:
        raise CannotWrite(f"Cannot write {str(path)!r}: {error.strerror or error}.", hint="Check --out.") from error


def check_held_out(generator: str, fold: int, sources: Sequence[str]) -> None:
    """See that whatever goes by `{fold}` in `generator` never saw `sources`, those of `fold`.

    Raises `BadInput` that names the first source that a model does not say to have held out, or the model that says
    nothing.
    """
    for spec in parse_specs(generator, known_generators()):
        if FOLD not in spec.target:
            continue
        target = Path(of_fold(spec.target, fold)).expanduser()
        unseen = _read(target)
        other = next((source for source in sources if _mark(source) not in unseen), None)
        if other is not None:
            raise BadInput(
                f"{target} is not known to have held out {other[:_SHOWN]!r}, which it is to rewrite as of fold {fold}: "
                "figures on texts that a model was trained on are worth nothing.",
                hint="Take the sources, the seed and the folds that the models were made with (training.ru_small_folds:"
                " all of RuSimpleSentEval dev, --seed 0, --folds 5), or make models for these folds.",
            )


def _mark(source: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", source).casefold().split())
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _read(target: Path) -> frozenset[str]:
    path = held_out_file(target)
    try:
        marks = json.loads(path.read_text(encoding="utf-8"))["never_seen"]
        if not isinstance(marks, list):
            raise TypeError
        return frozenset(map(str, marks))
    except OSError:
        raise BadInput(
            f"{target} does not say which sources it never saw: there is no {path.name}.",
            hint="training.ru_small_folds writes it with each model; a copy of a model takes its list along.",
        ) from None
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{path} holds no list `never_seen`.", hint="Make the model again.") from None
