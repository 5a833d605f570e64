"""Adds to a LAS file the segments of rivals at equal numbers of connected pieces, an extra dimension for each.

    peers.py IN.las OUT.las SYSTEM... [--settings NAME,...] [--pdal COMMAND] [--threads N] [--times FILE.csv]

Systems are cp, parallel cut pursuit, and ez, EZ-SP's merge, with the settings of settings.py, all or those named; and
sv, PDAL's supervoxel, with 16, 32 and 64 neighbours. Pieces are counted on the 5-nn graph, as superpoint compare does.
A dimension is named after system, setting and points a piece, for example cp_plain_100. Segments that miss the wanted
number of pieces by more than 10 % are left out.
"""
import argparse
import csv
import os
import time
from functools import partial

import laspy
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import solvers
from settings import SETTINGS, Cloud, Setting

SIZES = (50, 100, 200, 400)
CLOSE = 0.02  # of the logarithm of the number of pieces


class Run:
    """Labels of n points: how many pieces they are on the graph that is measured on, and the seconds they took."""

    def __init__(self, solve, measured, n):
        start = time.perf_counter(), time.process_time()
        self.labels = solve()
        self.wall, self.cpu = time.perf_counter() - start[0], time.process_time() - start[1]
        same = measured[self.labels[measured[:, 0]] == self.labels[measured[:, 1]]]
        pairs = coo_matrix((np.ones(len(same)), (same[:, 0], same[:, 1])), (n, n))
        self.pieces = connected_components(pairs, directed=False)[0]


def between(low, high, known, wanted):
    """A strength between two: where a line through the logarithms of their pieces has the wanted number, or halfway."""
    part = 0.5
    if low in known and high in known:
        part = np.log(known[low].pieces / wanted) / np.log(known[low].pieces / known[high].pieces)
    return float(low * (high / low) ** np.clip(part, 0.1, 0.9))


def search(run, wanted, strengths, known):
    """The run whose pieces are nearest to the wanted number; they get fewer as strengths grow."""
    def miss(r):
        return abs(np.log(r.pieces / wanted))

    for _ in range(12):
        low = max((s for s, r in known.items() if r.pieces > wanted), default=strengths[0])
        high = min((s for s, r in known.items() if r.pieces <= wanted), default=strengths[1])
        strength = between(low, high, known, wanted)
        if strength in known:
            break
        known[strength] = run(strength)
        if miss(known[strength]) < CLOSE:
            break
    return min(known.values(), key=miss)


def rivals(a, cloud):
    """Of each system and setting the name, the range of strengths, the setting, and the solver, which wants a strength
    and the points of the smallest segment."""
    for system in a.systems:
        if system == "sv":
            for knn in (16, 32, 64):
                yield f"sv_knn{knn}", (0.05, 100), Setting(), partial(solvers.supervoxel, a.pdal, cloud.xyz, knn)
            continue
        solver = solvers.cut_pursuit if system == "cp" else solvers.merge
        for name in a.settings:
            setting = SETTINGS[name]
            yield f"{system}_{name}", (1e-4, 1e3), setting, partial(solver, *cloud.problem(setting), a.threads)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("input")
    p.add_argument("output")
    p.add_argument("systems", nargs="+", choices=["cp", "ez", "sv"])
    p.add_argument("--settings", type=lambda names: names.split(","), default=SETTINGS)
    p.add_argument("--pdal", default="pdal")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--times")
    a = p.parse_args()
    las = laspy.convert(laspy.read(a.input), file_version="1.4")  # PDAL reads extra dimensions from 1.4 on alone
    cloud = Cloud(np.stack([las.x, las.y, las.z], 1).astype(np.float64))
    measured, n, rows = cloud.graph(5), len(cloud.xyz), []
    for system, strengths, setting, solver in rivals(a, cloud):
        known = {}  # runs by smallest segment, then by strength
        for size in SIZES:
            smallest = setting.least(size)

            def run(strength, solver=solver, smallest=smallest):
                return Run(lambda: solver(strength, smallest), measured, n)

            best = search(run, n / size, strengths, known.setdefault(smallest, {}))
            name = f"{system}_{size}"
            rows.append([os.path.basename(a.input), name, best.pieces, f"{best.wall:.3f}", f"{best.cpu:.3f}"])
            print(name, "wanted", round(n / size), "pieces", best.pieces, f"{best.wall:.2f} s", flush=True)
            if abs(np.log(best.pieces * size / n)) < 0.1:
                las.add_extra_dim(laspy.ExtraBytesParams(name=name, type=np.uint32))
                las[name] = best.labels + 1
    las.write(a.output)
    if a.times:
        with open(a.times, "a", newline="") as f:
            csv.writer(f).writerows(rows)


if __name__ == "__main__":
    main()
