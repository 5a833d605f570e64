"""Remakes the pictures of pipelines/qgis/README.md: the window of a real QGIS on
a virtual screen. Run inside QGIS by PICTURES=1 make test-qgis (qgis --code)."""

import os
import sys
import traceback

import numpy
import processing
from PIL import Image, ImageDraw, ImageFont
from qgis.core import (
    QgsApplication,
    QgsProcessingOutputLayerDefinition,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QEventLoop, QModelIndex, QTimer
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface

PICTURES = os.environ["SUPERPOINT_TEST_PICTURES"]
CLOUD = os.environ["SUPERPOINT_TEST_CLOUD"]
OUT = os.path.join(os.environ["SUPERPOINT_TEST_OUT"], "pictures")
MOST = 300_000  # bytes of a picture


def save(image, name):
    """Writes a picture with a palette, for a third of the size."""
    path = os.path.join(PICTURES, name)
    assert image.convertToFormat(QImage.Format.Format_RGB888).save(path, "PNG"), path
    with Image.open(path) as picture:
        small = picture.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    assert os.path.getsize(path) < MOST, f"{path} has {os.path.getsize(path)} bytes"
    print(path, os.path.getsize(path))


def wait(milliseconds):
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec() if hasattr(loop, "exec") else loop.exec_()


def settled():
    """Waits until the map has not changed for three seconds: a large layer is drawn in steps."""
    canvas, still = iface.mapCanvas(), 0
    while still < 12:
        wait(250)
        still = 0 if canvas.isDrawing() else still + 1
    iface.messageBar().clearWidgets()


def window():
    """Returns the window with the map, the layers and the toolbox."""
    main = iface.mainWindow()
    main.setGeometry(0, 0, 1280, 800)
    for dock in main.findChildren(QDockWidget):
        dock.setVisible(dock.objectName() in ("Layers", "ProcessingToolbox"))
    toolbox = main.findChild(QDockWidget, "ProcessingToolbox")
    toolbox.searchBox.setText("superpoint")
    toolbox.algorithmTree.expandAll()
    toolbox.algorithmTree.setCurrentIndex(QModelIndex())
    toolbox.setMinimumWidth(300)
    main.findChild(QDockWidget, "Layers").setMaximumWidth(220)
    return main


def loaded(name):
    """Returns an output that is loaded, as the dialog requests it."""
    return QgsProcessingOutputLayerDefinition(os.path.join(OUT, name), QgsProject.instance())


def labels():
    """Writes the outlines that the test of labelling has drawn, on white, with a legend."""
    with Image.open(os.path.join(os.environ["SUPERPOINT_TEST_OUT"], "labels.png")) as drawn:
        map_ = numpy.array(drawn.convert("RGB"))
    map_[(map_ == 0).all(axis=2)] = 255
    height, width, _ = map_.shape
    picture = Image.new("RGB", (width, height + 34), "white")
    picture.paste(Image.fromarray(map_))
    pen, x = ImageDraw.Draw(picture), 8
    package = os.path.join(os.environ["SUPERPOINT_TEST_OUT"], "labels", "walk.gpkg")
    layer = QgsVectorLayer(package, "labels", "ogr")
    layer.loadDefaultStyle()
    entries = [(c.label(), c.symbol().color().name()) for c in layer.renderer().categories() if c.label()]
    font = ImageFont.load_default(16)
    for name, color in [*entries, ("to label next", "#ffff00")]:
        pen.rectangle((x, height + 11, x + 14, height + 25), fill=color, outline="#232323")
        pen.text((x + 20, height + 8), name, fill="black", font=font)
        x += 44 + int(pen.textlength(name, font=font))
    picture.save(os.path.join(PICTURES, "labels.png"), optimize=True)


def main():
    os.makedirs(OUT, exist_ok=True)
    frame = window()
    results = processing.runAndLoadResults("superpoint:superpoints", {
        "INPUT": CLOUD, "TARGET_SIZE": 100, "OUTPUT": loaded("village.copc.laz")})
    points, = QgsProject.instance().mapLayers().values()
    canvas = iface.mapCanvas()
    middle = points.extent().center()
    settled()
    canvas.setExtent(QgsRectangle(middle.x() - 45, middle.y() - 40, middle.x() + 45, middle.y() + 40))
    settled()
    save(frame.grab().toImage(), "window.png")
    labels()
    processing.runAndLoadResults("superpoint:outline", {
        "INPUT": [results["OUTPUT"]], "OUTPUT": loaded("outlines.gpkg")})
    QgsProject.instance().layerTreeRoot().findLayer(points.id()).setItemVisibilityChecked(False)
    canvas.setExtent(QgsRectangle(middle.x() - 45, middle.y() - 40, middle.x() + 45, middle.y() + 40))
    settled()
    save(frame.grab().toImage(), "outlines.png")


def run():
    code = 1
    try:
        main()
        code = 0
    except Exception:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    QgsApplication.instance().processEvents()
    os._exit(code)  # QGIS would ask whether to save the project


QTimer.singleShot(3000, run)
