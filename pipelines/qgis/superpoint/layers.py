"""Loads a result as a styled point cloud layer.

QGIS from 3.26 on reads COPC. If it is built with PDAL, it reads LAS and LAZ through a
COPC that it writes beside the file. So the plugin writes a COPC, NAME.map.copc.laz,
with pdal. If this QGIS or this pdal has no COPC (3.22 of Debian 12; PDAL before 2.4),
it writes an octree in a folder NAME.ept.
"""

import json
import math
import os
import shutil

from qgis.core import (
    QgsContrastEnhancement,
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingUtils,
    QgsProject,
    QgsProviderRegistry,
    QgsUnitTypes,
)
from qgis.PyQt.QtCore import QTimer

from . import ept, ply
from .pipeline import beside

STYLES = os.path.join(os.path.dirname(__file__), "styles")
SUPERPOINT_STYLE = os.path.join(STYLES, "superpoint.qml")
EMBEDDING_STYLE = os.path.join(STYLES, "embedding.qml")

MAP = ".map.copc.laz"  # ending of files that are written for the map
GAPLESS = 2.5  # size of a point in mean point spacings; scan lines are farther apart than points
LIGHTING = 300  # strength of eye-dome lighting; QGIS's own 1000 blackens the colours

_waiting = []  # QGIS does not keep post-processors alive


def provider(path):
    """Returns the QGIS provider that reads path, or "" if there is none."""
    lower, there = path.lower(), QgsProviderRegistry.instance().providerList()
    if lower.endswith("ept.json"):
        wanted = "ept"
    elif lower.endswith(".copc.laz"):
        wanted = "copc"
    else:
        wanted = "pdal"
    return wanted if wanted in there else ""


def map_file(program, output, cancelled=None):
    """Returns the file to load for output: output itself, or a file that it writes beside
    it. Raises ValueError if QGIS cannot show point clouds."""
    copc = stem(output) + MAP
    if output.lower().endswith(".copc.laz") and provider(output):
        return output
    if provider(copc) and program.has("writers.copc"):
        return write_copc(program, output, copc, cancelled)
    if provider(output):
        return output
    if provider("ept.json"):
        return octree(program, output, cancelled)
    raise ValueError("this QGIS has no point cloud provider; open the file elsewhere")


def stem(path):
    """Returns the path without .las, .laz or .copc.laz."""
    if path.lower().endswith(".copc.laz"):
        path = path[:-len(".laz")]
    return os.path.splitext(path)[0]


def write_copc(program, source, target, cancelled=None):
    """Writes source as COPC to target, with all dimensions."""
    with beside(target, [source]) as folder:
        written = os.path.join(folder, "cloud.copc.laz")
        program.run(["translate", source, written, "--writers.copc.forward=all",
                     "--writers.copc.extra_dims=all"],
                    cancelled=cancelled, folder=folder)
        os.replace(written, target)
    return target


def octree(program, source, cancelled=None):
    """Writes source as an octree beside it and returns the path of its ept.json."""
    target = stem(source) + ".ept"
    with beside(source, []) as folder:
        summary = json.loads(program.run(["info", "--summary", source]))["summary"]
        names = [n for n in summary["dimensions"].split(", ") if ept.shown(n) and n.isidentifier()]
        flat = os.path.join(folder, "points.ply")
        program.run(["translate", source, flat, "--writers.ply.storage_mode=little endian",
                     "--writers.ply.dims=" + ",".join(names)], cancelled=cancelled, folder=folder)
        written = os.path.join(folder, "octree")
        os.mkdir(written)
        ept.write(written, ply.read(flat, names), summary.get("srs", {}).get("wkt", ""))
        shutil.rmtree(target, ignore_errors=True)
        os.replace(written, target)
    return os.path.join(target, "ept.json")


def original(path):
    """Returns the file beside path that path was written for, or ""."""
    base = ""
    if path.lower().endswith(MAP):
        base = path[:-len(MAP)]
    elif path.endswith(".ept/ept.json"):
        base = path[:-len(".ept/ept.json")]
    names = [base + ending for ending in (".laz", ".las", ".LAZ", ".LAS") if base]
    return next((name for name in names if os.path.isfile(name)), "")


def reference(program, source):
    """Returns the spatial reference of a file: the code of an authority, or ""."""
    wkt = json.loads(program.run(["info", "--summary", source]))["summary"].get("srs", {}).get("wkt", "")
    return QgsCoordinateReferenceSystem.fromWkt(wkt).authid()


def load_when_done(path, name, context, styles):
    """Asks QGIS to add path as a layer, with the first style that can be loaded."""
    details = QgsProcessingContext.LayerDetails(name, context.project(), "OUTPUT",
                                                QgsProcessingUtils.LayerHint.PointCloud)
    styler = Styler(name, styles)
    _waiting.append(styler)
    details.setPostProcessor(styler)
    # QGIS 3.22 finds no provider for a plain path together with the hint.
    context.addLayerToLoadOnCompletion(provider(path) + "://" + path, details)


