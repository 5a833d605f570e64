# SPDX-License-Identifier: BSD-3-Clause
"""Finds a pdal that has filters.superpoint, and runs it as a separate process.

Searched in this order: the settings of the provider; SUPERPOINT_PDAL; build/pdal
of the checkout that the plugin lies in; every pdal on the PATH; the pdal that
comes with QGIS; the pdal of a conda environment. PDAL_DRIVER_PATH and everything
else is set for the process only; the environment of QGIS does not change.
"""

import functools
import os
import re
import shutil
import subprocess
from collections import deque

from qgis.core import QgsApplication, QgsBlockingProcess
from qgis.PyQt.QtCore import QProcess

PDAL_SETTING = "SUPERPOINT_PDAL"
DRIVERS_SETTING = "SUPERPOINT_DRIVERS"
STAGE_LIBRARY = "pdal_plugin_filter_superpoint"  # with lib before and .so or .dylib after
KEPT = 40  # lines of messages kept for the report of a failure
SECONDS = 60  # for a question such as `pdal --drivers`


class NotFound(Exception):
    """No pdal has the stage; the text has the searched paths and the remedy."""


class Cancelled(Exception):
    """The user cancelled; pdal has ended."""


class Failed(Exception):
    """pdal ended with an exit code other than 0."""

    def __init__(self, code, lines, output=""):
        self.code, self.lines, self.output = code, list(lines), output
        text = "\n".join(self.lines) or "it wrote no message"
        super().__init__(f"pdal ended with exit code {code}:\n{text}")


class Program:
    """One pdal with its environment."""

    def __init__(self, path, drivers):
        self.path = path
        self.environment = {"SUPERPOINT_PROGRESS": "lines"}
        if drivers:
            already = [p for p in os.environ.get("PDAL_DRIVER_PATH", "").split(os.pathsep) if p]
            folders = [drivers, *already, _own_plugins(os.path.realpath(path))]
            self.environment["PDAL_DRIVER_PATH"] = os.pathsep.join(dict.fromkeys(folders))

    def run(self, arguments, feedback):
        """Runs pdal with arguments and returns its standard output. Progress and messages go to feedback, whose
        cancelling ends pdal and its children. Raises Failed or Cancelled."""
        output, messages, progress = [], Lines(), Progress(_command_of(arguments))
        kept = deque(maxlen=KEPT)

        def on_error(data):
            for line in messages.take(bytes(data)):
                if progress.take(line):
                    feedback.setProgress(progress.percent)
                elif line.strip():
                    kept.append(line)
                    feedback.pushConsoleInfo(line)

        def on_output(data):
            output.append(bytes(data))

        program, *rest = self._command(arguments)
        process = QgsBlockingProcess(program, rest)
        process.setStdOutHandler(on_output)  # functions with a name live until the end: QGIS keeps no reference
        process.setStdErrHandler(on_error)
        code = process.run(feedback)
        on_error(b"\n")
        text = b"".join(output).decode("utf-8", "replace")
        if feedback.isCanceled():
            raise Cancelled()
        if code or process.exitStatus() != QProcess.ExitStatus.NormalExit:
            raise Failed(code, kept, text)
        return text

    def _command(self, arguments):
        """Returns the command that runs pdal in its environment: Qt's process has the environment of QGIS, whose
        PYTHONHOME and PYTHONPATH PDAL's Python plugins would use."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        unset = ["-u", "PYTHONHOME", "-u", "PYTHONPATH"]
        return ["/usr/bin/env", *unset, *settings, self.path, *arguments]

    def ask(self, *arguments):
        """Returns the output of a short run."""
        done = subprocess.run(self._command(arguments), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=SECONDS, check=False)
        text = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            raise Failed(done.returncode, done.stderr.decode("utf-8", "replace").splitlines()[-KEPT:], text)
        return text

    def has(self, stage):
        """Reports whether pdal has the stage, for example writers.copc."""
        return any(line.split()[:1] == [stage] for line in self.ask("--drivers").splitlines())


class Lines:
    """Divides bytes, as they arrive, into lines."""

    def __init__(self):
        self.rest = b""

    def take(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [line.decode("utf-8", "replace").rstrip("\r") for line in lines]


class Progress:
    """Computes one percentage from lines `PROGRESS step percent`. With several files, step
    is `number/count name: step`. A step may end with the time left."""

    # Share of the time that each step begins at, measured on an aerial tile.
    BEGIN = {"reading": 1, "neighbors": 10, "embedding": 30, "graph": 70, "partition": 75, "output": 88, "end": 95}
    # Steps of the command map that follow the steps of all files. The shares of the files belong to the first one.
    LATER = {"reading tiles": 65, "objects": 70, "rasters and picture": 75, "checking the files": 95, "end": 99}
    MANY = re.compile(r"(\d+)/(\d+) .*: (\w+)$")
    LEFT = re.compile(r", [\d.]+ (s|min|h) left$")
    PART = re.compile(r", part (\d+) of (\d+)$")

    def __init__(self, command=""):
        self.percent = 0.0
        self.file, self.part = 1, 0.0
        self.files = self.LATER["reading tiles"] if command == "map" else 100

    def take(self, line):
        """Reads a line; reports whether it is one of progress."""
        if not line.startswith("PROGRESS "):
            return False
        step, _, number = line[len("PROGRESS "):].rpartition(" ")
        if not number.isdigit():
            return True
        done = min(int(number), 100) / 100
        step = self.LEFT.sub("", step)
        if self.files < 100:
            self._later(step, done)
        file, count = 1, 1
        of_many = self.MANY.match(step)
        if of_many:
            file, count, step = int(of_many.group(1)), int(of_many.group(2)), of_many.group(3)
        if step in self.BEGIN and step != "end":
            if file != self.file:
                self.file, self.part = file, 0.0
            # A step may report more than one pass over the points.
            self.part = max(self.part, self._share(self.BEGIN, step, done))
            self.percent = max(self.percent, self.files / 100 * (100 * (file - 1) + self.part) / count)
        return True

    def _later(self, step, done):
        """Reads the progress of a step that follows the steps of the files."""
        part = self.PART.search(step)
        if part:
            step, done = step[:part.start()], (int(part.group(1)) - 1 + done) / int(part.group(2))
        if step in self.LATER and step != "end":
            self.percent = max(self.percent, self._share(self.LATER, step, done))

    @staticmethod
    def _share(begin, step, done):
        """Returns the share of the time after a part of a step."""
        names = list(begin)
        end = begin[names[names.index(step) + 1]]
        return begin[step] + (end - begin[step]) * done


def _command_of(arguments):
    """Returns the name of the command of superpoint that arguments of pdal run; "" if it is another program."""
    arguments = [str(a) for a in arguments]
    return arguments[1] if len(arguments) > 1 and arguments[0] == "superpoint" else ""


def _own_plugins(pdal):
    """Returns the folder of a pdal's own plugins."""
    return os.path.join(os.path.dirname(os.path.dirname(pdal)), "lib")


