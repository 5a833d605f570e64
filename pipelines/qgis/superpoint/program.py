"""Finds a pdal that has filters.superpoint, and the environment to run it with.

Searched in this order: the settings of the provider; SUPERPOINT_PDAL; build/pdal
of the checkout that the plugin lies in; every pdal on the PATH; the pdal that
comes with QGIS; the pdal of a conda environment. PDAL_DRIVER_PATH and everything
else is set for the child only; the environment of QGIS does not change.
"""

import functools
import os
import sys

from qgis.core import QgsApplication

from . import child

PDAL_SETTING = "SUPERPOINT_PDAL"
DRIVERS_SETTING = "SUPERPOINT_DRIVERS"
STAGE_LIBRARY = "pdal_plugin_filter_superpoint"  # with lib before and .so, .dylib or .dll after
NAME = "pdal.exe" if os.name == "nt" else "pdal"
FALLBACK_MODELS = ["auto", "any", "aerial", "indoor", "geometric"]  # if pdal cannot list them


class NotFound(Exception):
    """No pdal has the stage; the text has the searched paths and the remedy."""


class Program:
    """One pdal with its environment."""

    def __init__(self, path, drivers):
        self.path = path
        self.environment = dict(os.environ)
        for name in ("PYTHONHOME", "PYTHONPATH"):  # those of QGIS, which PDAL's Python plugins would use
            self.environment.pop(name, None)
        if drivers:
            already = [p for p in self.environment.get("PDAL_DRIVER_PATH", "").split(os.pathsep) if p]
            folders = [drivers] + already + _own_plugins(os.path.realpath(path))
            self.environment["PDAL_DRIVER_PATH"] = os.pathsep.join(dict.fromkeys(folders))
        self.environment["SUPERPOINT_PROGRESS"] = "lines"

    def run(self, arguments, on_line=None, cancelled=None, folder=""):
        """Runs pdal with arguments; see child.run."""
        return child.run([self.path, *arguments], self.environment, on_line, cancelled, folder)

    def has(self, stage):
        """Reports whether pdal has the stage, for example writers.copc."""
        return any(line.split()[:1] == [stage] for line in self.run(["--drivers"]).splitlines())

    def models(self):
        """Returns the names of the built-in models, auto first."""
        names = []
        inside = False
        for line in self.run(["superpoint", "info"]).splitlines():
            if inside and line.startswith("  ") and line.split():
                names.append(line.split()[0])
            elif line.strip():
                inside = line.startswith("built-in models")
        return ["auto"] + names if names else FALLBACK_MODELS


def _own_plugins(pdal):
    """Returns the folders of a pdal's own plugins: on Linux and macOS; in OSGeo4W."""
    root = os.path.dirname(os.path.dirname(pdal))
    apps = os.path.join(root, "apps", "pdal", "plugins")
    return [os.path.join(root, "lib")] + ([apps] if os.path.isdir(apps) else [])


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
            except (OSError, child.Failed) as e:
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
    found = []
    if _setting(PDAL_SETTING):
        return [(_setting(PDAL_SETTING), "the setting pdal program")]
    if os.environ.get("SUPERPOINT_PDAL"):
        return [(os.environ["SUPERPOINT_PDAL"], "SUPERPOINT_PDAL")]
    checkout = os.path.realpath(__file__)
    for _ in range(4):
        checkout = os.path.dirname(checkout)
    built = os.path.join(checkout, "build", "pdal")
    if os.path.isfile(built):
        found.append((built, "built in the checkout"))
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and os.path.isfile(os.path.join(folder, NAME)):
            found.append((os.path.join(folder, NAME), "on the PATH"))
    for folder in _bundled_folders():
        if os.path.isfile(os.path.join(folder, NAME)):
            found.append((os.path.join(folder, NAME), "comes with QGIS or conda"))
    unique = {}
    for path, why in found:
        unique.setdefault(os.path.normcase(os.path.abspath(path)), (path, why))
    return list(unique.values())


def _bundled_folders():
    """Returns the folders where installers of QGIS and conda have programs."""
    prefix = QgsApplication.prefixPath()
    folders = [QgsApplication.applicationDirPath(), os.path.join(prefix, "bin"), os.path.dirname(sys.executable)]
    for name in ("OSGEO4W_ROOT", "CONDA_PREFIX"):
        if os.environ.get(name):
            folders += [os.path.join(os.environ[name], "bin"), os.path.join(os.environ[name], "Library", "bin")]
    return [f for f in folders if f]


def _driver_folders(pdal):
    """Returns the plugin folders to try: none; then those that have the plugin."""
    if _setting(DRIVERS_SETTING):
        return [_setting(DRIVERS_SETTING)]
    here = os.path.dirname(os.path.abspath(pdal))
    near = [os.environ.get("SUPERPOINT_PLUGINS", ""), here, *_own_plugins(os.path.abspath(pdal))]
    profile = QgsApplication.qgisSettingsDirPath()
    near += [os.path.join(profile, "superpoint"), "/usr/local/lib"]
    return [""] + [f for f in near if f and _holds_plugin(f)]


def _holds_plugin(folder):
    try:
        return any(STAGE_LIBRARY in name for name in os.listdir(folder))
    except OSError:
        return False


def model_names():
    """Returns the built-in models for the list of a parameter; never fails."""
    return _known(*_searched())[0]


def writes_copc():
    """Reports whether pdal writes COPC; never fails."""
    return _known(*_searched())[1]


def _searched():
    return _setting(PDAL_SETTING), _setting(DRIVERS_SETTING), os.environ.get("SUPERPOINT_PDAL", "")


@functools.lru_cache(maxsize=4)
def _known(_pdal, _drivers, _environment):
    """Returns models, and whether pdal writes COPC. Cached for each setting of the search,
    because QGIS creates parameters often."""
    try:
        program = find()
        return program.models(), program.has("writers.copc")
    except (NotFound, OSError, child.Failed):
        return FALLBACK_MODELS, False
