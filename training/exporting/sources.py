"""What a card owes its readers: the files that the model learnt from beside the sets declared, and a licence."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from training.exporting.options import ExportOptions
from training.recipe import Recipe

__all__ = ["LICENCES", "files_read", "remarks"]

LICENCES = frozenset(
    """
    afl-3.0 agpl-3.0 apache-2.0 apple-amlr apple-ascl artistic-2.0 bigcode-openrail-m bigscience-bloom-rail-1.0
    bigscience-openrail-m bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear bsl-1.0 c-uda cc cc-by-2.0 cc-by-2.5
    cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0
    cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0
    cdla-permissive-2.0 cdla-sharing-1.0 creativeml-openrail-m deepfloyd-if-license ecl-2.0 epl-1.0 epl-2.0
    etalab-2.0 eupl-1.1 eupl-1.2 fair-noncommercial-research-license gemma gfdl gpl gpl-2.0 gpl-3.0
    grok2-community h-research intel-research isc lgpl lgpl-2.1 lgpl-3.0 lgpl-lr llama2 llama3 llama3.1 llama3.2
    llama3.3 llama4 lppl-1.3c mit mpl-2.0 ms-pl ncsa odbl odc-by ofl-1.1 openmdw-1.0 openrail openrail++ osl-3.0
    other pddl postgresql unknown unlicense wtfpl zlib
    """.split()
)
"""What the hub knows as a model's licence, as of 2026; it grows, so another is no error."""
_KEPT = "{out}/pairs.jsonl"


def files_read(recipe: Recipe) -> tuple[str, ...]:
    """The files of pairs that the model learnt from, as the recipe names them, in its order.

    Where the model learnt from what the step filter of the same recipe kept, these are the files that it read.
    """
    if recipe.finetune is None:
        return ()
    found: list[str] = []
    for file in recipe.finetune.files:
        filtered = file.path == _KEPT and recipe.filter is not None
        found += [noisy.path for noisy in recipe.filter.pairs] if filtered and recipe.filter else [file.path]
    return tuple(dict.fromkeys(found))


def remarks(recipe: Recipe, options: ExportOptions) -> Iterator[str]:
    """What a reader of the card would miss or not understand, a line each."""
    read = files_read(recipe)
    named = {file for item in options.data for file in item.files}
    unnamed = [file for file in read if file not in named]
    if unnamed and (named or len(read) > len(options.data)):
        yield (
            f"The model learns from {len(read)} files, and no set in export.data names {', '.join(unnamed)}. Declare "
            "every set, and give each its files: [PATH as in the recipe]."
        )
    if strange := sorted(named - set(read)):
        yield f"export.data names files that this recipe does not learn from: {', '.join(strange)}."
    if options.licence not in LICENCES:
        close = difflib.get_close_matches(options.licence, sorted(LICENCES), n=1)
        yield (
            f"The licence {options.licence!r} is none that the hub is known to have"
            + (f"; did you mean {close[0]}?" if close else ".")
            + " A licence of another name is written other, with licence_name."
        )
