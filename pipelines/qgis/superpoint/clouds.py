# SPDX-License-Identifier: BSD-3-Clause
"""Point clouds as parameters: a layer of the project, or a file.

QGIS's own point cloud parameters accept the formats that this QGIS loads. pdal reads
more (LAS and LAZ, if QGIS is built without PDAL), so every file is accepted. A layer
stands for its file and for its spatial reference.
"""

import os

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterPointCloudLayer,
    QgsProcessingUtils,
)

from . import layers

FILES = "Point clouds (*.laz *.las *.LAZ *.LAS *.ply *.e57 *.bpf *.vpc);;All files (*)"


class _Names:
    """Accepts every name of a file."""

    def clone(self):
        copy = type(self)(self.name(), self.description())
        copy.setFlags(self.flags())
        return copy

    def checkValueIsAcceptable(self, value, context=None):
        values = value if isinstance(value, (list, tuple)) else [value]
        if values and all(isinstance(v, str) and v for v in values):
            return True
        return super().checkValueIsAcceptable(value, context)

    def createFileFilter(self):
        return FILES


class CloudInput(_Names, QgsProcessingParameterPointCloudLayer):
    """One point cloud."""


class CloudInputs(_Names, QgsProcessingParameterMultipleLayers):
    """Several point clouds."""

    def __init__(self, name, description, optional=False):
        QgsProcessingParameterMultipleLayers.__init__(self, name, description, QgsProcessing.TypePointCloud,
                                                      optional=optional)


def files(job, name):
    """Returns the files of a parameter. Raises ValueError if one does not exist."""
    value = job.parameters.get(name)
    if isinstance(value, (list, tuple)):
        given = value
    elif isinstance(job.algorithm.parameterDefinition(name), CloudInputs):
        given = [value]
        if isinstance(value, str):
            given = job.algorithm.parameterAsFileList(job.parameters, name, job.context)
    else:
        given = [job.text(name) or value]
    return [_file(job, one) for one in given if one]


def _file(job, one):
    layer = one
    if isinstance(one, str):
        if one.startswith(("http://", "https://")):
            return one
        if os.path.exists(one):
            return os.path.abspath(one)  # no name begins with a dash
        layer = QgsProcessingUtils.mapLayerFromString(one, job.context, False)
    if layer is None:
        raise ValueError(f"{one}: there is no such file, and no point cloud layer of that name")
    return file_of(layer, job.references)


def file_of(layer, references=None):
    """Returns the file of a layer. Adds the layer's spatial reference to references if it is not that of the file."""
    path = layer.customProperty(layers.FILE, "") or layer.source()
    if not path.startswith(("http://", "https://")) and not os.path.exists(path):
        raise ValueError(f"layer {layer.name()}: its file {path} is gone; give the file")
    subset = layer.subsetString() if hasattr(layer, "subsetString") else ""
    if subset:
        raise ValueError(f"layer {layer.name()} has the filter {subset}, and the tool reads the whole file; remove the "
                         "filter (Layer > Filter), or give a file with these points only")
    own, shown = layer.dataProvider().crs(), layer.crs()
    if references is not None and shown.isValid() and shown != own:
        references[path] = (layer.name(), "override_srs" if own.isValid() else "default_srs", text_of(shown))
    return path


def text_of(crs):
    """Returns a spatial reference for pdal: a code that PROJ knows, or WKT."""
    if not crs.isValid():
        return ""
    return crs.authid() if crs.authid().startswith("EPSG:") else crs.toWkt()


def references(job):
    """Returns the options for the spatial reference: of the parameter CRS, else of the layers."""
    found = {}
    if job.has("CRS"):
        given = text_of(job.algorithm.parameterAsCrs(job.parameters, "CRS", job.context))
        if given:
            found["default_srs"] = given
    for name, option, text in job.references.values():
        if found.setdefault(option, text) != text:
            raise ValueError(f"layer {name} has another spatial reference than other layers or the parameter CRS; "
                             "run the tool once for each")
    return found
