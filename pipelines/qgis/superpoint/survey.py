"""A survey of any size."""

import glob
import json
import os

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFolderDestination,
)

from . import base, child, clouds, command, options, program

LENGTHS = [options.Field(name, label, float, least=1e-9, optional=True, rare=True) for name, label in (
    ("TILE", "Side of a tile, in metres (empty = 4 million points per tile)"),
    ("HALO", "Width of the halo of a tile, in metres (empty = from the point spacing)"))]


class Tile(base.Algorithm):
    """pdal superpoint survey: plan, then all that is not done yet."""

    NAME, TITLE = "tile", "Superpoints of a survey (tiles)"
    HELP = (
        "Computes the superpoints of a survey of any size by tiles. Memory is that of one tile; the superpoints "
        "equal those of one cloud of all points, and ids are unique. SuperpointColor is not written.\n\n"
        "The input is files or layers, or a folder. The results are in the subfolder out of the survey's folder. "
        "A cancelled run is continued, with the options of its plan, if the same folder is given again.")

    def initAlgorithm(self, configuration=None):
        self.add(clouds.files_or_folder())
        self.add(f.parameter() for f in LENGTHS)
        self.add(options.parameters(program.model_names()))
        self.add(options.switch_parameters())
        self.addParameter(QgsProcessingParameterBoolean(
            "LOAD", "Show the results as styled layers", defaultValue=False))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Folder of the survey"))
        self.addOutput(QgsProcessingOutputNumber("COUNT", "Files written"))

    def work(self, found, parameters, context, feedback):
        target = self.parameterAsString(parameters, "OUTPUT", context)
        values = options.common_values(self, parameters, context)
        values.update(options.switch_values(self, parameters, context))
        values.pop("color", None)  # which superpoints touch is not known across tiles
        plan = os.path.join(target, "plan.json")
        if os.path.exists(plan):
            feedback.pushInfo(f"{plan} is there: the survey continues, with the options of that plan")
        else:
            sources = clouds.files_and_folder(self, parameters, context)
            lengths = options.given(self, parameters, context, LENGTHS)
            command.run(found, "survey plan", {"output": target, **values, **lengths}, sources, feedback)
        found.run(["superpoint", "survey", "run", target], TileProgress(target, feedback), feedback.isCanceled)
        results = sorted(glob.glob(os.path.join(glob.escape(target), "out", "*.la[sz]")))
        if self.parameterAsBoolean(parameters, "LOAD", context):
            for result in results:
                name = os.path.splitext(os.path.basename(result))[0]
                base.show(found, result, name, base.styles_of(values, {"model": "any"}), context, feedback)
        feedback.setProgress(100)
        return {"OUTPUT": target, "COUNT": len(results)}


class TileProgress:
    """Takes the messages of `survey run`, and reports how many tiles are embedded."""

    def __init__(self, folder, feedback):
        self.folder, self.feedback = folder, feedback
        with open(os.path.join(folder, "plan.json"), encoding="utf-8") as file:
            self.count = max(1, len(json.load(file)["tiles"]))

    def __call__(self, line):
        if child.Progress().take(line):
            done = len(glob.glob(os.path.join(glob.escape(self.folder), "embed", "*.json")))
            self.feedback.setProgress(min(95, 95 * done / self.count))
        elif line.strip():
            self.feedback.pushConsoleInfo(line)
