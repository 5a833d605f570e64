# SPDX-License-Identifier: BSD-3-Clause
"""Files of the plugin: metadata, styles, Python 3.9."""

import ast
import configparser
import glob
import importlib.util
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(os.path.dirname(HERE), "superpoint")
class Files(unittest.TestCase):
    def test_metadata(self):
        parser = configparser.ConfigParser()
        parser.read(os.path.join(PLUGIN, "metadata.txt"), encoding="utf-8")
        general = parser["general"]
        for key in ("name", "description", "about", "version", "qgisMinimumVersion", "author", "email", "repository",
                    "tracker", "icon", "tags", "category", "license"):
            self.assertTrue(general[key].strip(), key)
        self.assertEqual(general["hasProcessingProvider"], "yes")
        self.assertEqual(general["supportsQt6"], "True")
        self.assertTrue(os.path.isfile(os.path.join(PLUGIN, general["icon"])))
        xml.parse(os.path.join(PLUGIN, general["icon"]))

    def test_python39_and_both_qts(self):
        for path in glob.glob(os.path.join(PLUGIN, "*.py")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            ast.parse(text, path, feature_version=(3, 9))
            self.assertNotIn("PyQt5", text, path)
            self.assertNotIn("PyQt6", text, path)

    def test_styles(self):
        with open(os.path.join(PLUGIN, "styles", "superpoint.qml"), encoding="utf-8") as file:
            root = xml.fromstring(file.read().split("\n", 1)[1])
        categories = root.findall("./renderer/categories/category")
        self.assertEqual([int(c.get("value")) for c in categories], list(range(32)))
        colors = [tuple(int(v) for v in c.get("color").split(",")[:3]) for c in categories]
        nearest = min(sum((a - b) ** 2 for a, b in zip(p, q)) for p in colors for q in colors if p is not q)
        self.assertGreater(nearest, 40 ** 2, "two of the colours are hard to distinguish")


class Points(unittest.TestCase):
    """The points of an octree come from a PLY that pdal wrote, perhaps on a full disk."""

    HEAD = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\nend_header\n"

    @classmethod
    def setUpClass(cls):
        described = importlib.util.spec_from_file_location("ept", os.path.join(PLUGIN, "ept.py"))
        cls.ept = importlib.util.module_from_spec(described)
        described.loader.exec_module(cls.ept)

    def read(self, content):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "points.ply")
            with open(path, "wb") as file:
                file.write(content)
            return self.ept.read(path, self.ept.numpy.dtype([("X", "<f8")]))

    def test_all(self):
        self.assertEqual(len(self.read(self.HEAD + bytes(24))), 3)

    def test_incomplete_header(self):
        for length in (0, 3, 30, len(self.HEAD) - 1):
            with self.subTest(length), self.assertRaisesRegex(ValueError, "ends in its header; is the disk full"):
                self.read(self.HEAD[:length])

    def test_missing_points(self):
        for length in (0, 8, 23):
            with self.subTest(length), self.assertRaisesRegex(ValueError, "of 3 points; is the disk full"):
                self.read(self.HEAD + bytes(length))

    def test_counts(self):
        self.ept.check_count(5, 5, "a")
        self.ept.check_count(5, None, "a")
        with self.assertRaisesRegex(ValueError, "a has 1,000 of 2,000 points"):
            self.ept.check_count(1000, 2000, "a")
