"""What the page asks for beside a rewrite: readability of any text, the guard with protected words."""

from __future__ import annotations

from tests.rewrite.server.conftest import Running

SOURCE = "Правительство утвердило программу, предусматривающую строительство 15 школ в Москве."


def test_readability_of_a_text_is_that_of_a_result(server: Running) -> None:
    result = server.rewritten(f"{SOURCE} Да!", lang="ru")
    answer = server.post("/v1/readability", texts=[result["source"], result["text"], ""], lang="ru").json()
    told = [{name: ease[name] for name in ("words_per_sentence", "rare_words")} for ease in answer["results"]]
    assert told[:2] == [result["readability"]["source"], result["readability"]["text"]]
    assert told[2] == {"words_per_sentence": 0.0, "rare_words": 0.0}
    grades = [ease["grade"] for ease in answer["results"]]
    assert grades == [result["grade"]["source"], result["grade"]["text"], None]
    assert 4 < grades[0] < 8
    (english,) = server.post("/v1/readability", texts=["The committee deliberated interminably."]).json()["results"]
    assert english["grade"] > 12
    assert server.post("/v1/readability", texts=[SOURCE], lang="fr").status_code == 422


def test_scores_heed_options_of_the_guards(server: Running) -> None:
    candidates = ["Правительство утвердило программу строительства 15 школ в Москве."]
    body = {"source": SOURCE, "candidates": candidates}
    free = server.post("/v1/score", **body).json()
    kept = server.post("/v1/score", **body, options={"keep": ["предусматривающую"]}).json()
    assert free["table"]["candidates"][0]["blocked"] == ""
    assert "which is to be kept" in kept["table"]["candidates"][0]["blocked"]
    assert server.post("/v1/score", **body, options={"speed": 1}).status_code == 422
