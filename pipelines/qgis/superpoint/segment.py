"""Superpoints of one file."""

import os

from qgis.core import QgsProcessingOutputNumber, QgsProcessingOutputString

from . import base, clouds, command, layers, options, pipeline, program


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
        self.add(options.parameters(program.model_names()))
        self.add(options.output_parameters())
        self.addParameter(base.crs_parameter("CRS of the input, if it has none"))
        self.add(base.output_parameter("OUTPUT", "Superpoints"))
        self.addOutput(QgsProcessingOutputString("MAP", "The displayed file: the output, or an octree of it"))
        self.addOutput(QgsProcessingOutputNumber("POINTS", "Number of points"))
        self.addOutput(QgsProcessingOutputNumber("SUPERPOINTS", "Number of superpoints"))
        self.addOutput(QgsProcessingOutputString("MODEL_USED", "Model that was used"))

    def work(self, found, parameters, context, feedback):
        source = clouds.path(self, parameters, "INPUT", context)
        output, shown = base.output_file(self, parameters, "OUTPUT", context)
        values = options.common_values(self, parameters, context)
        values.update(options.output_values(self, parameters, context))
        feedback.pushInfo(f"options: {values}")
        written, stage = pipeline.superpoints(
            found, source, output, values, base.reader_crs(self, parameters, context),
            command.listener(feedback), feedback.isCanceled)
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
