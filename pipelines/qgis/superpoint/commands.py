"""The commands that read clouds and write one file."""

import csv
import os

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingOutputNumber,
    QgsProcessingParameterVectorDestination,
    QgsProcessingUtils,
)
from qgis.PyQt.QtCore import QUrl, QUrlQuery

from . import clouds, command, layers, options, pipeline
from .options import Field


class Outline(command.Command):
    """Superpoints as polygons."""

    NAME, TITLE = "outline", "Outline"
    HELP = (
        "Writes one polygon per superpoint, in X and Y, with count, most frequent class, height, area and shape "
        "as attributes.\n\n"
        "With View from above, every position belongs to the superpoint that is visible there from above, and "
        "adjacent polygons share their border. Without it, each polygon covers all points of its superpoint, also "
        "where others are above it.\n\n"
        "With classes to label with, the outlines have a field label, for which the attribute form offers the "
        "classes, and are coloured by class. They are the input of What to label next and Classify from labels.\n\n"
        "The point clouds need superpoints: run Superpoints first. A GeoPackage includes the style.")
    INPUT, MANY = "Point clouds with superpoints", True
    FIELDS = [
        Field("TOP", "View from above, without overlaps", bool, True),
        Field("CELL", "View from above: cell size, in metres (empty = the point spacing)", float, least=1e-9,
              optional=True, rare=True),
        Field("MEAN", "Dimensions to average, for example Intensity,Red", optional=True),
        Field("LABEL", "Classes to label with, for example aerial: adds a field label (empty = none)", optional=True),
        Field("MAX_EDGE", "Longest edge within a polygon, or widest gap that is closed, in metres (empty = from the "
              "point spacing)", float, least=1e-9, optional=True, rare=True),
        *options.CLASSES, *options.SUPERPOINTS]

    def output(self):
        output = QgsProcessingParameterVectorDestination("OUTPUT", "Outlines", QgsProcessing.TypeVectorPolygon)
        output.setSupportsNonFileBasedOutput(False)
        return output

    def path(self, parameters, context):
        return self.parameterAsOutputLayer(parameters, "OUTPUT", context)

    def values(self, parameters, context):
        values = super().values(parameters, context)
        if "top" not in values:
            values.pop("cell", None)
        return values

    def load(self, found, source, output, context, feedback):
        layers.keep_style(output, context)


class Objects(command.Command):
    """Buildings and trees of a classified cloud."""

    NAME, TITLE = "objects", "Objects"
    HELP = (
        "Writes buildings as polygons and trees as points, drawn as circles of the diameter of the crown, with "
        "height, area, points and confidence as attributes.\n\n"
        "The point cloud needs superpoints with classes: run Superpoints with the option classes, or Classify "
        "from labels. The GeoPackage has the layers buildings and trees, each with a style.")
    INPUT = "Point cloud with superpoints and classes"
    FIELDS = [
        Field("MIN_AREA", "Smallest building, in square metres", float, 10, least=0),
        Field("MIN_HEIGHT", "Lowest building and tree, in metres", float, 2, least=0),
        Field("MIN_CROWN", "Narrowest crown, in metres", float, 1.5, least=0),
        Field("BUILDINGS", "Classes of buildings", default="6", rare=True),
        Field("TREES", "Classes of vegetation", default="3,4,5", rare=True),
        Field("GROUND", "Classes of the ground", default="2", rare=True),
        *options.CLASSES, *options.SUPERPOINTS]
    LOAD = "Show the objects", True
    OUTPUT = "Objects", "GeoPackage (*.gpkg)"

    def load(self, found, source, output, context, feedback):
        layers.load_objects(output, context)


