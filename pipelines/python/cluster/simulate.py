# SPDX-License-Identifier: BSD-3-Clause
"""Simulates surveys of many tiles on many workers: hours, disk, network, and memory of the merge, as a table.

Tiles are squares in a square, each with a source of its own. A worker has one thread. Processes start in the order of
`survey plan --json`, when what they need has finished and a worker is free. A process takes the longest of its seconds
of a processor, its bytes by the share of a worker in the disk, and its file operations by its share in those. The merge
and the numbering are simulated as if they fitted into memory.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Iterator
from dataclasses import dataclass

POINTS = 50e6  # of a tile
HALO = 1.06  # points that a tile reads for each point of its core: 27 m around 1.7 km
DISK = 10e9  # bytes a second that all workers read and write together
OPERATIONS = 20_000  # files a second that are opened or looked up, together
INITIAL = 0.178  # initial components of a point
INITIAL_BYTES = 400  # memory of the merge for each of them


@dataclass
class Step:
    """A step: what it takes for a point, and the file operations of a process for each tile of the survey."""

    seconds: float
    read: float  # bytes
    written: float
    kept: float  # bytes on disk until the survey ends
    marks: float


# Measured: the simulated village of 2 million points at 17 points a square metre, four sources and one tile, on one
# thread (user and system seconds, bytes by /proc/PID/io). File operations: strace with 20 and 81 tiles.
STEPS = {
    "cut": Step(2.04e-6, 137, 102, 36, 0),
    "embed": Step(4.37e-6, 81, 134, 100, 0),
    "coarsen": Step(1.78e-6, 81, 101, 101, 4.4),
    "merge": Step(0.60e-6, 36, 2, 2, 4.4),
    "refine": Step(0.83e-6, 92, 5, 5, 6.0),
    "number": Step(0.07e-6, 17, 0, 0, 6.0),
    "label": Step(0.18e-6, 49, 50, 50, 9.0),
    "write": Step(3.97e-6, 284, 163, 20, 0),
}
WITH_HALO = ("embed", "coarsen", "refine")
ALONE = ("merge", "number")  # run once


def seconds(name: str, tiles: int, workers: int) -> float:
    """Returns how long a process takes if all workers are busy; those that run once have the disk for themselves."""
    step = STEPS[name]
    alone = name in ALONE
    points = POINTS * (tiles if alone else HALO if name in WITH_HALO else 1)
    share = 1 if alone else workers
    transfer = points * (step.read + step.written) / (DISK / share)
    return max(points * step.seconds, transfer, step.marks * tiles / (OPERATIONS / share))


def neighbors(tile: int, side: int, tiles: int) -> Iterator[int]:
    """Yields the tiles around a tile and itself: those whose sources it reads."""
    row, column = divmod(tile, side)
    for r in range(max(0, row - 1), row + 2):
        for c in range(max(0, column - 1), min(side, column + 2)):
            if r * side + c < tiles:
                yield r * side + c


class Cluster:
    """Workers and the times at which they are free."""

    def __init__(self, workers: int) -> None:
        self.free = [0.0] * workers

    def run(self, ready: float, duration: float) -> float:
        """Runs a process on the worker that is free first, and returns when it ends."""
        end = max(ready, heapq.heappop(self.free)) + duration
        heapq.heappush(self.free, end)
        return end


def simulate(tiles: int, workers: int) -> dict[str, float]:
    """Returns when each step has finished for all tiles, in seconds."""
    cluster, side, ends = Cluster(workers), max(1, round(tiles**0.5)), {}
    took = {name: seconds(name, tiles, workers) for name in STEPS}
    cut = [cluster.run(0, took["cut"]) for _ in range(tiles)]
    order = sorted(range(tiles), key=lambda t: max(cut[n] for n in neighbors(t, side, tiles)))
    ends["cut"] = max(cut)
    ends["embed"] = max(cluster.run(max(cut[n] for n in neighbors(t, side, tiles)), took["embed"]) for t in order)
    before = ends["embed"]
    for name in ("coarsen", "merge", "refine", "number"):
        count = 1 if name in ALONE else tiles
        before = ends[name] = max(cluster.run(before, took[name]) for _ in range(count))
    label = [cluster.run(before, took["label"]) for _ in range(tiles)]
    ends["label"] = max(label)
    order = sorted(range(tiles), key=lambda t: max(label[n] for n in neighbors(t, side, tiles)))
    ends["write"] = max(cluster.run(max(label[n] for n in neighbors(t, side, tiles)), took["write"]) for t in order)
    return ends


def row(tiles: int, workers: int) -> str:
    ends = simulate(tiles, workers)
    points = tiles * POINTS
    merging = (seconds("merge", tiles, workers) + seconds("number", tiles, workers)) / 3600
    moved = points * sum(step.read + step.written for step in STEPS.values())
    marks = sum(step.marks for name, step in STEPS.items() if name not in ALONE) * tiles * tiles
    memory = INITIAL * INITIAL_BYTES * points
    return (f"| {tiles:,} | {points / 1e9:,.1f} | {ends['write'] / 3600:,.2f} | {merging:,.2f} | "
            f"{points * sum(step.kept for step in STEPS.values()) / 1e12:,.2f} | {moved / 1e12:,.2f} | "
            f"{moved / ends['write'] / 1e9:,.2f} | {marks / 1e6:,.2f} | {memory / 2**30:,.0f} |")


def table(tiles: list[int], workers: int) -> str:
    head = ("| tiles | points, 10⁹ | hours | of these merge and number | disk, TB | read and written, TB | GB/s | "
            "file operations, 10⁶ | merge, GiB |\n|---|---|---|---|---|---|---|---|---|\n")
    return head + "".join(row(count, workers) + "\n" for count in tiles)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiles", type=int, nargs="+", default=[10, 19, 100, 1000, 10000])
    parser.add_argument("--workers", type=int, default=100)
    given = parser.parse_args()
    print(table(given.tiles, given.workers), end="")


if __name__ == "__main__":
    main()