def find():
    """Returns the first pdal that has filters.superpoint, or raises NotFound."""
    tried = []
    for path, why in _candidates():
        if not os.path.isfile(path):
            tried.append(f"{path} ({why}): there is no such file")
            continue
        for drivers in _driver_folders(path):
            program = Program(path, drivers)
            try:
                if program.has("filters.superpoint"):
                    return program
                problem = "has no filters.superpoint" + (f" with plugins from {drivers}" if drivers else "")
            except (OSError, Failed, subprocess.TimeoutExpired) as e:
                problem = str(e)
            tried.append(f"{path} ({why}): {problem}")
    raise NotFound(_advice(tried))


def _advice(tried):
    searched = "\n".join("  " + line for line in tried) or "  no pdal was found at all"
    return (
        "PDAL with the superpoint plugin was not found. Searched:\n" + searched + "\n\n"
        "What to do, one of these:\n"
        "  1. In a checkout of superpoint run `make`, then set Settings > Options > Processing > Providers >\n"
        "     Superpoint > pdal program to its build/pdal (or start QGIS with SUPERPOINT_PDAL=…/build/pdal).\n"
        "  2. If PDAL is installed, put lib" + STAGE_LIBRARY + " and libsuperpoint beside PDAL's plugins\n"
        "     (`cmake --install build`), or set the folder they are in under the same settings.\n"
        "  3. If `pdal --drivers` in a terminal shows filters.superpoint, set pdal program to that pdal.\n"
        "The plugin must be built for the same minor version of PDAL (2.2, 2.8, …) that loads it.")


def _setting(name):
    try:
        from processing.core.ProcessingConfig import ProcessingConfig
        return (ProcessingConfig.getSetting(name) or "").strip()
    except ImportError:  # Processing is not loaded, for example in a script
        return ""


def _candidates():
    """Returns the paths of pdal to try, each with its origin, without repetition."""
    if _setting(PDAL_SETTING):
        return [(_setting(PDAL_SETTING), "the setting pdal program")]
    if os.environ.get("SUPERPOINT_PDAL"):
        return [(os.environ["SUPERPOINT_PDAL"], "SUPERPOINT_PDAL")]
    checkout = os.path.realpath(__file__)
    for _ in range(4):
        checkout = os.path.dirname(checkout)
    places = [(os.path.join(checkout, "build"), "built in the checkout")]
    places += [(folder, "on the PATH") for folder in os.environ.get("PATH", "").split(os.pathsep)]
    places.append((QgsApplication.applicationDirPath(), "comes with QGIS"))
    if os.environ.get("CONDA_PREFIX"):
        places.append((os.path.join(os.environ["CONDA_PREFIX"], "bin"), "comes with conda"))
    unique = {}
    for folder, why in places:
        path = shutil.which("pdal", path=folder)
        if path:
            unique.setdefault(os.path.abspath(path), (path, why))
    return list(unique.values())


def _driver_folders(pdal):
    """Returns the plugin folders to try: none; then those that have the plugin."""
    if _setting(DRIVERS_SETTING):
        return [_setting(DRIVERS_SETTING)]
    here = os.path.dirname(os.path.abspath(pdal))
    profile = os.path.join(QgsApplication.qgisSettingsDirPath(), "superpoint")
    near = [os.environ.get("SUPERPOINT_PLUGINS", ""), here, _own_plugins(os.path.abspath(pdal)), profile,
            "/usr/local/lib"]
    return [""] + [f for f in near if f and _holds_plugin(f)]


def _holds_plugin(folder):
    try:
        return any(STAGE_LIBRARY in name for name in os.listdir(folder))
    except OSError:
        return False


def writes_copc():
    """Reports whether pdal writes COPC; never fails. It is remembered for each setting of the search, because QGIS
    asks often."""
    return _writes_copc(_setting(PDAL_SETTING), _setting(DRIVERS_SETTING), os.environ.get("SUPERPOINT_PDAL", ""))


@functools.lru_cache(maxsize=4)
def _writes_copc(_pdal, _drivers, _environment):
    try:
        return find().has("writers.copc")
    except (NotFound, OSError, Failed, subprocess.TimeoutExpired):
        return False
