"""The base class of the algorithms: finds PDAL, runs it with progress, reports errors."""

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
        """Algorithms are listed without PDAL, too; running one reports what is missing."""
        return True, ""

    def processAlgorithm(self, parameters, context, feedback):
        """Runs work and converts its exceptions to QGIS's."""
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
        """Runs the algorithm with the program found; returns its outputs."""
        raise NotImplementedError


def crs_parameter(label):
    return options.advanced(QgsProcessingParameterCrs("CRS", label, optional=True))


def reader_crs(algorithm, parameters, context):
    """Returns the parameter CRS for PDAL: the code of an authority, or WKT."""
    crs = algorithm.parameterAsCrs(parameters, "CRS", context)
    if not crs.isValid():
        return ""
    return crs.authid() or crs.toWkt()


def summary(stage):
    """Returns one line about a run, from the metadata of the stage."""
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
    """Returns the style files for the written dimensions, the default first."""
    styles = []
    if values.get("color"):
        styles.append(layers.SUPERPOINT_STYLE)
    if values.get("embedding_color") and stage.get("model"):
        styles.append(layers.EMBEDDING_STYLE)
    return styles


def output_parameter(name, label):
    """Returns the parameters of a point cloud to write. From QGIS 3.24 on the dialog of a
    point cloud destination asks whether to load it; before, the parameter LOAD does."""
    if DESTINATION is not None:
        return [DESTINATION(name, label)]
    return [
        QgsProcessingParameterFileDestination(name, label, fileFilter="LAZ (*.laz);;LAS (*.las);;COPC (*.copc.laz)"),
        QgsProcessingParameterBoolean("LOAD", "Show the result as a styled layer", defaultValue=True)]


def output_file(algorithm, parameters, name, context):
    """Returns the file of an output_parameter, and whether to show it. The request to QGIS
    to load the file is removed, because show loads it with styles."""
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
    of the loaded file, or "" with a warning if QGIS cannot show it."""
    try:
        path = layers.map_file(found, output, feedback.isCanceled)
    except (ValueError, OSError, ImportError, child.Failed) as e:
        feedback.pushWarning(f"{output} is written, but cannot be shown: {e}")
        return ""
    layers.load_when_done(path, name, context, styles)
    return path
