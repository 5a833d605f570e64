"""Planar superpoints as triangles."""

from qgis.core import QgsProcessingParameterFileDestination, QgsProcessingParameterNumber, QgsProcessingParameterString

from . import clouds, command, options

NUMBERS = [("PLANARITY", options.DOUBLE, 0, 0.4, "Least planarity of a superpoint, 0 to 1"),
           ("RESIDUAL", options.DOUBLE, 0, 0.1, "Greatest deviation of its points from their plane, in metres"),
           ("MIN_POINTS", options.WHOLE, 3, 10, "Least number of points")]


class Mesh(command.Command):
    """pdal superpoint mesh."""

    COMMAND = "mesh"

    def shortHelpString(self):
        return (
            "Writes planar superpoints, such as roofs, as triangles: binary STL in metres, for CAD and 3D programs. "
            "Coordinates are relative to an origin, which is in the log and in the file's header.\n\n"
            "The point cloud needs superpoints: run Superpoints first.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud with superpoints"))
        for name, kind, least, default, label in NUMBERS:
            self.addParameter(QgsProcessingParameterNumber(name, label, kind, default, minValue=least))
        self.addParameter(options.advanced(QgsProcessingParameterNumber(
            "MAX_EDGE", "Longest edge of a triangle, in metres (empty = from the spacing)",
            options.DOUBLE, optional=True, minValue=1e-9)))
        self.addParameter(options.advanced(QgsProcessingParameterString(
            "ORIGIN", "X,Y,Z of the origin in metres (empty = the least corner)", optional=True)))
        for parameter in options.superpoint_parameters(classes=False):
            self.addParameter(parameter)
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", "Triangles", fileFilter="STL (*.stl)"))

    def work(self, found, parameters, context, feedback):
        source = clouds.path(self, parameters, "INPUT", context)
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        values = options.superpoint_values(self, parameters, context, classes=False)
        kinds = [(name, int if kind == options.WHOLE else float) for name, kind, _, _, _ in NUMBERS]
        values.update(options.given(self, parameters, context, kinds + [("MAX_EDGE", float), ("ORIGIN", str)]))
        for line in command.write(found, "mesh", values, [source], output, feedback).splitlines():
            feedback.pushInfo(line)
        return {"OUTPUT": output}
