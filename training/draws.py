"""What the adapter draws, before anything but guard and form chooses among it: as readers judged it, and by SARI.

    python -m training.draws readings
    python -m training.draws sari --data DIR [--sources 60] [-n 12] [--temperature 0.5]

`readings` prints how often each fault was found in the draws that readers judged (`training.text_acceptance`) or
repaired (`training.ru_pairs`), by model and style, and how well the log-probability a token tells those without fault.
`preference_readings.jsonl.gz` holds, of 119 sentences, what the adapter in the package (`shipped`) and one taught by
preference (docs/base-model.md) drew at temperature 0.4, two draws each without copies, judged in one sheet. `sari`
draws for sources of RuSimpleSentEval dev, which the adapter has not seen, and takes of each the text with the highest
log-probability a token less `weight` × its length beside the source's: the only choice there is.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from rerank.types import Candidate
from rewrite.controls import Controls
from rewrite.datasets import Example, data_folder, load_rsse
from rewrite.engines.registry import create_engine
from rewrite.evaluate.sari import corpus_sari
from rewrite.generators.base import Sampling
from rewrite.generators.language_model import LanguageModelGenerator
from training.ru_pairs import WRITTEN
from training.text_acceptance import HARMLESS, text_judgements

__all__ = ["main"]

PREFERENCE = Path(__file__).with_name("preference_readings.jsonl.gz")
_WEIGHTS = (0.0, 0.3, 0.6, 1.0, 2.0)


def _tell_readings() -> None:
    from sklearn.metrics import roc_auc_score

    rows = text_judgements()
    for model in dict.fromkeys(row["model"] for row in rows):
        texts = [text for row in rows if row["model"] == model for text in row["texts"] if text["faults"] is not None]
        styles = [Controls.read(text["controls"]).style if text.get("controls") else "plain" for text in texts]
        for style in ("all", *dict.fromkeys(styles)):
            faults = [t["faults"] for t, own in zip(texts, styles, strict=True) if style in ("all", own)]
            shares = ", ".join(
                f"{letter} {sum(letter in one for one in faults) / len(faults):.1%}" for letter in "wfpn"
            )
            passed = sum(one in HARMLESS for one in faults) / len(faults)
            print(f"{model}, {style}: {len(faults)} texts, {passed:.1%} passed, faults: {shares}")
        likelihood = [text["logprob"] / text["tokens"] for text in texts]
        area = roc_auc_score([text["faults"] in HARMLESS for text in texts], likelihood)
        print(f"{model}, log-probability a token against passing: AUC {area:.3f}")
    repaired = [drawn for row in text_judgements(WRITTEN["repaired_ru"]) for drawn in row["drawn"].values()]
    shares = ", ".join(f"{x} {sum(x in drawn['faults'] for drawn in repaired) / len(repaired):.1%}" for x in "wfpn")
    passed = sum(drawn["faults"] in HARMLESS for drawn in repaired) / len(repaired)
    print(f"drawn at random and repaired: {len(repaired)} texts, {passed:.1%} passed, faults: {shares}")
    for system in ("shipped", "preference"):
        verdicts = [
            text["faults"]
            for row in text_judgements(PREFERENCE)
            for text in row["texts"]
            for by, _ in text["drawn"]
            if by == system
        ]
        simpler = sum(not faults for faults in verdicts) / len(verdicts)
        passed = sum(faults in HARMLESS for faults in verdicts) / len(verdicts)
        shares = f"{passed:.1%} passed, {simpler:.1%} and were simpler"
        print(f"drawn beside one another, {system}: {len(verdicts)} texts, {shares}")
    edits = [text["faults"] in HARMLESS for row in rows for text in row.get("edits", ())]
    print(f"chosen of edits, for some of the same sentences: {len(edits)} texts, {sum(edits) / len(edits):.1%} passed")


def _likeliest(example: Example, pool: Sequence[Candidate], weight: float) -> str:
    def rank(candidate: Candidate) -> float:
        likelihood = (candidate.logprob or 0.0) / max(candidate.tokens or 1, 1)
        return likelihood - weight * len(candidate.text) / len(example.source)

    kept = [candidate for candidate in pool if not candidate.dropped]
    return max(kept, key=rank).text if kept else example.source


def _tell_sari(data: Path, sources: int, sampling: Sampling) -> None:
    examples = random.Random(0).sample(load_rsse(data / "rsse" / "dev_sents.csv"), sources)
    generator = LanguageModelGenerator(create_engine("ct2", "gemma-ru", {}), prompt="gemma_ru")
    texts, references = [e.source for e in examples], [e.references for e in examples]
    pools = generator.generate(texts, sampling)
    for weight in _WEIGHTS:
        outputs = [_likeliest(example, pool, weight) for example, pool in zip(examples, pools, strict=True)]
        words = sum(len(text.split()) for text in outputs) / sum(len(text.split()) for text in texts)
        print(
            f"weight {weight:g}: SARI {corpus_sari(texts, outputs, references).sari:.2f} with {words:.0%} of the words"
        )
    print(f"the sources as they are: SARI {corpus_sari(texts, texts, references).sari:.2f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("readings", "sari"))
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--sources", type=int, default=60)
    parser.add_argument("-n", type=int, default=12)
    parser.add_argument("--temperature", type=float, default=0.5)
    options = parser.parse_args(arguments)
    if options.what == "readings":
        _tell_readings()
    else:
        sampling = Sampling(n=options.n, seed=1, temperature=options.temperature)
        _tell_sari(data_folder(options.data), options.sources, sampling)


if __name__ == "__main__":
    main()
