"""Superpoints of one file, and of all files of a folder."""

import fnmatch
import json
import os

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterString,
)

from . import base, child, clouds, command, layers, options, pipeline, program


def stage_parameters(crs):
    """All options of the stage, and the CRS, whose label is given."""
    yield from options.parameters(program.model_names())
    yield from options.output_parameters()
    yield base.crs_parameter(crs)


def segment(found, sources, output, values, crs, feedback, folder=""):
    """Runs `pdal superpoint segment`; returns a dictionary for each source, with input, and error, or output and stage,
    the metadata of the stage."""
    values = {"format": "json", **values, **({"default_srs": crs} if crs else {})}
    try:
        printed = command.run(found, "segment", values, [*sources, output], feedback, folder)
    except child.Failed as e:
        if not e.output.startswith("{"):
            raise
        printed = e.output  # some files failed; the lines name them
    return [json.loads(line) for line in printed.splitlines()]


class Superpoints(base.Algorithm):
    """Writes a point cloud with superpoints and shows it."""

    NAME, TITLE = "superpoints", "Superpoints"
    HELP = (
        "Divides a point cloud into superpoints: small segments, each of points of one object.\n\n"
        "The output has every dimension of the input, SuperpointID (from 1), the learned embedding (Embedding0, "
        "…) and, for the styles, SuperpointColor (0–31, different for adjacent superpoints) and EmbeddingR, "
        "EmbeddingG, EmbeddingB.\n\n"
        "The size of superpoints is set by the mean number of points, or by the regularization: larger values "
        "give fewer, larger superpoints. Lengths are in metres, whatever the unit of the file.\n\n"
        "The layer has two styles, superpoint and embedding; select one under Styles in the layer's menu.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud"))
        self.add(stage_parameters("CRS of the input, if it has none"))
        self.add(base.output_parameter("OUTPUT", "Superpoints"))
        self.addOutput(QgsProcessingOutputString("MAP", "The displayed file: the output, or an octree of it"))
        self.addOutput(QgsProcessingOutputNumber("POINTS", "Number of points"))
        self.addOutput(QgsProcessingOutputNumber("SUPERPOINTS", "Number of superpoints"))
        self.addOutput(QgsProcessingOutputString("MODEL_USED", "Model that was used"))

    def work(self, found, parameters, context, feedback):
        source = clouds.path(self, parameters, "INPUT", context)
        output, shown = base.output_file(self, parameters, "OUTPUT", context)
        values = options.all_values(self, parameters, context)
        feedback.pushInfo(f"options: {values}")
        crs = base.reader_crs(self, parameters, context)
        with pipeline.beside(output, [source, values.get("model")]) as folder:
            target = os.path.join(folder, os.path.basename(output))
            done, = segment(found, [source], target, values, crs, feedback, folder)
            if done.get("error"):
                raise ValueError(f"{source}: {done['error']}")
            written = os.path.join(os.path.dirname(output), os.path.basename(done["output"]))
            os.replace(done["output"], written)
        stage = done["stage"]
        if written != output:
            feedback.pushWarning(f"The result is {written}: this PDAL cannot write the file's classes or scan angles "
                                 "to LAZ.")
        feedback.pushInfo(base.summary(stage))
        map_file = ""
        if shown:
            name = layers.stem(os.path.basename(source)) + " superpoints"
            map_file = base.show(found, written, name, base.styles_of(values, stage), context, feedback)
        feedback.setProgress(100)
        return {"OUTPUT": written, "MAP": map_file, "POINTS": stage["points"], "SUPERPOINTS": stage["superpoints"],
                "MODEL_USED": stage.get("model", "")}


class SuperpointsOfFolder(base.Algorithm):
    """Processes one file after the other; if one fails, the others are still processed."""

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
        self.add(stage_parameters("CRS of files without one"))
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
        values = options.all_values(self, parameters, context)
        if os.path.realpath(source) == os.path.realpath(target):
            raise ValueError(f"{target}: choose another folder for the results than the input's")
        names = matching(source, self.parameterAsString(parameters, "PATTERN", context))
        if not names:
            raise ValueError(f"{source}: no file matches the names")
        for name, key in (("unique", "UNIQUE"), ("force", "OVERWRITE")):
            if self.parameterAsBoolean(parameters, key, context):
                values[name] = True
        done = segment(found, [os.path.join(source, name) for name in names], os.path.join(target, ""), values,
                       base.reader_crs(self, parameters, context), feedback)
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
        feedback.pushInfo(f"{len(written)} files written, {len(skipped)} skipped, {len(failed)} failed")
        feedback.setProgress(100)
        return {"OUTPUT": target, "COUNT": len(written), "SKIPPED": len(skipped), "FAILED": len(failed)}


def matching(folder, patterns):
    """Returns the names of the files in a folder that match one of the patterns, sorted."""
    wanted = [p.strip().lower() for p in patterns.split(";") if p.strip()]
    return sorted(
        name for name in os.listdir(folder)
        if os.path.isfile(os.path.join(folder, name)) and not name.startswith(".")
        and any(fnmatch.fnmatch(name.lower(), p) for p in wanted))
