"""Runs one command of `pdal superpoint` whose result is one file."""

import os

from qgis.core import QgsProcessingParameterBoolean, QgsProcessingParameterFileDestination

from . import base, child, clouds, options, pipeline, program


def run(found, command, values, files, feedback, folder=""):
    """Runs `pdal superpoint COMMAND` with options and files and returns what it
    prints; folder, if any, is removed if QGIS is killed during the run."""
    arguments = ["superpoint", *command.split()]
    for name, value in values.items():
        arguments.append(f"--{name}={'true' if value is True else 'false' if value is False else value}")
    return found.run(arguments + files, listener(feedback), feedback.isCanceled, folder)


def listener(feedback):
    """Returns a function that reads lines of standard error: progress and messages."""
    progress = child.Progress()

    def on_line(line):
        if progress.take(line):
            feedback.setProgress(progress.percent)
        elif line.strip():
            feedback.pushConsoleInfo(line)

    return on_line


def write(found, command, values, sources, output, feedback):
    """Runs a command that reads sources and writes output, which exists only when it is
    complete. Returns what the command prints."""
    with pipeline.beside(output, sources) as folder:
        written = os.path.join(folder, os.path.basename(output))
        printed = run(found, command, values, sources + [written], feedback, folder)
        if not os.path.exists(written):
            raise ValueError(f"pdal superpoint {command} wrote no {os.path.basename(output)}")
        os.replace(written, output)
    feedback.setProgress(100)
    return printed


class Command(base.Algorithm):
    """A command that reads clouds and writes a file; NAME is also the name of the command."""

    INPUT = "Point cloud with superpoints"
    MANY = False  # several clouds
    FIELDS = []  # options of the command
    MAKES = False  # whether it has the options that compute superpoints
    LOAD = None  # label of the parameter that shows the result, and its default
    OUTPUT = None  # label and file types

    def initAlgorithm(self, configuration=None):
        self.add(self.inputs())
        self.add(f.parameter() for f in self.FIELDS)
        if self.MAKES:
            self.add(options.parameters(program.model_names()))
        if self.LOAD:
            label, default = self.LOAD
            self.addParameter(QgsProcessingParameterBoolean("LOAD", label, defaultValue=default))
        self.addParameter(self.output())

    def inputs(self):
        return [(clouds.CloudInputs if self.MANY else clouds.CloudInput)("INPUT", self.INPUT)]

    def output(self):
        label, kinds = self.OUTPUT
        return QgsProcessingParameterFileDestination("OUTPUT", label, fileFilter=kinds)

    def path(self, parameters, context):
        return self.parameterAsFileOutput(parameters, "OUTPUT", context)

    def values(self, parameters, context):
        """Returns the options of the command."""
        values = options.common_values(self, parameters, context) if self.MAKES else {}
        return {**values, **options.given(self, parameters, context, self.FIELDS)}

    def sources(self, parameters, context):
        if self.MANY:
            return clouds.paths(self, parameters, "INPUT", context)
        return [clouds.path(self, parameters, "INPUT", context)]

    def work(self, found, parameters, context, feedback):
        sources = self.sources(parameters, context)
        output = self.path(parameters, context)
        values = self.values(parameters, context)
        for line in write(found, self.NAME, values, sources, output, feedback).splitlines():
            feedback.pushInfo(line)
        if not self.LOAD or self.parameterAsBoolean(parameters, "LOAD", context):
            self.load(found, sources[0], output, context, feedback)
        return {"OUTPUT": output}

    def load(self, found, source, output, context, feedback):
        """Asks QGIS to show the result."""
