"""Superpoints of every point cloud in a folder."""

import fnmatch
import os

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterString,
)

from . import base, command, layers, options, pipeline, program


class SuperpointsOfFolder(base.Algorithm):
    """Runs one file after the other; a file that fails does not stop the rest."""

    NAME, TITLE = "folder", "Superpoints (folder)"
    HELP = (
        "Computes the superpoints of every point cloud in a folder, and writes each to another folder under the "
        "same name.\n\n"
        "Existing outputs of the same input, options and model are skipped unless Overwrite is set, so an "
        "interrupted run can be continued. An output appears only when it is complete. If a file fails, the error "
        "is reported and the other files are processed. If this PDAL cannot write the classes of a file to LAZ, "
        "the result is LAS.\n\n"
        "Superpoints end at the borders of the files; for superpoints across them, use Superpoints of a survey.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterFile("INPUT", "Folder", QgsProcessingParameterFile.Folder))
        self.addParameter(QgsProcessingParameterString("PATTERN", "File names, separated by ;", "*.laz;*.las"))
        self.add(options.parameters(program.model_names()))
        self.add(options.output_parameters())
        self.addParameter(base.crs_parameter("CRS of files without one"))
        self.addParameter(QgsProcessingParameterBoolean(
            "UNIQUE", "Continue ids from file to file, so that they are unique", defaultValue=False))
        self.addParameter(QgsProcessingParameterBoolean("OVERWRITE", "Overwrite", defaultValue=False))
        self.addParameter(QgsProcessingParameterBoolean(
            "LOAD", "Show the results as styled layers", defaultValue=False))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Folder for the results"))
        self.addOutput(QgsProcessingOutputNumber("COUNT", "Files written"))
        self.addOutput(QgsProcessingOutputNumber("SKIPPED", "Files skipped, because their output exists"))
        self.addOutput(QgsProcessingOutputNumber("FAILED", "Files that failed"))

    def work(self, found, parameters, context, feedback):
        source = self.parameterAsFile(parameters, "INPUT", context)
        target = self.parameterAsString(parameters, "OUTPUT", context)
        values = options.common_values(self, parameters, context)
        values.update(options.output_values(self, parameters, context))
        if os.path.realpath(source) == os.path.realpath(target):
            raise ValueError(f"{target}: choose another folder for the results than the input's")
        names = matching(source, self.parameterAsString(parameters, "PATTERN", context))
        if not names:
            raise ValueError(f"{source}: no file matches the names")
        for name, key in (("unique", "UNIQUE"), ("force", "OVERWRITE")):
            if self.parameterAsBoolean(parameters, key, context):
                values[name] = True
        done = pipeline.segment(
            found, [os.path.join(source, name) for name in names], os.path.join(target, ""), values,
            base.reader_crs(self, parameters, context), command.listener(feedback), feedback.isCanceled)
        failed = [d for d in done if d.get("error")]
        skipped = [d for d in done if d.get("kept")]
        written = [d for d in done if d.get("stage")]
        for d in failed:
            feedback.reportError(f"{d['input']}: {d['error']}")
        for d in written:
            feedback.pushInfo(f"{d['output']}: {base.summary(d['stage'])}")
            if self.parameterAsBoolean(parameters, "LOAD", context):
                title = layers.stem(os.path.basename(d["input"])) + " superpoints"
                base.show(found, d["output"], title, base.styles_of(values, d["stage"]), context, feedback)
        if len(failed) == len(done):
            raise ValueError(f"all {len(failed)} files failed; see the messages above")
        feedback.pushInfo(f"{len(written)} files written, {len(skipped)} left out, {len(failed)} failed")
        feedback.setProgress(100)
        return {"OUTPUT": target, "COUNT": len(written), "SKIPPED": len(skipped), "FAILED": len(failed)}


def matching(folder, patterns):
    """Names of the folder's files that match one of the patterns, in order."""
    wanted = [p.strip().lower() for p in patterns.split(";") if p.strip()]
    return sorted(
        name for name in os.listdir(folder)
        if os.path.isfile(os.path.join(folder, name)) and not name.startswith(".")
        and any(fnmatch.fnmatch(name.lower(), p) for p in wanted))
