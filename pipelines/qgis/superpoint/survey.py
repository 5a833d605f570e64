"""Surveys: superpoints by tiles, and a map of raw tiles."""

import glob
import json
import os

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingOutputHtml,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFolderDestination,
    QgsProcessingUtils,
)

from . import base, child, clouds, command, layers, options, program

LENGTHS = [options.Field(name, label, float, least=1e-9, optional=True, rare=True) for name, label in (
    ("TILE", "Side of a tile, in metres (empty = 4 million points per tile)"),
    ("HALO", "Width of the halo of a tile, in metres (empty = from the point spacing)"))]


class Tile(base.Algorithm):
    """pdal superpoint survey: plan, then all steps that are not finished."""

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
        values.pop("color", None)  # adjacency across tiles is unknown
        plan = os.path.join(target, "plan.json")
        if os.path.exists(plan):
            feedback.pushInfo(f"{plan} exists: the survey continues, with the options of that plan")
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
    """Reads messages of `survey run`, and reports the share of embedded tiles."""

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


RESOLUTION = options.Field("RESOLUTION", "Cell size of terrain and surface, in metres", float, 1, least=1e-3)
RASTERS = [("surface.tif", "Surface"), ("terrain.tif", "Terrain")]


class Map(base.Algorithm):
    """pdal superpoint map."""

    NAME, TITLE = "map", "Classify and map"
    HELP = (
        "Computes from raw airborne scans: points with superpoints, classes and confidence, buildings and trees "
        "as a GeoPackage, terrain and surface as rasters, a picture with legend and scale, and a report that "
        "lists what to check.\n\n"
        "The input is files or layers, or a folder. Points of class 0 and 1 are classified; other classes are "
        "kept unless all points are to be classified. Existing results of the same inputs and options are kept, "
        "so a cancelled run can be continued.")

    def initAlgorithm(self, configuration=None):
        self.add(clouds.files_or_folder())
        self.addParameter(QgsProcessingParameterEnum(
            "CLASS_CHANGE", "Points to classify", options=["without a class", "all"], defaultValue=0))
        self.addParameter(RESOLUTION.parameter())
        self.addParameter(base.crs_parameter("CRS of files without one"))
        self.add(map(options.advanced, options.parameters(program.model_names())))
        self.addParameter(QgsProcessingParameterBoolean("LOAD", "Show the results", defaultValue=True))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Folder for the results"))
        self.addOutput(QgsProcessingOutputHtml("REPORT", "Report"))

    def work(self, found, parameters, context, feedback):
        sources = clouds.files_and_folder(self, parameters, context)
        output = self.parameterAsString(parameters, "OUTPUT", context)
        values = {"output": output, **options.common_values(self, parameters, context),
                  **options.given(self, parameters, context, [RESOLUTION])}
        if self.parameterAsEnum(parameters, "CLASS_CHANGE", context) == 1:
            values["class_change"] = "all"
        crs = base.reader_crs(self, parameters, context)
        if crs:
            values["default_srs"] = crs
        feedback.pushInfo(command.run(found, "map", values, sources, feedback))
        if self.parameterAsBoolean(parameters, "LOAD", context):
            self.load(output, context)
        feedback.setProgress(100)
        return {"OUTPUT": output, "REPORT": os.path.join(output, "report.html")}

    def load(self, output, context):
        """Shows rasters and objects; the points are in the folder points."""
        for name, title in RASTERS:
            path = os.path.join(output, name)
            if os.path.exists(path):
                context.addLayerToLoadOnCompletion(path, QgsProcessingContext.LayerDetails(
                    title, context.project(), "OUTPUT", QgsProcessingUtils.LayerHint.Raster))
        layers.load_objects(os.path.join(output, "objects.gpkg"), context)
