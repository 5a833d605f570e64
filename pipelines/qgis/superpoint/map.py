"""From raw tiles to a map."""

import os

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingOutputHtml,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFolderDestination,
    QgsProcessingUtils,
)

from . import base, clouds, command, layers, options, program

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
