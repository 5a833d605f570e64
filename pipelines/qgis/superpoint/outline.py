"""Superpoints as polygons."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorDestination,
)

from . import clouds, command, layers, options


class Outline(command.Command):
    """pdal superpoint outline."""

    COMMAND = "outline"

    def shortHelpString(self):
        return (
            "Draws one polygon around each superpoint, seen from above, with count, most frequent class, height, area "
            "and form as attributes.\n\n"
            "Divide the map gives every place to the superpoint that is seen there from above, so that polygons "
            "neither overlap nor leave gaps. Without it, each polygon is all of its superpoint, also below others.\n\n"
            "With classes to label with, the outlines get a field label, which the attribute form offers the classes "
            "for, and colours by class: for What to label next and Classify from labels.\n\n"
            "The point clouds need superpoints: run Superpoints first. A GeoPackage brings its style with it.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInputs("INPUT", "Point clouds with superpoints"))
        self.addParameter(QgsProcessingParameterBoolean("TOP", "Divide the map", defaultValue=True))
        self.addParameter(options.advanced(QgsProcessingParameterNumber(
            "CELL", "Divide the map: side of a cell, in metres (empty = the spacing)",
            options.DOUBLE, optional=True, minValue=1e-9)))
        self.addParameter(QgsProcessingParameterString(
            "MEAN", "Dimensions whose mean becomes an attribute, for example Intensity,Red", optional=True))
        self.addParameter(QgsProcessingParameterString(
            "LABEL", "Classes to label with, for example aerial: adds a field label (empty = none)", optional=True))
        self.addParameter(options.advanced(QgsProcessingParameterNumber(
            "MAX_EDGE", "Longest edge within a polygon, or widest gap that is closed, in metres (empty = by spacing)",
            options.DOUBLE, optional=True, minValue=1e-9)))
        for parameter in options.superpoint_parameters():
            self.addParameter(parameter)
        output = QgsProcessingParameterVectorDestination("OUTPUT", "Outlines", QgsProcessing.TypeVectorPolygon)
        output.setSupportsNonFileBasedOutput(False)
        self.addParameter(output)

    def work(self, found, parameters, context, feedback):
        sources = clouds.paths(self, parameters, "INPUT", context)
        output = self.parameterAsOutputLayer(parameters, "OUTPUT", context)
        values = options.superpoint_values(self, parameters, context)
        kinds = [("MAX_EDGE", float), ("MEAN", str), ("LABEL", str)]
        if self.parameterAsBoolean(parameters, "TOP", context):
            values["top"] = True
            kinds.append(("CELL", float))
        values.update(options.given(self, parameters, context, kinds))
        command.write(found, "outline", values, sources, output, feedback)
        layers.keep_style(output, context)
        return {"OUTPUT": output}
