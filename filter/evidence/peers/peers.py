"""Adds to a LAS file the segments of rivals at equal numbers of connected components, an extra dimension for each, and
prints them as superpoint compare's systems.

    peers.py IN.las OUT.las SYSTEM... [--settings NAME,...] [--threads N]

Systems are cp, parallel cut pursuit, and ez, EZ-SP's merge, with the settings of settings.py, all or those named.
Components are counted on the 5-nn graph, as superpoint compare does. A dimension is named after system, setting and
points a component, for example cp_plain_100. Segments that miss the wanted number by more than 10 % are left out.
"""
import argparse
import sys
from functools import partial

import laspy
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import solvers
from settings import SETTINGS, Cloud

SIZES = (50, 100, 200, 400)
CLOSE = 0.02  # of the logarithm of the number of pieces


class Run:
    """Labels of n points, and how many components they are on the graph that is measured on."""

    def __init__(self, labels, measured, n):
        self.labels = labels
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
    """Of each system and setting the name, the setting, and the solver, which wants a strength and the points of the
    smallest segment."""
    for system in a.systems:
        solver = solvers.cut_pursuit if system == "cp" else solvers.merge
        for name in a.settings:
            yield f"{system}_{name}", SETTINGS[name], partial(solver, *cloud.problem(SETTINGS[name]), a.threads)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("input")
    p.add_argument("output")
    p.add_argument("systems", nargs="+", choices=["cp", "ez"])
    p.add_argument("--settings", type=lambda names: names.split(","), default=SETTINGS)
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args()
    las = laspy.convert(laspy.read(a.input), file_version="1.4")  # PDAL reads extra dimensions from 1.4 on alone
    cloud = Cloud(np.stack([las.x, las.y, las.z], 1).astype(np.float64))
    measured, n, names = cloud.graph(5), len(cloud.xyz), []
    for system, setting, solver in rivals(a, cloud):
        known = {}  # runs by smallest segment, then by strength
        for size in SIZES:
            smallest = setting.least(size)

            def run(strength, solver=solver, smallest=smallest):
                return Run(solver(strength, smallest), measured, n)

            best = search(run, n / size, (1e-4, 1e3), known.setdefault(smallest, {}))
            name = f"{system}_{size}"
            print(name, "wanted", round(n / size), "components", best.pieces, file=sys.stderr, flush=True)
            if abs(np.log(best.pieces * size / n)) < 0.1:
                las.add_extra_dim(laspy.ExtraBytesParams(name=name, type=np.uint32))
                las[name] = best.labels + 1
                names.append("id:" + name)
    las.write(a.output)
    print(",".join(names))


if __name__ == "__main__":
    main()
