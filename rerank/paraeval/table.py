"""Tables of paraphrases: those of the package, those that `training.paraphrases` made, and the user's own pairs.

The package's are text, packed by gzip: a line with the language, then a line for each paraphrase, sorted,
`phrase<TAB>phrase<TAB>probability`, in lower case with ё as е. Each is good in its own direction alone.
"""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from rerank.errors import BadInput, BadModel, ModelNotFound, UnknownName, install_again
from rerank.foreign import SCRIPTS
from rerank.paraeval.pairs import PairTable

TABLE = "table.tsv.gz"
BUNDLED = ("en", "ru")
"""Languages that the package has a table of."""
_MODELS = Path(__file__).resolve().parents[1] / "models"
_HINT = "Make it with python -m training.paraphrases."


def read_table(path: Path, *, hint: str = _HINT) -> PairTable:
    """What `training.paraphrases` wrote, with p(paraphrase | phrase) of Bannard and Callison-Burch (2005).

    Raises `ModelNotFound` where there is no such file, and `BadModel` for one that is something else or damaged.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ModelNotFound(f"{path}: there is no such table of paraphrases.", hint=hint) from None
    except OSError as error:
        raise ModelNotFound(f"{path}: it cannot be read: {error.strerror or error}.", hint=hint) from None
    try:
        language, *lines = gzip.decompress(data).decode("utf-8").split("\n")
        if not re.fullmatch("[a-z]{2,3}", language):
            raise ValueError(f"its first line is {language[:80]!r} and no language")
        return PairTable.directed((line.split("\t") for line in lines), language)
    except (OSError, EOFError, zlib.error, ValueError, BadInput) as error:
        raise BadModel(f"{path}: it is no table of paraphrases, or damaged: {error}.", hint=hint) from None


def bundled(language: str) -> PairTable:
    """The table that the package has for `language`.

    Raises `UnknownName` for a language that is not in `BUNDLED`, and what `read_table` raises.
    """
    if language not in BUNDLED:
        raise UnknownName(
            f"No table of paraphrases is bundled for the language {language!r}.",
            hint=f"Bundled: {', '.join(BUNDLED)}. Others are made with python -m training.paraphrases.",
        )
    return read_table(_MODELS / f"paraphrases-{language}" / TABLE, hint=install_again("rerank"))


WHAT_IT_IS = (
    "A table is a file of pairs, a line each of phrase<TAB>phrase<TAB>probability, or the folder that python -m "
    "training.paraphrases --lang LANG --out FOLDER makes."
)
"""For whoever gave something else."""


def bundled_paraphrases(language: str) -> PairTable | None:
    """The table that the package carries for `language`, or none."""
    return bundled(language) if language in BUNDLED else None


def open_paraphrases(path: str | Path) -> PairTable:
    """A table of the user's own: what `training.paraphrases` made, or a file of pairs, a line each.

    Raises `BadInput`, and of the first kind `BadModel` for a broken one and `ModelNotFound` for a folder without any.
    """
    place = Path(path).expanduser()
    if place.is_dir() and not (place / TABLE).exists():
        raise ModelNotFound(f"{str(path)!r} is a folder without a table of paraphrases ({TABLE}).", hint=WHAT_IT_IS)
    place = place / TABLE if place.is_dir() else place
    if place.suffix == Path(TABLE).suffix:
        return read_table(place)
    return PairTable.read(place)


def require_language(table: PairTable, language: str) -> PairTable:
    """The table, unless it says that it is of another language than `language`, or has no word in its script.

    Raises `BadInput` for those.
    """
    hint = "Give a table of the language of the texts, or with --lang the language that they are in."
    if table.language and table.language != language:
        raise BadInput(f"The paraphrases are of language {table.language!r}, the texts of {language!r}.", hint=hint)
    if table.longest and not table.language and language in SCRIPTS:
        letters = SCRIPTS[language]
        if not any(letters.search(word) for phrase in table.phrases for word in phrase):
            raise BadInput(f"No word of the paraphrases is in the script of the texts, {language!r}.", hint=hint)
    return table
