"""What the algorithms share: finding PDAL, running it with progress, errors."""

import os

import qgis.core
from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterFileDestination,
    QgsProcessingUtils,
)
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QIcon

from . import child, layers, options, page, program

DESTINATION = getattr(qgis.core, "QgsProcessingParameterPointCloudDestination", None)


class Algorithm(QgsProcessingAlgorithm):
    """An algorithm that runs pdal as a child process."""

    NAME, TITLE, HELP = "", "", ""

    def createInstance(self):
        return type(self)()

    def name(self):
        return self.NAME

    def displayName(self):
        return self.TITLE

    def shortHelpString(self):
        return self.HELP

    def add(self, parameters):
        for parameter in parameters:
            self.addParameter(parameter)

    def icon(self):
        return QIcon(os.path.join(os.path.dirname(__file__), "icon.svg"))

    def tags(self):
        return ["point cloud", "lidar", "las", "laz", "pdal", "segmentation", "superpoint", "oversegmentation"]

    def helpUrl(self):
        """The page of the Help button: written when QGIS asks for it, so that it needs no network and is never old."""
        path = os.path.join(QgsProcessingUtils.tempFolder(), f"superpoint-{self.name()}.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page.of(self))
        return QUrl.fromLocalFile(path).toString()

    def canExecute(self):
        """Algorithms stay visible without PDAL; running one says what is missing."""
        return True, ""

    def processAlgorithm(self, parameters, context, feedback):
        """Runs work and turns what may go wrong into QGIS's own errors."""
        try:
            found = program.find()
            feedback.pushInfo("pdal: " + found.path)
            return self.work(found, parameters, context, feedback)
        except child.Cancelled:
            feedback.pushInfo("Cancelled; nothing was written.")
            return {}
        except (program.NotFound, child.Failed, ValueError, OSError) as e:
            raise QgsProcessingException(str(e)) from e

    def work(self, found, parameters, context, feedback):
        """Does the algorithm's work with the program found; returns its outputs."""
        raise NotImplementedError


def crs_parameter(label):
    return options.advanced(QgsProcessingParameterCrs("CRS", label, optional=True))


def reader_crs(algorithm, parameters, context):
    """The CRS parameter as PDAL reads it: an authority's code, or WKT."""
    crs = algorithm.parameterAsCrs(parameters, "CRS", context)
    if not crs.isValid():
        return ""
    return crs.authid() or crs.toWkt()


def summary(stage):
    """One line about a run, from the stage's metadata."""
    size = stage.get("size", {})
    seconds = stage.get("seconds", {}).get("total", 0)
    text = (f"{stage['points']} points, {stage['superpoints']} superpoints"
            f" (median {size.get('median', 0)} points), model {stage.get('model', 'none')},"
            f" {stage.get('device', 'cpu')}, {seconds:.1f} s")
    metrics = stage.get("metrics")
    if metrics:
        text += "\n" + ", ".join(f"{name} {value}" for name, value in metrics.items())
    return text


def styles_of(values, stage):
    """The style files that fit what was written, the one to show first."""
    styles = []
    if values.get("color"):
        styles.append(layers.SUPERPOINT_STYLE)
    if values.get("embedding_color") and stage.get("model"):
        styles.append(layers.EMBEDDING_STYLE)
    return styles


def output_parameter(name, label):
    """A point cloud to write: with its own type from QGIS 3.24 on, which also asks
    whether to load it; before, a file, and output_is_loaded asks."""
    if DESTINATION is not None:
        return [DESTINATION(name, label)]
    return [
        QgsProcessingParameterFileDestination(name, label, fileFilter="LAZ (*.laz);;LAS (*.las);;COPC (*.copc.laz)"),
        QgsProcessingParameterBoolean("LOAD", "Show the result as a styled layer", defaultValue=True)]


def output_file(algorithm, parameters, name, context):
    """The file of an output_parameter, and whether it is to be shown. QGIS would
    load the file as it is; that is taken back, for show does it."""
    if DESTINATION is None:
        return (algorithm.parameterAsFileOutput(parameters, name, context),
                algorithm.parameterAsBoolean(parameters, "LOAD", context))
    output = algorithm.parameterAsOutputLayer(parameters, name, context)
    waiting = context.layersToLoadOnCompletion()
    shown = waiting.pop(output, None) is not None
    context.setLayersToLoadOnCompletion(waiting)
    return output, shown


def show(found, output, name, styles, context, feedback):
    """Loads output as a styled layer when the algorithm is done; returns the path
    of what is loaded, or "" with a warning where QGIS cannot show it."""
    try:
        path = layers.map_file(found, output, feedback.isCanceled)
    except (ValueError, OSError, ImportError, child.Failed) as e:
        feedback.pushWarning(f"{output} is written, but cannot be shown: {e}")
        return ""
    layers.load_when_done(path, name, context, styles)
    return path
