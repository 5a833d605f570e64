# SPDX-License-Identifier: BSD-3-Clause
"""Errors, progress, cancelling, threads."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
import superpoint


@pytest.fixture(scope="module")
def cloud() -> np.ndarray:
    return np.random.default_rng(3).random((100_000, 3)) * [100, 100, 5]


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Python's handler of SIGINT, also where the tests were started with it ignored, as a shell does behind `&`."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def small() -> np.ndarray:
    return np.random.default_rng(3).random((1000, 3))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"knn": 0}, "option knn: 0 is out of range"),
        ({"nothing": 1}, "nothing"),
        ({"model": "missing.model"}, "missing.model"),
        ({"vote": "Intensity"}, "Intensity"),
        ({"target_size": 50, "regularization": 1}, "regularization"),
    ],
)
def test_errors_have_the_text_of_the_library(options, words):
    with pytest.raises(superpoint.Error, match=words):
        superpoint.segment(small(), **options)


def test_a_point_that_is_no_number():
    points = small()
    points[7, 0] = np.nan
    ids = superpoint.segment(points).ids
    assert ids[7] == 0 and (np.delete(ids, 7) > 0).all()


def test_progress_reports_every_step():
    calls = []
    superpoint.segment(small(), progress=lambda step, fraction: calls.append((step, fraction)))
    assert [s for s, f in calls if f == 1] and {"neighbors", "embedding", "partition"} <= {s for s, _ in calls}
    assert all(0 <= f <= 1 for _, f in calls)


def test_an_exception_of_progress_cancels_the_call(cloud):
    class Enough(Exception):
        pass

    steps = set()

    def progress(step, fraction):
        steps.add(step)
        raise Enough(step)

    with pytest.raises(Enough, match="neighbors"):
        superpoint.segment(cloud, progress=progress)
    assert steps == {"neighbors"}
    assert len(superpoint.segment(cloud)) > 1000


@pytest.mark.parametrize("command", [False, True])
@pytest.mark.usefixtures("interrupts")
def test_interrupt(cloud, command):
    cloud = np.vstack([cloud + [0, 110 * k, 0] for k in range(4)])
    seen = threading.Event()

    def interrupt():
        seen.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    steps = []
    with pytest.raises(KeyboardInterrupt):
        if command:
            labelled = superpoint.Cloud.of(cloud, dimensions={"Classification": cloud[:, 0] // 50 + 1})
            superpoint.evaluate(labelled, progress=lambda s, f: (steps.append(s), seen.set()))
        else:
            superpoint.segment(cloud, progress=lambda s, f: (steps.append(s), seen.set()))
    thread.join()
    assert steps and "output" not in steps
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert len(superpoint.segment(small())) > 0


@pytest.mark.parametrize("before", [False, True])
def test_interrupt_while_the_call_begins(cloud, monkeypatch, before):
    start, seen, steps = threading.Thread.start, threading.Event(), []

    def interrupted(thread):
        if thread.daemon:
            if not before:
                start(thread)
                assert seen.wait(60)
            raise KeyboardInterrupt
        start(thread)

    host = superpoint._segment.Host(lambda step, _: (steps.append(step), seen.set()))
    handle = host.call("sp_open", *superpoint._library.texts("option", []))
    buffer = superpoint.Cloud.of(cloud).lend([])
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        host.call("sp_segment", handle, ctypes.byref(buffer.c))
    count = len(steps)
    time.sleep(0.3)
    assert "output" not in steps and len(steps) == count  # the call does not continue
    assert bool(steps) != before
    superpoint._library.library().sp_close(handle)


def test_other_threads_run_meanwhile(cloud):
    superpoint.segment(small())  # loads the library
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    superpoint.segment(cloud, threads=1)
    during = ticks[0] - before
    done.set()
    thread.join()
    assert during >= 5  # with the GIL held at most one, when the call ends; hundreds on a quiet machine


def test_threads_segment_at_the_same_time():
    ids = superpoint.segment(small()).ids
    results = []
    threads = [threading.Thread(target=lambda: results.append(superpoint.segment(small()).ids)) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 4 and all(np.array_equal(r, ids) for r in results)


def test_a_fork_is_refused_with_a_message():
    superpoint.segment(small())
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            superpoint.segment(small())
        except superpoint.Error as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    assert b"fork" in os.read(read, 4000)


def test_every_handle_is_closed(monkeypatch):
    """Of calls that succeed, fail at the options, at the points and in a callback."""
    library, open_handles = superpoint._library.library(), []
    opened, closed = superpoint._segment.Host.call, library.sp_close

    def call(host, function, *arguments):
        handle = opened(host, function, *arguments)
        if function == "sp_open":
            open_handles.append(handle)
        return handle

    monkeypatch.setattr(superpoint._segment.Host, "call", call)
    monkeypatch.setattr(library, "sp_close", lambda handle: (open_handles.remove(handle), closed(handle)))
    superpoint.segment(small())
    for wrong in ({"vote": "Nothing"}, {"progress": lambda *_: 1 / 0}, {"model": "missing"}, {"knn": 0}):
        with pytest.raises((ValueError, ZeroDivisionError)):
            superpoint.segment(small(), **wrong)
    assert open_handles == []
    monkeypatch.undo()
    with pytest.raises(superpoint.Error, match="handle"):
        superpoint._segment.Host().call("sp_segment", 1, None)
