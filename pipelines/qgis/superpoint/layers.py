# SPDX-License-Identifier: BSD-3-Clause
"""Loads results as styled layers.

QGIS from 3.26 on reads COPC; before, and if this pdal has no COPC (before 2.4), it is
shown an octree. A result that is neither is shown by a copy in QGIS' temporary folder,
so that no file beside the result is written or replaced. The layer knows its file.
"""

import json
import math
import os
import tempfile

from qgis.core import (
    QgsBilinearRasterResampler,
    QgsColorRampShader,
    QgsContrastEnhancement,
    QgsCoordinateReferenceSystem,
    QgsHillshadeRenderer,
    QgsPointCloudCategory,
    QgsPointCloudClassifiedRenderer,
    QgsPointCloudLayer,
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingUtils,
    QgsProject,
    QgsProviderRegistry,
    QgsRasterLayer,
    QgsRasterShader,
    QgsSingleBandPseudoColorRenderer,
    QgsUnitTypes,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtGui import QColor, QPainter

from . import ept, options, program

STYLES = os.path.join(os.path.dirname(__file__), "styles")
SUPERPOINT, EMBEDDING, CLASS = "superpoint", "embedding", "class"
BANDS = {"EmbeddingR": "Red", "EmbeddingG": "Green", "EmbeddingB": "Blue"}
FILE = "superpoint/file"  # property of a layer: the file that it shows a copy of
MAP = "superpoint/map"  # custom property of layers of a map: its folder
GAPLESS = 2.5  # size of a point in mean point spacings; scan lines are farther apart than points
POINTS_FROM = 2500  # denominator of the smallest scale at which a map shows points
HEIGHTS = ((0, (255, 255, 255, 0)), (2, (199, 233, 192, 255)), (10, (65, 171, 93, 255)), (30, (0, 68, 27, 255)))
UNDEFINED = "Undefined Cartesian SRS"  # a GeoPackage's name of no spatial reference, which QGIS cannot transform
LIGHTING = 300  # strength of eye-dome lighting; QGIS's own 1000 blackens the colours

_waiting = []  # QGIS does not keep post-processors alive


def provider(path):
    """Returns the QGIS provider that reads path, or "" if there is none."""
    lower, there = path.lower(), QgsProviderRegistry.instance().providerList()
    wanted = "ept" if lower.endswith("ept.json") else "copc" if lower.endswith(".copc.laz") else "pdal"
    return wanted if wanted in there else ""


def stem(path):
    """Returns the name of a file without .las, .laz or .copc.laz."""
    name = os.path.basename(path)
    return os.path.splitext(name[:-len(".laz")] if name.lower().endswith(".copc.laz") else name)[0]


def map_file(job, output):
    """Returns the file to load for output: itself, or a copy in QGIS' temporary folder. Raises ValueError if QGIS
    cannot show point clouds."""
    if output.lower().endswith(".copc.laz") and provider(output):
        return output
    folder = tempfile.mkdtemp(prefix="superpoint-", dir=QgsProcessingUtils.tempFolder())
    copy = os.path.join(folder, stem(output) + ".copc.laz")
    if provider(copy) and job.program.has("writers.copc"):
        job.program.run(["translate", output, copy, "--writers.copc.forward=all", "--writers.copc.extra_dims=all"],
                        job.feedback)
        ept.check_count(points(job, copy), points(job, output), copy)
        return copy
    if provider("ept.json"):
        return ept.convert(job.program, output, folder, job.feedback)
    if provider(output):
        return output
    raise ValueError("this QGIS has no point cloud provider; open the file elsewhere")


def points(job, path):
    """Returns the number of points of a file; None if its metadata have none."""
    return json.loads(job.program.ask("info", "--metadata", path))["metadata"].get("count")


def show(job, output, name, styles):
    """Loads output as a styled layer when the algorithm is done; returns the path
    of the loaded file, or "" with a warning if QGIS cannot show it."""
    try:
        path = map_file(job, output)
        limits = ranges(job, output) if EMBEDDING in styles else {}
    except (ValueError, OSError, ImportError, program.Failed) as e:
        job.feedback.pushWarning(f"{output} is written, but cannot be shown: {e}")
        return ""
    if path != output:
        remedy = "; for a layer that stays in a project choose a result that ends in .copc.laz"
        job.feedback.pushInfo("The layer is a copy in QGIS' temporary folder, which QGIS removes when it ends" +
                              (remedy if provider(".copc.laz") else ""))
    details = QgsProcessingContext.LayerDetails(name, job.context.project(), "OUTPUT",
                                                QgsProcessingUtils.LayerHint.PointCloud)
    _waiting.append(Styler(name, output, styles, limits))
    details.setPostProcessor(_waiting[-1])
    # QGIS 3.22 finds no provider for a plain path together with the hint.
    job.context.addLayerToLoadOnCompletion(provider(path) + "://" + path, details)
    return path


def styles_of(values, stage):
    """Returns the styles for the written dimensions, the default first."""
    styles = [SUPERPOINT] if values.get("color") else []
    if values.get("embedding_color") and stage.get("model"):
        styles.append(EMBEDDING)
    return styles + ([CLASS] if values.get("classes") else [])


class Styler(QgsProcessingLayerPostProcessorInterface):
    """Sets the styles of a layer; QGIS calls it on the main thread."""

    def __init__(self, name, file, styles, limits):
        super().__init__()
        self.name, self.file, self.styles, self.limits = name, file, styles, limits

    def postProcessLayer(self, layer, context, feedback):
        layer.setName(self.name)
        layer.setCustomProperty(FILE, self.file)
        for style in reversed(self.styles):
            if apply(layer, style):
                if style == EMBEDDING:
                    stretch(layer.renderer(), self.limits)
                layer.styleManager().addStyleFromLayer(style)
        if self.styles:
            shade(context.project() or QgsProject.instance())
        layer.triggerRepaint()
        name = layer.id()
        QTimer.singleShot(0, lambda: fold(name))  # the layer may be removed before
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
    """Asks QGIS to add buildings, crowns and trees, in the styles of the GeoPackage."""
    for name in ("buildings", "crowns", "trees"):
        layer = f"{path}|layername={name}"
        context.addLayerToLoadOnCompletion(layer, QgsProcessingContext.LayerDetails(
            name.capitalize(), context.project(), "OUTPUT", QgsProcessingUtils.LayerHint.Vector))
        keep_style(layer, context)


def show_map(folder, clouds, project):
    """Adds the results of a map to the project, as one group: objects on top, points by class, terrain below as a
    hillshade. clouds has the file to load for each file of points. Replaces the layers of a former map of this folder,
    which show files that are gone. Runs on the main thread."""
    folder = os.path.realpath(folder)
    remove_map(folder, project)
    was_empty = not project.mapLayers()
    group = project.layerTreeRoot().insertGroup(0, os.path.basename(folder.rstrip("/\\")))

    def add(layer, visible=True, expanded=True):
        if layer.isValid():
            if layer.crs().description() == UNDEFINED:
                layer.setCrs(QgsCoordinateReferenceSystem())
            project.addMapLayer(layer, False)
            layer.setCustomProperty(MAP, folder)
            node = group.addLayer(layer)
            node.setItemVisibilityChecked(visible)
            node.setExpanded(expanded)
        return layer.isValid()

    for name in ("trees", "crowns", "buildings", "water"):
        layer = QgsVectorLayer(f"{os.path.join(folder, 'objects.gpkg')}|layername={name}", name.capitalize(), "ogr")
        if add(layer):
            layer.loadDefaultStyle()
    for file, path in clouds.items():
        layer = QgsPointCloudLayer(path, stem(file), provider(path))
        if add(layer, expanded=False):
            layer.setCustomProperty(FILE, file)
            apply(layer, CLASS)
            hide_far(layer)
    for name, visible in (("canopy", False), ("surface", False), ("terrain", True)):
        layer = QgsRasterLayer(os.path.join(folder, name + ".tif"), name.capitalize(), "gdal")
        if add(layer, visible, expanded=False):
            layer.setRenderer(by_height(layer) if name == "canopy" else hillshade(layer))
            layer.resampleFilter().setZoomedInResampler(QgsBilinearRasterResampler())
    if was_empty and not any(layer.crs().isValid() for layer in project.mapLayers().values()):
        project.setCrs(QgsCoordinateReferenceSystem())  # else scales would be of degrees


def remove_map(folder, project):
    """Removes the layers of a map from the project, and groups that are empty then. Layers of the user stay."""
    root = project.layerTreeRoot()
    for layer in list(project.mapLayers().values()):
        if layer.customProperty(MAP) != folder:
            continue
        node = root.findLayer(layer.id())
        group = node.parent() if node else None
        project.removeMapLayer(layer.id())
        if group and group is not root and not group.children():
            group.parent().removeChildNode(group)


def hide_far(layer):
    """Hides points at scales below POINTS_FROM, where they would cover the terrain; without a spatial reference there
    is no scale, and they are blended with it."""
    if layer.crs().isValid():
        layer.setScaleBasedVisibility(True)
        layer.setMinimumScale(POINTS_FROM)
    else:
        layer.setBlendMode(QPainter.CompositionMode_Multiply)


def hillshade(layer):
    """Returns the renderer of terrain and surface."""
    renderer = QgsHillshadeRenderer(layer.dataProvider(), 1, 315, 45)
    renderer.setMultiDirectional(True)
    return renderer


def by_height(layer):
    """Returns the renderer of the canopy: the ground is transparent."""
    ramp = QgsColorRampShader(0, HEIGHTS[-1][0], None, QgsColorRampShader.Interpolated)
    ramp.setColorRampItemList([QgsColorRampShader.ColorRampItem(height, QColor(*colour), f"{height} m")
                               for height, colour in HEIGHTS])
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(ramp)
    return QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader)


