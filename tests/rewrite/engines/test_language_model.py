"""From prompt to cleaned candidates, with an engine of known answers; and the real chain, fine-tuned in the test."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.errors import RewriteError
from rewrite.acceptance.verdict import VerdictModel
from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample
from rewrite.errors import BadOption, ContextTooLong
from rewrite.generators import Sampling, SourcesFailed
from rewrite.generators.base import JoinedGenerator
from rewrite.generators.language_model import LanguageModelGenerator
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.fakes import ListGenerator, WordModel

SOURCE = "Жители деревни, расположенной на берегу озера, неоднократно обращались в администрацию."
SHORT = "Жители деревни обращались в администрацию."
LONGER = "Жители деревни на берегу озера обращались в администрацию."


class Scripted:
    """Answers each source with given samples, or an error."""

    name = "ct2"
    info = ModelInfo(name="model", kind="causal", model_type="gpt2")

    def __init__(self, answers: Mapping[str, Sequence[Sample] | RewriteError]) -> None:
        self._answers = answers
        self.asked: list[tuple[list[ModelInput], Sampling]] = []

    def describe(self) -> Mapping[str, object]:
        return {"model": "model"}

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        self.asked.append((list(inputs), sampling))
        answers = [self._answers[one.source] for one in inputs]
        return [a if isinstance(a, RewriteError) else list(a) for a in answers]

    def close(self) -> None:
        pass


def model(answers: Mapping[str, Sequence[Sample] | RewriteError]) -> LanguageModelGenerator:
    return LanguageModelGenerator(Scripted(answers), prompt="rugpt3_simplify")


def sample(text: str, logprob: float = -3.0) -> Sample:
    return Sample(text, logprob=logprob, tokens=6, finish_reason="stop")


def test_the_prompt_and_its_stops_reach_the_engine() -> None:
    generator = model({SOURCE: [sample(f" {SHORT} ")]})
    generator.generate([SOURCE], Sampling(n=1, stop=("\n",)))
    assert isinstance(generator.engine, Scripted)
    ((inputs, sampling),) = generator.engine.asked
    assert inputs == [ModelInput(source=SOURCE, text=f"<s>{SOURCE} <Simplify:>")]
    assert sampling.stop == ("</s>", "\n")


def test_the_model_of_verdicts_says_how_likely_a_reader_is_to_pass_what_is_kept() -> None:
    source = "The municipality has two bridges."
    good, bad, long = "The town has two bridges.", "The town has no bridges.", "The town has two bridges, and more."
    judge = WordModel(ends={good: math.log(0.8), bad: math.log(0.2)}, window=len(good))
    engine = Scripted({source: [*map(sample, (good, bad, good, long, "", source))]})
    generator = LanguageModelGenerator(engine, prompt="rugpt3_simplify", verdicts=VerdictModel(judge))
    (candidates,) = generator.generate([source], Sampling(n=6))
    certainties = {c.text: c.certainty for c in candidates if not c.dropped}
    assert certainties == {good: pytest.approx(0.8), bad: pytest.approx(0.2), long: None}
    # Neither what is dropped is asked about nor what does not fit, and what was drawn twice only once.
    assert judge.asked == [(f"{source}\n3824\n", good), (f"{source}\n3824\n", bad)]
    assert all(c.certainty is None for c in candidates if c.dropped)
    assert generator.describe()["verdicts.model"] == "words"


def test_without_a_model_of_verdicts_nobody_says_whether_a_reader_passes_it() -> None:
    generator = model({SOURCE: [sample(SHORT)]})
    ((candidate,),) = generator.generate([SOURCE], Sampling(n=1))
    assert candidate.certainty is None
    assert not [key for key in generator.describe() if key.startswith("verdicts")]


def test_samples_are_cleaned_counted_and_nothing_drawn_is_hidden() -> None:
    drawn = [
        sample(f" {SHORT} ", -3.0),
        sample(SHORT[:-1], -2.0),
        sample(""),
        sample(f" {SOURCE}", -1.0),
        sample("Власти власти ушли."),
    ]
    (found,) = model({SOURCE: drawn}).generate([SOURCE], Sampling(n=5))
    kept = [candidate for candidate in found if not candidate.dropped]
    assert [(c.text, c.count, c.logprob, c.tokens) for c in kept] == [(SHORT, 2, -2.0, 6)]
    assert sum(candidate.count for candidate in found) == 5
    assert len({candidate.dropped for candidate in found}) == 4
    assert all(candidate.generator == "ct2" for candidate in found)


class ByControls(Scripted):
    """Answers each prompt with as many texts as are asked, the controls in them."""

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        self.asked.append((list(inputs), sampling))
        controls = [one.text.splitlines()[1] for one in inputs]
        return [[sample(f"Жители просили о {text} раз {i}.") for i in range(sampling.n)] for text in controls]


def test_draws_are_spread_over_control_values_and_each_says_which() -> None:
    engine = ByControls({})
    (found,) = LanguageModelGenerator(engine, prompt="gemma_ru").generate([SOURCE], Sampling(n=8))
    ((inputs, sampling),) = engine.asked
    # A short source is not asked to be split, so there are four kinds of eight draws.
    assert [one.text for one in inputs] == [f"{SOURCE}\n{c}\n" for c in ("0815", "0716", "1615", "2315")]
    assert sampling.n == 2
    assert sum(candidate.count for candidate in found) == 8
    kept = [candidate for candidate in found if not candidate.dropped]
    assert all(candidate.controls in candidate.text for candidate in kept)


@pytest.mark.parametrize("n", [1, 2, 5, 7])
def test_with_control_values_as_many_are_drawn_as_asked(n: int) -> None:
    found = LanguageModelGenerator(ByControls({}), prompt="gemma_ru").generate([SOURCE, LONGER], Sampling(n=n))
    assert [sum(candidate.count for candidate in pool) for pool in found] == [n, n]


def test_what_a_source_is_asked_does_not_depend_on_the_company() -> None:
    long = f"{SOURCE[:-1]}, но ответа на свои обращения они до сих пор так и не получили."
    engine = ByControls({})
    generator = LanguageModelGenerator(engine, prompt="gemma_ru")
    together = generator.generate([SOURCE, long], Sampling(n=12))
    assert [(len(inputs), sampling.n) for inputs, sampling in engine.asked] == [(4, 3), (6, 2)]
    assert together == [generator.generate([source], Sampling(n=12))[0] for source in (SOURCE, long)]


def test_a_number_of_sentences_is_asked_of_the_model() -> None:
    engine = ByControls({})
    LanguageModelGenerator(engine, prompt="gemma_ru", sentences=3).generate([SOURCE], Sampling(n=4))
    LanguageModelGenerator(engine, prompt="gemma_ru", max_words=5).generate([SOURCE], Sampling(n=4))
    asked = [[one.text.splitlines()[1] for one in inputs] for inputs, _ in engine.asked]
    assert asked == [["3835", "0835"], ["3825", "0825"]]


def test_a_copy_of_the_source_says_what_leaving_it_alone_is_worth() -> None:
    (found,) = model({SOURCE: [sample(SHORT), sample(SOURCE, -1.5)]}).generate([SOURCE], Sampling(n=2))
    assert found[0].source_logprob == -1.5
    (without,) = model({SOURCE: [sample(SHORT)]}).generate([SOURCE], Sampling(n=1))
    assert without[0].source_logprob is None


def test_an_input_that_fails_is_named_and_the_others_keep_their_candidates() -> None:
    generator = model({SOURCE: [sample(SHORT)], SHORT: ContextTooLong(2_000, 1_024)})
    with pytest.raises(SourcesFailed, match=r"Source 2: .*2,000.*1,024") as caught:
        generator.generate([SOURCE, SHORT], Sampling(n=1))
    assert [[c.text for c in found] for found in caught.value.candidates] == [[SHORT], []]


def test_a_prompt_of_another_kind_than_the_model_is_refused() -> None:
    generator = LanguageModelGenerator(Scripted({}), prompt="chat_simplify_ru")
    with pytest.raises(BadOption, match="chat"):
        generator.generate([SOURCE], Sampling())


def test_the_pipeline_scores_what_was_kept_and_tells_of_the_rest(analyzer: Analyzer) -> None:
    generator = model({SOURCE: [sample(SHORT), sample(LONGER), sample(""), sample(SOURCE)]})
    (result,) = Pipeline(Options(generator="ct2:model", n=4), analyzer=analyzer, generator=generator).run([SOURCE])
    assert result.text in (SHORT, LONGER)
    assert dict(result.weights)["caution"] == 0  # the paper's weights, for there are no edits to be cautious of
    row = result.row()
    assert row["drawn"] == 4
    assert sum(row["dropped"].values()) == 2
    assert {choice.text for choice in result.choices} == {SHORT, LONGER}


def test_a_failing_sentence_stands_as_it_was_and_is_reported(analyzer: Analyzer) -> None:
    failing = "Дети нашли во дворе большую рыжую кошку, которая спала на старом диване."
    generator = model({SOURCE: [sample(SHORT)], failing: ContextTooLong(2_000, 1_024)})
    pipeline = Pipeline(Options(generator="ct2:model", preset="simple"), analyzer=analyzer, generator=generator)
    (result,) = pipeline.run([f"{SOURCE} {failing}"])
    assert result.text == f"{SHORT} {failing}"
    assert "2,000" in result.sentences[1].error
    assert result.sentences[1].skipped == result.sentences[1].error


def test_joined_generators_draw_each_and_one_may_fail(analyzer: Analyzer) -> None:
    failing = model({SOURCE: ContextTooLong(2_000, 1_024)})
    joined = JoinedGenerator([ListGenerator({SOURCE: [SHORT]}), model({SOURCE: [sample(SHORT), sample(LONGER)]})])
    assert joined.name == "list+ct2"
    (found,) = joined.generate([SOURCE], Sampling(n=2))
    assert [(c.text, c.count, c.generator) for c in found] == [(SHORT, 2, "list"), (LONGER, 1, "ct2")]
    half = JoinedGenerator([ListGenerator({SOURCE: [SHORT]}), failing])
    with pytest.raises(SourcesFailed) as caught:
        half.generate([SOURCE], Sampling(n=2))
    assert [c.text for c in caught.value.candidates[0]] == [SHORT]
    pipeline = Pipeline(Options(generator="edits+ct2:m", preset="simple"), analyzer=analyzer, generator=half)
    (result,) = pipeline.run([SOURCE])
    assert result.text == SHORT
    assert "2,000" in result.sentences[0].error
    assert not result.sentences[0].skipped


def test_a_model_fine_tuned_on_fifty_pairs_gives_them_back(fine_tuned: Path) -> None:
    """Prompt, stops, training format, conversion and cleaning fit together, or this fails."""
    from rewrite.engines.registry import create_engine
    from tests.rewrite.engines.pairs import PAIRS

    for scheme, settings in (("ct2", {"compute_type": "int8"}), ("hf", {})):
        generator = LanguageModelGenerator(create_engine(scheme, str(fine_tuned), settings))
        assert generator.prompt.name == "rugpt3_simplify"  # from the model's own folder
        drawn = generator.generate([source for source, _ in PAIRS], Sampling(n=1, temperature=0, max_tokens=60))
        given = [[c.text for c in found if not c.dropped] for found in drawn]
        wrong = [(g, t) for g, (_, t) in zip(given, PAIRS, strict=True) if g != [t]]
        assert len(wrong) <= 1, (scheme, wrong[:3])


@pytest.mark.parametrize(("scheme", "settings"), [("ct2", {"compute_type": "int8"}), ("hf", {})])
def test_a_model_that_goes_on_after_its_answer_is_stopped_there(
    scheme: str, settings: dict[str, str], going_on: Path
) -> None:
    """The released checkpoint's format: without the prompt's stop strings, or without cleaning, this fails."""
    from rewrite.engines.registry import create_engine
    from tests.rewrite.engines.pairs import PAIRS

    pairs, greedy = PAIRS[:12], Sampling(n=1, temperature=0, max_tokens=60)
    generator = LanguageModelGenerator(create_engine(scheme, str(going_on), settings))
    assert generator.prompt.name == "rugpt3_simplify_released"
    unstopped = generator.engine.sample([generator.prompt.render(source) for source, _ in pairs], greedy)
    for found, (_, target) in zip(unstopped, pairs, strict=True):
        assert isinstance(found, list)
        assert found[0].text.startswith(f" {target} EndText\nText: ")
        assert found[0].finish_reason == "length"
    drawn = generator.generate([source for source, _ in pairs], greedy)
    assert [[c.text for c in found if not c.dropped] for found in drawn] == [[target] for _, target in pairs]
    for (candidate,), found in zip(drawn, unstopped, strict=True):
        assert isinstance(found, list)
        # The engine itself ended there: cleaning alone would have cut a text that was drawn to its limit.
        assert candidate.finish_reason == "stop"
        assert candidate.tokens is not None
        assert candidate.tokens < 45
        assert candidate.logprob is not None
        assert candidate.logprob > (found[0].logprob or 0.0)


def test_closing_the_generator_closes_its_engine() -> None:
    generator, closed = model({}), []
    generator.engine.close = lambda: closed.append(True)  # type: ignore[method-assign]
    generator.close()
    assert closed == [True]


def test_the_command_rewrites_with_a_fine_tuned_model(
    fine_tuned: Path, capfd: pytest.CaptureFixture[str], run_command: Callable[..., int]
) -> None:
    from tests.rewrite.engines.pairs import PAIRS

    source, target = PAIRS[1]
    assert run_command("simplify", "--generator", f"ct2:{fine_tuned}", "-n", "8", "-w", "similarity=0.1", source) == 0
    assert capfd.readouterr().out == f"{target}\n"
