"""Tables of paraphrases: those of the package, those that `training.paraphrases` made, and the user's own pairs.

The package's are text, packed by gzip: a line with the language, then a line for each paraphrase, sorted,
`phrase<TAB>phrase<TAB>probability`, in lower case with ё as е. Each is good in its own direction alone.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rerank.errors import BadInput, BadModel, ModelNotFound, UnknownName, install_again
from rerank.foreign import SCRIPTS
from rerank.paraeval.word_keys import Phrase, read

TABLE = "table.tsv.gz"
BUNDLED = ("en", "ru")
"""Languages that the package has a table of."""
_MODELS = Path(__file__).resolve().parents[1] / "models"
_HINT = "Make it with python -m training.paraphrases."
_NONE: Mapping[Phrase, float] = {}


class PairTable:
    """Paraphrases as pairs of texts, each good in both directions.

    `pairs` holds (phrase, phrase, probability in (0, 1]); of a pair given twice the higher probability counts, and a
    phrase is no paraphrase of itself. Raises `BadInput` for a phrase without words, one with a mark inside, and a
    probability out of range.
    """

    def __init__(self, pairs: Iterable[tuple[str, str, float]], *, language: str | None = None) -> None:
        self._table: dict[Phrase, dict[Phrase, float]] = {}
        self._longest = 0
        self._language = language
        for left, right, probability in pairs:
            self._add(_phrase(left, language), _phrase(right, language), probability)

    @classmethod
    def read(cls, path: str | Path, *, language: str | None = None) -> PairTable:
        """Lines of `phrase<TAB>phrase` or `phrase<TAB>phrase<TAB>probability`, 1 without one; blank lines count for
        nothing. Raises `BadInput` that names the line, and for a file without any.
        """
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise BadInput(
                f"Cannot read the paraphrases {str(path)!r}: {why}.", hint="Give a UTF-8 file of pairs."
            ) from error
        table = cls((), language=language)
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    left, right, probability = _fields(line)
                    table._add(_phrase(left, language), _phrase(right, language), probability)
                except BadInput as error:
                    raise BadInput(f"{path}, line {number}: {error.message}", hint=error.hint) from None
        if not table._table:
            raise BadInput(f"{path}: it holds no paraphrase.", hint="Give a phrase, a tab and its paraphrase a line.")
        return table

    @classmethod
    def directed(cls, rows: Iterable[Sequence[str]], language: str) -> PairTable:
        """Rows of phrase, paraphrase and probability, each good in its own direction; words are as a text's are read.

        Raises `ValueError` for what is no such row, and `BadInput` for a probability out of range.
        """
        table = cls((), language=language)
        for phrase, paraphrase, probability in rows:
            table._add(tuple(phrase.split(" ")), tuple(paraphrase.split(" ")), float(probability), both=False)
        return table

    @property
    def longest(self) -> int:
        """Words of the longest phrase; 0 for a table without any."""
        return self._longest

    @property
    def language(self) -> str:
        """What the phrases were said to be of; empty where nobody did."""
        return self._language or ""

    @property
    def phrases(self) -> Collection[Phrase]:
        """All that have a paraphrase, each once."""
        return self._table.keys()

    def of(self, phrase: Phrase) -> Mapping[Phrase, float]:
        """The paraphrases of `phrase` with their probabilities in (0, 1]; empty where it has none."""
        return self._table.get(phrase, _NONE)

    def signature(self) -> str:
        """Name and version: equal signatures mean equal paraphrases."""
        return self._signature

    # Asked of every row that is judged.
    @cached_property
    def _signature(self) -> str:
        rows = sorted((phrase, sorted(others.items())) for phrase, others in self._table.items())
        return f"pairs:{len(rows)}:{zlib.crc32(repr(rows).encode()):08x}"

    def _add(self, left: Phrase, right: Phrase, probability: float, *, both: bool = True) -> None:
        if not 0 < probability <= 1:
            raise BadInput(f"The probability {probability!r} is not in (0, 1].", hint="Leave it out for 1.")
        if left == right:
            return
        for phrase, paraphrase in ((left, right), (right, left))[: 1 + both]:
            known = self._table.setdefault(phrase, {})
            known[paraphrase] = max(probability, known.get(paraphrase, 0.0))
            self._longest = max(self._longest, len(phrase), len(paraphrase))


def _fields(line: str) -> tuple[str, str, float]:
    fields = line.split("\t")
    if len(fields) == 2:
        return fields[0], fields[1], 1.0
    try:
        left, right, probability = fields
        return left, right, float(probability)
    except ValueError:
        raise BadInput(
            f"{line[:80]!r} is not `phrase<TAB>phrase<TAB>probability`.", hint="The probability may be left out."
        ) from None


def _phrase(text: str, language: str | None) -> Phrase:
    phrase = read(text, language)
    if not phrase.words or len(set(phrase.stretches)) > 1:
        raise BadInput(
            f"{text[:80]!r} is no phrase.", hint="A phrase has words, and no mark or line's end between them."
        )
    return phrase.words


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
