"""A row a superpoint."""

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
    QgsProcessingUtils,
)
from qgis.PyQt.QtCore import QUrl, QUrlQuery

from . import clouds, command, layers, options


class Table(command.Command):
    """pdal superpoint table."""

    COMMAND = "table"

    def shortHelpString(self):
        return (
            "Writes one row a superpoint as CSV or Parquet: centroid, box, height, form, best plane, most frequent "
            "class, and mean and deviation of dimensions. Join it with outlines by id, or show its rows as points.\n\n"
            "The point cloud needs superpoints: run Superpoints first.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud with superpoints"))
        self.addParameter(QgsProcessingParameterString(
            "DIMENSIONS", "Dimensions for mean and deviation (empty = intensity, returns, colours, embedding)",
            optional=True))
        for parameter in options.superpoint_parameters():
            self.addParameter(parameter)
        self.addParameter(QgsProcessingParameterBoolean("LOAD", "Show the rows of a CSV as points", defaultValue=False))
        self.addParameter(QgsProcessingParameterFileDestination(
            "OUTPUT", "Table", fileFilter="CSV (*.csv);;Parquet (*.parquet)"))

    def work(self, found, parameters, context, feedback):
        source = clouds.path(self, parameters, "INPUT", context)
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        values = options.superpoint_values(self, parameters, context)
        values.update(options.given(self, parameters, context, [("DIMENSIONS", str)]))
        command.write(found, "table", values, [source], output, feedback)
        if self.parameterAsBoolean(parameters, "LOAD", context):
            if output.lower().endswith(".csv"):
                details = QgsProcessingContext.LayerDetails(
                    "Superpoints table", context.project(), "OUTPUT", QgsProcessingUtils.LayerHint.Vector)
                context.addLayerToLoadOnCompletion(rows_as_points(output, layers.reference(found, source)), details)
            else:
                feedback.pushWarning(f"{output} is not shown: choose a Table that ends in .csv for that")
        return {"OUTPUT": output}


def rows_as_points(path, crs):
    """What QGIS loads for the rows of a table, at their centroids."""
    query = QUrlQuery()
    for key, value in (("type", "csv"), ("detectTypes", "yes"), ("xField", "x"), ("yField", "y"), ("crs", crs)):
        if value:
            query.addQueryItem(key, value)
    url = QUrl.fromLocalFile(path)
    url.setQuery(query)
    return "delimitedtext://" + bytes(url.toEncoded()).decode()
