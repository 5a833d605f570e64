"""Buildings and trees of a classified cloud."""

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from . import clouds, command, layers, options

NUMBERS = [("MIN_AREA", 10, "Smallest building, in square metres"),
           ("MIN_HEIGHT", 2, "Lowest building and tree, in metres"),
           ("MIN_CROWN", 1.5, "Narrowest crown, in metres")]


class Objects(command.Command):
    """pdal superpoint objects."""

    COMMAND = "objects"

    def shortHelpString(self):
        return (
            "Draws buildings as polygons and trees as circles as wide as their crowns, with height, area, points and "
            "confidence as attributes.\n\n"
            "The point cloud needs superpoints with classes: run Superpoints with the option classes, or Classify from "
            "labels. The GeoPackage has the layers buildings and trees, with a style each.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud with superpoints and classes"))
        for name, default, label in NUMBERS:
            self.addParameter(QgsProcessingParameterNumber(name, label, options.DOUBLE, default, minValue=0))
        for name, default, label in (("BUILDINGS", "6", "Classes of buildings"),
                                     ("TREES", "3,4,5", "Classes of vegetation"),
                                     ("GROUND", "2", "Classes of the ground")):
            self.addParameter(options.advanced(QgsProcessingParameterString(name, label, default)))
        for parameter in options.superpoint_parameters():
            self.addParameter(parameter)
        self.addParameter(QgsProcessingParameterBoolean("LOAD", "Show the objects", defaultValue=True))
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", "Objects", fileFilter="GeoPackage (*.gpkg)"))

    def work(self, found, parameters, context, feedback):
        source = clouds.path(self, parameters, "INPUT", context)
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        values = options.superpoint_values(self, parameters, context)
        values.update(options.given(self, parameters, context, [(name, float) for name, _, _ in NUMBERS] + [
            ("BUILDINGS", str), ("TREES", str), ("GROUND", str)]))
        command.write(found, "objects", values, [source], output, feedback)
        if self.parameterAsBoolean(parameters, "LOAD", context):
            layers.load_objects(output, context)
        return {"OUTPUT": output}