def apply(layer, style):
    """Sets a style, with points of the size of their spacing; reports whether this succeeded."""
    if style == CLASS:
        renderer = QgsPointCloudClassifiedRenderer()
        renderer.setAttribute("Classification")
        renderer.setCategories([QgsPointCloudCategory(c["code"], QColor(*c["color"]), c["name"])
                                for c in options.TABLE["classes"]])
        if hasattr(renderer, "setDrawOrder2d"):  # the highest on top
            renderer.setDrawOrder2d(renderer.drawOrder2d().__class__.BottomToTop)
        layer.setRenderer(renderer)
        fine = True
    else:
        _, fine = layer.loadNamedStyle(os.path.join(STYLES, style + ".qml"))
    metres = spacing(layer)
    if fine and metres:
        layer.renderer().setPointSize(GAPLESS * metres)
        layer.renderer().setPointSizeUnit(QgsUnitTypes.RenderMetersInMapUnits)
    return fine


def reference(job, source):
    """Returns the spatial reference of a file: the code of an authority, or ""."""
    wkt = json.loads(job.program.ask("info", "--summary", source))["summary"].get("srs", {}).get("wkt", "")
    return QgsCoordinateReferenceSystem.fromWkt(wkt).authid()


def ranges(job, path):
    """Returns the ranges of the colours of an embedding for the contrast of its style: the mean is the middle."""
    printed = job.program.run(["info", "--stats", "--dimensions=" + ",".join(BANDS), path], job.feedback)
    found = {}
    for row in json.loads(printed)["stats"]["statistic"]:
        mean = row["average"]
        half = min(mean - row["minimum"], row["maximum"] - mean)
        if half > 0:  # 0 for a model with fewer than three columns, and for equal values
            found[row["name"]] = mean - half, mean + half
    return found


def stretch(renderer, limits):
    """Sets the contrast of the style embedding."""
    for name, (low, high) in limits.items():
        band = BANDS[name]
        contrast = QgsContrastEnhancement(getattr(renderer, f"{band.lower()}ContrastEnhancement")())
        contrast.setMinimumValue(low, False)
        contrast.setMaximumValue(high, True)
        getattr(renderer, f"set{band}ContrastEnhancement")(contrast)


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
