"""Compression with a tiny masked model that has random weights: the way is real, what it cuts means nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.errors import ModelNotFound, UnknownName
from rerank.masked import bundled
from rerank.masked.base import LogProbs, MaskedModel, Row
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split
from rerank.ndd.attention import Adjacent, Balanced
from rerank.ndd.distance import Ndd
from rewrite import CompressOptions, Compressor, compress
from rewrite.errors import BadInput, BadOption

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

Run = Callable[..., int]

RAIN = "I was walking in the cold rain and snow of a long dark night , while he was running under hot sunshine ."
SUN = "He was not walking in the long cold rain and snow of a dark night with friends ; drizzling nothingness ."
METHODS = ("fast-ndd", "ndd", "ppl", "cosine")


class Counting:
    """A masked model that counts the rows it was given."""

    def __init__(self, model: MaskedModel) -> None:
        self._model = model
        self.rows = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        self.rows += len(rows)
        return self._model.predict(rows)


@pytest.fixture(scope="module")
def spec(tiny_masked_model: Callable[[str], Path]) -> str:
    return f"hf:{tiny_masked_model('bert')}"


@pytest.fixture(scope="module")
def model(spec: str) -> MaskedModel:
    return create_masked_model(spec)


def compressor(model: MaskedModel, **options: object) -> Compressor:
    return Compressor(CompressOptions(**{"syntax": False, **options}), model=model)


def direct(source: str, ndd: Ndd, threshold: float, longest: int) -> list[str]:
    """One round: every span against the whole text, one comparison at a time; the lower of two that overlap goes."""
    words = [token.word for token in split(source, "en")]
    last = len(words) - 1  # the final stop stays
    priced = []
    for i in range(last):
        for j in range(i + 1, min(i + longest, last) + 1):
            reading = ndd.read(words)
            cut = reading.keep([*range(i), *range(j, len(words))])
            value = float(ndd.distances([(reading, [cut])])[0][0])
            if value <= threshold and any(c.isalnum() for word in words[i:j] for c in word.text):
                priced.append((value, set(range(i, j))))
    gone: set[int] = set()
    for _, places in sorted(priced, key=lambda item: (item[0], -len(item[1]))):
        gone |= places if gone.isdisjoint(places) else set()
    return [word.text for k, word in enumerate(words) if k not in gone]


@pytest.mark.parametrize("method", ["ndd", "fast-ndd"])
def test_a_round_cuts_what_all_exact_distances_say_for_fewer_rows(model: MaskedModel, method: str) -> None:
    counting = Counting(model)
    attention = Balanced(0.9) if method == "ndd" else Adjacent(Balanced(0.9))
    ndd = Ndd(counting, divergence="kl", attention=attention, bias=0.97)  # type: ignore[arg-type]
    threshold = {"ndd": 0.5, "fast-ndd": 0.15}[method]
    expected = direct(RAIN, ndd, threshold, 5)
    before, counting.rows = counting.rows, 0
    (compression,) = compressor(
        counting,
        method=method,
        threshold=threshold,
        iterations=1,
        overlap="lower",
        bias=0.97,  # type: ignore[arg-type]
    ).run([RAIN])
    assert [token.word.text.lower() for token in split(compression.text, "en")] == [word.lower() for word in expected]
    assert 2 < compression.sentences[0].kept < compression.sentences[0].words
    assert counting.rows < before / 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("compare", ["current", "initial"])
def test_every_method_keeps_the_ratio_and_says_what_went(model: MaskedModel, method: str, compare: str) -> None:
    (compression,) = compressor(model, method=method, ratio=0.5, compare=compare).run([RAIN])
    (sentence,) = compression.sentences
    assert compression.ratio == pytest.approx(0.5, abs=0.03)
    assert sentence.table is not None
    assert sentence.table.candidates[0].text == compression.text
    gone = [token.word.text for cut in sentence.removals for token in split(cut.text, "en")]
    assert sum(any(c.isalnum() for c in word) for word in gone) == sentence.words - sentence.kept
    assert compression.text.endswith(".")
    assert compression.text[0].isupper()


def test_bertscore_is_a_method_too(spec: str, model: MaskedModel) -> None:
    pytest.importorskip("bert_score", reason="needs bert-score: pip install 'rewrite-rerank[ndd]'")
    (compression,) = Compressor(CompressOptions(syntax=False, method="bertscore", masked_model=spec, ratio=0.5)).run(
        [SUN]
    )
    assert compression.ratio == pytest.approx(0.5, abs=0.06)
    assert "not" in compression.text.lower().split()


def test_sentences_do_not_depend_on_their_company(model: MaskedModel) -> None:
    ours = compressor(model, ratio=0.6)
    together = ours.run([f"{RAIN} {SUN}", SUN, "", RAIN])
    alone = [ours.run([text])[0].text for text in (RAIN, SUN)]
    assert [compression.text for compression in together] == [" ".join(alone), alone[1], "", alone[0]]


def test_the_texts_on_the_way_are_offered_too(model: MaskedModel) -> None:
    (compression,) = compressor(model, ratio=0.4, best=3).run([RAIN])
    assert compression.n_best[0] == compression.text
    assert len(compression.n_best) == 3
    assert len(set(compression.n_best)) == 3
    assert [len(text) for text in compression.n_best] == sorted(len(text) for text in compression.n_best)


def test_kept_words_and_negation_stay(model: MaskedModel) -> None:
    (compression,) = compressor(model, ratio=0.2, keep=("Friends", "drizzling nothingness")).run([SUN])
    assert {"not", "friends", "nothingness"} <= {token.word.text.lower() for token in split(compression.text, "en")}


def test_subtrees_of_russian_go_where_there_is_a_parser(model: MaskedModel, analyzer: Analyzer) -> None:
    """With a model that knows no Russian the sentence is refused; with the check off its side, subtrees are cut."""
    source = "Старый дом, построенный в прошлом веке, давно стоит на высоком берегу широкой реки."
    with_syntax = Compressor(CompressOptions(ratio=0.6), model=Reader(model), analyzers={"ru": analyzer})
    (compression,) = with_syntax.run([source])
    # What hurts is cut down to 0.1 above the ratio alone.
    assert 0.54 <= compression.ratio <= 0.7
    assert "syntax:True" in compression.signature
    assert "дом" in compression.text.lower()


class Reader(Counting):
    """Gives every word a token of its own, so that no language is foreign to it."""

    def tokens(self, word: object) -> tuple[int, ...]:
        return (10 + sum(map(ord, str(word))) % 80,)


class TestBadInput:
    def test_one_word_stays(self, model: MaskedModel) -> None:
        (compression,) = compressor(model).run(["Rain."])
        assert compression.text == "Rain."
        assert compression.sentences[0].skipped == "one word"
        assert (compression.words, compression.kept, compression.ratio) == (1, 1, 1.0)

    def test_a_sentence_beyond_the_window_is_named_and_the_others_are_compressed(self, model: MaskedModel) -> None:
        long = "I was " + "walking " * 200 + "home."
        (compression,) = compressor(model, ratio=0.5).run([f"{long} {SUN}"])
        assert compression.sentences[0].text == long
        assert " tokens, the model " in compression.sentences[0].error
        assert compression.sentences[0].error.endswith("takes 160. Split it.")
        assert compression.sentences[1].ratio < 0.61
        assert not compression.sentences[1].error
        assert compression.words == 203 + compression.sentences[1].words
        assert compression.kept == 203 + compression.sentences[1].kept

    def test_a_long_text_of_short_sentences_fits(self, model: MaskedModel) -> None:
        (compression,) = compressor(model, ratio=0.5).run([" ".join([SUN] * 12)])
        assert not any(sentence.error for sentence in compression.sentences)
        assert compression.ratio < 0.6

    def test_a_language_that_the_model_does_not_know(self, model: MaskedModel) -> None:
        (compression,) = compressor(model, lang="ru").run(["Старый дом давно стоит на берегу."])
        assert "has no words for" in compression.sentences[0].error
        assert compression.text == "Старый дом давно стоит на берегу."

    def test_the_function_raises_what_the_many_report(self, spec: str) -> None:
        with pytest.raises(BadInput, match="no words for"):
            compress("Старый дом давно стоит.", masked_model=spec, syntax=False)
        with pytest.raises(BadOption, match="--keep umbrella: there is no such word"):
            compress(RAIN, masked_model=spec, syntax=False, keep=("umbrella",))

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"ratio": 0}, "--ratio is 0: it should be greater than 0"),
            ({"ratio": 1.5}, "--ratio is 1.5"),
            ({"ratio": "nan"}, "--ratio is 'nan'"),
            ({"ratio": 0.5, "threshold": 1.0}, "both --ratio and --threshold"),
            (
                {"method": "magic"},
                "--method is 'magic': it should be 'fast-ndd', 'ndd', 'ppl', 'cosine' or 'bertscore'",
            ),
            ({"lang": "English"}, "--lang is 'English': give a language such as en"),
            ({"keep": (" ",)}, "--keep got an empty word"),
            ({"iterations": 0}, "--iterations is 0"),
            ({"rate": 1}, "--rate: unknown key"),
            ({"lang": "qqqqq"}, "--lang is 'qqqqq'"),
            ({"bias": 0.9, "method": "ppl"}, "bias counts for nothing with --method ppl"),
            ({"device": "cuda"}, "--device counts for nothing with --masked-model bundled"),
            (
                {"device": "cuda", "masked_model": "bundled:x"},
                "--device counts for nothing with --masked-model bundled:x",
            ),
            ({"careful": True, "threshold": 1.0}, "--careful counts for nothing with --threshold"),
            ({"careful": True, "syntax": False}, "--careful counts for nothing with --no-syntax"),
            ({"method": "bertscore"}, "--method bertscore cannot use --masked-model bundled: give hf:NAME"),
        ],
    )
    def test_options_out_of_range_are_named(self, values: dict[str, object], message: str) -> None:
        with pytest.raises(BadOption, match=message.replace("(", r"\(")):
            CompressOptions(**values)

    def test_syntax_without_a_parser_is_refused(self, model: MaskedModel) -> None:
        for option in ({"syntax": True}, {"keep_entities": True, "syntax": None}, {"careful": True, "syntax": None}):
            with pytest.raises(BadOption, match="there is no parser"):
                compressor(model, lang="zh", **option).run(["我们明天去北京看朋友。"])

    def test_a_line_in_a_language_without_a_parser_does_not_stop_the_others(self) -> None:
        options = CompressOptions(careful=True)
        english, chinese = Compressor(options).run(["The old bridge near the town will stay shut.", "我们明天去北京。"])
        assert not english.sentences[0].error
        assert chinese.text == "我们明天去北京。"
        assert "there is no parser for it" in chinese.sentences[0].error

    def test_a_language_without_a_bundled_model_says_so(self) -> None:
        with pytest.raises(UnknownName, match="No masked language model for 'zh'"):
            compress("我们明天去北京看朋友。", lang="zh")
        with pytest.raises(BadInput, match="No masked language model for 'zh'"):
            compress("我们明天去北京看朋友。")

    def test_a_line_in_such_a_language_does_not_stop_the_others(
        self, model: MaskedModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load = bundled.load
        monkeypatch.setattr(bundled, "load", lambda language: model if language == "en" else load(language))
        english, chinese = Compressor(CompressOptions(syntax=False)).run([RAIN, "我们明天去北京看朋友。"])
        assert english.ratio == pytest.approx(0.5, abs=0.03)
        assert chinese.text == "我们明天去北京看朋友。"
        assert "for 'zh' is bundled" in chinese.sentences[0].error

    def test_a_model_that_is_not_there(self) -> None:
        with pytest.raises(ModelNotFound):
            compress(RAIN, masked_model="hf:./nowhere", syntax=False)


class TestCommand:
    def test_a_line_each_and_the_errors_of_some(
        self, spec: str, run_command: Run, capfd: pytest.CaptureFixture[str]
    ) -> None:
        options = ("--masked-model", spec, "--no-syntax", "--ratio", "0.5")
        assert run_command("compress", *options, RAIN, "", "Rain.", "Старый дом стоит.") == 3
        out, err = capfd.readouterr()
        lines = out.split("\n")
        assert len(lines) == 5
        assert 0 < len(lines[0]) < len(RAIN)
        assert lines[1:] == ["", "Rain.", "Старый дом стоит.", ""]
        assert "no words for" in err

    def test_jsonl_holds_what_the_documentation_lists(
        self, spec: str, run_command: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "in.txt").write_text(f"{RAIN}\n{RAIN} {SUN}\n", encoding="utf-8")
        target = tmp_path / "out.jsonl"
        options = ("--masked-model", spec, "--no-syntax", "--format", "jsonl", "--keep", "snow")
        assert run_command("compress", *options, "-i", str(tmp_path / "in.txt"), "-o", str(target)) == 0
        first, second = map(json.loads, target.read_text(encoding="utf-8").splitlines())
        fields = {"source", "text", "ratio", "words", "kept", "candidates", "signature"}
        assert set(first) == fields | {"cuts"}
        assert set(second) == fields | {"sentences"}
        assert set(first["cuts"][0]) == {"text", "round", "distance"}
        assert first["ratio"] == first["kept"] / first["words"]
        assert first["candidates"][0] == {"text": first["text"]}
        assert "snow" in first["text"].lower()
        assert capfd.readouterr().out == ""

    def test_explain_and_best(self, spec: str, run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
        assert run_command("compress", "--masked-model", spec, "--no-syntax", "--explain", "--best", "2", RAIN) == 0
        out, err = capfd.readouterr()
        assert out.count("\t") == 1
        assert "words are left (0.5" in err
        assert "round 1: " in err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--ratio", "2"), "--ratio is '2': it should be less than or equal to 1."),
            (("--keep", "umbrella"), "--keep umbrella: there is no such word in the text."),
            (("--masked-model", "magic"), "Unknown masked language model 'magic'"),
            (("--lang", "zh", "--syntax"), "--syntax with a text in 'zh'"),
        ],
    )
    def test_a_wrong_option_is_one_line(
        self, spec: str, run_command: Run, arguments: tuple[str, ...], message: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        given = arguments if "--masked-model" in arguments else ("--masked-model", spec, *arguments)
        syntax = () if "--syntax" in arguments else ("--no-syntax",)
        assert run_command("compress", *given, *syntax, RAIN) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith(f"rewrite: {message}")
        assert err.count("\n") == 1

    def test_a_protected_word_need_be_in_one_line_only(
        self, spec: str, run_command: Run, capfd: pytest.CaptureFixture[str]
    ) -> None:
        options = ("--masked-model", spec, "--no-syntax", "--keep", "friends")
        assert run_command("compress", *options, RAIN, SUN) == 0
        assert "friends" in capfd.readouterr().out.split("\n")[1].lower()


def test_half_the_words_stay_unless_there_is_a_threshold() -> None:
    assert CompressOptions().goal == 0.5
    assert CompressOptions(threshold=1.0).goal is None
