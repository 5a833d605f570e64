# SPDX-License-Identifier: BSD-3-Clause
"""Draws the buildings and trees of a folder of `map` in the styles of their GeoPackage, over the shaded surface,
with QGIS without a window:

    QT_QPA_PLATFORM=offscreen python3 pipelines/pictures/objects.py out/map pipelines/pictures/objects.png

with the Python that QGIS's module is installed for.
"""

import os
import sys

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsHillshadeRenderer,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QPointF, QSize
from qgis.PyQt.QtGui import QColor, QFont, QPainter, QPen

BAR = 20  # metres of the scale bar


def draw(folder: str, picture: str) -> None:
    package = os.path.join(folder, "objects.gpkg")
    layers = [QgsVectorLayer(f"{package}|layername={name}", name, "ogr") for name in ("trees", "buildings")]
    surface = QgsRasterLayer(os.path.join(folder, "surface.tif"), "surface")
    for layer in (*layers, surface):
        if not layer.isValid():
            sys.exit(f"{folder} has no {layer.name()}; make it with pdal superpoint map")
    for layer in layers:
        layer.setOpacity(0.75)
    shading = QgsHillshadeRenderer(surface.dataProvider(), 1, 315, 60)
    shading.setZFactor(0.4)
    surface.setRenderer(shading)
    surface.setResamplingStage(Qgis.RasterResamplingStage.Provider)
    surface.dataProvider().enableProviderResampling(True)
    surface.dataProvider().setZoomedInResamplingMethod(surface.dataProvider().ResamplingMethod.Cubic)
    settings = QgsMapSettings()
    settings.setLayers([*layers, surface])
    settings.setDestinationCrs(layers[0].crs())
    settings.setExtent(surface.extent())
    settings.setBackgroundColor(QColor("#fafafa"))
    settings.setOutputSize(QSize(760, round(760 * surface.extent().height() / surface.extent().width())))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    scale(image, BAR / settings.mapUnitsPerPixel())
    if not image.save(picture):
        sys.exit(f"{picture} cannot be written")


def scale(image, length: float) -> None:
    """Draws a scale bar of so many pixels."""
    painter = QPainter(image)
    right, low = image.width() - 60, image.height() - 16
    painter.fillRect(int(right - length) - 10, low - 14, int(length) + 66, 26, QColor(250, 250, 250, 220))
    painter.setPen(QPen(QColor("#202020"), 3))
    painter.drawLine(QPointF(right - length, low), QPointF(right, low))
    painter.setFont(QFont("sans", 10))
    painter.drawText(QPointF(right + 8, low + 5), f"{BAR} m")
    painter.end()


if __name__ == "__main__":
    application = QgsApplication([], False)
    application.initQgis()
    draw(*sys.argv[1:])
    application.exitQgis()
