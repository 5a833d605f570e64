"""Adds to a LAS file the segments of rivals at equal numbers of connected pieces, an extra dimension for each.

    peers.py IN.las OUT.las SYSTEM... [--pdal COMMAND] [--threads N] [--times FILE.csv]

Systems are cp, parallel cut pursuit, ez, EZ-SP's merge, and sv, PDAL's supervoxel. Each has three settings, those that
geom-graph has in RESULTS.md: 1, a 10-nn graph; 2, the 5-nn graph; 3, the 5-nn graph and positions times 0.2 per metre
(sv: 16, 32 and 64 neighbours). Pieces are counted on the 5-nn graph, as superpoint compare does. A dimension is named
after system, setting and points a piece, for example cp2_100. Segments that miss the wanted number of pieces by more
than 10 % are left out.
"""
import argparse
import csv
import os
import time

import laspy
import numpy as np
import pgeof
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

import solvers

SIZES = (50, 100, 200, 400)
SMALLEST = 10  # points, as our models have
CLOSE = 0.02   # of the logarithm of the number of pieces


def graph(nearest, k):
    """Edges of the k-nn graph, each pair once."""
    n = len(nearest)
    pairs = np.stack([np.repeat(np.arange(n), k), nearest[:, 1:k + 1].ravel()], 1)
    pairs.sort(1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def hand_crafted(xyz, nearest):
    """Linearity, planarity, scattering and verticality of the 20 nearest (Guinard and Landrieu 2017)."""
    rows = np.ascontiguousarray(nearest, dtype=np.uint32)
    start = np.arange(0, rows.size + 1, rows.shape[1], dtype=np.uint32)
    return np.ascontiguousarray(pgeof.compute_features(xyz.astype(np.float32), rows.ravel(), start)[:, :4])


def pieces(labels, edges, n):
    same = edges[labels[edges[:, 0]] == labels[edges[:, 1]]]
    return connected_components(coo_matrix((np.ones(len(same)), (same[:, 0], same[:, 1])), (n, n)), directed=False)[0]


def search(run, wanted, falls, lo, hi, known):
    """The strength in [lo, hi] whose pieces are nearest to the wanted number, by bisection of its logarithm."""
    best = None
    for _ in range(12):
        below = [s for s, v in known.items() if (v[1] > wanted) == falls]
        above = [s for s, v in known.items() if (v[1] > wanted) != falls]
        middle = float(np.sqrt(max(below, default=lo) * min(above, default=hi)))
        if middle not in known:
            known[middle] = run(middle)
        for v in known.values():
            if best is None or abs(np.log(v[1] / wanted)) < abs(np.log(best[1] / wanted)):
                best = v
        if abs(np.log(best[1] / wanted)) < CLOSE:
            break
    return best


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("input")
    p.add_argument("output")
    p.add_argument("systems", nargs="+", choices=["cp", "ez", "sv"])
    p.add_argument("--pdal", default="pdal")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--times")
    a = p.parse_args()
    cloud = laspy.convert(laspy.read(a.input), file_version="1.4")  # PDAL reads extra dimensions from 1.4 on alone
    xyz = np.stack([cloud.x, cloud.y, cloud.z], 1).astype(np.float64)
    xyz -= xyz.mean(0)
    n = len(xyz)
    nearest = cKDTree(xyz).query(xyz, 21)[1]
    measured = graph(nearest, 5)
    features, wide, rows = hand_crafted(xyz, nearest), graph(nearest, 10), []

    def setting(system, k):
        if system == "sv":
            return lambda s: solvers.supervoxel(a.pdal, xyz, s, 16 << (k - 1)), (0.05, 100)
        solve = solvers.cut_pursuit if system == "cp" else solvers.merge
        values = features
        if k == 3:
            values = np.ascontiguousarray(np.hstack([features, 0.2 * xyz]), dtype=np.float32)
        edges = wide if k == 1 else measured
        return lambda s: solve(values, edges, s, SMALLEST, a.threads), (1e-4, 1e3)

    for system in a.systems:
        for k in (1, 2, 3):
            solve, (lo, hi) = setting(system, k)

            def run(strength, solve=solve):
                start = time.perf_counter(), time.process_time()
                labels = solve(strength)
                wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
                return labels, pieces(labels, measured, n), wall, cpu

            known = {}
            for size in SIZES:
                labels, count, wall, cpu = search(run, n / size, True, lo, hi, known)
                name = f"{system}{k}_{size}"
                rows.append([os.path.basename(a.input), name, count, f"{wall:.3f}", f"{cpu:.3f}"])
                print(name, "wanted", round(n / size), "pieces", count, f"{wall:.2f} s", flush=True)
                if abs(np.log(count * size / n)) < 0.1:
                    cloud.add_extra_dim(laspy.ExtraBytesParams(name=name, type=np.uint32))
                    cloud[name] = labels + 1
    cloud.write(a.output)
    if a.times:
        with open(a.times, "a", newline="") as f:
            csv.writer(f).writerows(rows)


if __name__ == "__main__":
    main()
