"""Loads a result as a styled point cloud layer.

QGIS from 3.26 on reads LAS, LAZ and COPC where it was built with PDAL. Other
builds, such as Debian 12's 3.22, read EPT only: for these an octree is written
beside the result, in a folder NAME.ept.
"""

import os
import shutil

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingUtils,
    QgsProviderRegistry,
)

from . import ept, las
from .pipeline import beside

STYLES = os.path.join(os.path.dirname(__file__), "styles")
SUPERPOINT_STYLE = os.path.join(STYLES, "superpoint.qml")
EMBEDDING_STYLE = os.path.join(STYLES, "embedding.qml")

_waiting = []  # QGIS does not keep post-processors alive


def provider(path):
    """The QGIS provider that reads path, or "" if this QGIS has none for it."""
    lower, there = path.lower(), QgsProviderRegistry.instance().providerList()
    if lower.endswith("ept.json"):
        wanted = ["ept"]
    elif lower.endswith(".copc.laz"):
        wanted = ["copc", "pdal"]
    else:
        wanted = ["pdal"]
    return next((name for name in wanted if name in there), "")


def map_file(program, output, cancelled=None):
    """Returns what QGIS can load for output: output itself, or an octree that is
    written beside it. Raises ValueError where QGIS can show no point clouds."""
    if provider(output):
        return output
    if not provider("ept.json"):
        raise ValueError("this QGIS has no point cloud provider; open the file elsewhere")
    return octree(program, output, cancelled)


def octree(program, source, cancelled=None):
    """Writes source as an octree beside it and returns the path of its ept.json."""
    target = os.path.splitext(source)[0] + ".ept"
    with beside(source, []) as folder:
        flat = os.path.join(folder, "points.las")
        color = '"Red"' in program.run(["info", "--schema", source])
        program.run(["translate", source, flat, "--writers.las.forward=all", "--writers.las.minor_version=4",
                     "--writers.las.dataformat_id=" + ("7" if color else "6"),
                     "--writers.las.extra_dims=all"], cancelled=cancelled, folder=folder)
        written = os.path.join(folder, "octree")
        os.mkdir(written)
        ept.write(written, *las.read(flat))
        shutil.rmtree(target, ignore_errors=True)
        os.replace(written, target)
    return os.path.join(target, "ept.json")


def load_when_done(path, name, context, styles):
    """Asks QGIS to add path as a layer with the first of the styles that fits."""
    details = QgsProcessingContext.LayerDetails(name, context.project(), "OUTPUT", QgsProcessingUtils.LayerHint.PointCloud)
    styler = Styler(name, styles)
    _waiting.append(styler)
    details.setPostProcessor(styler)
    # QGIS 3.22 finds no provider for a plain path together with the hint.
    context.addLayerToLoadOnCompletion(provider(path) + "://" + path, details)


class Styler(QgsProcessingLayerPostProcessorInterface):
    """Gives a layer its styles; QGIS calls it on the main thread."""

    def __init__(self, name, styles):
        super().__init__()
        self.name, self.styles = name, styles

    def postProcessLayer(self, layer, context, feedback):
        layer.setName(self.name)
        for path in reversed(self.styles):
            if apply(layer, path):
                layer.styleManager().addStyleFromLayer(os.path.splitext(os.path.basename(path))[0])
        layer.triggerRepaint()
        if self in _waiting:
            _waiting.remove(self)


def apply(layer, path):
    """Loads a style file into the layer; tells whether it could."""
    _, fine = layer.loadNamedStyle(path)
    return fine
