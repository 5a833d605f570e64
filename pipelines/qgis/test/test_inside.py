# SPDX-License-Identifier: BSD-3-Clause
"""The provider inside a running QGIS: the styled layer as it is drawn, a model,
cancelling, and that QGIS does not load PDAL."""

import json
import os
import shutil
import subprocess
import sys
from unittest import mock

import inqgis
import numpy
from inqgis import CLOUD, OUT, fresh, run
from qgis._3d import Qgs3D, QgsPolygon3DSymbol, QgsVectorLayer3DRenderer
from qgis.core import (
    Qgis,
    QgsAbstract3DSymbol,
    QgsCoordinateReferenceSystem,
    QgsExpressionContext,
    QgsPointXY,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelOutput,
    QgsProcessingModelParameter,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFile,
    QgsProject,
    QgsProcessingUtils,
    QgsRasterLayer,
    QgsApplication,
    QgsRectangle,
    QgsUnitTypes,
)
from qgis.PyQt import sip
from qgis.PyQt.QtGui import QPainter
from superpoint import clouds, ept, layers, program
from superpoint.algorithm import DESTINATION


def children(word):
    """Returns the processes with the word in their command line (Linux)."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    if word.encode() in file.read():
                        found.append(entry)
            except OSError:
                continue
    return found


class Recorder(QgsProcessingFeedback):
    """Keeps the progress, and cancels once it is beyond a limit."""

    def __init__(self, limit=1000):
        super().__init__()
        self.limit, self.seen = limit, []
        self.progressChanged.connect(self.look)

    def look(self, percent):
        self.seen.append(percent)
        if percent > self.limit:
            self.cancel()


def shown(path):
    """Returns an output that is loaded, as the dialog requests it."""
    return QgsProcessingOutputLayerDefinition(path, QgsProject.instance()) if DESTINATION else path


class Inside(inqgis.InQgis):
    def test_layer_is_loaded_styled_and_drawn(self):
        folder = fresh("layer")
        before = dict(os.environ)
        feedback = Recorder()
        results, fine, context, _ = run("superpoints", {
            "INPUT": CLOUD, "TARGET_SIZE": 150, "OUTPUT": shown(os.path.join(folder, "village.laz"))}, feedback)
        self.assertTrue(fine, feedback.textLog())
        self.assertEqual(feedback.seen, sorted(feedback.seen), "progress decreases")
        self.assertGreater(len(feedback.seen), 10)
        layer, = inqgis.load(context)
        self.assertEqual(layer.source(), results["MAP"])
        self.assertEqual(sorted(set(layer.styleManager().styles()) - {"default"}), ["embedding", "superpoint"])
        self.assertEqual(layer.renderer().type(), "classified")
        self.assertEqual(layer.pointCount(), results["POINTS"])

        self.assertEqual(layer.renderer().pointSizeUnit(), QgsUnitTypes.RenderMetersInMapUnits)
        picture = inqgis.draw(layer, os.path.join(OUT, "superpoint.png"))
        self.assertGreater((picture > 0).any(axis=2).mean(), 0.9, "the map is empty or full of gaps")
        seen = inqgis.colors(picture)
        wanted = {c.color().rgb() & 0xFFFFFF for c in layer.renderer().categories()}
        self.assertEqual(len(wanted), 32)
        self.assertGreaterEqual(len(seen & wanted), 30)
        self.assertEqual(seen - wanted, set(), "colours that the style does not have")
        if hasattr(QgsProject, "elevationShadingRenderer"):
            self.assertEqual(layer.renderer().drawOrder2d(), Qgis.PointCloudDrawOrder.BottomToTop)
            shading = QgsProject.instance().elevationShadingRenderer()
            self.assertTrue(shading.isActive() and shading.isActiveEyeDomeLighting())
            shaded = inqgis.draw(layer, os.path.join(OUT, "shaded.png"), shading=shading)
            darker = (shaded.sum(axis=2, dtype="i4") < picture.sum(axis=2, dtype="i4") - 30).mean()
            self.assertTrue(0.02 < darker < 0.8, darker)
        self.assertTrue(layer.styleManager().setCurrentStyle("embedding"))
        self.assertEqual(layer.renderer().type(), "rgb")
        for band in ("red", "green", "blue"):
            contrast = getattr(layer.renderer(), band + "ContrastEnhancement")()
            self.assertLess(contrast.maximumValue() - contrast.minimumValue(), 65535, band)
        picture = inqgis.draw(layer, os.path.join(OUT, "embedding.png"))
        self.assertGreater(len(inqgis.colors(picture)), 200)

        self.assertEqual(dict(os.environ), before, "QGIS's environment has changed")
        with open("/proc/self/maps", encoding="utf-8") as file:
            self.assertNotRegex(file.read(), r"libpdal|libsuperpoint")

    def test_values_equal_the_file(self):
        """The values that the provider reads in a square equal those of the output, also of integers of eight bytes."""
        folder = fresh("values")
        source, output = os.path.join(folder, "long.las"), os.path.join(folder, "village.laz")
        pdal = os.environ["SUPERPOINT_PDAL"]
        subprocess.run([pdal, "translate", CLOUD, source, "ferry", "assign", "--filters.ferry.dimensions==>Long",
                        "--filters.assign.value=Long = Intensity * 3", "--writers.las.extra_dims=Long=uint64",
                        "--writers.las.minor_version=4"], check=True)
        results = self.done("superpoints", INPUT=source, TARGET_SIZE=100, OUTPUT=shown(output))
        names = ["X", "Y", "Z", "SuperpointID", "SuperpointColor", "EmbeddingR", "Embedding0", "Intensity",
                 "Classification", "Long"]
        flat = os.path.join(folder, "flat.ply")
        subprocess.run([pdal, "translate", output, flat, "--writers.ply.dims=" + ",".join(n + "=double" for n in names),
                        "--writers.ply.storage_mode=little endian"], check=True)
        octree = ept.convert(program.find(), output, fresh("octree"), QgsProcessingFeedback(False))
        for path in {results["MAP"], octree}:
            layer = inqgis.open_layer(path)
            middle = layer.extent().center()
            square = QgsRectangle(middle.x() - 5, middle.y() - 5, middle.x() + 5, middle.y() + 5)
            square.grow(0.0033)  # no point is on its border
            rows = ept.read(flat, numpy.dtype([(n, "<f8") for n in names]))
            inside = [r for r in rows if square.contains(QgsPointXY(r["X"], r["Y"]))]
            wanted = sorted(inside, key=lambda r: (r["X"], r["Y"], r["Z"]))
            self.assertGreater(len(wanted), 500)
            found = inqgis.points(layer, square)
            self.assertEqual(len(found), len(wanted), path)
            for name in names:
                for f, w in zip(found, wanted):
                    self.assertAlmostEqual(f[name], w[name], places=4, msg=f"{name} of {path}")

    def test_map_is_a_group_in_which_all_is_seen(self):
        """Classify and map: what the map canvas shows, from the tree of layers, and how."""
        folder = fresh("canvas")
        project = QgsProject.instance()
        project.clear()
        self.done("map", INPUT=[CLOUD], CLASS_CHANGE="all", OUTPUT=os.path.join(folder, "village"))
        self.group_is_seen(os.path.join(folder, "village"), "map")

    def test_map_without_a_reference_is_seen(self):
        """A cloud without a spatial reference: the same group, without a message in red, blended as it has no scale."""
        folder = fresh("nowhere")
        text, cloud = os.path.join(folder, "nowhere.txt"), os.path.join(folder, "nowhere.las")
        pdal = program.find()
        pdal.ask("translate", CLOUD, text, "--writers.text.order=X,Y,Z,Intensity,ReturnNumber,NumberOfReturns",
                 "--writers.text.keep_unspecified=false")
        pdal.ask("translate", text, cloud, "--writers.las.scale_x=0.01", "--writers.las.scale_y=0.01",
                 "--writers.las.scale_z=0.01", "--writers.las.offset_x=auto", "--writers.las.offset_y=auto")
        errors = []

        def look(text, tag, level):
            if level == Qgis.Critical:
                errors.append(f"{tag}: {text}")

        project = QgsProject.instance()
        project.clear()
        QgsApplication.messageLog().messageReceived.connect(look)
        try:
            self.done("map", INPUT=[cloud], CLASS_CHANGE="all", OUTPUT=os.path.join(folder, "village"))
            self.group_is_seen(os.path.join(folder, "village"), "nowhere")
            self.assertEqual([layer.name() for layer in project.mapLayers().values() if layer.crs().isValid()], [])
            self.assertFalse(project.crs().isValid(), "QGIS has no transform from a made-up reference of the project")
        finally:
            QgsApplication.messageLog().messageReceived.disconnect(look)
        self.assertEqual(errors, [])

    def test_second_map_replaces_the_first(self):
        """Classify and map into the folder of a map that is in the project: its layers show the new files, once, and
        layers of the user stay."""
        village = os.path.join(fresh("again"), "village")
        project = QgsProject.instance()
        project.clear()
        self.done("map", INPUT=[CLOUD], CLASS_CHANGE="all", OUTPUT=village)
        root = project.layerTreeRoot()
        own = QgsRasterLayer(os.path.join(village, "terrain.tif"), "own")
        project.addMapLayer(own, False)
        root.findGroup("village").addLayer(own)
        self.done("map", INPUT=[CLOUD], CLASS_CHANGE="all", RESOLUTION=2, OUTPUT=village)
        groups = [[node.name() for node in group.findLayers()] for group in root.children()]
        self.assertEqual([len(names) for names in groups], [8, 1])
        self.assertEqual(groups[1], ["own"])
        terrain, = project.mapLayersByName("Terrain")
        self.assertEqual(terrain.rasterUnitsPerPixelX(), 2)
        self.done("map", INPUT=[CLOUD], CLASS_CHANGE="all", OUTPUT=os.path.join(fresh("other"), "village"))
        self.assertEqual(len(project.mapLayersByName("Terrain")), 2, "a map in another folder is another one")

    def group_is_seen(self, folder, name):
        """Checks the group of a map of the village, and draws it."""
        project = QgsProject.instance()
        group = project.layerTreeRoot().findGroup("village")
        names = [node.name() for node in group.findLayers()]
        made = [e.path for e in os.scandir(os.path.join(folder, "points"))
                if e.name.endswith((".laz", ".las"))]
        cloud = layers.stem(made[0])
        self.assertEqual(names, ["Trees", "Crowns", "Buildings", "Water", cloud, "Canopy", "Surface", "Terrain"])
        self.assertEqual(len(project.mapLayers()), 8)
        visible = {node.name() for node in group.findLayers() if node.isVisible()}
        self.assertEqual(visible, set(names) - {"Canopy", "Surface"})
        canvas = project.layerTreeRoot().checkedLayers()
        self.assertEqual([layer.name() for layer in canvas], names[:5] + ["Terrain"])
        trees, crowns, buildings, _, points, terrain = canvas
        legend = {c.value(): c.label() for c in points.renderer().categories()}
        self.assertEqual(points.renderer().attribute(), "Classification")
        self.assertEqual((legend[2], legend[6]), ("ground", "building"))
        self.assertEqual([clouds.file_of(points)], made)  # COPC, if PDAL writes it
        if points.crs().isValid():
            self.assertTrue(points.isInScaleRange(2400))
            self.assertFalse(points.isInScaleRange(2600))
        else:
            self.assertEqual(points.blendMode(), QPainter.CompositionMode_Multiply)
        everything = inqgis.draw(canvas, os.path.join(OUT, name + ".png"))
        objects = inqgis.draw([trees, crowns, buildings, terrain], os.path.join(OUT, name + "-objects.png"))
        below = inqgis.draw([terrain], os.path.join(OUT, name + "-terrain.png"))
        by_class = inqgis.draw([points, terrain], os.path.join(OUT, name + "-points.png"))
        canopy = inqgis.draw([project.mapLayersByName("Canopy")[0]], os.path.join(OUT, name + "-canopy.png"))
        grey = below.astype(int)
        self.assertLess(abs(grey[..., 0] - grey[..., 2]).max(), 3, "the terrain is no hillshade")
        self.assertGreater(((grey > 60) & (grey < 250)).mean(), 0.8, "the terrain is black")
        self.assertGreater(grey.std(), 3, "the terrain is flat")

        def share(picture, colour, near=10):
            return (numpy.abs(picture.astype(int) - colour).max(axis=2) <= near).mean()

        if points.crs().isValid():
            for code in (2, 5, 6):
                colour = next(c.color() for c in points.renderer().categories() if c.value() == code)
                seen = share(by_class, [colour.red(), colour.green(), colour.blue()])
                self.assertGreater(seen, 0.01, legend[code])
        for layer, colour in ((crowns, (90, 174, 97)), (buildings, (214, 96, 77))):
            self.assertGreater(layer.featureCount(), 5)
            self.assertGreater(share(objects, colour, 70), 0.01, layer.name() + " are hidden")
        self.assertEqual(trees.featureCount(), crowns.featureCount())
        self.assertGreater((everything != by_class).any(axis=2).mean(), 0.05)
        self.assertGreater((canopy[..., 1].astype(int) > canopy[..., 0] + 20).mean(), 0.05, "the canopy is not green")
        Qgs3D.initialize()
        buildings.loadDefaultStyle()
        self.blocks(buildings)

    def blocks(self, buildings):
        """The style of buildings shows blocks in 3-D views, from the ground to the height of the field."""
        self.assertEqual(buildings.renderer3D().type(), "vector")
        renderer = sip.cast(buildings.renderer3D(), QgsVectorLayer3DRenderer)
        symbol = sip.cast(renderer.symbol(), QgsPolygon3DSymbol)
        properties = symbol.dataDefinedProperties()
        context = QgsExpressionContext()
        context.setFields(buildings.fields())
        for building in buildings.getFeatures():
            context.setFeature(building)
            for key, wanted in ((QgsAbstract3DSymbol.PropertyHeight, building["ground"]),
                                (QgsAbstract3DSymbol.PropertyExtrusionHeight, building["block"])):
                value, fine = properties.valueAsDouble(key, context, -1)
                self.assertTrue(fine)
                self.assertAlmostEqual(value, wanted, delta=0.02)

    def test_octree_with_flags(self):
        """PDAL 2.2's ClassFlags, which QGIS reads as four attributes, does not shift the others."""
        flags = {"name": "ClassFlags", "size": 1, "type": "unsigned"}
        schema = [{"name": n, "size": s, "type": t} for n, s, t in (
            ("X", 8, "floating"), ("Y", 8, "floating"), ("Z", 8, "floating"), ("SuperpointColor", 1, "unsigned"),
            ("SuperpointID", 4, "unsigned"))]
        kind = [("X", "f8"), ("Y", "f8"), ("Z", "f8"), ("SuperpointColor", "u1"), ("SuperpointID", "<u4")]
        points = numpy.array([(x, y, 0.5, (x + y) % 32, 1000 * x + y) for x in range(40) for y in range(40)], kind)

        class Pdal:
            def ask(self, *_):
                return json.dumps({"schema": {"dimensions": [*schema[:3], flags, *schema[3:]]}, "metadata": {}})

            def run(self, arguments, _):
                with open(arguments[2], "wb") as file:
                    file.write(b"ply\nelement vertex %d\nend_header\n" % len(points) + points.tobytes())
                self.dims = arguments[-1].partition("=")[2]

        pdal = Pdal()
        layer = inqgis.open_layer(ept.convert(pdal, "x", fresh("flags"), None))
        self.assertEqual(pdal.dims, "X,Y,Z,SuperpointColor,SuperpointID")
        found = inqgis.points(layer, layer.extent().buffered(1))
        self.assertEqual(len(found), len(points))
        for f, w in zip(found, points):
            self.assertEqual([round(f[n], 6) for n in ("X", "Y", "SuperpointColor", "SuperpointID")],
                             [w[n] for n in ("X", "Y", "SuperpointColor", "SuperpointID")])

    def test_nothing_beside_a_result_is_touched(self):
        """Two results of one stem have a layer each, and what others have beside them stays."""
        folder = fresh("beside")
        foreign = ["two.ept/ept.json", "two.ept/mine.txt", "two.map.copc.laz", "two.copc.laz", "two.ept.json"]
        for name in foreign:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("precious")
        shows = []
        for name, size in (("two.las", 50), ("two.laz", 400)):
            output = os.path.join(folder, name)
            source = shutil.copy(CLOUD, os.path.join(fresh("of " + name), "in.laz"))
            results = self.done("superpoints", INPUT=source, MODEL="geometric", TARGET_SIZE=size,
                                OUTPUT=shown(output))
            layer = inqgis.load(self.context)[0]
            self.assertEqual(clouds.file_of(layer), output)
            ids = {p["SuperpointID"] for p in inqgis.points(layer, layer.extent())}
            self.assertEqual(len(ids), results["SUPERPOINTS"])
            shows.append(results["MAP"])
        self.assertEqual(len(set(shows)), 2)
        self.assertEqual(inqgis.listed(folder), sorted({n.split("/")[0] for n in foreign} | {"two.las", "two.laz"}))
        for name in foreign:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), "precious", name)

    def test_filters_and_references_of_layers(self):
        """A layer with a filter is refused; its spatial reference, where the file has none, is that of the result."""
        folder = fresh("reference")
        text, plain = os.path.join(folder, "plain.txt"), os.path.join(folder, "plain.las")
        pdal = program.find()
        pdal.ask("translate", CLOUD, text, "--writers.text.order=X,Y,Z", "--writers.text.keep_unspecified=false")
        pdal.ask("translate", text, plain, "--writers.las.scale_x=0.001", "--writers.las.scale_y=0.001",
                 "--writers.las.scale_z=0.001", "--writers.las.offset_x=auto", "--writers.las.offset_y=auto")
        octree = ept.convert(pdal, plain, fresh("plain"), QgsProcessingFeedback(False))
        layer = inqgis.open_layer(octree)
        layer.setCustomProperty(layers.FILE, plain)
        own = QgsCoordinateReferenceSystem.fromProj("+proj=tmerc +lon_0=7.123 +ellps=GRS80 +to_meter=0.7")
        saved = mock.Mock(wraps=own, **{"authid.return_value": "USER:100000"})
        self.assertEqual(clouds.text_of(saved), own.toWkt())
        for crs, given, unit in (("feet", QgsCoordinateReferenceSystem("EPSG:2263"), "0.3048"), ("own", own, "0.7")):
            for source, parameter in ((layer.id(), None), (plain, given)):
                layer.setCrs(given)
                output = os.path.join(folder, f"{crs}{parameter is None}.las")
                self.done("superpoints", INPUT=source, MODEL="geometric", TARGET_SIZE=300, CRS=parameter, OUTPUT=output)
                summary = pdal.ask("info", "--metadata", output)
                self.assertIn(unit, json.loads(summary)["metadata"]["srs"]["wkt"])
        self.refused("no point has an id above 0", "table", INPUT=layer.id(), ID="PointSourceId",
                     OUTPUT=os.path.join(folder, "t.csv"))
        filtered = mock.Mock(**{"customProperty.return_value": plain,
                                "subsetString.return_value": "Classification = 2"})
        with self.assertRaisesRegex(ValueError, "filter Classification = 2.*remove the filter"):
            clouds.file_of(filtered)
        layer.setCustomProperty(layers.FILE, "/nowhere/x.laz")
        with self.assertRaisesRegex(ValueError, "/nowhere/x.laz is gone"):
            clouds.file_of(layer)

    def test_layer_that_is_removed_at_once(self):
        """A layer that is removed before the next event: what was to be done to it is left out, without an error."""
        layer = inqgis.open_layer(ept.convert(program.find(), CLOUD, fresh("removed"),
                                              QgsProcessingFeedback(False)))
        layers.Styler("cloud", CLOUD, [], {}).postProcessLayer(layer, QgsProcessingContext(), None)
        errors = []
        with mock.patch.object(sys, "excepthook", lambda *error: errors.append(error)):
            QgsProject.instance().removeMapLayer(layer.id())
            del layer
            for _ in range(5):
                QgsApplication.processEvents()
        self.assertEqual(errors, [])

    def test_what_is_in_front(self):
        """The class choice is in front, λ̃ is under Advanced, and Objects takes several clouds."""
        registry = QgsApplication.processingRegistry()
        front = [p.name() for p in registry.algorithmById("superpoint:superpoints").parameterDefinitions()
                 if not p.flags() & p.FlagAdvanced]
        self.assertEqual(front[:3], ["INPUT", "TARGET_SIZE", "CLASSES"])
        self.assertEqual(set(front) - {"LOAD"}, {"INPUT", "TARGET_SIZE", "CLASSES", "MODEL", "METHOD", "OUTPUT"})
        self.assertIn("CLASSES", [p.name() for p in registry.algorithmById("superpoint:map").parameterDefinitions()
                                  if not p.flags() & p.FlagAdvanced])
        self.assertEqual(registry.algorithmById("superpoint:objects").parameterDefinition("INPUT").type(), "multilayer")

    def test_cancelling_leaves_no_files(self):
        folder = fresh("cancel")
        for limit in (0, 35, 76):
            feedback = Recorder(limit)
            run("superpoints", {"INPUT": CLOUD, "OUTPUT": os.path.join(folder, "out.laz")}, feedback)
            self.assertTrue(feedback.isCanceled(), f"nothing to cancel after {limit} %: {feedback.textLog()}")
            self.assertLess(max(feedback.seen), 95)
            self.assertEqual(os.listdir(folder), [], f"left after cancelling at {limit} %")
            self.assertEqual(children(folder), [])

    def test_model(self):
        """A model of two algorithms: superpoints, then a picture of them."""
        folder = fresh("model")
        model = QgsProcessingModelAlgorithm("superpoints and picture", "test")
        model.addModelParameter(QgsProcessingParameterFile("cloud", "cloud"), QgsProcessingModelParameter("cloud"))
        source = QgsProcessingModelChildParameterSource
        first = QgsProcessingModelChildAlgorithm("superpoint:superpoints")
        first.setChildId("superpoints")
        first.addParameterSources("INPUT", [source.fromModelParameter("cloud")])
        first.addParameterSources("MODEL", [source.fromStaticValue("geometric")])
        first.addParameterSources("TARGET_SIZE", [source.fromStaticValue(200)])
        first.addParameterSources("LOAD", [source.fromStaticValue(False)])
        model.addChildAlgorithm(first)
        second = QgsProcessingModelChildAlgorithm("superpoint:render")
        second.setChildId("render")
        second.addParameterSources("INPUT", [source.fromChildOutput("superpoints", "OUTPUT")])
        second.addParameterSources("PANELS", [source.fromStaticValue("superpoint")])
        second.addParameterSources("WIDTH", [source.fromStaticValue(200)])
        picture = QgsProcessingModelOutput("picture")
        picture.setChildId("render")
        picture.setChildOutputName("OUTPUT")
        second.setModelOutputs({"picture": picture})
        model.addChildAlgorithm(second)
        path = os.path.join(folder, "two.model3")
        self.assertTrue(model.toFile(path))
        again = QgsProcessingModelAlgorithm()
        self.assertTrue(again.fromFile(path))
        again.initAlgorithm()
        context, feedback = QgsProcessingContext(), Recorder()
        output = os.path.join(folder, "picture.png")
        name = [d.name() for d in again.destinationParameterDefinitions()][0]
        _, fine = again.run({"cloud": CLOUD, name: output}, context, feedback)
        self.assertTrue(fine, feedback.textLog())
        self.assertGreater(len(inqgis.colors(inqgis.pixels(output), least=3)), 30)

    def test_layers_as_inputs(self):
        """For a layer of the project its file is read; for a file written for the map, the original."""
        folder = fresh("inputs")
        output = os.path.join(folder, "village.laz")
        results = self.done("superpoints", INPUT=CLOUD, MODEL="geometric", TARGET_SIZE=300, OUTPUT=shown(output))
        layer, = inqgis.load(self.context)
        self.assertNotEqual(results["MAP"], output)
        self.assertEqual(clouds.file_of(layer), output)
        for given in (layer, layer.id(), output):
            table = os.path.join(folder, "table.csv")
            self.done("table", INPUT=given, LOAD=True, OUTPUT=table)
            with open(table, encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 1 + results["SUPERPOINTS"])
            os.remove(table) if given is not output else None
        (uri, details), = self.context.layersToLoadOnCompletion().items()
        rows = QgsProcessingUtils.mapLayerFromString(uri, self.context, True, details.layerTypeHint)
        self.assertEqual(rows.featureCount(), results["SUPERPOINTS"])
        self.assertTrue(layer.extent().buffered(1).contains(rows.extent()))
        self.assertEqual(rows.crs().authid(), layer.crs().authid())
        outlines = os.path.join(folder, "outlines.gpkg")
        self.done("outline", INPUT=layer.id(),
                  OUTPUT=QgsProcessingOutputLayerDefinition(outlines, QgsProject.instance()))
        self.assertEqual(list(self.context.layersToLoadOnCompletion()), [outlines])
        drawn, = inqgis.load(self.context)
        self.assertGreater(drawn.featureCount(), 0.5 * results["SUPERPOINTS"])
        self.assertGreater(drawn.crs().authid(), "")
        picture = inqgis.draw(drawn, os.path.join(OUT, "outlines.png"))
        self.assertGreater(len(inqgis.colors(picture)), 20, "the style of the GeoPackage is not used")
        self.assertGreater((picture > 0).any(axis=2).mean(), 0.9, "outlines leave gaps")


