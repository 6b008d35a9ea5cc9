"""Newsroom in Tables 3 to 6 of the paper on negative sampling, for reports to show beside what was measured.

Tables 1 and 2 are the rows `sentence-delete` of Table 3 and `word-delete` of Table 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["SOURCE", "PublishedRow", "published_rows"]

SOURCE = (
    "Published, not measured here: Tables 3–6 of “A Weakly Supervised Approach to Evaluating Single-Document\n"
    "Summarization via Negative Sampling”; R-1, R-2 and R-L there are, by their figures, recall"
)


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """Mean correlation over documents by aspect; what cannot be read in the copy at hand is left out."""

    name: str
    figures: Mapping[str, float]


_ASPECTS = ("informativeness", "relevance", "coherence", "fluency")

# Two figures stand as ?: the copy at hand shows them blurred.
_SPEARMAN = """
crosspair, Billsum           .50  .49  .43  .39
crosspair, arXiv             .57  .55  .48  .42
crosspair, BigPatent         .56  .57  .48  .42
sentence-replace, Billsum    .47  .42  .45  .42
sentence-replace, arXiv      .55  .49  .50  .43
sentence-replace, BigPatent  .49  .46  .41  .31
sentence-delete, Billsum     .70  .61  .59  .53
sentence-delete, arXiv       .69  .59  .53  .46
sentence-delete, BigPatent   .75  .65  .62  .54
word-add, Billsum            .60  .56  .55  .53
word-add, arXiv              .66   ?   .55  .48
word-add, BigPatent          .63  .59  .51  .48
word-replace, Billsum        .66  .60  .60  .57
word-replace, arXiv          .65  .57  .54  .49
word-replace, BigPatent      .63  .62  .54  .46
word-delete, Billsum         .64  .61  .65  .65
word-delete, arXiv           .62  .59  .67  .67
word-delete, BigPatent       .59  .60  .62  .63
BLANC-tune                   .69  .61  .59  .53
SummaQA-F1                   .57  .52  .49  .47
SummaQA-CFD                  .54  .44  .42  .37
SUPERT                       .69  .60  .62  .54
LS_Score                     .70  .64  .63  .59
R-1                          .32  .28  .23  .22
R-2                          .15  .13  .09  .10
R-L                          .30  .26  .21  .20
MoverScore                   .22  .22  .17  .14
BertScore                    .32  .28  .27  .24
BLEU                        -.08 -.01 -.06 -.04
METEOR                       .24  .24  .17  .17
S3_pyr                       .27  .25  .19  .18
S3_resp                      .25  .22  .17  .17
"""

# Blurred, but given by other figures of the table: crosspair on BigPatent by the mean deviations printed below it
# (.0042, .0102), SUPERT's informativeness by the 2.75 % that the best row has over it.
_PEARSON = """
crosspair, Billsum           .63  .66  .52  .46
crosspair, arXiv             .62  .65  .50  .44
crosspair, BigPatent         .63  .68  .51  .44
sentence-replace, Billsum    .64  .67  .52  .44
sentence-replace, arXiv      .56  .58  .48  .42
sentence-replace, BigPatent  .59  .61  .45  .38
sentence-delete, Billsum     .75  .74  .61  .55
sentence-delete, arXiv       .69  .61  .56  .50
sentence-delete, BigPatent   .79  .72  .65  .57
word-add, Billsum            .70  .72  .60  .56
word-add, arXiv              .67  .69  .56  .52
word-add, BigPatent          .64  .68  .52  .46
word-replace, Billsum        .72  .76  .61  .58
word-replace, arXiv          .67  .70  .56  .53
word-replace, BigPatent      .66  .71  .53  .48
word-delete, Billsum         .76  .78  .69  .67
word-delete, arXiv           .68  .70  .67  .66
word-delete, BigPatent       .71  .74  .66  .64
BLANC-tune                   .73  .68  .62  .59
SummaQA-F1                   .59  .55  .51  .47
SummaQA-CFD                  .60  .52  .48  .43
SUPERT                       .77  .77  .65  .58
R-1                          .26  .25  .17  .14
R-2                          .03  .03 -.02 -.02
R-L                           ?   .13  .07  .06
MoverScore                   .06  .09  .02  .00
BertScore                    .29  .28  .21  .17
BLEU                        -.14 -.10 -.14 -.12
METEOR                       .08  .09  .03  .02
S3_pyr                       .11  .10  .04  .03
S3_resp                      .04  .04 -.01 -.02
"""

_TABLES = {"spearman": _SPEARMAN, "pearson": _PEARSON}


def published_rows(name: str, level: str, coefficient: str, aspects: Sequence[str]) -> tuple[PublishedRow, ...]:
    """The paper's rows for the set `name`, those of its `aspects`; none but for `newsroom` at summary level."""
    if name != "newsroom" or level != "summary":
        return ()
    return tuple(_row(line, aspects) for line in _TABLES.get(coefficient, "").strip().splitlines())


def _row(line: str, aspects: Sequence[str]) -> PublishedRow:
    *words, inf, rel, coh, flu = line.split()
    printed = dict(zip(_ASPECTS, (inf, rel, coh, flu), strict=True))
    known = {aspect: float(printed[aspect]) for aspect in aspects if printed.get(aspect, "?") != "?"}
    return PublishedRow(" ".join(words), known)
