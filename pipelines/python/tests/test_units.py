# SPDX-License-Identifier: BSD-3-Clause
"""What a unit of a survey waits for on a cluster, without one."""

from __future__ import annotations

from superpoint._cluster import Unit, _Run


class Client:
    """Notes what is submitted: the name of a task is its key, without the token of the run."""

    def __init__(self) -> None:
        self.waits: dict[str, list[str]] = {}

    def submit(self, task, *arguments, key, **_):
        name = key.rsplit("-", 1)[0]
        self.waits[name] = arguments[0] if name.startswith("all-") else arguments[3]
        return name


def submitted(*units):
    client = Client()
    _Run(client, "pdal", units[-1].name, 1).submit(list(units))
    return client.waits


def unit(step, number=0, needs=(), done=False):
    return Unit(step, number, [], list(needs), 1e9, done)


def test_a_step_is_finished_when_all_its_units_are():
    waits = submitted(unit("embed", 0), unit("embed", 1), unit("embed", 2), unit("merge", 0, ["embed"]))
    assert waits["all-embed"] == ["embed-0", "embed-1", "embed-2"]
    assert waits["merge-0"] == ["all-embed"]


def test_a_unit_waits_for_those_that_it_names():
    waits = submitted(unit("cut", 0), unit("cut", 1), unit("embed", 0, ["cut 1"]), unit("number", 0, ["embed"]))
    assert waits["embed-0"] == ["cut-1"]


def test_finished_units_are_neither_started_nor_waited_for():
    waits = submitted(unit("embed", 0, done=True), unit("embed", 1), unit("merge", 0, ["embed"]))
    assert waits == {"embed-1": [], "all-embed": ["embed-1"], "merge-0": ["all-embed"]}
