"""From raw tiles to a map."""

import os

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingOutputHtml,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingUtils,
)

from . import base, clouds, command, layers, options, program

RASTERS = [("surface.tif", "Surface"), ("terrain.tif", "Terrain")]


class Map(command.Command):
    """pdal superpoint map."""

    COMMAND = "map"

    def displayName(self):
        return "Classify and map"

    def shortHelpString(self):
        return (
            "From raw airborne scans to a map: points with superpoints, classes and confidence, buildings and trees as "
            "a GeoPackage, terrain and surface as rasters, a picture with legend and scale, and a report that says "
            "what to check.\n\n"
            "Give files or layers, or a folder. Points of class 0 and 1 are classified; those that somebody classified "
            "keep their class, unless all are to be classified. Tiles whose results are there are kept, so that a run "
            "that was cancelled goes on where it stopped.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInputs("INPUT", "Point clouds", optional=True))
        self.addParameter(QgsProcessingParameterFile(
            "FOLDER", "or a folder of point clouds", QgsProcessingParameterFile.Folder, optional=True))
        self.addParameter(QgsProcessingParameterEnum(
            "CLASS_CHANGE", "Points to classify", options=["without a class", "all"], defaultValue=0))
        self.addParameter(QgsProcessingParameterNumber(
            "RESOLUTION", "Cell of terrain and surface, in metres", options.DOUBLE, 1, minValue=1e-3))
        self.addParameter(options.advanced(QgsProcessingParameterCrs(
            "CRS", "CRS of files that name none", optional=True)))
        for parameter in options.parameters(program.model_names()):
            self.addParameter(options.advanced(parameter))
        self.addParameter(QgsProcessingParameterBoolean("LOAD", "Show the results", defaultValue=True))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Folder for the results"))
        self.addOutput(QgsProcessingOutputHtml("REPORT", "Report"))

    def work(self, found, parameters, context, feedback):
        sources = clouds.paths(self, parameters, "INPUT", context)
        folder = self.parameterAsFile(parameters, "FOLDER", context)
        sources += [folder] if folder else []
        if not sources:
            raise ValueError("give Point clouds, or a folder of them")
        output = self.parameterAsString(parameters, "OUTPUT", context)
        values = options.common_values(self, parameters, context)
        values["resolution"] = self.parameterAsDouble(parameters, "RESOLUTION", context)
        values["output"] = output
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