class Table(command.Command):
    """A row per superpoint."""

    NAME, TITLE = "table", "Table"
    HELP = (
        "Writes one row per superpoint as CSV or Parquet: centroid, bounding box, height, shape, best plane, most "
        "frequent class, and mean and standard deviation of dimensions. Join it with outlines by id, or show its "
        "rows as points.\n\n"
        "The point cloud needs superpoints: run Superpoints first.")
    FIELDS = [
        Field("DIMENSIONS", "Dimensions for mean and deviation (empty = intensity, returns, colours, embedding)",
              optional=True),
        *options.CLASSES, *options.SUPERPOINTS]
    LOAD = "Show the rows of a CSV as points", False
    OUTPUT = "Table", "CSV (*.csv);;Parquet (*.parquet)"

    def load(self, found, source, output, context, feedback):
        if not output.lower().endswith(".csv"):
            feedback.pushWarning(f"{output} is not shown: choose a Table that ends in .csv for that")
            return
        details = QgsProcessingContext.LayerDetails(
            "Superpoints table", context.project(), "OUTPUT", QgsProcessingUtils.LayerHint.Vector)
        context.addLayerToLoadOnCompletion(rows_as_points(output, layers.reference(found, source)), details)


def rows_as_points(path, crs):
    """Returns the source of a layer with the rows of a table, at their centroids."""
    query = QUrlQuery()
    for key, value in (("type", "csv"), ("detectTypes", "yes"), ("xField", "x"), ("yField", "y"), ("crs", crs)):
        if value:
            query.addQueryItem(key, value)
    url = QUrl.fromLocalFile(path)
    url.setQuery(query)
    return "delimitedtext://" + bytes(url.toEncoded()).decode()


class Mesh(command.Command):
    """Planar superpoints as triangles."""

    NAME, TITLE = "mesh", "Mesh"
    HELP = (
        "Writes planar superpoints, such as roofs, as triangles: binary STL in metres, for CAD and 3D programs. "
        "Coordinates are relative to an origin, which is in the log and in the file's header.\n\n"
        "The point cloud needs superpoints: run Superpoints first.")
    FIELDS = [
        Field("PLANARITY", "Smallest planarity of a superpoint, 0 to 1", float, 0.4, least=0),
        Field("RESIDUAL", "Largest standard deviation of its points from their plane, in metres", float, 0.1, least=0),
        Field("MIN_POINTS", "Smallest number of points", int, 10, least=3),
        Field("MAX_EDGE", "Longest edge of a triangle, in metres (empty = from the point spacing)", float, least=1e-9,
              optional=True, rare=True),
        Field("ORIGIN", "X,Y,Z of the origin in metres (empty = the minimum)", optional=True, rare=True),
        *options.SUPERPOINTS]
    OUTPUT = "Triangles", "STL (*.stl)"


class Render(command.Command):
    """A picture of a point cloud."""

    NAME, TITLE = "render", "Render"
    HELP = (
        "Draws a point cloud as a PNG, in panels side by side, with shading by depth.\n\n"
        "Panels: input, elevation, intensity, rgb, class, truth, superpoint, boundaries, embedding, or any "
        "dimension. If a panel needs superpoints and the file has none, they are computed.")
    INPUT, MAKES = "Point cloud", True
    FIELDS = [
        Field("PANELS", "Panels, comma separated", default="input,superpoint"),
        Field("TILT", "Degrees below the horizon; 90 = from above", float, 35, least=0, most=90),
        Field("AZIMUTH", "Direction of view, degrees clockwise from north", float, 30, least=-360, most=360),
        Field("WIDTH", "Pixels of a panel", int, 960, least=16, most=16384),
        Field("TITLE", "Line above the panels", optional=True)]
    OUTPUT = "Picture", "PNG (*.png)"

    def values(self, parameters, context):
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        if not output.lower().endswith(".png"):
            raise ValueError(f"{output}: choose a name that ends in .png")
        return super().values(parameters, context)


# Columns of `pdal superpoint eval` that become outputs of the algorithm.
SCORES = [(s["output"], s["column"], s["label"]) for s in options.TABLE["scores"]] + [
    ("SUPERPOINTS", "superpoints", "Number of superpoints")]


