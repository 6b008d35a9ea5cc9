"""How far `rewrite split` could come on WikiSplit: SARI of the best that each of its steps leaves, the echo beside it.

    python -m benchmarks.split_ceilings --data FOLDER [--rows 300]

The rows are the first of the dev part (WikiSplit validation rows 3,501–4,000), which nothing was learnt from. *Edit of
the pair* is the split that explains the reference best, with the words that its writer began with. The *best* have the
greatest SARI of their own, chosen with the reference in hand, of what the bundled network proposes: of all, and of
those that pass with a chance of a tenth, a third and a half.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rewrite.datasets import data_folder
from rewrite.evaluate.sari import corpus_sari, segment_statistics, sentence_sari
from rewrite.splitting.acceptance import load_acceptance, split_features
from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsing import Parser
from rewrite.splitting.search import distinct
from rewrite.splitting.split import Split, render
from rewrite.splitting.wholeness import SentenceJudge
from rewrite.splitting.words import Words
from training.splitting.align import align, with_verb_slot
from training.splitting.pairs import Pair, read_set


def explained(pair: Pair, words: Words, parser: Parser) -> str:
    """The split that explains a pair best; the complex sentence where none does."""
    if len(pair.simple) != 2:
        return pair.complex
    first, second = ([word.lower for word in part.words] for part in parser.parse(list(pair.simple)))
    found = align(words, first, second)
    opener = with_verb_slot(words, found.opener, found.start, found.start + found.dropped) if found else None
    if found is None or opener is None:
        return pair.complex
    parts = render(words, Split(found.start, found.stop, found.dropped, tuple(opener), found.antecedent))
    return " ".join(parts) if parts else pair.complex


def best(pair: Pair, words: Words, splits: Sequence[Split]) -> str:
    """The text with the greatest SARI of its own; the complex sentence where there is no split."""
    texts = [" ".join(parts) for split in splits if (parts := render(words, split)) is not None]
    reference = " ".join(pair.simple)

    def own(text: str) -> float:
        return float(sentence_sari(segment_statistics(pair.complex, text, [reference])[None])[0])

    return max(texts or [pair.complex], key=own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=None, help="folder of the data sets [REWRITE_DATA]")
    parser.add_argument("--rows", type=int, default=300)
    options = parser.parse_args()
    pairs = list(read_set("wikisplit-dev", data_folder(options.data)))[: options.rows]
    reader = Parser()
    parsed = reader.parse([pair.complex for pair in pairs])
    outputs: dict[str, list[str]] = {"echo": [pair.complex for pair in pairs]}
    outputs["edit of the pair"] = [explained(p, w, reader) for p, w in zip(pairs, parsed, strict=True)]
    kinds = {"best proposal": 0.0, "best of a tenth": 0.1, "best of a third": 1 / 3, "best of a half": 0.5}
    for kind in ("likeliest proposal", "surest proposal", *kinds):
        outputs[kind] = []
    judge, acceptance = SentenceJudge(), load_acceptance()
    for pair, words, (splits, none) in zip(pairs, parsed, SplitModel().propose(parsed), strict=True):
        outputs["likeliest proposal"].append(best(pair, words, splits[:1]))
        offered = distinct(words, splits)
        own = list(offered.values())
        chances = acceptance.predict(split_features(words, own, list(offered), none, judge.probabilities))
        outputs["surest proposal"].append(best(pair, words, [own[int(chances.argmax())]] if own else []))
        for kind, least in kinds.items():
            left = [split for split, chance in zip(own, chances, strict=True) if chance >= least]
            outputs[kind].append(best(pair, words, left))
    references = [" ".join(pair.simple) for pair in pairs]
    print(f"{len(pairs)} pairs            SARI   exact %")
    for kind, texts in outputs.items():
        sari = corpus_sari(outputs["echo"], texts, [[one] for one in references]).sari
        exact = 100 * sum(map(str.__eq__, texts, references)) / len(pairs)
        print(f"{kind:20} {sari:6.1f}   {exact:7.1f}")


if __name__ == "__main__":
    main()
