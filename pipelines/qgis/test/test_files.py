"""Tests without QGIS: metadata, styles, Python 3.9, the child process."""

import ast
import configparser
import glob
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(os.path.dirname(HERE), "superpoint")
sys.path[:0] = [PLUGIN, os.path.dirname(PLUGIN)]

import child  # noqa: E402
from superpoint import pipeline  # noqa: E402


def alive(number):
    """Reports whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition, seconds=20):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "timeout"
        time.sleep(0.05)


class Outputs(unittest.TestCase):
    def test_an_input_is_refused_as_output(self):
        with tempfile.TemporaryDirectory() as folder:
            source, link, hard = (os.path.join(folder, name) for name in ("a.laz", "symbolic.laz", "hard.laz"))
            with open(source, "w", encoding="utf-8") as file:
                file.write("points")
            os.symlink(source, link)
            os.link(source, hard)
            for output in (source, link, hard, os.path.join(folder, ".", "a.laz")):
                with self.assertRaisesRegex(ValueError, "name another output"):
                    pipeline.keep(["", None, source], output)
            pipeline.keep([source], os.path.join(folder, "new.laz"))


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


class Child(unittest.TestCase):
    def test_output_and_messages(self):
        lines = []
        text = child.run(["/bin/sh", "-c", "echo out; echo one >&2; echo two >&2"], dict(os.environ), lines.append)
        self.assertEqual((text, lines), ("out\n", ["one", "two"]))

    def test_a_failure_has_the_last_messages(self):
        with self.assertRaises(child.Failed) as caught:
            child.run(["/bin/sh", "-c", "seq 1 500 >&2; echo PROGRESS embedding 3 >&2; exit 7"], dict(os.environ))
        self.assertEqual(caught.exception.code, 7)
        self.assertEqual(caught.exception.lines, [str(i) for i in range(461, 501)])

    def test_cancel_ends_the_whole_group(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = os.path.join(folder, "pid")
            script = f"sleep 60 & echo $! > {mark}; trap '' TERM; wait; sleep 60"
            begin = time.monotonic()
            with self.assertRaises(child.Cancelled):
                child.run(["/bin/sh", "-c", script], dict(os.environ), cancelled=lambda: os.path.exists(mark))
            self.assertLess(time.monotonic() - begin, 3 * child.GRACE)
            with open(mark, encoding="utf-8") as file:
                number = int(file.read())
            self.assertFalse(alive(number))

    def test_child_ends_when_its_parent_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            mark, part = os.path.join(folder, "pid"), os.path.join(folder, "part of a result")
            os.mkdir(part)
            script = ("import sys, os; sys.path.insert(0, sys.argv[1]); import child\n"
                      "child.run(['/bin/sh', '-c', 'echo $$ > \"$0\"; exec sleep 60', sys.argv[2]], dict(os.environ),"
                      " folder=sys.argv[3])")
            parent = subprocess.Popen([sys.executable, "-c", script, PLUGIN, mark, part])
            wait_until(lambda: os.path.exists(mark) and os.path.getsize(mark) > 0)
            parent.kill()
            parent.wait()
            with open(mark, encoding="utf-8") as file:
                number = int(file.read())
            wait_until(lambda: not os.path.exists(part) and not alive(number))

    def test_progress(self):
        progress = child.Progress()
        self.assertFalse(progress.take("(pdal Error) something"))
        seen = []
        for line in ("neighbors 0", "neighbors 100", "embedding 50", "graph 0", "neighbors 5", "partition 100",
                     "output 100"):
            self.assertTrue(progress.take("PROGRESS " + line))
            seen.append(progress.percent)
        self.assertEqual(seen, [10, 30, 50, 70, 70, 88, 95])
        self.assertTrue(progress.take("PROGRESS something else 5"))
        self.assertEqual(progress.percent, 95)
        many, seen = child.Progress(), []
        for line in ("1/2 a 1.laz: embedding 50", "1/2 a 1.laz: output 100",
                     "2/2 b, 12 s left: neighbors 0", "2/2 b, 12 s left: partition 100"):
            self.assertTrue(many.take("PROGRESS " + line))
            seen.append(many.percent)
        self.assertEqual(seen, [25, 47.5, 55, 94])

    def test_palette_is_of_render(self):
        palette = os.path.join(HERE, "..", "..", "..", "pipelines", "commands", "render", "palette.go")
        with open(palette, encoding="utf-8") as file:
            body = file.read().split("return []RGB{")[1].split("\n\t}\n")[0]
        with open(os.path.join(PLUGIN, "styles", "superpoint.qml"), encoding="utf-8") as file:
            shown = re.findall(r'color="(\d+),(\d+),(\d+),255"', file.read())
        self.assertEqual(len(set(shown)), 32)
        self.assertEqual(set(shown) - set(re.findall(r"\{(\d+), (\d+), (\d+)\}", body)), set())


if __name__ == "__main__":
    unittest.main()
