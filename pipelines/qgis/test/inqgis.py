# SPDX-License-Identifier: BSD-3-Clause
"""QGIS without a window, for the tests: starts the application, runs algorithms, draws
layers, reads pictures."""

import os
import shutil
import sys
import time
import unittest

import numpy
from qgis.core import (
    QgsApplication,
    QgsDoubleRange,
    QgsGeometry,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsPointCloudLayer,
    QgsProcessingAlgRunnerTask,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingUtils,
    QgsProject,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(os.path.dirname(HERE), "superpoint")
OUT = os.environ["SUPERPOINT_TEST_OUT"]
CLOUD = os.environ["SUPERPOINT_TEST_CLOUD"]
sys.path.append(os.path.dirname(PLUGIN))


def start(window=False):
    """Starts QGIS with the Processing framework and the provider."""
    application = QgsApplication([], window)
    application.initQgis()
    sys.path.append(os.path.join(QgsApplication.pkgDataPath(), "python", "plugins"))
    from processing.core.Processing import Processing
    Processing.initialize()
    from superpoint.plugin import Plugin
    plugin = Plugin(None)
    plugin.initProcessing()
    application.superpoint = plugin
    return application


def fresh(name):
    """A new empty folder for one test."""
    path = os.path.join(OUT, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def listed(folder):
    """Returns the names in a folder, sorted, without the records that outputs have beside them."""
    return sorted(name for name in os.listdir(folder) if not (name.startswith(".") and name.endswith(".superpoint")))


def run(name, parameters, feedback=None):
    """Runs an algorithm as its dialog does, on another thread; returns results, success, context and log."""
    context, feedback = QgsProcessingContext(), feedback or QgsProcessingFeedback(False)
    context.setProject(QgsProject.instance())
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("superpoint:" + name)
    fine, message = algorithm.checkParameterValues(parameters, context)
    if not fine:
        return {}, False, context, message
    ended = []
    task = QgsProcessingAlgRunnerTask(algorithm, parameters, context, feedback)
    task.executed.connect(lambda fine, results: ended.append((results, fine)))
    QgsApplication.taskManager().addTask(task)
    while not ended:
        QgsApplication.processEvents()
        time.sleep(0.005)
    return (*ended[0], context, feedback.textLog())


class InQgis(unittest.TestCase):
    """Tests in a QGIS with the provider."""

    @classmethod
    def setUpClass(cls):
        cls.application = start()

    def done(self, name, **parameters):
        """Runs an algorithm, which has to succeed; returns its results, and keeps the context and the log."""
        results, fine, self.context, self.log = run(name, parameters)
        self.assertTrue(fine, self.log)
        return results

    def refused(self, words, name, **parameters):
        """Runs an algorithm, which has to fail with a message that has the words."""
        _, fine, _, log = run(name, parameters)
        self.assertFalse(fine, log)
        self.assertIn(words, log)


def open_layer(path):
    from superpoint import layers
    layer = QgsPointCloudLayer(path, "cloud", layers.provider(path))
    assert layer.isValid(), f"{path}: QGIS cannot read it"
    QgsProject.instance().addMapLayer(layer)
    return layer


def load(context):
    """Adds the layers that an algorithm asked for to the project, as QGIS does afterwards; returns them."""
    loaded = []
    for path, details in context.layersToLoadOnCompletion().items():
        layer = QgsProcessingUtils.mapLayerFromString(path, context, True, details.layerTypeHint)
        QgsProject.instance().addMapLayer(context.takeResultLayer(layer.id()) or layer, False)
        layer.setName(details.name)
        if details.postProcessor():
            details.postProcessor().postProcessLayer(layer, context, QgsProcessingFeedback(False))
        loaded.append(layer)
    return loaded


def draw(layers, path, width=900, shading=None):
    """Draws the whole extent of the last of layers, the first on top, as a map on black and returns its pixels, RGB;
    with shading, the project's elevation shading renderer, as the map canvas does."""
    layers = layers if isinstance(layers, list) else [layers]
    layer = layers[-1]
    extent = layer.extent()
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setBackgroundColor(QColor(0, 0, 0))
    settings.setFlag(QgsMapSettings.Antialiasing, False)
    settings.setOutputSize(QSize(width, max(64, round(width * extent.height() / extent.width()))))
    settings.setOutputDpi(96)
    settings.setDestinationCrs(layer.crs())
    settings.setExtent(extent)
    if shading is not None:
        settings.setElevationShadingRenderer(shading)
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage().convertToFormat(QImage.Format_RGB888)
    assert image.save(path), path
    return pixels(image)


def pixels(image):
    """Returns height × width × 3 values of a picture or of a file."""
    if isinstance(image, str):
        image = QImage(image).convertToFormat(QImage.Format_RGB888)
    bits = image.constBits()
    data = bits.asstring(image.sizeInBytes()) if hasattr(bits, "asstring") else bytes(bits)
    rows = numpy.frombuffer(data, "u1").reshape(image.height(), image.bytesPerLine())
    return rows[:, :3 * image.width()].reshape(image.height(), image.width(), 3)


def colors(picture, least=20):
    """Returns the colours, except black, of at least so many pixels."""
    flat = picture.reshape(-1, 3).astype("u4")
    values, counts = numpy.unique(flat[:, 0] << 16 | flat[:, 1] << 8 | flat[:, 2], return_counts=True)
    return {int(v) for v, c in zip(values, counts) if c >= least and v != 0}


def points(layer, square):
    """Returns the points of the layer in a rectangle, as dictionaries of its provider."""
    found = layer.dataProvider().identify(1e-6, QgsGeometry.fromRect(square), QgsDoubleRange(), 1_000_000)
    return sorted(found, key=lambda p: (p["X"], p["Y"], p["Z"]))
