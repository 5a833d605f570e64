"""Classes from the labels of a few outlines."""

import os
import tempfile

from qgis.core import (
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from . import clouds, command, labels, options
from .propose import EVERY, Labelling


class Classify(Labelling):
    """pdal superpoint classify, and propose for what the layer shows."""

    COMMAND = "classify"

    def displayName(self):
        return "Classify from labels"

    def shortHelpString(self):
        return (
            "Teaches a classifier the labels of the outlines, in seconds, and shows what it makes of the others: the "
            "fields class and confidence of the layer, and so its colours. Labels count as they are in the layer, "
            "saved or not. What this tool changes is one step for Undo; save the layer to keep it.\n\n"
            "With a name for it, the classified point cloud is written too, and the classifier, which Superpoints "
            "takes for other clouds (option classes). Classes of points other than 0 and 1 change only if the last "
            "option says so.")

    def initAlgorithm(self, configuration=None):
        super().initAlgorithm(configuration)
        for name, label in (("TARGET_SIZE", "Wanted mean size that the cloud's superpoints were made with"),
                            ("REGULARIZATION", "Regularization that they were made with")):
            self.addParameter(options.advanced(QgsProcessingParameterNumber(
                name, label + " (empty = none was given)", options.DOUBLE, optional=True, minValue=0)))
        self.addParameter(options.advanced(QgsProcessingParameterString(
            "CLASS_CHANGE", "Classes of points that may change", "0,1", optional=True)))
        for name, label, kinds in (("OUTPUT", "Classified point cloud", "LAZ (*.laz);;LAS (*.las)"),
                                   ("SAVE", "Classifier", "Classifiers (*.safetensors)")):
            self.addParameter(QgsProcessingParameterFileDestination(
                name, label, kinds, optional=True, createByDefault=False))

    def work(self, found, parameters, context, feedback):
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        save = self.parameterAsFileOutput(parameters, "SAVE", context)
        cloud = clouds.path(self, parameters, "INPUT", context)
        with tempfile.TemporaryDirectory(prefix="superpoint-") as folder:
            table = self.propose(found, parameters, context, feedback, EVERY, folder)
            if not table and (output or save):
                raise ValueError("no outline has a label; give some a label first")
            if output or save:
                values = {"labels": table, "classes": self.classifier(parameters, context)}
                values.update(options.given(self, parameters, context, [
                    ("TARGET_SIZE", float), ("REGULARIZATION", float), ("CLASS_CHANGE", str)]))
                if save:
                    values["save"] = save
                target = output or os.path.join(folder, "classified.las")
                command.write(found, "classify", values, [cloud], target, feedback)
        return {"LABELLED": len(self.labelled), "OUTPUT": output, "SAVE": save}

    def postProcessAlgorithm(self, context, feedback):
        if self.layer is None:
            return {}
        values = {i: {"class": int(row["class"]), "confidence": float(row["confidence"])}
                  for i, row in self.proposed.items()}
        labels.change(self.layer, "Classify from labels", values)
        return {}
