"""The provider inside a running QGIS: the styled layer as it is drawn, a model,
cancelling, and that QGIS does not load PDAL."""

import html
import os
import shutil
import subprocess
import time
import unittest

import inqgis
import numpy
from inqgis import CLOUD, OUT, fresh, run
from qgis.core import (
    Qgis,
    QgsPointXY,
    QgsProcessingAlgorithm,
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
    QgsApplication,
    QgsRectangle,
    QgsUnitTypes,
)
from qgis.PyQt.QtCore import QUrl

inqgis.add_plugin_path()
from superpoint import base, clouds, ept, layers, ply, program  # noqa: E402


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
    return QgsProcessingOutputLayerDefinition(path, QgsProject.instance()) if base.DESTINATION else path


class Inside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.application = inqgis.start()

    def test_layer_is_loaded_styled_and_drawn(self):
        folder = fresh("layer")
        before = dict(os.environ)
        feedback = Recorder()
        results, fine, context, _ = run("superpoints", {
            "INPUT": CLOUD, "TARGET_SIZE": 150, "OUTPUT": shown(os.path.join(folder, "village.laz"))}, feedback)
        self.assertTrue(fine, feedback.textLog())
        self.assertEqual(feedback.seen, sorted(feedback.seen), "progress decreases")
        self.assertGreater(len(feedback.seen), 10)
        (path, details), = context.layersToLoadOnCompletion().items()
        self.assertEqual(path.split("://")[1], results["MAP"])
        layer = QgsProcessingUtils.mapLayerFromString(path, context, True, details.layerTypeHint)
        QgsProject.instance().addMapLayer(layer, False)
        details.postProcessor().postProcessLayer(layer, context, feedback)
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
        if hasattr(layer, "statistics"):
            end = time.monotonic() + 60
            while layer.renderer().redContrastEnhancement().maximumValue() == 65535 and time.monotonic() < end:
                QgsApplication.processEvents()
                time.sleep(0.05)
            for band in ("red", "green", "blue"):
                contrast = getattr(layer.renderer(), band + "ContrastEnhancement")()
                self.assertLess(contrast.maximumValue() - contrast.minimumValue(), 65535, band)
        picture = inqgis.draw(layer, os.path.join(OUT, "embedding.png"))
        self.assertGreater(len(inqgis.colors(picture)), 200)

        self.assertEqual(dict(os.environ), before, "QGIS's environment has changed")
        with open("/proc/self/maps", encoding="utf-8") as file:
            self.assertNotRegex(file.read(), r"libpdal|libsuperpoint")

    def test_values_equal_the_file(self):
        """The values that the provider reads in a square equal those of the output."""
        folder = fresh("values")
        output = os.path.join(folder, "village.laz")
        results, fine, _, _ = run("superpoints", {"INPUT": CLOUD, "TARGET_SIZE": 100, "OUTPUT": shown(output)})
        self.assertTrue(fine)
        names = ["X", "Y", "Z", "SuperpointID", "SuperpointColor", "EmbeddingR", "Embedding0", "Intensity",
                 "Classification"]
        flat = os.path.join(folder, "flat.ply")
        subprocess.run([os.environ["SUPERPOINT_PDAL"], "translate", output, flat,
                        "--writers.ply.dims=" + ",".join(names),
                        "--writers.ply.storage_mode=little endian"], check=True)
        for path in {results["MAP"], layers.octree(program.find(), output)}:
            layer = inqgis.open_layer(path)
            middle = layer.extent().center()
            square = QgsRectangle(middle.x() - 5, middle.y() - 5, middle.x() + 5, middle.y() + 5)
            rows = ply.read(flat, names)
            inside = [r for r in rows if square.contains(QgsPointXY(r["X"], r["Y"]))]
            wanted = sorted(inside, key=lambda r: (r["X"], r["Y"], r["Z"]))
            self.assertGreater(len(wanted), 500)
            found = inqgis.points(layer, square)
            self.assertEqual(len(found), len(wanted), path)
            for name in names:
                for f, w in zip(found, wanted):
                    self.assertAlmostEqual(f[name], w[name], places=4, msg=f"{name} of {path}")

    def test_octree_with_flags(self):
        """PDAL 2.2's ClassFlags, which QGIS reads as four attributes, does not shift the others."""
        kind = [("X", "f8"), ("Y", "f8"), ("Z", "f8"), ("ClassFlags", "u1"), ("SuperpointColor", "u1"),
                ("SuperpointID", "<u4")]
        points = numpy.array([(x, y, 0.5, 0, (x + y) % 32, 1000 * x + y) for x in range(40) for y in range(40)], kind)
        layer = inqgis.open_layer(ept.write(fresh("flags"), points))
        found = inqgis.points(layer, layer.extent().buffered(1))
        self.assertEqual(len(found), len(points))
        for f, w in zip(found, points):
            self.assertEqual([round(f[n], 6) for n in ("X", "Y", "SuperpointColor", "SuperpointID")],
                             [w[n] for n in ("X", "Y", "SuperpointColor", "SuperpointID")])

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

    def check_help(self, algorithm):
        """The Help button opens a local page with the tool's text and all its parameters."""
        url = QUrl(algorithm.helpUrl())
        self.assertTrue(url.isLocalFile())
        with open(url.toLocalFile(), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(html.escape(algorithm.shortHelpString().split("\n\n")[0]), text)
        for parameter in algorithm.parameterDefinitions():
            self.assertIn(f"<code>{parameter.name()}</code></td><td>{html.escape(parameter.description())}", text)

    def test_layers_as_inputs(self):
        """For a layer of the project its file is read; for a file written for the map, the original."""
        folder = fresh("inputs")
        output = os.path.join(folder, "village.laz")
        results, fine, _, _ = run("superpoints", {
            "INPUT": CLOUD, "MODEL": "geometric", "TARGET_SIZE": 300, "OUTPUT": shown(output)}, Recorder())
        self.assertTrue(fine)
        layer = inqgis.open_layer(results["MAP"])
        self.assertNotEqual(results["MAP"], output)
        self.assertEqual(clouds.file_of(layer), output)
        for given in (layer, layer.id(), output):
            table = os.path.join(folder, "table.csv")
            feedback = Recorder()
            _, fine, context, _ = run("table", {"INPUT": given, "LOAD": True, "OUTPUT": table}, feedback)
            self.assertTrue(fine, feedback.textLog())
            with open(table, encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 1 + results["SUPERPOINTS"])
            os.remove(table) if given is not output else None
        (uri, details), = context.layersToLoadOnCompletion().items()
        rows = QgsProcessingUtils.mapLayerFromString(uri, context, True, details.layerTypeHint)
        self.assertEqual(rows.featureCount(), results["SUPERPOINTS"])
        self.assertTrue(layer.extent().buffered(1).contains(rows.extent()))
        self.assertEqual(rows.crs().authid(), layer.crs().authid())
        outlines = os.path.join(folder, "outlines.gpkg")
        feedback = Recorder()
        _, fine, context, _ = run("outline", {"INPUT": layer.id(), "OUTPUT": QgsProcessingOutputLayerDefinition(
            outlines, QgsProject.instance())}, feedback)
        self.assertTrue(fine, feedback.textLog())
        (uri, details), = context.layersToLoadOnCompletion().items()
        self.assertEqual(uri, outlines)
        drawn = QgsProcessingUtils.mapLayerFromString(uri, context, True, details.layerTypeHint)
        details.postProcessor().postProcessLayer(drawn, context, feedback)
        self.assertGreater(drawn.featureCount(), 0.5 * results["SUPERPOINTS"])
        self.assertGreater(drawn.crs().authid(), "")
        picture = inqgis.draw(drawn, os.path.join(OUT, "outlines.png"))
        self.assertGreater(len(inqgis.colors(picture)), 20, "the style of the GeoPackage is not used")
        self.assertGreater((picture > 0).any(axis=2).mean(), 0.9, "outlines leave gaps")

    def test_a_cancelled_folder_keeps_finished_files(self):
        """A cancelled run over a folder leaves the finished files only."""
        source, target = fresh("cancelled"), fresh("cancelled-out")
        for name in ("a.laz", "b.laz", "c.laz"):
            shutil.copy(CLOUD, os.path.join(source, name))
        feedback = Recorder(50)
        run("folder", {"INPUT": source, "MODEL": "geometric", "OUTPUT": target}, feedback)
        self.assertTrue(feedback.isCanceled(), feedback.textLog())
        self.assertEqual(sorted(os.listdir(target)), ["a.laz"])
        self.assertEqual(children(target), [])

    def test_batch(self):
        """Every algorithm runs as a batch, also with different rows, and has a page of help."""
        for algorithm in QgsApplication.processingRegistry().providerById("superpoint").algorithms():
            self.assertTrue(algorithm.flags() & QgsProcessingAlgorithm.FlagSupportsBatch)
            self.assertTrue(algorithm.flags() & QgsProcessingAlgorithm.FlagCanCancel)
            self.check_help(algorithm)
        folder = fresh("batch")
        counts = []
        for size in (100, 400):
            results, fine, _, _ = run("superpoints", {
                "INPUT": CLOUD, "MODEL": "geometric", "TARGET_SIZE": size, "LOAD": False,
                "OUTPUT": os.path.join(folder, f"{size}.laz")}, Recorder())
            self.assertTrue(fine)
            counts.append(results["SUPERPOINTS"])
        self.assertGreater(counts[0], 2 * counts[1])
        self.assertEqual(sorted(os.listdir(folder)), ["100.laz", "400.laz"])


if __name__ == "__main__":
    unittest.main()
