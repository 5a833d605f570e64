"""Draws the buildings and trees of a GeoPackage as QGIS shows them, in the style
that came with them, without a window:

    QT_QPA_PLATFORM=offscreen python3 pipelines/pictures/objects.py out/objects.gpkg pipelines/pictures/objects.png

with the Python that QGIS's module is installed for.
"""

import sys

from qgis.core import QgsApplication, QgsMapRendererParallelJob, QgsMapSettings, QgsVectorLayer
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor


def draw(package: str, picture: str) -> None:
    layers = [QgsVectorLayer(f"{package}|layername={name}", name, "ogr") for name in ("trees", "buildings")]
    for layer in layers:
        if not layer.isValid():
            sys.exit(f"{package} has no layer {layer.name()}; make it with pdal superpoint objects")
    extent = layers[0].extent()
    extent.combineExtentWith(layers[1].extent())
    extent.scale(1.03)
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setDestinationCrs(layers[0].crs())
    settings.setExtent(extent)
    settings.setBackgroundColor(QColor("#fafafa"))
    settings.setOutputSize(QSize(420, 424))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    if not job.renderedImage().save(picture):
        sys.exit(f"{picture} cannot be written")


if __name__ == "__main__":
    application = QgsApplication([], False)
    application.initQgis()
    draw(*sys.argv[1:])
    application.exitQgis()
