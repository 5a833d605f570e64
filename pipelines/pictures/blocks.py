# SPDX-License-Identifier: BSD-3-Clause
"""Draws blocks.png: the buildings of a map over its terrain in a 3-D view of QGIS, with the style of objects.gpkg.

xvfb-run -a -s "-screen 0 1600x1200x24" python3 blocks.py RESULTS PICTURE

RESULTS is a folder of `map`; the picture shows ../shared/data/test2/ign_stbarth.laz
(--class_change all). It needs QGIS's Python and OpenGL (Debian's python3-qgis, xvfb, libgl1-mesa-dri).
"""

import sys

from qgis._3d import Qgs3D, Qgs3DMapSettings, QgsCameraPose, QgsLayoutItem3DMap
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsHillshadeRenderer,
    QgsLayoutExporter,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsProject,
    QgsRasterLayer,
    QgsReadWriteContext,
    QgsVector3D,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtXml import QDomDocument

WIDE, HIGH = 190, 107  # millimetres of the picture
DOTS = 120  # per inch
VIEW = """<qgis3d>
<origin x="{x}" y="{y}" z="0"/><camera field-of-view="45" projection-type="1"/>
<color background="255,255,255,255" selection="255,255,0,255"/>
<terrain exaggeration="1" texture-size="1024" max-terrain-error="1" max-ground-error="0.2" shading-enabled="0"
 show-labels="0" map-theme="" terrain-rendering-enabled="1" elevation-offset="0">
<layers><layer id="{shade}"/><layer id="{buildings}"/></layers>
<generator type="dem" layer="{terrain}" resolution="64" skirt-height="1"/></terrain>
</qgis3d>"""


def settings(project, terrain, shade, buildings):
    """Returns the settings of a 3-D view; Python reaches the terrain by their XML only."""
    middle = terrain.extent().center()
    view = QDomDocument()
    view.setContent(VIEW.format(x=middle.x(), y=middle.y(), shade=shade.id(), buildings=buildings.id(),
                                terrain=terrain.id()))
    made = Qgs3DMapSettings()
    made.setTransformContext(project.transformContext())
    made.readXml(view.documentElement(), QgsReadWriteContext())
    made.setCrs(project.crs())
    made.resolveReferences(project)
    made.setLayers([buildings, shade])
    return made


def draw(folder, picture):
    """Draws the picture of a map."""
    project = QgsProject.instance()
    terrain = QgsRasterLayer(folder + "/terrain.tif", "terrain")
    shade = QgsRasterLayer(folder + "/terrain.tif", "shade")
    buildings = QgsVectorLayer(folder + "/objects.gpkg|layername=buildings", "buildings", "ogr")
    shade.setRenderer(QgsHillshadeRenderer(shade.dataProvider(), 1, 315, 45))
    crs = terrain.crs() if terrain.crs().isValid() else QgsCoordinateReferenceSystem("EPSG:32620")
    for layer in (terrain, shade, buildings):
        layer.setCrs(crs)
    project.addMapLayers([terrain, shade, buildings])
    project.setCrs(crs)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    item = QgsLayoutItem3DMap(layout)
    item.attemptSetSceneRect(QRectF(0, 0, WIDE, HIGH))
    item.setMapSettings(settings(project, terrain, shade, buildings))
    extent = terrain.extent()
    pose = QgsCameraPose()
    pose.setCenterPoint(QgsVector3D(0, 4, 0.04 * extent.height()))
    pose.setDistanceFromCenterPoint(1.15 * max(extent.width(), extent.height()))
    pose.setPitchAngle(50)
    pose.setHeadingAngle(20)
    item.setCameraPose(pose)
    layout.addLayoutItem(item)
    layout.pageCollection().page(0).setPageSize(QgsLayoutSize(WIDE, HIGH))
    options = QgsLayoutExporter.ImageExportSettings()
    options.dpi = DOTS
    return QgsLayoutExporter(layout).exportToImage(picture, options) == QgsLayoutExporter.Success


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    Qgs3D.initialize()
    sys.exit(0 if draw(*sys.argv[1:]) else 1)
