"""What to label next: the outlines whose label helps most, selected."""

import os
import tempfile

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from . import clouds, command, labels, options

EVERY = 1 << 20  # superpoints, as many as propose gives at most


class Labelling(command.Command):
    """What the tools with labels share: a cloud with superpoints, the layer of their
    outlines, and a classifier. Their fields are set when the work is done, on the main
    thread."""

    def __init__(self):
        super().__init__()
        self.layer, self.proposed, self.labelled = None, {}, []

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud with superpoints"))
        self.addParameter(QgsProcessingParameterFeatureSource(
            "LABELS", "Outlines with the field label", [QgsProcessing.TypeVectorPolygon]))
        self.addParameter(QgsProcessingParameterString("CLASSES", "Classifier to begin with", "aerial", optional=True))
        self.addParameter(options.advanced(QgsProcessingParameterFile(
            "CLASSES_FILE", "Classifier file of your own, instead", optional=True,
            fileFilter="Classifiers (*.safetensors);;All files (*)")))

    def prepareAlgorithm(self, parameters, context, feedback):
        self.layer = self.parameterAsVectorLayer(parameters, "LABELS", context)
        return True

    def classifier(self, parameters, context):
        return (self.parameterAsString(parameters, "CLASSES_FILE", context).strip()
                or self.parameterAsString(parameters, "CLASSES", context).strip() or "aerial")

    def propose(self, found, parameters, context, feedback, count, folder):
        """Runs propose on the labels as they are now; returns the table of labels, or
        "" for none."""
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

    COMMAND = "propose"

    def displayName(self):
        return "What to label next"

    def shortHelpString(self):
        return (
            "Selects the outlines whose label helps most: large ones of an uncertain class, unlike those that have a "
            "label. Their field next says in which order.\n\n"
            "Give them a label in the attribute form, then run Classify from labels. Labels count as they are in the "
            "layer, saved or not; what this tool changes is one step for Undo.")

    def initAlgorithm(self, configuration=None):
        super().initAlgorithm(configuration)
        self.addParameter(QgsProcessingParameterNumber("COUNT", "How many", options.WHOLE, 10, minValue=1))

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
