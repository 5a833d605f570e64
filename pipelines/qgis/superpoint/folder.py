"""Superpoints of every point cloud in a folder."""

import fnmatch
import os

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterString,
)

from . import base, child, options, pipeline, program


class SuperpointsOfFolder(base.Algorithm):
    """Runs one file after the other; a file that fails does not stop the rest."""

    def name(self):
        return "folder"

    def displayName(self):
        return "Superpoints (folder)"

    def shortHelpString(self):
        return (
            "Writes every point cloud of a folder with superpoints to another folder, under the same name.\n\n"
            "Files whose output is already there are left out unless Overwrite is on, so a run that was "
            "interrupted goes on where it stopped. Every output is written under a temporary name and renamed "
            "when it is whole. A file that fails is reported and the others go on. Ids begin at 1 in each file.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterFile("INPUT", "Folder", QgsProcessingParameterFile.Folder))
        self.addParameter(QgsProcessingParameterString("PATTERN", "Names, with ; between", "*.laz;*.las"))
        for parameter in options.parameters(program.model_names()):
            self.addParameter(parameter)
        for parameter in options.output_parameters():
            self.addParameter(parameter)
        self.addParameter(options.advanced(QgsProcessingParameterCrs(
            "CRS", "CRS of files that name none", optional=True)))
        self.addParameter(QgsProcessingParameterBoolean("OVERWRITE", "Overwrite", defaultValue=False))
        self.addParameter(QgsProcessingParameterBoolean("LOAD", "Show the results as styled layers", defaultValue=False))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Folder for the results"))
        self.addOutput(QgsProcessingOutputNumber("COUNT", "Files written"))
        self.addOutput(QgsProcessingOutputNumber("SKIPPED", "Files left out, because their output was there"))
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
        overwrite = self.parameterAsBoolean(parameters, "OVERWRITE", context)
        load = self.parameterAsBoolean(parameters, "LOAD", context)
        crs = base.reader_crs(self, parameters, context)
        count = skipped = failed = 0
        for i, name in enumerate(names):
            if feedback.isCanceled():
                raise child.Cancelled()
            output = os.path.join(target, name)
            if os.path.exists(output) and not overwrite:
                skipped += 1
                continue
            feedback.pushInfo(name)
            try:
                stage = pipeline.superpoints(
                    found, os.path.join(source, name), output, values, crs,
                    lambda percent, i=i: feedback.setProgress((i + percent / 100) / len(names) * 100),
                    feedback.isCanceled, feedback.pushConsoleInfo)
            except (child.Failed, ValueError, OSError) as e:
                feedback.reportError(f"{name}: {pipeline.explain(e)}")
                failed += 1
                continue
            feedback.pushInfo(base.summary(stage))
            count += 1
            if load:
                title = os.path.splitext(name)[0] + " superpoints"
                base.show(found, output, title, base.styles_of(values, stage), context, feedback)
        if failed and not count and not skipped:
            raise ValueError(f"all {failed} files failed; see the messages above")
        feedback.pushInfo(f"{count} files written, {skipped} left out, {failed} failed")
        feedback.setProgress(100)
        return {"OUTPUT": target, "COUNT": count, "SKIPPED": skipped, "FAILED": failed}


def matching(folder, patterns):
    """Names of the folder's files that match one of the patterns, in order."""
    wanted = [p.strip().lower() for p in patterns.split(";") if p.strip()]
    return sorted(
        name for name in os.listdir(folder)
        if os.path.isfile(os.path.join(folder, name)) and not name.startswith(".")
        and any(fnmatch.fnmatch(name.lower(), p) for p in wanted))