class Evaluate(command.Command):
    """Measures superpoints against true labels: a table, and its last row as outputs."""

    NAME, TITLE = "evaluate", "Evaluate"
    HELP = (
        "Measures superpoints against true labels: oracle overall accuracy (the accuracy of a perfect classifier "
        "of superpoints), boundary recall and precision, undersegmentation error.\n\n"
        "Without a dimension of ids, superpoints are computed with the given options; several sizes, for example "
        "50,100,200, give a curve. Label 0 is unlabelled.")
    INPUT, MANY, MAKES = "Labelled point clouds", True, True
    FIELDS = [
        Field("TRUTH", "Dimension of true classes", default="Classification"),
        Field("ID", "Dimension of ids to measure (empty = compute superpoints)", optional=True),
        Field("TARGET_SIZES", "Several target sizes, comma separated", optional=True),
        Field("INSTANCES", "Dimension of true objects", optional=True, rare=True)]
    OUTPUT = "Metrics", "CSV (*.csv)"

    def initAlgorithm(self, configuration=None):
        super().initAlgorithm(configuration)
        for name, _, label in SCORES:
            self.addOutput(QgsProcessingOutputNumber(name, label + ", of the last row"))

    def work(self, found, parameters, context, feedback):
        files = self.sources(parameters, context)
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        values = self.values(parameters, context)
        if "target_sizes" in values:
            values["target_size"] = values.pop("target_sizes").replace(" ", "")
        with pipeline.beside(output, files + [values.get("model")]) as folder:
            written = os.path.join(folder, "metrics.csv")
            command.run(found, "eval", {**values, "format": "csv", "output": written}, files, feedback, folder)
            with open(written, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            os.replace(written, output)
        if not rows:
            raise ValueError("nothing was measured")
        for row in rows:
            feedback.pushInfo(", ".join(f"{k} {v}" for k, v in row.items()))
        feedback.setProgress(100)
        return {"OUTPUT": output, **{name: float(rows[-1][column]) for name, column, _ in SCORES}}


class Train(command.Command):
    """A model learned from labelled point clouds."""

    NAME, TITLE = "train", "Train a model"
    HELP = (
        "Trains an embedding on labelled point clouds and writes a model file, for the parameter Model file of "
        "the other tools. It takes hours. A plot of the loss and a checkpoint are written to the folder of the "
        "model; with Continue from the checkpoint, a cancelled run is resumed.")
    INPUT, MANY = "Labelled point clouds", True
    FIELDS = [
        Field("TRUTH", "Dimension of classes", default="Classification"),
        Field("INSTANCES", "Dimension of objects, instead of classes", optional=True),
        Field("RECIPE", "Recipe (empty = the paper's)", optional=True, files="Recipes (*.yaml *.yml)"),
        Field("BASE", "Model to start from", optional=True, files=options.MODELS),
        Field("RESUME", "Continue from the checkpoint", bool, False),
        Field("SEED", "Seed of the random numbers", int, 1, least=0, rare=True),
        Field("THREADS", "Threads (0 = all)", int, 0, least=0, rare=True)]
    OUTPUT = "Model", options.MODELS

    def inputs(self):
        return super().inputs() + [
            clouds.CloudInputs("VAL", "Labelled point clouds for validation", optional=True)]

    def work(self, found, parameters, context, feedback):
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        labelled = self.sources(parameters, context)
        judges = clouds.paths(self, parameters, "VAL", context)
        pipeline.keep(labelled + judges, output)
        os.makedirs(os.path.dirname(os.path.abspath(output)), exist_ok=True)
        values = {"input": ",".join(labelled), "output": output, **self.values(parameters, context)}
        if values.get("instances"):
            values.pop("truth", None)
        if judges:
            values["val"] = ",".join(judges)
        for line in command.run(found, "train", values, [], feedback).splitlines():
            feedback.pushInfo(line)
        feedback.setProgress(100)
        return {"OUTPUT": output}
