"""Adds to a LAS file the segments of rivals at equal numbers of connected components and of ids, an extra dimension for
each, and prints them as superpoint compare's systems.

    peers.py IN.las OUT.las SYSTEM... [--settings NAME,...] [--threads N] [--programs FOLDER]

Systems are cp, parallel cut pursuit, and ez, EZ-SP's merge, with the settings of settings.py, and pcl, yblin and pdal,
programs in a folder, with those of programs.py; all or those named. Components are counted on the 5-nn graph, as
superpoint compare does. A dimension is named after system, setting and points a component, for example cp_plain_100, or
points an id, pcl_normal1_ids_100; segments of cp and ez are connected. Segments that miss the wanted number by more
than 10 % are left out.
"""
import argparse
import sys
import tempfile
from dataclasses import dataclass
from functools import partial

import laspy
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import programs
import solvers
from settings import SETTINGS, Cloud

SIZES = (50, 100, 200, 400)
CLOSE = 0.02   # of the logarithm of the number
REACHED = 0.1


class Run:
    """Labels of n points, and how many ids and components they are on the graph that is measured on."""

    def __init__(self, labels, measured, n):
        self.labels, self.ids = labels, len(np.unique(labels))
        same = measured[self.labels[measured[:, 0]] == self.labels[measured[:, 1]]]
        pairs = coo_matrix((np.ones(len(same)), (same[:, 0], same[:, 1])), (n, n))
        self.pieces = connected_components(pairs, directed=False)[0]


@dataclass
class Rival:
    """A system with a setting."""

    name: str
    labels: object     # of a strength, which is a resolution for programs, and the points of the smallest segment
    strengths: tuple   # lowest and highest
    least: object      # of the wanted points, those of the smallest segment
    ways: tuple = ("pieces",)
    first: tuple = ()  # strengths to begin with: where segments fall apart, more strength may give more pieces


def between(low, high, known, wanted, way):
    """A strength between two: where a line through the logarithms of their numbers has the wanted one, or halfway."""
    part = 0.5
    if low in known and high in known and getattr(known[low], way) > getattr(known[high], way):
        most, fewest = getattr(known[low], way), getattr(known[high], way)
        part = np.log(most / wanted) / np.log(most / fewest)
    return float(low * (high / low) ** np.clip(part, 0.1, 0.9))


def search(run, wanted, strengths, known, way):
    """The run whose pieces, or ids, are nearest to the wanted number, at the lowest strength with as few."""
    def miss(r):
        return abs(np.log(getattr(r, way) / wanted))

    def bracket():
        high = min((s for s, r in known.items() if getattr(r, way) <= wanted), default=strengths[1])
        return max((s for s, r in known.items() if getattr(r, way) > wanted and s < high), default=strengths[0]), high

    def best():
        return min((known[s] for s in bracket() if s in known), key=miss)

    for _ in range(12):
        low, high = bracket()
        strength = between(low, high, known, wanted, way)
        beyond = high in known and getattr(known[high], way) > wanted
        if beyond or strength in known or high < 1.005 * low or known and miss(best()) < CLOSE:
            break
        known[strength] = run(strength)
    return best() if miss(best()) < REACHED else min(known.values(), key=miss)


def rivals(a, cloud, compiled):
    """The systems with their settings."""
    for system in a.systems:
        if system in programs.SETTINGS:
            for name, setting in compiled.settings(system).items():
                labels = partial(compiled.labels, system, setting)
                yield Rival(f"{system}_{name}", lambda resolution, _, labels=labels: labels(resolution),
                            (compiled.spacing, 40 * compiled.spacing), lambda size: 1, ("pieces", "ids"),
                            tuple(compiled.spacing * np.geomspace(2, 40, 13)))
            continue
        solver = solvers.cut_pursuit if system == "cp" else solvers.merge
        for name, setting in SETTINGS.items():
            yield Rival(f"{system}_{name}", partial(solver, *cloud.problem(setting), a.threads), (1e-4, 1e3),
                        setting.least)


def colors(las):
    """Colours of 0 to 255, or None if there are none."""
    if "red" not in las.point_format.dimension_names:
        return None
    values = np.stack([las.red, las.green, las.blue], 1).astype(np.float64)
    if not values.any():
        return None
    return np.round(values / 257 if values.max() > 255 else values)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("input")
    p.add_argument("output")
    p.add_argument("systems", nargs="+", choices=["cp", "ez", *programs.SETTINGS])
    p.add_argument("--settings", type=lambda names: names.split(","))
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--programs", default=".")
    a = p.parse_args()
    las = laspy.convert(laspy.read(a.input), file_version="1.4")  # PDAL reads extra dimensions from 1.4 on alone
    cloud = Cloud(np.stack([las.x, las.y, las.z], 1).astype(np.float64))
    measured, n, names = cloud.graph(5), len(cloud.xyz), []
    with tempfile.TemporaryDirectory() as scratch:
        compiled = programs.Programs(a.programs, scratch, cloud, colors(las))
        for rival in rivals(a, cloud, compiled):
            if a.settings and rival.name.split("_", 1)[1] not in a.settings:
                continue
            known = {}  # runs by smallest segment, then by strength
            for way, size in ((way, size) for way in rival.ways for size in SIZES):
                smallest = rival.least(size)

                def run(strength, labels=rival.labels, smallest=smallest):
                    return Run(labels(strength, smallest), measured, n)

                if smallest not in known:
                    known[smallest] = {float(s): run(float(s)) for s in rival.first}
                best = search(run, n / size, rival.strengths, known[smallest], way)
                name = f"{rival.name}_ids_{size}" if way == "ids" else f"{rival.name}_{size}"
                number = getattr(best, way)
                print(name, "wanted", round(n / size), way, number, file=sys.stderr, flush=True)
                if abs(np.log(number * size / n)) < REACHED:
                    las.add_extra_dim(laspy.ExtraBytesParams(name=name, type=np.uint32))
                    las[name] = best.labels + 1
                    names.append("id:" + name)
    las.write(a.output)
    print(",".join(names))


if __name__ == "__main__":
    main()
