# SPDX-License-Identifier: BSD-3-Clause
"""All algorithms with all outputs, and all errors: some through qgis_process, most in
this process as by the dialog, because qgis_process takes seconds to start."""

import csv
import json
import os
import re
import shutil
import subprocess

import inqgis
from inqgis import CLOUD, fresh
from qgis.core import (
    QgsFeature,
    QgsGeometry,
    QgsRectangle,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from superpoint import options

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def started(algorithm, environment=None, **parameters):
    """Runs an algorithm with qgis_process; returns the exit code and all that was printed."""
    command = [os.environ["QGIS_PROCESS"], "run", "superpoint:" + algorithm, "--"]
    command += [f"{name}={value}" for name, value in parameters.items()]
    done = subprocess.run(command, env={**os.environ, **(environment or {})}, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def clouds_in(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".laz"))


class Runs(inqgis.InQgis):
    def test_file(self):
        folder = fresh("file")
        output = os.path.join(folder, "village.laz")
        code, text = started("superpoints", INPUT=CLOUD, TARGET_SIZE=100, MODEL="geometric", OUTPUT=output)
        self.assertEqual(code, 0, text)
        self.assertIn("village.laz", os.listdir(folder))
        results = dict(re.findall(r"^(\w+):\t(.*)$", text, re.MULTILINE))
        self.assertAlmostEqual(int(results["POINTS"]) / int(results["SUPERPOINTS"]), 100, delta=25)
        self.assertEqual(results["MODEL_USED"], "geometric")

    def test_methods_without_an_embedding(self):
        output = os.path.join(fresh("vccs"), "village.las")
        results = self.done("superpoints", INPUT=CLOUD, METHOD="vccs", TARGET_SIZE=100, OUTPUT=output)
        self.assertEqual(results["MODEL_USED"], "")

    def test_map(self):
        target = fresh("map")
        results = self.done("map", INPUT=[CLOUD], OUTPUT=target, MODEL="geometric", CLASS_CHANGE="all", RESOLUTION=2)
        for name in ("objects.gpkg", "surface.tif", "terrain.tif", "map.png", "report.html"):
            self.assertIn(name, os.listdir(target))
        self.assertEqual(clouds_in(os.path.join(target, "points")), ["village.copc.laz" if NEW else "village.laz"])
        self.assertEqual(results["REPORT"], os.path.join(target, "report.html"))
        self.refused("give Point clouds", "map", OUTPUT=target)

    def test_polygons_of_a_layer(self):
        """A layer in memory and the name of a file select the same points; the others have no id."""
        box = json.loads(drivers("info", "--summary", CLOUD))["summary"]["bounds"]
        half = QgsRectangle(box["minx"], box["miny"], (box["minx"] + box["maxx"]) / 2, box["maxy"])
        layer = QgsVectorLayer("Polygon?crs=EPSG:32632", "half", "memory")
        feature = QgsFeature()
        feature.setGeometry(QgsGeometry.fromRect(half))
        layer.dataProvider().addFeature(feature)
        file = os.path.join(fresh("area"), "half.geojson")
        QgsVectorFileWriter.writeAsVectorFormat(layer, file, "utf-8", layer.crs(), "GeoJSON")
        found = []
        for n, polygons in enumerate((layer, file)):
            output = os.path.join(os.path.dirname(file), f"{n}.las")
            made = self.done("superpoints", INPUT=CLOUD, MODEL="geometric", AREA=polygons, OUTPUT=output)
            ids, = json.loads(drivers("info", "--stats", "--dimensions", "SuperpointID", output))["stats"]["statistic"]
            found.append((ids["minimum"], ids["average"], ids["maximum"], ids["count"]))
            self.assertEqual(found[n][::2], (0, made["SUPERPOINTS"]))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0][3], 200000)

    def test_classes_that_laz_cannot_store(self):
        """Classes above 31, as in LiDAR HD: PDAL 2.2 has no LAZ for them, and the result is LAS."""
        folder = fresh("classes")
        source = os.path.join(folder, "high.las")
        drivers("translate", CLOUD, source, "assign", "--filters.assign.assignment=Classification[:]=67",
                "--writers.las.minor_version=4", "--writers.las.dataformat_id=6")
        results = self.done("superpoints", INPUT=source, MODEL="geometric", TARGET_SIZE=100,
                         OUTPUT=os.path.join(folder, "out.laz"))
        self.assertEqual(os.path.basename(results["OUTPUT"]), "out.laz" if NEW else "out.las")
        summary = drivers("info", "--stats", "--dimensions=Classification", results["OUTPUT"])
        self.assertEqual(json.loads(summary)["stats"]["statistic"][0]["minimum"], 67)

    def test_commands(self):
        """Outlines, a table, triangles, and the tiles of a survey."""
        folder = fresh("commands")
        cloud = os.path.join(folder, "village.laz")
        results = self.done("superpoints", INPUT=CLOUD, MODEL="geometric", TARGET_SIZE=200, COLOR="true", OUTPUT=cloud)
        count = results["SUPERPOINTS"]
        for name, output in (("outline", "outlines.geojson"), ("table", "table.csv"), ("mesh", "roofs.stl")):
            self.done(name, INPUT=cloud, OUTPUT=os.path.join(folder, output))
        with open(os.path.join(folder, "table.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), count)
        with open(os.path.join(folder, "outlines.geojson"), encoding="utf-8") as file:
            shapes = json.load(file)["features"]
        self.assertTrue(0.5 * count < len(shapes) <= count, (len(shapes), count))
        with open(os.path.join(folder, "roofs.stl"), "rb") as file:
            triangles = int.from_bytes(file.read(84)[80:], "little")
        self.assertEqual(os.path.getsize(os.path.join(folder, "roofs.stl")), 84 + 50 * triangles)
        self.assertGreater(triangles, 1000)

    def test_survey(self):
        survey = os.path.join(fresh("survey"), "result")
        for _ in range(2):  # the second time all results exist
            results = self.done("tile", INPUT=CLOUD, MODEL="geometric", TARGET_SIZE=200, TILE=60, OUTPUT=survey)
            tiles = clouds_in(os.path.join(survey, "out"))
            self.assertEqual(results["COUNT"], len(tiles))
            self.assertEqual(tiles, ["village.laz"])
        with open(os.path.join(survey, "plan.json"), encoding="utf-8") as file:
            self.assertGreater(len(json.load(file)["tiles"]), 3)
        shutil.rmtree(os.path.join(survey, "out"))
        self.done("tile", OUTPUT=survey)
        self.assertEqual(clouds_in(os.path.join(survey, "out")), tiles)

    def test_names_with_commas_and_dashes(self):
        folder = fresh("odd names")
        clouds = [os.path.join(folder, name) for name in ("a,b.laz", "-c.laz", "d,e; $(f) 'g'.laz")]
        for k, cloud in enumerate(clouds):  # outline refuses equal ones
            drivers("translate", CLOUD, cloud, "head", f"--filters.head.count={9000 + k}")
        shutil.copy(os.path.join(ROOT, "embed", "models", "paper.safetensors"),
                    os.path.join(folder, "-m,1.safetensors"))
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(folder)
        for k, cloud in enumerate(clouds):
            self.done("superpoints", INPUT=os.path.basename(cloud), MODEL_FILE=os.path.abspath("-m,1.safetensors"),
                      OUTPUT=f"-o,{k}.laz")
        made = [os.path.join(folder, f"-o,{k}.laz") for k in range(len(clouds))]
        for given in (made, [os.path.basename(c) for c in made]):
            self.done("outline", INPUT=given, OUTPUT="-m,1.gpkg")
        self.done("table", INPUT="-o,1.laz", OUTPUT="-t,1.csv")
        self.assertTrue({"-m,1.gpkg", "-o,1.laz", "-t,1.csv"} <= set(os.listdir(folder)))

    def test_objects_of_several_clouds(self):
        folder = fresh("several")
        tiles = [os.path.join(folder, name) for name in ("west.las", "east.las")]
        self.done("superpoints", INPUT=CLOUD, CLASSES="aerial", CLASS_CHANGE="all",
                  OUTPUT=os.path.join(folder, "w.las"))
        bounds = json.loads(drivers("info", "--summary", CLOUD))["summary"]["bounds"]
        middle = (bounds["minx"] + bounds["maxx"]) / 2
        for tile, limits in zip(tiles, (f"X[:{middle}]", f"X({middle}:]")):
            drivers("translate", os.path.join(folder, "w.las"), tile, "range", f"--filters.range.limits={limits}",
                    "--writers.las.extra_dims=all", "--writers.las.forward=all")
        counts = []
        for inputs in ([os.path.join(folder, "w.las")], tiles):
            output = os.path.join(folder, f"{len(inputs)}.geojson")
            self.done("objects", INPUT=inputs, LOAD=False, OUTPUT=output)
            with open(output, encoding="utf-8") as file:
                counts.append(len(json.load(file)["features"]))
        self.assertGreater(counts[0], 20)
        self.assertAlmostEqual(counts[0], counts[1], delta=3)

    def test_errors_leave_no_files(self):
        folder = fresh("refusals")
        output = os.path.join(folder, "out.laz")
        copy = shutil.copy(CLOUD, os.path.join(fresh("refused"), "in.laz"))
        refused = [
            ("target_size", dict(INPUT=CLOUD, TARGET_SIZE=100, REGULARIZATION=1, OUTPUT=output)),
            ("there is no such file", dict(INPUT=os.path.join(folder, "absent.laz"), OUTPUT=output)),
            (".laz", dict(INPUT=CLOUD, OUTPUT=os.path.join(folder, "out.tif"))),
            ("cannot write COPC", dict(INPUT=CLOUD, OUTPUT=os.path.join(folder, "out.copc.laz"))),
            ("Nowhere", dict(INPUT=CLOUD, VOTE="Nowhere", OUTPUT=output)),
            ("name another output", dict(INPUT=copy, OUTPUT=copy)),
        ]
        if "writers.copc" in drivers():
            refused = [r for r in refused if r[0] != "cannot write COPC"]
        for words, parameters in refused:
            with self.subTest(words):
                self.refused(words, "superpoints", **parameters)
                self.assertEqual(os.listdir(folder), [])

    def test_without_pdal(self):
        output = os.path.join(fresh("without"), "out.laz")
        for pdal, words in (("/nowhere/pdal", "no such file"), ("/bin/true", "has no filters.superpoint")):
            code, text = started("superpoints", {"SUPERPOINT_PDAL": pdal}, INPUT=CLOUD, OUTPUT=output)
            self.assertNotEqual(code, 0, text)
            self.assertIn(words, text)
            self.assertIn("What to do", text)
            self.assertIn("cmake --install", text)

    def test_every_parameter_is_an_option(self):
        stage = json.loads(drivers("--options", "filters.superpoint", "--showjson"))
        names = {o["name"] for o in stage[1]}
        own = {option["name"] for option in options.TABLE["options"]}
        self.assertEqual(own - names, set(), "parameters without an option")
        of_pdal = {"user_data", "log", "option_file", "where", "where_merge"}
        beside = sorted(names - own - of_pdal)
        if beside:
            print("options without a parameter, left to More options:", ", ".join(beside))

    def test_more_options(self):
        self.assertEqual(options.more(" min_size=3; a = b=c ;"), {"min_size": "3", "a": "b=c"})
        self.assertEqual(options.more(""), {})
        with self.assertRaises(ValueError):
            options.more("min_size 3")
        output = os.path.join(fresh("more"), "out.laz")
        self.refused("no_such", "superpoints", INPUT=CLOUD, MORE="no_such=1", OUTPUT=output)


def drivers(*arguments):
    """Returns the output of pdal."""
    command = [os.environ["SUPERPOINT_PDAL"], *(arguments or ["--drivers"])]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


NEW = "writers.copc" in drivers()  # PDAL 2.4 or newer, which writes LAZ with all classes
