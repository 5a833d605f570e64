"""Writes superpoint/styles/*.qml; run with the Python of QGIS 3.26 or newer: python3 styles.py LAYER

LAYER is a COPC or the ept.json of any cloud with SuperpointColor and EmbeddingR,
EmbeddingG, EmbeddingB. The 32 colours are of the palette of `pdal superpoint
render` (pipelines/commands/render/palette.go), without those that are closest to another.
"""

import itertools
import os
import re
import sys

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsContrastEnhancement,
    QgsMapLayer,
    QgsPointCloudCategory,
    QgsPointCloudClassifiedRenderer,
    QgsPointCloudLayer,
    QgsPointCloudRgbRenderer,
)
from qgis.PyQt.QtGui import QColor

HERE = os.path.dirname(os.path.abspath(__file__))
STYLES = os.path.join(HERE, "..", "superpoint", "styles")
PALETTE = os.path.join(HERE, "..", "..", "..", "pipelines", "commands", "render", "palette.go")


def palette(count):
    """Returns count colours of render: one of the closest pair is removed until so many are left."""
    with open(PALETTE, encoding="utf-8") as file:
        body = file.read().split("return []RGB{")[1].split("\n\t}\n")[0]
    colors = [tuple(map(int, c)) for c in re.findall(r"\{(\d+), (\d+), (\d+)\}", body)]
    while len(colors) > count:
        pair = min(itertools.combinations(colors, 2), key=lambda p: apart(*p))
        colors.remove(min(pair, key=lambda c: min(apart(c, o) for o in colors if o not in pair)))
    return colors


def apart(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def save(layer, renderer, name):
    renderer.setPointSize(1.2)
    renderer.setMaximumScreenError(0.2)
    renderer.setDrawOrder2d(Qgis.PointCloudDrawOrder.BottomToTop)
    layer.setRenderer(renderer)
    categories = QgsMapLayer.StyleCategory
    path = os.path.join(STYLES, name)
    message, fine = layer.saveNamedStyle(path, categories.Symbology)
    if not fine:
        raise SystemExit(message)
    with open(path, encoding="utf-8") as file:
        text = re.sub(r",rgb:[0-9.,]+", "", file.read())  # the same colour again, as fractions
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(path):
    QgsApplication.setPrefixPath("/usr", True)
    application = QgsApplication([], False)
    application.initQgis()
    layer = QgsPointCloudLayer(path, "superpoints", "ept" if path.endswith(".json") else "copc")
    if not layer.isValid():
        raise SystemExit(path + ": QGIS cannot read it")
    categories = [QgsPointCloudCategory(i, QColor(*c), f"colour {i}") for i, c in enumerate(palette(32))]
    classes = QgsPointCloudClassifiedRenderer()
    classes.setAttribute("SuperpointColor")
    classes.setCategories(categories)
    save(layer, classes, "superpoint.qml")
    rgb = QgsPointCloudRgbRenderer()
    rgb.setRedAttribute("EmbeddingR")
    rgb.setGreenAttribute("EmbeddingG")
    rgb.setBlueAttribute("EmbeddingB")
    for setter in (rgb.setRedContrastEnhancement, rgb.setGreenContrastEnhancement, rgb.setBlueContrastEnhancement):
        stretch = QgsContrastEnhancement(Qgis.DataType.UInt16)
        stretch.setMinimumValue(0, False)
        stretch.setMaximumValue(65535, False)
        stretch.setContrastEnhancementAlgorithm(QgsContrastEnhancement.StretchToMinimumMaximum, False)
        setter(stretch)
    save(layer, rgb, "embedding.qml")
    application.exitQgis()


if __name__ == "__main__":
    main(sys.argv[1])
