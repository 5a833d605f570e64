"""Point clouds as parameters: a layer of the project, or a file.

QGIS's own point cloud parameters accept the formats that this QGIS loads. pdal reads
more (LAS and LAZ, if QGIS is built without PDAL), so every file is accepted. A layer
stands for its file.
"""

import os

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterFile,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterPointCloudLayer,
    QgsProcessingUtils,
)

from . import layers

FILES = "Point clouds (*.laz *.las *.LAZ *.LAS *.ply *.e57 *.bpf *.vpc ept.json);;All files (*)"
OPTIONAL = QgsProcessingParameterDefinition.FlagOptional


class CloudInput(QgsProcessingParameterPointCloudLayer):
    """One point cloud."""

    def clone(self):
        copy = CloudInput(self.name(), self.description(), self.defaultValue())
        copy.setFlags(self.flags())
        return copy

    def checkValueIsAcceptable(self, value, context=None):
        return isinstance(value, str) and bool(value) or super().checkValueIsAcceptable(value, context)

    def createFileFilter(self):
        return FILES


class CloudInputs(QgsProcessingParameterMultipleLayers):
    """Several point clouds."""

    def __init__(self, name, description, optional=False):
        super().__init__(name, description, QgsProcessing.TypePointCloud, optional=optional)

    def clone(self):
        copy = CloudInputs(self.name(), self.description())
        copy.setFlags(self.flags())
        return copy

    def checkValueIsAcceptable(self, value, context=None):
        values = value if isinstance(value, (list, tuple)) else [value]
        if values and all(isinstance(v, str) and v for v in values):
            return True
        return super().checkValueIsAcceptable(value, context)

    def createFileFilter(self):
        return FILES


def files_or_folder():
    """Parameters for several clouds, or a folder of them."""
    return [CloudInputs("INPUT", "Point clouds", optional=True),
            QgsProcessingParameterFile("FOLDER", "or a folder of point clouds", QgsProcessingParameterFile.Folder,
                                       optional=True)]


def files_and_folder(algorithm, parameters, context):
    """Returns the files and folder of files_or_folder. Raises ValueError if there are none."""
    folder = algorithm.parameterAsFile(parameters, "FOLDER", context)
    sources = paths(algorithm, parameters, "INPUT", context) + ([folder] if folder else [])
    if not sources:
        raise ValueError("give Point clouds, or a folder of them")
    return sources


def path(algorithm, parameters, name, context):
    """Returns the file of a CloudInput, or "". Raises ValueError if it does not exist."""
    text = algorithm.parameterAsString(parameters, name, context)
    if readable(text):
        return text
    layer = algorithm.parameterAsPointCloudLayer(parameters, name, context)
    if layer is None and text:
        raise ValueError(f"{text}: there is no such file, and no point cloud layer of that name")
    return file_of(layer) if layer is not None else ""


def paths(algorithm, parameters, name, context):
    """Returns the files of a CloudInputs. Raises ValueError if one does not exist."""
    files = []
    value = parameters.get(name)
    layers_given = [v for v in value if not isinstance(v, str)] if isinstance(value, (list, tuple)) else []
    for layer in layers_given:
        files.append(file_of(layer))
    texts = [] if layers_given else algorithm.parameterAsFileList(parameters, name, context)
    for text in filter(None, texts):
        layer = None if readable(text) else QgsProcessingUtils.mapLayerFromString(text, context, False)
        if layer is None and not readable(text):
            raise ValueError(f"{text}: there is no such file, and no point cloud layer of that name")
        files.append(text if layer is None else file_of(layer))
    return files


def readable(text):
    """Reports whether the text is a file or an address, which pdal opens."""
    return bool(text) and (os.path.exists(text) or text.startswith(("http://", "https://")))


def file_of(layer):
    """Returns the file of a layer; of a file that was written for the map, its original."""
    source = layer.source()
    return layers.original(source) or source
