"""Whose turn it is, how much may wait, and what goes in a batch."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from rewrite.server.errors import QueueFull
from rewrite.server.kinds import Kind
from rewrite.server.queue import FairQueue, Job

RU, EN = (Kind("rewrite", "simplify", "{}", language) for language in ("ru", "en"))


def jobs(*items: str, kind: Kind = RU) -> list[Job]:
    return [Job(kind, item, asyncio.Queue()) for item in items]


def taken(queue: FairQueue, most: int) -> list[str]:
    batch: Sequence[Job] = asyncio.run(queue.batch(lambda kind: most))
    return [job.item for job in batch]


def test_a_book_does_not_hold_up_a_sentence() -> None:
    queue = FairQueue(100)
    queue.put("reader", jobs(*(f"book {i}" for i in range(30))))
    queue.put("other", jobs("sentence"))
    queue.put("reader", jobs("letter"))
    # One of each client, and of the reader's one of each request.
    assert taken(queue, 2) == ["book 0", "sentence"]
    assert taken(queue, 3) == ["letter", "book 1", "book 2"]
    assert queue.waiting == 27


def test_a_batch_is_of_one_kind_and_whoever_waits_for_the_other_is_next() -> None:
    queue = FairQueue(100)
    queue.put("a", jobs("ru 1", "ru 2"))
    queue.put("b", jobs("en 1", "en 2", kind=EN))
    queue.put("c", jobs("ru 3"))
    assert taken(queue, 3) == ["ru 1", "ru 3", "ru 2"]
    assert taken(queue, 1) == ["en 1"]


def test_past_the_bound_a_request_is_refused_whole() -> None:
    queue = FairQueue(4)
    queue.put("a", jobs("1", "2"))
    with pytest.raises(QueueFull, match="2 sentences wait, 2 of them yours"):
        queue.put("a", jobs("3"))
    queue.put("b", jobs("4", "5"))
    with pytest.raises(QueueFull) as caught:
        queue.put("c", jobs("6"))
    assert 1 <= caught.value.seconds <= 60
    assert (queue.waiting, taken(queue, 9)) == (4, ["1", "4", "2", "5"])


def test_what_nobody_wants_any_more_is_not_done() -> None:
    queue = FairQueue(10)
    gone, other = jobs("1", "2", "3"), jobs("4")
    queue.put("a", gone)
    queue.put("a", other)
    assert taken(queue, 1) == ["1"]
    queue.withdraw(gone)
    queue.put_back(gone[0])  # it was being done when its client went
    assert (queue.waiting, taken(queue, 9), queue.waiting) == (1, ["4"], 0)


def test_what_is_to_be_tried_again_leaves_with_its_request() -> None:
    queue = FairQueue(10)
    gone, other = jobs("1", "2")
    queue.put("a", [gone, other])
    assert taken(queue, 2) == ["1", "2"]
    queue.put_back(gone)
    queue.put_back(other)
    queue.withdraw([gone])
    assert (queue.waiting, taken(queue, 9), queue.waiting) == (1, ["2"], 0)


def test_whoever_is_refused_waits_as_long_as_half_of_the_work_takes() -> None:
    queue = FairQueue(1_000)
    assert queue.retry_after == 1
    queue.pace = 0.5
    for number, expected in ((20, 5), (20, 10), (200, 60)):
        queue.put(f"{number} {expected}", jobs(*map(str, range(number))))
        assert queue.retry_after == expected


def test_all_that_waits_can_be_taken_out() -> None:
    queue = FairQueue(10)
    queue.put("a", jobs("1", "2"))
    queue.put("b", jobs("3"))
    queue.put_back(jobs("4")[0])
    assert sorted(job.item for job in queue.drain()) == ["1", "2", "3", "4"]
    queue.put("a", jobs("5"))
    assert (queue.waiting, taken(queue, 9)) == (1, ["5"])


def test_what_failed_comes_first_and_alone() -> None:
    queue = FairQueue(10)
    queue.put("a", jobs("1", "2"))
    failed = jobs("failed", "too")
    for job in failed:
        queue.put_back(job)
    assert [taken(queue, 9) for _ in range(3)] == [["failed"], ["too"], ["1", "2"]]
    assert failed[0].tried


def test_a_batch_is_waited_for() -> None:
    async def late() -> list[str]:
        queue = FairQueue(10)
        asking = asyncio.ensure_future(queue.batch(lambda kind: 9))
        await asyncio.sleep(0)
        queue.put("a", jobs("1", "2"))
        return [job.item for job in await asking]

    assert asyncio.run(late()) == ["1", "2"]
