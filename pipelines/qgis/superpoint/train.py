"""A model learned from labelled point clouds."""

import os

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from . import clouds, command, options, pipeline

MODELS = "Models (*.safetensors)"


class Train(command.Command):
    """pdal superpoint train."""

    COMMAND = "train"

    def displayName(self):
        return "Train a model"

    def shortHelpString(self):
        return (
            "Learns an embedding from labelled point clouds and writes a model file, for the parameter Model file of "
            "the other tools. It takes hours; beside the model lie the loss as a picture and a checkpoint, from which "
            "Go on continues a run that was cancelled.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInputs("INPUT", "Labelled point clouds"))
        self.addParameter(clouds.CloudInputs("VAL", "Labelled point clouds to choose the best epoch by", optional=True))
        self.addParameter(QgsProcessingParameterString("TRUTH", "Dimension of classes", "Classification"))
        self.addParameter(QgsProcessingParameterString(
            "INSTANCES", "Dimension of objects, instead of classes", optional=True))
        self.addParameter(QgsProcessingParameterFile(
            "RECIPE", "Recipe (empty = the paper's)", optional=True,
            fileFilter="Recipes (*.yaml *.yml);;All files (*)"))
        self.addParameter(QgsProcessingParameterFile("BASE", "Model to start from", optional=True, fileFilter=MODELS))
        self.addParameter(QgsProcessingParameterBoolean("RESUME", "Go on from the checkpoint", defaultValue=False))
        self.addParameter(options.advanced(QgsProcessingParameterNumber(
            "SEED", "Seed of every random choice", options.WHOLE, 1, minValue=0)))
        self.addParameter(options.advanced(QgsProcessingParameterNumber(
            "THREADS", "Threads (0 = all)", options.WHOLE, 0, minValue=0)))
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", "Model", fileFilter=MODELS))

    def work(self, found, parameters, context, feedback):
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        labelled = clouds.paths(self, parameters, "INPUT", context)
        judges = clouds.paths(self, parameters, "VAL", context)
        pipeline.keep(labelled + judges, output)
        os.makedirs(os.path.dirname(os.path.abspath(output)), exist_ok=True)
        kinds = [("TRUTH", str), ("INSTANCES", str), ("RECIPE", str), ("BASE", str), ("SEED", int), ("THREADS", int)]
        values = {"input": ",".join(labelled), "output": output, **options.given(self, parameters, context, kinds)}
        if values.get("instances"):
            values.pop("truth", None)
        if judges:
            values["val"] = ",".join(judges)
        if self.parameterAsBoolean(parameters, "RESUME", context):
            values["resume"] = True
        for line in command.run(found, "train", values, [], feedback).splitlines():
            feedback.pushInfo(line)
        feedback.setProgress(100)
        return {"OUTPUT": output}
