"""Pack a small masked language model: encoder, head, tokenizer, card and checksums in one folder.

    python -m training.export_masked RECIPE --out FOLDER [--data DIR]

What `python -m training.masked_lm` has left in FOLDER is packed as the recipe's section `masked.export` says and
written to FOLDER/export/NAME, or nothing is. `rerank.masked.bundled.BundledMaskedModel` runs such a folder without
torch; those of the package lie in rerank/models. Two exports of one model are the same, byte by byte.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rerank.checkpoint import libraries
from rerank.errors import BadInput
from rewrite.checksums import SUMS
from rewrite.errors import CannotWrite
from training.card import CardTexts, require_small, write_card
from training.command import open_run, run_to_the_end, step_parser
from training.disk import write_folder
from training.heads.step import section_of
from training.masked.masked_options import MaskedExport
from training.masked.packing import pack
from training.recipe import Run

_TEXTS = CardTexts(
    task="guessing words that are masked in a sentence",
    what=(
        "A masked language model, a BERT: the encoder for CTranslate2 (`model.bin`), the head for numpy (`head.npz`). "
        "`rerank.masked.bundled` runs it without torch."
    ),
    limits=(
        "It knows sentences of the kinds of text named below, without case; other kinds, and names, it guesses badly. "
        "What it finds likely is what it has read: it repeats what its texts say of people, and is no source of facts."
    ),
    measured="""\
On held-out texts (`python -m training.masked_lm RECIPE --out FOLDER`): the loss in nats a mask, the share of masks
whose first guess is right, and how many there are, as it was trained, with one word masked in each text, and by the
frequency of tokens alone:""",
)


def export_masked(run: Run) -> Path:
    """Pack the run's model into `{out}/export/NAME`; returns the folder.

    An earlier export there is replaced, and only by a whole one. Raises `BadInput` where there is no trained model,
    `BadModel` where the packed one is too large, `CannotWrite`, `MissingExtra`.
    """
    options: MaskedExport | None = section_of(run, "masked").export
    if options is None:
        raise BadInput(
            f"The recipe {run.recipe.name!r} has no section masked.export.", hint="It needs licence and data at least."
        )
    libraries()
    of_run, checkpoint, name = _figures(run), run.out / "model", run.recipe.name
    target = run.out / "export" / name

    if target.exists() and not (target.is_dir() and ((target / SUMS).is_file() or not any(target.iterdir()))):
        raise CannotWrite(f"{target} is there and is no export.", hint="Move it away, or choose another --out.")

    def write(folder: Path) -> None:
        pack(checkpoint, folder, name=name, language=run.recipe.language, weights=options.weights)
        parts = {"held out": "held_out", "one word": "held_out_one_word", "frequency alone": "frequency_alone"}
        figures = {f"{part} {name}": value for part, key in parts.items() for name, value in of_run[key].items()}
        more: dict[str, Any] = {key: of_run[key] for key in ("parameters", "earlier") if key in of_run}
        more |= {"sentences": of_run["texts"], "steps": of_run["kept"], "seed": of_run["seed"]}
        more |= {"summary": options.summary, "weights": options.weights}
        write_card(
            folder,
            figures,
            _TEXTS,
            name=name,
            language=run.recipe.language,
            licence=options.licence,
            data=options.data,
            limits=options.limits,
            **more,
        )
        size = sum(path.stat().st_size for path in folder.iterdir())
        require_small(
            size,
            options.max_mb,
            "masked.export.max_mb",
            what="The export",
            hint="Nothing was written. Take a smaller vocabulary or model, or raise max_mb.",
        )

    write_folder(target, write)
    return target


def _figures(run: Run) -> dict[str, Any]:
    path = run.out / "figures.json"
    try:
        figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"No trained model: {path} cannot be read.", hint=f"Run: python -m training.masked_lm … --out {run.out}"
        ) from error
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and export; returns the exit status."""
    given = step_parser("export_masked", __doc__).parse_args(arguments)

    def work() -> None:
        print(f"model: {export_masked(open_run(given))}")

    return run_to_the_end("export_masked", work, stopped="stopped, nothing was written")


if __name__ == "__main__":
    sys.exit(main())
