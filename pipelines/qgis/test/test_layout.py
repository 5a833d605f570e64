"""The search for pdal on Windows, in simulated folders of OSGeo4W and conda."""

import importlib.util
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

if importlib.util.find_spec("qgis") is None:  # a stub is enough: only paths are tested
    core = types.ModuleType("qgis.core")
    core.QgsApplication = type("QgsApplication", (), {})
    sys.modules["qgis"], sys.modules["qgis.core"] = types.ModuleType("qgis"), core

from superpoint import program  # noqa: E402


class Layout(unittest.TestCase):
    """Files with the names of installers, and a pdal that has the stage if one of its folders has the plugin."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="Program Files é ")
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        application = mock.Mock()
        application.prefixPath.return_value = os.path.join(self.root, "OSGeo4W", "apps", "qgis")
        application.applicationDirPath.return_value = os.path.join(self.root, "OSGeo4W", "apps", "qgis", "bin")
        application.qgisSettingsDirPath.return_value = os.path.join(self.root, "profile")
        for patch in (
            mock.patch.object(program, "QgsApplication", application),
            mock.patch.object(program, "NAME", "pdal.exe"),
            mock.patch.object(program, "__file__",
                              os.path.join(self.root, "profile", "plugins", "superpoint", "program.py")),
            mock.patch.object(program, "_setting", return_value=""),
            mock.patch.object(program.Program, "has", self.has),
            mock.patch.object(sys, "executable", os.path.join(self.root, "OSGeo4W", "bin", "qgis-bin.exe")),
            mock.patch.dict(os.environ, clear=True),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    @staticmethod
    def has(searched, stage):
        """Searches PDAL_DRIVER_PATH for the plugin, as pdal does."""
        folders = searched.environment.get("PDAL_DRIVER_PATH", "").split(os.pathsep)
        return stage == "filters.superpoint" and any(map(program._holds_plugin, folders))

    def file(self, *names):
        path = os.path.join(self.root, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w", encoding="utf-8").close()
        return path

    def test_osgeo4w(self):
        pdal = self.file("OSGeo4W", "bin", "pdal.exe")
        plugin = self.file("OSGeo4W", "apps", "pdal", "plugins", "libpdal_plugin_filter_superpoint.dll")
        os.environ["OSGEO4W_ROOT"] = os.path.join(self.root, "OSGeo4W")
        found = program.find()
        self.assertEqual(found.path, pdal)
        self.assertIn(os.path.dirname(plugin), found.environment["PDAL_DRIVER_PATH"].split(os.pathsep))

    def test_conda(self):
        pdal = self.file("env", "Library", "bin", "pdal.exe")
        plugin = self.file("env", "Library", "bin", "libpdal_plugin_filter_superpoint.dll")
        os.environ["CONDA_PREFIX"] = os.path.join(self.root, "env")
        found = program.find()
        self.assertEqual(found.path, pdal)
        self.assertEqual(found.environment["PDAL_DRIVER_PATH"].split(os.pathsep)[0], os.path.dirname(plugin))

    def test_a_plugin_in_the_profile(self):
        self.file("OSGeo4W", "bin", "pdal.exe")
        plugin = self.file("profile", "superpoint", "libpdal_plugin_filter_superpoint.dll")
        own = self.file("OSGeo4W", "apps", "pdal", "plugins", "libpdal_plugin_reader_e57.dll")
        found = program.find()
        folders = found.environment["PDAL_DRIVER_PATH"].split(os.pathsep)
        self.assertEqual(folders[0], os.path.dirname(plugin))
        self.assertIn(os.path.dirname(own), folders)  # PDAL's own are kept

    def test_none(self):
        self.file("OSGeo4W", "bin", "pdal.exe")
        os.environ["OSGEO4W_ROOT"] = os.path.join(self.root, "OSGeo4W")
        with self.assertRaisesRegex(program.NotFound, "has no filters.superpoint"):
            program.find()


if __name__ == "__main__":
    unittest.main()
