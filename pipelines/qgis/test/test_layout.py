# SPDX-License-Identifier: BSD-3-Clause
"""Finding and running pdal: the search in simulated folders, messages, cancelling, progress."""

import os
import shutil
import tempfile
import unittest
from unittest import mock

import inqgis
from qgis.core import QgsProcessingFeedback
from superpoint import program


class Layout(unittest.TestCase):
    """Files with the names of installers, and a pdal that has the stage if one of its folders has the plugin."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="programs é ")
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        application = mock.Mock()
        application.applicationDirPath.return_value = os.path.join(self.root, "QGIS", "bin")
        application.qgisSettingsDirPath.return_value = os.path.join(self.root, "profile")
        for patch in (
            mock.patch.object(program, "QgsApplication", application),
            mock.patch.object(program, "__file__",
                              os.path.join(self.root, "profile", "plugins", "superpoint", "program.py")),
            mock.patch.object(program, "_setting", return_value=""),
            mock.patch.object(program.Program, "has", self.has),
            mock.patch.dict(os.environ, clear=True),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    @staticmethod
    def has(searched, stage):
        """Searches PDAL_DRIVER_PATH for the plugin, as pdal does."""
        folders = searched.environment.get("PDAL_DRIVER_PATH", "").split(os.pathsep)
        return stage == "filters.superpoint" and any(map(program._holds_plugin, folders))

    def file(self, name):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w", encoding="utf-8").close()
        os.chmod(path, 0o755)
        return path

    def test_installers(self):
        """pdal of QGIS, conda and the PATH, with the plugin beside it, beside its own or in the profile."""
        for pdal, folder, variable, value in (
            ("env/bin/pdal", "env/lib", "CONDA_PREFIX", "env"),
            ("QGIS/bin/pdal", "QGIS/bin", "PATH", "/nowhere"),
            ("local/bin/pdal", "profile/superpoint", "PATH", "local/bin"),
        ):
            with self.subTest(folder):
                path, plugin = self.file(pdal), self.file(folder + "/libpdal_plugin_filter_superpoint.so")
                with mock.patch.dict(os.environ, {variable: os.path.join(self.root, value)}, clear=True):
                    found = program.find()
                folders = found.environment["PDAL_DRIVER_PATH"].split(os.pathsep)
                self.assertEqual((found.path, folders[0]), (path, os.path.dirname(plugin)))
                own = os.path.join(os.path.dirname(os.path.dirname(path)), "lib")
                self.assertIn(os.path.realpath(own), folders)  # PDAL's own are kept
                shutil.rmtree(self.root)

    def test_origin(self):
        """A pdal that is found twice is tried once, and its origin is the first one."""
        first, second = self.file("env/bin/pdal"), self.file("local/bin/pdal")
        folders = [os.path.dirname(path) for path in (first, second, first)]
        environment = {"PATH": os.pathsep.join(folders), "CONDA_PREFIX": os.path.join(self.root, "env")}
        with mock.patch.dict(os.environ, environment, clear=True), self.assertRaises(program.NotFound) as raised:
            program.find()
        tried = [line.strip().split(": ")[0] for line in str(raised.exception).splitlines() if self.root in line]
        self.assertEqual(tried, [f"{first} (on the PATH)", f"{second} (on the PATH)"])

    def test_none(self):
        self.file("QGIS/bin/pdal")
        with self.assertRaisesRegex(program.NotFound, "has no filters.superpoint"):
            program.find()


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.application = inqgis.start()

    @staticmethod
    def shell(script, feedback=None):
        return program.Program("/bin/sh", "").run(["-c", script], feedback or QgsProcessingFeedback(False))

    def test_output_and_messages(self):
        feedback = QgsProcessingFeedback(False)
        text = self.shell("echo out; echo one >&2; printf 'tw' >&2; sleep 0.3; printf 'o\nlast' >&2", feedback)
        self.assertEqual(text, "out\n")
        self.assertEqual(feedback.textLog().split(), ["one", "two", "last"])

    def test_the_environment_is_of_the_process_only(self):
        before = dict(os.environ)
        searched = program.Program("/bin/sh", "/some/folder")
        for text in (searched.run(["-c", "env"], QgsProcessingFeedback(False)), searched.ask("-c", "env")):
            self.assertIn("SUPERPOINT_PROGRESS=lines", text)
            self.assertIn("PDAL_DRIVER_PATH=/some/folder:", text)
        self.assertEqual(dict(os.environ), before)

    def test_a_failure_has_the_last_messages(self):
        with self.assertRaises(program.Failed) as caught:
            self.shell("seq 1 500 >&2; echo PROGRESS embedding 3 >&2; echo out; exit 7")
        self.assertEqual((caught.exception.code, caught.exception.output), (7, "out\n"))
        self.assertEqual(caught.exception.lines, [str(i) for i in range(461, 501)])
        for script in ("kill -9 $$", "exec /nowhere/pdal"):
            with self.assertRaises(program.Failed):
                self.shell(script)

    def test_progress(self):
        progress = program.Progress()
        self.assertFalse(progress.take("(pdal Error) something"))
        seen = []
        for line in ("neighbors 0", "neighbors 100", "embedding 50", "graph 0", "neighbors 5", "partition 100",
                     "output 100"):
            self.assertTrue(progress.take("PROGRESS " + line))
            seen.append(progress.percent)
        self.assertEqual(seen, [10, 30, 50, 70, 70, 88, 95])
        self.assertTrue(progress.take("PROGRESS something else 5"))
        self.assertEqual(progress.percent, 95)
        many, seen = program.Progress(), []
        for line in ("1/2 a 1.laz: embedding 50", "1/2 a 1.laz: output 100",
                     "2/2 b, 12 s left: neighbors 0", "2/2 b, 12 s left: partition 100"):
            self.assertTrue(many.take("PROGRESS " + line))
            seen.append(many.percent)
        self.assertEqual(seen, [25, 47.5, 55, 94])

    def test_progress_of_a_map(self):
        progress, seen = program.Progress("map"), []
        for line in ("checking tiles 50", "1/2 a.laz: reading 0", "1/2 a.laz: embedding 50", "1/2 a.laz: output 100",
                     "2/2 b.laz, 12 s left: output 100", "reading tiles 50", "classes 100",
                     "objects, part 1 of 2 100", "objects, part 2 of 2, 3 s left 100",
                     "rasters and picture, 2 min left 50", "writing 100", "checking the files 100"):
            self.assertTrue(progress.take("PROGRESS " + line))
            seen.append(round(progress.percent, 2))
        self.assertEqual(seen, [0, 0.33, 16.25, 30.88, 63.38, 67.5, 67.5, 72.5, 75, 85, 85, 99])
        self.assertEqual(seen, sorted(seen))