class Styler(QgsProcessingLayerPostProcessorInterface):
    """Sets the styles of a layer; QGIS calls it on the main thread."""

    def __init__(self, name, styles):
        super().__init__()
        self.name, self.styles = name, styles

    def postProcessLayer(self, layer, context, feedback):
        layer.setName(self.name)
        for path in reversed(self.styles):
            if apply(layer, path):
                layer.styleManager().addStyleFromLayer(os.path.splitext(os.path.basename(path))[0])
        if self.styles:
            shade(context.project() or QgsProject.instance())
        if EMBEDDING_STYLE in self.styles and hasattr(layer, "statistics"):
            stretch(layer.id())
        layer.triggerRepaint()
        QTimer.singleShot(0, lambda: fold(layer.id()))
        if self in _waiting:
            _waiting.remove(self)


class OwnStyle(QgsProcessingLayerPostProcessorInterface):
    """Sets the default style that a file includes, such as that of a GeoPackage."""

    def postProcessLayer(self, layer, context, feedback):
        layer.loadDefaultStyle()
        if self in _waiting:
            _waiting.remove(self)


def keep_style(path, context):
    """Adds OwnStyle, if QGIS loads path."""
    if context.willLoadLayerOnCompletion(path):
        _waiting.append(OwnStyle())
        context.layerToLoadOnCompletionDetails(path).setPostProcessor(_waiting[-1])


def load_objects(path, context):
    """Asks QGIS to add buildings and trees, in the styles of the GeoPackage."""
    for name in ("buildings", "trees"):
        layer = f"{path}|layername={name}"
        context.addLayerToLoadOnCompletion(layer, QgsProcessingContext.LayerDetails(
            name.capitalize(), context.project(), "OUTPUT", QgsProcessingUtils.LayerHint.Vector))
        keep_style(layer, context)


def apply(layer, path):
    """Loads a style file into the layer, with points of the size of their spacing; reports
    whether this succeeded."""
    _, fine = layer.loadNamedStyle(path)
    metres = spacing(layer)
    if fine and metres:
        layer.renderer().setPointSize(GAPLESS * metres)
        layer.renderer().setPointSizeUnit(QgsUnitTypes.RenderMetersInMapUnits)
    return fine


def stretch(layer_id, tries=40):
    """Sets the contrast of the style embedding to the values of the layer, once QGIS (3.26 or newer) has them.
    It polls, because QGIS 3.40 aborts if Python connects to the signal."""
    layer = QgsProject.instance().mapLayer(layer_id)
    if layer is None or tries == 0:
        return
    known = layer.statistics()
    if math.isnan(known.mean("EmbeddingR")):
        QTimer.singleShot(500, lambda: stretch(layer_id, tries - 1))
        return
    styles = layer.styleManager()
    current, style = styles.currentStyle(), os.path.splitext(os.path.basename(EMBEDDING_STYLE))[0]
    if not styles.setCurrentStyle(style):
        return
    renderer = layer.renderer()
    for band in ("Red", "Green", "Blue"):
        name = getattr(renderer, f"{band.lower()}Attribute")()
        mean = known.mean(name)
        half = min(mean - known.minimum(name), known.maximum(name) - mean)  # the mean is the middle
        if not half > 0:  # a model with fewer than three columns, or equal values
            continue
        contrast = QgsContrastEnhancement(getattr(renderer, f"{band.lower()}ContrastEnhancement")())
        contrast.setMinimumValue(mean - half, False)
        contrast.setMaximumValue(mean + half, True)
        getattr(renderer, f"set{band}ContrastEnhancement")(contrast)
    styles.setCurrentStyle(current)
    layer.triggerRepaint()


def spacing(layer):
    """Returns the point spacing in plan in metres, or 0 if it is unknown."""
    extent, crs = layer.extent(), layer.crs()
    if layer.pointCount() <= 0 or crs.isValid() and crs.isGeographic():
        return 0
    unit = QgsUnitTypes.fromUnitToUnitFactor(crs.mapUnits(), QgsUnitTypes.DistanceMeters) if crs.isValid() else 1
    return math.sqrt(extent.width() * extent.height() / layer.pointCount()) * unit


def shade(project):
    """Enables eye-dome lighting of the project, in QGIS 3.30 or newer; a project with its
    own shading keeps it."""
    if not hasattr(project, "elevationShadingRenderer"):
        return
    shading = project.elevationShadingRenderer()
    if shading.isActive():
        return
    shading.setActive(True)
    shading.setActiveEyeDomeLighting(True)
    shading.setActiveHillshading(False)
    shading.setEyeDomeLightingStrength(LIGHTING)
    project.setElevationShadingRenderer(shading)


def fold(layer):
    """Collapses the legend of 32 colours below the name of the layer."""
    node = QgsProject.instance().layerTreeRoot().findLayer(layer)
    if node is not None:
        node.setExpanded(False)