class Loading(inqgis.InQgis):
    """What is loaded of a result, and from where."""

    def test_the_log_names_the_program_and_nothing_is_loaded(self):
        output = os.path.join(fresh("unloaded"), "village.las")
        self.done("superpoints", INPUT=CLOUD, METHOD="vccs", TARGET_SIZE=1000, LOAD=False, OUTPUT=output)
        self.assertIn("pdal: " + os.environ["SUPERPOINT_PDAL"], self.log)
        self.assertEqual(list(self.context.layersToLoadOnCompletion()), [])

    def test_a_file_that_qgis_reads_is_loaded_itself(self):
        job = mock.Mock()
        job.program.has.return_value = False
        for name in ("x.laz", "x.copc.laz"):
            with mock.patch.object(layers, "provider", lambda path, only=name: "pdal" if path == only else ""):
                self.assertEqual(layers.map_file(job, name), name)
        with mock.patch.object(layers, "provider", lambda path: ""):
            with self.assertRaisesRegex(ValueError, "no point cloud provider"):
                layers.map_file(job, "x.laz")
        job.program.run.assert_not_called()

    def test_spacing_of_points(self):
        for code, points, spacing in (("EPSG:32632", 400, 0.5), ("", 400, 0.5), ("EPSG:2263", 400, 0.1524),
                                      ("EPSG:4326", 400, 0), ("EPSG:32632", 0, 0)):
            crs = QgsCoordinateReferenceSystem(code)
            layer = mock.Mock()
            layer.extent.return_value = QgsRectangle(0, 0, 20, 5)
            layer.crs.return_value = crs
            layer.pointCount.return_value = points
            self.assertAlmostEqual(layers.spacing(layer), spacing, places=4, msg=f"{code}, {points} points")
