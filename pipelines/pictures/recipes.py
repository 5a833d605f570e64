# SPDX-License-Identifier: BSD-3-Clause
"""Runs the blocks of the page of recipes on a simulated village, and draws a picture of each result:

    python3 pipelines/pictures/recipes.py [folder]

with `make plugin`, Go, GDAL's programs, Matplotlib, rasterio and fiona. The folder of the pictures is
pipelines/pictures/recipes.
"""

import os
import re
import subprocess
import sys
import tempfile

import fiona
import matplotlib
import numpy as np
import rasterio

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDE, HIGH, DOTS = 6.0, 2.6, 80  # inches, dots per inch
STRIP = 4.0  # metres: width of the strip of points that a section shows
LONG = 50.0  # metres: its length
COLORS = {1: "silver", 2: "#bf9a6b", 3: "#b8e186", 4: "#7fbc41", 5: "#4d9221", 6: "#d6604d", 7: "black", 18: "black"}


def run(folder: str) -> None:
    """Runs the blocks of the page on input.laz."""
    os.symlink(os.path.join(ROOT, "build"), os.path.join(folder, "build"))
    subprocess.run(["go", "run", "./testdata/scanner", "-scene", "village", "-mode", "aerial", "-points", "250000",
                    "-density", "12", "-seed", "2", "-raw", "-o", os.path.join(folder, "input.laz")],
                   cwd=ROOT, check=True)
    with open(os.path.join(ROOT, "pipelines", "recipes.md"), encoding="utf-8") as page:
        blocks = re.findall(r"^```sh[^\n]*\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        subprocess.run(["bash", "-ec", block], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def points(folder: str, name: str) -> dict:
    """Returns the columns of a file of points."""
    text = os.path.join(folder, "points.csv")
    subprocess.run([os.path.join(ROOT, "build", "pdal"), "translate", os.path.join(folder, name), text,
                    "--writers.text.precision=3"], check=True)
    return np.genfromtxt(text, delimiter=",", names=True, deletechars='"', replace_space="")


def raster(folder: str, name: str):
    """Returns the values of a raster and its extent."""
    with rasterio.open(os.path.join(folder, name)) as file:
        box = file.bounds
        values = np.ma.masked_equal(file.read(1), file.nodata if file.nodata is not None else -9999)
    return values, (box.left, box.right, box.bottom, box.top)


def axes():
    """Returns a figure and its axes without frame."""
    figure, made = plt.subplots(figsize=(WIDE, HIGH), dpi=DOTS, layout="constrained")
    made.set_axis_off()
    made.set_aspect("equal")
    return figure, made


def inside(some, place) -> np.ndarray:
    """Reports which points are in a strip along x that begins at a place."""
    across = np.abs(some["Y"] - place[1]) < STRIP / 2
    return across & (some["X"] > place[0]) & (some["X"] < place[0] + LONG)


def section(some):
    """Returns where the strip begins that has most trees and buildings, and the height of its ground."""
    tall = (some["Classification"] >= 3) & (some["Classification"] <= 5) & (some["Z"] > np.median(some["Z"]))
    roofs = some["Classification"] == 6
    best = max(
        ((min(np.sum(tall & part), np.sum(roofs & part)), place)
         for x in np.arange(some["X"].min(), some["X"].max() - LONG, 10)
         for y in np.arange(some["Y"].min() + STRIP, some["Y"].max() - STRIP, STRIP / 2)
         for place in [(x, y)] for part in [inside(some, place)]), key=lambda found: found[0])
    return best[1], np.percentile(some["Z"][inside(some, best[1])], 2)


def main(to: str) -> None:
    os.makedirs(to, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run(folder)
        draw(folder, to)


def draw(folder: str, to: str) -> None:
    """Draws all pictures."""

    def save(figure, name: str) -> None:
        figure.savefig(os.path.join(to, name + ".png"))
        plt.close(figure)

    shade, extent = raster(folder, "hillshade.tif")
    middle = (extent[2] + extent[3]) / 2
    half = (extent[1] - extent[0]) * HIGH / WIDE / 2
    view = {"xlim": extent[:2], "ylim": (middle - half, middle + half)}

    def plan(name: str, values=None, colors="viridis", alpha=1.0, label=""):
        figure, made = axes()
        made.imshow(shade, extent=extent, cmap="gray", vmin=60, vmax=255)
        if values is not None:
            picture = made.imshow(values, extent=extent, cmap=colors, alpha=alpha)
            bar = figure.colorbar(picture, ax=made, fraction=0.04, pad=0.01)
            bar.set_label(label)
        made.set(**view)
        return figure, made

    everything = points(folder, "results/points/input.laz")
    place, low = section(everything)

    def profile(name: str, some, values, colors="viridis", label="", size=5.0, limits=None):
        figure, made = axes()
        part = inside(some, place)
        kind = values[part]
        if label:
            drawn = made.scatter(some["X"][part], some["Z"][part], s=size, c=kind, cmap=colors, lw=0,
                                 vmin=limits[0], vmax=limits[1])
            figure.colorbar(drawn, ax=made, fraction=0.04, pad=0.01).set_label(label)
        else:
            made.scatter(some["X"][part], some["Z"][part], s=size, lw=0, c=[COLORS.get(int(v), "gray") for v in kind])
        made.set(xlim=(place[0], place[0] + LONG), ylim=(low - 2, low + 16))
        save(figure, name)

    save(plan("map", raster(folder, "results/canopy.tif")[0], "Greens", 0.8, "canopy, m")[0], "map")
    figure, made = plan("contours")
    with fiona.open(os.path.join(folder, "contours.gpkg")) as contours:
        for contour in contours:
            shape = contour["geometry"]
            lines = [shape["coordinates"]] if shape["type"] == "LineString" else shape["coordinates"]
            for corners in lines:
                corners = np.array(corners)
                made.plot(corners[:, 0], corners[:, 1], color="saddlebrown", lw=0.9)
    save(figure, "contours")
    save(plan("slope", np.clip(raster(folder, "slope.tif")[0], 0, 30), "magma", 0.8, "slope, degrees")[0], "slope")
    save(plan("hillshade")[0], "hillshade")
    heights = points(folder, "heights.laz")
    profile("heights", heights, heights["HeightAboveGround"], "viridis", "height above ground, m", limits=(0, 12))
    thin = points(folder, "thin.laz")
    profile("thin", thin, thin["Classification"], size=9.0)
    roofs = points(folder, "buildings.laz")
    profile("class", roofs, roofs["Classification"])
    clean = points(folder, "clean.laz")
    profile("clean", clean, clean["Classification"])
    density, box = raster(folder, "density.tif")
    figure, made = axes()
    picture = made.imshow(density, extent=box, cmap="viridis", vmax=np.percentile(density.compressed(), 99))
    figure.colorbar(picture, ax=made, fraction=0.04, pad=0.01).set_label("points/m²")
    made.set(**view)
    save(figure, "density")
    change = points(folder, "change.laz")
    figure, made = plan("change")
    drawn = made.scatter(change["X"], change["Y"], s=3, lw=0, marker="s", c=change["HeightAboveGround"],
                         cmap="coolwarm", vmin=-2, vmax=2)
    figure.colorbar(drawn, ax=made, fraction=0.04, pad=0.01).set_label("change, m")
    save(figure, "change")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "pipelines", "pictures", "recipes"))
