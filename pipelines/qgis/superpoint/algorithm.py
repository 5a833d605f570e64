# SPDX-License-Identifier: BSD-3-Clause
"""The Processing algorithm of a tool, and one run of it."""

import json
import os

import qgis.core
from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingOutputHtml,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterVectorDestination,
)
from qgis.PyQt.QtGui import QIcon

from . import clouds, options, program

# The dialog of a point cloud destination asks whether to load it: QGIS 3.24 and newer.
DESTINATION = getattr(qgis.core, "QgsProcessingParameterPointCloudDestination", None)


class Algorithm(QgsProcessingAlgorithm):
    """A tool as QGIS runs it. Everything that differs between tools is in the tool."""

    def __init__(self, tool):
        super().__init__()
        self.tool, self.job, self.labels = tool, None, None

    def createInstance(self):
        return Algorithm(self.tool)

    def name(self):
        return self.tool.name

    def displayName(self):
        return self.tool.title

    def shortHelpString(self):
        return self.tool.help

    def icon(self):
        return QIcon(os.path.join(os.path.dirname(__file__), "icon.svg"))

    def tags(self):
        return ["point cloud", "lidar", "las", "laz", "pdal", "segmentation", "superpoint", "oversegmentation"]

    def initAlgorithm(self, configuration=None):
        tool = self.tool
        fields = sorted(tool.fields + options.stage(tool.stage), key=lambda f: f.rare)
        for parameter in [*(p.clone() for p in tool.inputs), *(f.parameter() for f in fields), *self.outputs()]:
            self.addParameter(parameter)
        for name, label in tool.numbers.items():
            self.addOutput(QgsProcessingOutputNumber(name, label))
        for name, label in tool.texts.items():
            self.addOutput((QgsProcessingOutputHtml if name == "REPORT" else QgsProcessingOutputString)(name, label))

    def outputs(self):
        """Yields the parameters of results."""
        kind, label, formats = self.tool.output or ("", "", "")
        if self.tool.load is not None and (kind != "cloud" or DESTINATION is None):
            text, default = self.tool.load
            yield QgsProcessingParameterBoolean("LOAD", text, defaultValue=default)
        if kind == "cloud" and DESTINATION is not None:
            yield DESTINATION("OUTPUT", label)
        elif kind in ("cloud", "file"):
            yield QgsProcessingParameterFileDestination("OUTPUT", label, fileFilter=formats)
        elif kind == "folder":
            yield QgsProcessingParameterFolderDestination("OUTPUT", label)
        elif kind == "vector":
            output = QgsProcessingParameterVectorDestination("OUTPUT", label)
            output.setSupportsNonFileBasedOutput(False)
            yield output

    def canExecute(self):
        """Algorithms are listed without PDAL, too; running one reports what is missing."""
        return True, ""

    def prepareAlgorithm(self, parameters, context, feedback):
        """Layers belong to the main thread."""
        if self.parameterDefinition("LABELS"):
            self.labels = self.parameterAsVectorLayer(parameters, "LABELS", context)
        return True

    def processAlgorithm(self, parameters, context, feedback):
        self.job = Job(self, parameters, context, feedback)
        try:
            self.job.program = program.find()
            feedback.pushInfo("pdal: " + self.job.program.path)
            results = self.tool.run(self.job)
            feedback.setProgress(100)
            return results
        except program.Cancelled:
            feedback.pushInfo("Cancelled. Results that were complete are kept.")
            self.job = None
            return {}
        except (program.NotFound, program.Failed, ValueError, OSError) as e:
            raise QgsProcessingException(str(e)) from e

    def postProcessAlgorithm(self, context, feedback):
        """Runs on the main thread, with its context: QGIS has deleted the context of the other thread."""
        if self.job is not None and self.tool.after is not None:
            self.job.context = context
            try:
                self.tool.after(self.job)
            except ValueError as e:
                raise QgsProcessingException(str(e)) from e
        return {}


class Job:
    """One run of a tool: the values of its parameters, and the program."""

    def __init__(self, algorithm, parameters, context, feedback):
        self.algorithm, self.parameters, self.context, self.feedback = algorithm, parameters, context, feedback
        self.tool, self.program, self.found = algorithm.tool, None, None
        self.single = (self.tool.output or ("file",))[0] != "folder"
        self.references = {}  # spatial references that layers have and their files have not, by file

    def has(self, name):
        return self.algorithm.parameterDefinition(name) is not None

    def text(self, name):
        return self.algorithm.parameterAsString(self.parameters, name, self.context).strip() if self.has(name) else ""

    def on(self, name):
        return self.has(name) and self.algorithm.parameterAsBoolean(self.parameters, name, self.context)

    def choice(self, name):
        return self.algorithm.parameterAsEnumString(self.parameters, name, self.context)

    def file(self, name="OUTPUT"):
        """Returns the absolute path of a file to write, or ""."""
        vector = self.tool.output and self.tool.output[0] == "vector"
        read = self.algorithm.parameterAsOutputLayer if vector else self.algorithm.parameterAsFileOutput
        path = read(self.parameters, name, self.context)
        return os.path.abspath(path) if path else ""

    def layer(self):
        """Returns the file of the destination OUTPUT, and whether to show it. QGIS is not asked to load it: layers are
        loaded with styles."""
        if self.has("LOAD"):
            return self.file(), self.on("LOAD")
        output = self.algorithm.parameterAsOutputLayer(self.parameters, "OUTPUT", self.context)
        waiting = self.context.layersToLoadOnCompletion()
        shown = waiting.pop(output, None) is not None
        self.context.setLayersToLoadOnCompletion(waiting)
        return os.path.abspath(output), shown

    def clouds(self):
        """Returns the files of INPUT, and of the folder beside it."""
        files = clouds.files(self, "INPUT")
        if self.text("FOLDER"):
            files.append(os.path.abspath(self.text("FOLDER")))
        if not files:
            raise ValueError("give Point clouds" + (", or a folder of them" if self.has("FOLDER") else ""))
        return files

    def area(self):
        """Returns the option of the polygons to process: a layer that is not a file is written to one."""
        if self.parameters.get("AREA") in (None, ""):
            return {}
        return {"area": self.algorithm.parameterAsCompatibleSourceLayerPath(
            self.parameters, "AREA", self.context, ["gpkg", "geojson", "shp"], "gpkg", self.feedback)}

    def values(self):
        """Returns the options that differ from their defaults, by name."""
        return options.values(self)

    def run(self, command, values, files=()):
        """Runs `pdal superpoint COMMAND` and returns what it prints."""
        values = {**clouds.references(self), **values}
        if "force" in options.COMMANDS.get(command, ()) and self.single:  # QGIS asks before it overwrites a file
            values["force"] = True
        flags = [f"--{name}={str(value).lower() if isinstance(value, bool) else value}"
                 for name, value in values.items()]
        return self.program.run(["superpoint", *command.split(), *flags, *files], self.feedback)

    def lines(self, command, values, files):
        """Runs a command that prints a line of JSON for each file, also if some fail."""
        try:
            printed = self.run(command, {**values, "format": "json"}, files)
        except program.Failed as e:
            if not e.output.startswith("{"):
                raise
            printed = e.output
        return [json.loads(line) for line in printed.splitlines()]
