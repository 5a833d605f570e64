"""Remakes the pictures of pipelines/qgis/README.md: QGIS's own windows, drawn
without a screen, and the styled layer. Run by PICTURES=1 make test-qgis."""

import os
import sys

import inqgis
from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingFeedback, QgsProject
from qgis.gui import QgsGui, QgsProcessingToolboxTreeView
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QImage

PICTURES = os.path.join(os.path.dirname(inqgis.HERE), "pictures")
MOST = 200_000  # bytes of a picture


def save(image, name, width=None):
    """Writes a picture, no wider than width."""
    if width is not None and image.width() > width:
        image = image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    path = os.path.join(PICTURES, name)
    assert image.save(path, "PNG"), path
    assert os.path.getsize(path) < MOST, f"{path} has {os.path.getsize(path)} bytes"
    print(path, os.path.getsize(path))


def toolbox():
    """The Processing toolbox, open at the provider."""
    view = QgsProcessingToolboxTreeView(None, QgsApplication.processingRegistry())
    view.setFilterString("superpoint")
    view.setHeaderHidden(True)
    view.expandAll()
    view.clearSelection()
    view.resize(300, 120)
    return view.grab().toImage()


def dialog(cloud):
    """The dialog of Superpoints, as it opens from the toolbox."""
    from processing.gui.AlgorithmDialog import AlgorithmDialog
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("superpoint:superpoints")
    window = AlgorithmDialog(algorithm, False, None)
    window.setParameters({"INPUT": cloud, "TARGET_SIZE": 100, "MODEL": "auto", "METHOD": "ssp", "SOLVER": "auto",
                          "OUTPUT": "village-superpoints.laz", "LOAD": True})
    window.setFixedSize(1000, 640)
    window.show()
    for _ in range(10):
        QgsApplication.processEvents()
    image = window.grab().toImage()
    window.close()
    return image


def main():
    os.makedirs(PICTURES, exist_ok=True)
    application = inqgis.start(window=True)
    QgsGui.instance()
    cloud = os.environ["SUPERPOINT_TEST_CLOUD"]
    save(toolbox(), "toolbox.png")
    save(dialog(os.path.join("tiles", os.path.basename(cloud))), "dialog.png")

    folder = os.path.join(os.environ["SUPERPOINT_TEST_OUT"], "pictures")
    os.makedirs(folder, exist_ok=True)
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback()
    context.setProject(QgsProject.instance())
    run = QgsApplication.processingRegistry().createAlgorithmById
    results, fine = run("superpoint:superpoints").run(
        {"INPUT": cloud, "TARGET_SIZE": 100, "OUTPUT": os.path.join(folder, "village.laz")}, context, feedback)
    assert fine, feedback.textLog()
    layer = inqgis.open_layer(results["MAP"])
    for style in ("superpoint", "embedding"):
        layer.loadNamedStyle(os.path.join(inqgis.PLUGIN, "styles", style + ".qml"))
        path = os.path.join(folder, style + ".png")
        inqgis.draw(layer, path, 460)
        save(QImage(path), style + ".png")
    path = os.path.join(folder, "render.png")
    _, fine = run("superpoint:render").run(
        {"INPUT": results["OUTPUT"], "PANELS": "input,superpoint", "WIDTH": 720, "OUTPUT": path}, context, feedback)
    assert fine, feedback.textLog()
    save(QImage(path), "render.png", 720)
    application.exitQgis()


if __name__ == "__main__":
    sys.exit(main())
