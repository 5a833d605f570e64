"""Writes superpoint/styles/*.qml; run with QGIS's Python: python3 styles.py LAYER

LAYER is the ept.json of any cloud with SuperpointColor and EmbeddingR, EmbeddingG,
EmbeddingB. The 32 colours are spread over CIELAB: each next one is the colour that
is farthest from all before it, among colours neither too dark nor too pale.
"""

import os
import sys

import numpy
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsContrastEnhancement,
    QgsPointCloudCategory,
    QgsPointCloudClassifiedRenderer,
    QgsPointCloudLayer,
    QgsPointCloudRgbRenderer,
)
from qgis.PyQt.QtGui import QColor

STYLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "superpoint", "styles")


def lab(rgb):
    """sRGB in [0, 1] to CIELAB (D65): IEC 61966-2-1 and CIE 15."""
    linear = numpy.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = linear @ numpy.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    t = xyz / numpy.array([0.9505, 1.0, 1.089])
    f = numpy.where(t > 216 / 24389, numpy.cbrt(t), (24389 / 27 * t + 16) / 116)
    return numpy.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def palette(count):
    steps = numpy.linspace(0, 1, 18)
    rgb = numpy.array([[r, g, b] for r in steps for g in steps for b in steps])
    colors = lab(rgb)
    inside = (colors[:, 0] > 35) & (colors[:, 0] < 88) & (numpy.hypot(colors[:, 1], colors[:, 2]) > 18)
    rgb, colors = rgb[inside], colors[inside]
    chosen = [int(numpy.argmin(numpy.abs(rgb - [0.2, 0.4, 0.8]).sum(axis=1)))]
    distance = numpy.full(len(rgb), numpy.inf)
    while len(chosen) < count:
        distance = numpy.minimum(distance, numpy.linalg.norm(colors - colors[chosen[-1]], axis=1))
        chosen.append(int(numpy.argmax(distance)))
    return [tuple(int(round(255 * v)) for v in rgb[i]) for i in chosen]


def save(layer, renderer, name):
    renderer.setPointSize(1.2)
    renderer.setMaximumScreenError(0.2)
    layer.setRenderer(renderer)
    message, fine = layer.saveNamedStyle(os.path.join(STYLES, name))
    if not fine:
        raise SystemExit(message)


def main(path):
    QgsApplication.setPrefixPath("/usr", True)
    application = QgsApplication([], False)
    application.initQgis()
    layer = QgsPointCloudLayer(path, "superpoints", "ept")
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
