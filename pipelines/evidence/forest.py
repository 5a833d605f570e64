"""A random forest on multi-scale features of points, to compare the classes with.

The recipe is that of 3DMASC (Letard et al. 2024, doi:10.1016/j.isprsjprs.2023.12.005)
with the shapes of 10 to 200 neighbours (pgeof) in place of spheres, which take
ten times as long: shapes and heights at several scales, returns and intensity, and a
forest of 100 trees. Every point is described and classified; seconds are of the
process (CPU) and of the clock. Needs pgeof, scikit-learn, scipy and laspy[lazrs]:

    python forest.py --jobs 2 --train A.laz B.laz --test C.laz --predictions folder
"""
import argparse
import json
import os
import time

import laspy
import numpy as np
import pgeof
from scipy.ndimage import minimum_filter, maximum_filter
from sklearn.ensemble import RandomForestClassifier

# the settings that did best on val, of those that README.md lists
SCALES = [10, 30, 100, 200]  # neighbours
WINDOWS = [2, 5, 10, 20, 40]  # metres, of heights above the lowest and below the highest point
CLASSES = {2: 2, 3: 5, 4: 5, 5: 5, 6: 6, 9: 9, 1: 1, 17: 1, 64: 1, 65: 1}  # codes of IGN -> ours; others are left out


def heights(xyz):
    """z above the lowest and below the highest of windows."""
    cell = np.floor((xyz[:, :2] - xyz[:, :2].min(0))).astype(int)
    shape = cell.max(0) + 1
    low, high = np.full(shape, np.inf), np.full(shape, -np.inf)
    np.minimum.at(low, tuple(cell.T), xyz[:, 2])
    np.maximum.at(high, tuple(cell.T), xyz[:, 2])
    columns = []
    for w in WINDOWS:
        columns.append(xyz[:, 2] - minimum_filter(low, w, mode="constant", cval=np.inf)[tuple(cell.T)])
        columns.append(maximum_filter(high, w, mode="constant", cval=-np.inf)[tuple(cell.T)] - xyz[:, 2])
    return np.stack(columns, 1)


def features(path):
    las = laspy.read(path)
    xyz = np.stack([las.x, las.y, las.z], 1)
    columns = [heights(xyz)]
    local = np.ascontiguousarray(xyz - xyz.mean(0), dtype=np.float32)
    near, _ = pgeof.knn_search(local, local, SCALES[-1])
    starts = np.arange(0, near.size + 1, SCALES[-1], dtype=np.uint32)
    shapes = pgeof.compute_features_multiscale(local, near.ravel(), starts, SCALES)
    columns.append(shapes.reshape(len(local), -1))
    i = np.asarray(las.intensity, float)
    low, high = np.quantile(i, [0.01, 0.99])
    intensity = np.clip((i - low) / max(high - low, 1), 0, 1)
    columns.append(np.stack([intensity, las.return_number, las.number_of_returns], 1))
    return np.nan_to_num(np.concatenate(columns, 1)).astype(np.float32), np.asarray(las.classification)


def now():
    return time.time(), time.process_time()


def spent(a, b):
    return {"clock": round(b[0] - a[0], 1), "cpu": round(b[1] - a[1], 1)}


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--train", nargs="+", required=True)
    p.add_argument("--test", nargs="+", required=True)
    p.add_argument("--predictions", required=True, help="folder: NAME.npy, a class for each point in file order")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--points", type=int, default=60000, help="at most so many points to learn from")
    a = p.parse_args()
    os.makedirs(a.predictions, exist_ok=True)
    start = now()
    x, y = zip(*(features(f) for f in a.train))
    x, y = np.concatenate(x), np.array([CLASSES.get(c, -1) for c in np.concatenate(y)])
    keep = np.flatnonzero(y >= 0)
    keep = np.random.default_rng(0).permutation(keep)[:a.points]
    described = now()
    forest = RandomForestClassifier(100, min_samples_leaf=3, n_jobs=a.jobs, random_state=0)
    forest.fit(x[keep], y[keep])
    report = {"train": {"features": spent(start, described), "fit": spent(described, now()), "points": len(keep)}}
    for f in a.test:
        start = now()
        x, _ = features(f)
        middle = now()
        name = os.path.splitext(os.path.basename(f))[0]
        np.save(os.path.join(a.predictions, name + ".npy"), forest.predict(x).astype(np.uint8))
        report[name] = {"features": spent(start, middle), "predict": spent(middle, now())}
    with open(os.path.join(a.predictions, "seconds.json"), "w") as out:
        json.dump(report, out, indent=1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
