# SPDX-License-Identifier: BSD-3-Clause
"""Draws the planes that `mesh` wrote, from the south-west, each in the colour of its superpoint:

    python3 pipelines/pictures/planes.py planes.stl pipelines/pictures/planes.png

with Matplotlib.
"""

import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: E402

TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("color", "<u2")])
SUN = np.array([-0.5, -0.3, 0.81])
SIDE = 40  # metres of the square that is drawn


def main(file: str, picture: str) -> None:
    triangles = np.fromfile(file, TRIANGLE, offset=84)  # a header of 80 bytes, then the number of triangles
    middle = triangles["corners"].mean(axis=1)
    low = np.percentile(middle[:, :2], 50, axis=0) - SIDE / 2
    seen = triangles[((middle[:, :2] >= low) & (middle[:, :2] < low + SIDE)).all(axis=1)]
    color = np.stack([seen["color"] >> shift & 31 for shift in (0, 5, 10)], axis=1) / 31
    light = 0.65 + 0.35 * np.abs(seen["normal"] @ SUN)
    figure = plt.figure(figsize=(6.4, 4.2), dpi=100)
    axes = figure.add_axes((-0.1, -0.4, 1.2, 1.8), projection="3d")
    shaded = color * light[:, None]
    axes.add_collection3d(Poly3DCollection(seen["corners"], facecolors=shaded, edgecolors=shaded, linewidths=0.3))
    corners = seen["corners"].reshape(-1, 3)
    box = corners.min(axis=0), corners.max(axis=0)
    axes.set(xlim=(box[0][0], box[1][0]), ylim=(box[0][1], box[1][1]), zlim=(box[0][2], box[1][2]))
    axes.set_box_aspect(box[1] - box[0], zoom=1.25)
    axes.view_init(elev=32, azim=-120)
    axes.set_axis_off()
    figure.savefig(picture)


main(*sys.argv[1:])
