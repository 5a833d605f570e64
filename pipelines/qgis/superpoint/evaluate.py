"""Measures superpoints against true labels."""

import csv
import os

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
)

from . import base, clouds, command, options, pipeline, program

# Columns of `pdal superpoint eval` that become outputs of the algorithm.
SCORES = [(s["output"], s["column"], s["label"]) for s in options.TABLE["scores"]] + [
    ("SUPERPOINTS", "superpoints", "Number of superpoints")]


class Evaluate(base.Algorithm):
    """pdal superpoint eval, with a table and the last row as outputs."""

    def name(self):
        return "evaluate"

    def displayName(self):
        return "Evaluate"

    def shortHelpString(self):
        return (
            "Measures superpoints against true labels: oracle overall accuracy (the accuracy of a perfect "
            "classifier of superpoints), boundary recall and precision, undersegmentation error.\n\n"
            "Without a dimension of ids, superpoints are made with the options given; several sizes, "
            "as in 50,100,200, give a curve. Label 0 is unlabelled.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInputs("INPUT", "Labelled point clouds"))
        self.addParameter(QgsProcessingParameterString("TRUTH", "Dimension of true classes", "Classification"))
        self.addParameter(QgsProcessingParameterString(
            "ID", "Dimension of ids to measure (empty = make superpoints)", optional=True))
        self.addParameter(QgsProcessingParameterString(
            "TARGET_SIZES", "Several wanted sizes, with commas between", optional=True))
        for parameter in options.parameters(program.model_names()):
            self.addParameter(parameter)
        self.addParameter(options.advanced(QgsProcessingParameterString(
            "INSTANCES", "Dimension of true objects", optional=True)))
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", "Metrics", fileFilter="CSV (*.csv)"))
        for name, _, label in SCORES:
            self.addOutput(QgsProcessingOutputNumber(name, label + ", of the last row"))

    def work(self, found, parameters, context, feedback):
        files = clouds.paths(self, parameters, "INPUT", context)
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        values = options.common_values(self, parameters, context)
        for name, key in (("truth", "TRUTH"), ("id", "ID"), ("instances", "INSTANCES"),
                          ("target_size", "TARGET_SIZES")):
            text = self.parameterAsString(parameters, key, context).replace(" ", "")
            if text:
                values[name] = text
        with pipeline.beside(output, files + [values.get("model")]) as folder:
            written = os.path.join(folder, "metrics.csv")
            command.run(found, "eval", {**values, "format": "csv", "output": written}, files, feedback, folder)
            with open(written, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            os.replace(written, output)
        if not rows:
            raise ValueError("nothing was measured")
        for row in rows:
            feedback.pushInfo(", ".join(f"{k} {v}" for k, v in row.items()))
        feedback.setProgress(100)
        return {"OUTPUT": output, **{name: float(rows[-1][column]) for name, column, _ in SCORES}}
