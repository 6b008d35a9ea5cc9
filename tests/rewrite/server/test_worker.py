"""What a worker process holds and does, asked in this one."""

from __future__ import annotations

import pickle

import pytest

from rewrite.errors import BadInput, BadOption, BadWeights, ContextTooLong, RewriteError
from rewrite.generators import known_generators
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.server.errors import QueueFull
from rewrite.server.kinds import CHOOSING, SAMPLING, Kind
from rewrite.server.settings import Settings
from rewrite.server.tasks import COMPONENTS, OPTIONS, components, kind_of, read_options, warm_up
from rewrite.server.worker import Models, do

CAT = "Кошка, которую нашли дети, живущие в соседнем доме, спала на старом диване."
EDITS = Settings(generators={"simplify": "edits", "split": "splitter"})


@pytest.fixture(scope="module")
def models() -> Models:
    return Models({})


def kind(**given: object) -> Kind:
    return kind_of("rewrite", "simplify", read_options("simplify", given, {}, "ru", EDITS), "ru")


def test_options_of_the_draw_and_the_choice_share_models(models: Models) -> None:
    one, other = (
        models.pipeline("simplify", kind(**given).options) for given in ({}, {"n": 3, "seed": 1, "keep": ["x"]})
    )
    assert one.generator_in("ru") is other.generator_in("ru")
    assert one.bench("ru").analyzer is other.bench("ru").analyzer
    assert (len(one.bench("ru").facts), len(other.bench("ru").facts)) == (2, 3)
    guessed = kind_of("rewrite", "simplify", read_options("simplify", {}, {}, None, EDITS), "ru")
    assert models.pipeline("simplify", guessed.options).generator_in("ru") is one.generator_in("ru")
    strict = models.pipeline("simplify", kind(strict=True).options)
    assert strict.generator_in("ru") is not one.generator_in("ru")
    assert strict.analyzer is one.analyzer


def test_what_only_the_choice_reads_makes_no_other_batch() -> None:
    plain = kind()
    assert plain == kind(best=3, diverse=True, preset="simple") == kind(control=7)
    assert plain != kind(n=5)
    weighted = read_options("simplify", {}, {"similarity": 3, "ndd": 1}, "ru", EDITS)
    assert '"weights": {"ndd": 1.0}' in kind_of("rewrite", "simplify", weighted, "ru").options


def test_the_options_that_are_told_apart_are_options() -> None:
    for names in (SAMPLING, CHOOSING):
        assert set(names) <= set(Options.model_fields)


def test_few_models_are_kept(models: Models) -> None:
    for words in range(5, 20):
        models.pipeline("simplify", kind(max_words=words).options)
    assert len(models._made) == 8


def test_a_sentence_given_twice_is_answered_twice(models: Models) -> None:
    done = do(models, kind(), [CAT, CAT])
    assert [outcome.source for outcome in done.outcomes] == [CAT, CAT]
    expected = Pipeline(Options(generator="edits", lang="ru"))
    assert done.settings == expected.settings


def test_a_pipeline_is_asked_under_other_options_as_one_of_its_own() -> None:
    pipeline = Pipeline(Options(generator="edits", lang="ru"))
    options = Options(generator="edits", lang="ru", n=3, seed=2, keep=("старом",), preset="simple", best=2)
    (result,), (expected,) = pipeline.like(options).run([CAT]), Pipeline(options).run([CAT])
    assert (result.n_best, result.signature) == (expected.n_best, expected.signature)
    assert "старом" in result.text
    with pytest.raises(BadWeights, match="nothing"):
        pipeline.like(Options(generator="edits", weights={"nothing": 1}))


@pytest.mark.parametrize(
    "error",
    [BadInput("Wrong.", hint="Mend it."), BadOption("No."), ContextTooLong(9, 5), QueueFull("Full.", seconds=3)],
)
def test_errors_come_back_from_a_worker_as_they_were(error: RewriteError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_what_is_loaded_first_is_what_a_request_without_options_asks_for() -> None:
    steps = warm_up(Settings(load=("split-en", "simplify-ru"), generators=EDITS.generators))
    assert [step[0] for step in steps] == [
        kind_of("rewrite", "split", read_options("split", {}, {}, None, EDITS), "en"),
        kind_of("rewrite", "simplify", read_options("simplify", {}, {}, None, EDITS), "ru"),
    ]


def test_all_components_are_described() -> None:
    assert {name for task in OPTIONS for name in components(task)} <= COMPONENTS.keys()


def test_names_of_generators_are_looked_up_once() -> None:
    assert known_generators() is known_generators()
