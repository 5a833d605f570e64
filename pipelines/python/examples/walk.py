# SPDX-License-Identifier: BSD-3-Clause
"""From tiles to a picture: segments, trains a little, compares, draws.

    python walk.py picture.png labelled.laz [labelled.laz ...]

Needs superpoint[all] and matplotlib. The last tile is held back from training;
classes are read from the dimension Classification.
"""

import sys
from pathlib import Path

import laspy
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import superpoint

picture, *names = sys.argv[1:]
tiles = [laspy.read(name) for name in names]
held = tiles[-1]
print(f"{names[-1]}: {len(held.points)} points")

# Superpoints of about 100 points, by the built-in model.
result = superpoint.segment(held, target_size=100, progress=True)
print(result)

# A model of our own: a short training on the other tiles, from their labels. How well both separate the classes:
model = Path(picture).with_suffix(".model")
recipe = {
    "name": "walk",
    "inputs": {  # from positions alone: not all tiles have colours, which the paper's recipe reads
        "neighbors": 20,
        "neighbor_channels": ["x", "y", "z", "planarity", "verticality", "normal_turn", "elevation"],
        "point_channels": ["elevation", "linearity", "planarity", "verticality", "height_range"],
    },
    "batch": {"clouds": 2, "points": 5000},
    "optimise": {"epochs": 3, "steps": 20},
}
superpoint.train(tiles[:-1] or tiles, model, recipe=recipe, seed=1, progress=True)
for name in ("any", model):
    rows = superpoint.evaluate(held, model=name, target_size=[50, 100, 200], threads=2)
    print(name, *(f"{r['setting']}: OOA {r['ooa']:.3f} BR {r['br_as_coded']:.3f} BP {r['bp']:.3f}" for r in rows))

# A row and a polygon per superpoint.
table = superpoint.table(held, result)
print(table[["id", "count", "height", "planarity", "class", "class_share"]].describe().loc[["mean", "min", "max"]])
top = superpoint.outline(held, result)

# The picture: classes, embedding, superpoints, and their outlines from above.
x, y = np.asarray(held.x), np.asarray(held.y)
shade = (result.embedding[:, :3] - result.embedding[:, :3].min(0)) / np.ptp(result.embedding[:, :3], axis=0)
order = np.argsort(np.asarray(held.z))  # higher points cover lower ones
colour = np.random.default_rng(1).random((len(result) + 1, 3))
figure, axes = plt.subplots(1, 4, figsize=(16, 4 * np.ptp(y) / np.ptp(x) + 0.5), layout="constrained")
panels = (
    ("classes", {"c": np.asarray(held.classification)[order], "cmap": "tab10"}),
    ("embedding", {"c": shade[order]}),
    (f"{len(result)} superpoints", {"c": colour[result.ids][order]}),
)
for axis, (title, how) in zip(axes, panels):
    axis.scatter(x[order], y[order], s=2, linewidths=0, **how)
    axis.set_title(title)
top.plot(ax=axes[3], column="height", cmap="viridis", edgecolor="white", linewidth=0.3)
axes[3].set_title("seen from above: height of each superpoint")
for axis in axes:
    axis.set_aspect("equal")
    axis.set_axis_off()
figure.savefig(picture, dpi=60)
print(picture)
