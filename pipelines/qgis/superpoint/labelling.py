"""The tools with labels: selects the outlines to label next; predicts classes from a few labels."""

import os
import tempfile

from qgis.core import QgsProcessing, QgsProcessingParameterFeatureSource, QgsProcessingParameterFileDestination

from . import base, clouds, command, labels, options
from .options import Field

CLASSIFIER = [
    Field("CLASSES", "Base classifier", default="aerial", optional=True),
    Field("CLASSES_FILE", "Classifier file, instead of a built-in classifier", optional=True, rare=True,
          files="Classifiers (*.safetensors)")]
EVERY = 1 << 20  # superpoints, the most that propose returns


class Labelling(base.Algorithm):
    """The base class of the tools with labels: a cloud with superpoints, the layer of their
    outlines, and a classifier. Fields of the layer are set on the main thread, after
    the work."""

    FIELDS = []

    def __init__(self):
        super().__init__()
        self.layer, self.proposed, self.labelled = None, {}, []

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud with superpoints"))
        self.addParameter(QgsProcessingParameterFeatureSource(
            "LABELS", "Outlines with the field label", [QgsProcessing.TypeVectorPolygon]))
        self.add(f.parameter() for f in CLASSIFIER + self.FIELDS)

    def prepareAlgorithm(self, parameters, context, feedback):
        self.layer = self.parameterAsVectorLayer(parameters, "LABELS", context)
        return True

    def classifier(self, parameters, context):
        given = options.given(self, parameters, context, CLASSIFIER)
        return given.get("classes_file") or given.get("classes", "aerial")

    def propose(self, found, parameters, context, feedback, count, folder):
        """Runs propose with the present labels; returns the table of labels, or "" if there
        are none."""
        table, answer = os.path.join(folder, "labels.csv"), os.path.join(folder, "next.csv")
        source = self.parameterAsSource(parameters, "LABELS", context)
        if source is None:
            raise ValueError("there is no layer of labels")
        self.labelled = labels.write_table(source, table)
        values = {"classes": self.classifier(parameters, context), "count": count}
        if self.labelled:
            values["labels"] = table
        cloud = clouds.path(self, parameters, "INPUT", context)
        command.run(found, "propose", values, [cloud, answer], feedback, folder)
        self.proposed = labels.read_table(answer)
        return table if self.labelled else ""


class Propose(Labelling):
    """pdal superpoint propose."""

    NAME, TITLE = "propose", "What to label next"
    HELP = (
        "Selects the outlines to label next: large ones whose class is uncertain and that differ from those with "
        "a label. Their field next is the order, the most useful first.\n\n"
        "Give them a label in the attribute form, then run Classify from labels. Unsaved labels of the layer are "
        "used, too. One Undo reverts the changes of this tool.")

    FIELDS = [Field("COUNT", "Number of outlines", int, 10, least=1)]

    def work(self, found, parameters, context, feedback):
        count = self.parameterAsInt(parameters, "COUNT", context)
        with tempfile.TemporaryDirectory(prefix="superpoint-") as folder:
            self.propose(found, parameters, context, feedback, count, folder)
        ids = list(self.proposed)
        feedback.pushInfo("Label next: " + ", ".join(str(i) for i in ids))
        return {"COUNT": len(ids), "IDS": ",".join(str(i) for i in ids)}

    def postProcessAlgorithm(self, context, feedback):
        if self.layer is None or not self.proposed:
            return {}
        rank = {i: {"next": n + 1} for n, i in enumerate(self.proposed)}
        key = self.layer.fields().lookupField("id")
        every = {int(f.attributes()[key]): {"next": None} for f in self.layer.getFeatures()}
        labels.change(self.layer, "What to label next", {**every, **rank})
        self.layer.selectByIds([f.id() for f in self.layer.getFeatures() if int(f.attributes()[key]) in rank])
        return {}


class Classify(Labelling):
    """pdal superpoint classify, and propose for the classes in the layer."""

    NAME, TITLE = "classify", "Classify from labels"
    HELP = (
        "Trains a classifier on the labels of the outlines, in seconds, and writes the predicted classes of all "
        "outlines to the fields class and confidence, which set the colours. Unsaved labels of the layer are "
        "used, too. One Undo reverts the changes of this tool; save the layer to keep them.\n\n"
        "If files for them are given, the classified point cloud is written, and the classifier, which the option "
        "classes of Superpoints takes for other clouds. Points of classes other than 0 and 1 keep their class "
        "unless the last option lists it.")

    FIELDS = [
        Field("TARGET_SIZE", "Target size with which the cloud was segmented (empty = not set)",
              float, least=0, optional=True, rare=True),
        Field("REGULARIZATION", "Regularization with which the cloud was segmented (empty = not set)", float, least=0,
              optional=True, rare=True),
        Field("CLASS_CHANGE", "Classes of points to replace", default="0,1", optional=True, rare=True)]

    def initAlgorithm(self, configuration=None):
        super().initAlgorithm(configuration)
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
                values = {"labels": table, "classes": self.classifier(parameters, context),
                          **options.given(self, parameters, context, self.FIELDS)}
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
