"""A picture of a point cloud."""

from qgis.core import (
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from . import base, clouds, command, options, program


class Render(base.Algorithm):
    """pdal superpoint render."""

    def name(self):
        return "render"

    def displayName(self):
        return "Render"

    def shortHelpString(self):
        return (
            "Draws a point cloud as a PNG, in panels side by side, with shading by depth.\n\n"
            "Panels: input, elevation, intensity, rgb, class, truth, superpoint, boundaries, embedding, or any "
            "dimension. If the file has no superpoints and a panel shows them, they are made.")

    def initAlgorithm(self, configuration=None):
        self.addParameter(clouds.CloudInput("INPUT", "Point cloud"))
        self.addParameter(QgsProcessingParameterString("PANELS", "Panels, with commas between", "input,superpoint"))
        self.addParameter(QgsProcessingParameterNumber(
            "TILT", "Degrees below the horizon; 90 is a map", options.DOUBLE, 35, minValue=0, maxValue=90))
        self.addParameter(QgsProcessingParameterNumber(
            "AZIMUTH", "Direction of view, degrees clockwise from north", options.DOUBLE, 30,
            minValue=-360, maxValue=360))
        self.addParameter(QgsProcessingParameterNumber(
            "WIDTH", "Pixels of a panel", options.WHOLE, 960, minValue=16, maxValue=16384))
        self.addParameter(QgsProcessingParameterString("TITLE", "Line above the panels", optional=True))
        for parameter in options.parameters(program.model_names()):
            self.addParameter(parameter)
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", "Picture", fileFilter="PNG (*.png)"))

    def work(self, found, parameters, context, feedback):
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        if not output.lower().endswith(".png"):
            raise ValueError(f"{output}: choose a name that ends in .png")
        values = options.common_values(self, parameters, context)
        values["panels"] = self.parameterAsString(parameters, "PANELS", context)
        for name in ("TILT", "AZIMUTH"):
            values[name.lower()] = self.parameterAsDouble(parameters, name, context)
        values["width"] = self.parameterAsInt(parameters, "WIDTH", context)
        title = self.parameterAsString(parameters, "TITLE", context)
        if title:
            values["title"] = title
        source = clouds.path(self, parameters, "INPUT", context)
        command.write(found, "render", values, [source], output, feedback)
        return {"OUTPUT": output}
