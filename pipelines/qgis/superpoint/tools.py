# SPDX-License-Identifier: BSD-3-Clause
"""The table of tools: what differs between the algorithms."""

import dataclasses
import glob
import os
import tempfile
from collections.abc import Callable

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingParameterCrs,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingUtils,
)
from qgis.PyQt.QtCore import QUrl, QUrlQuery

from . import labels, layers, options, program
from .clouds import CloudInput, CloudInputs
from .options import Field, command

EVERY = 1 << 20  # superpoints, the most that propose returns
SHOWN = 10  # tiles of a map whose points are loaded
ANY = {"optional": True, "default": ""}


@dataclasses.dataclass
class Tool:
    """One tool. run is called with a Job and returns the results, after then on the main thread."""

    name: str
    title: str
    help: str
    inputs: list
    run: Callable
    fields: list = dataclasses.field(default_factory=list)
    stage: tuple = ()  # groups of the stage's options
    output: tuple = None  # kind, label, file types
    load: tuple = None  # label of the parameter that shows the result, and its default
    after: Callable = None
    numbers: dict = dataclasses.field(default_factory=dict)  # outputs for models
    texts: dict = dataclasses.field(default_factory=dict)


def folder(name, label, optional=False):
    return QgsProcessingParameterFile(name, label, QgsProcessingParameterFile.Folder, optional=optional)


def crs(label):
    return options.advanced(QgsProcessingParameterCrs("CRS", label, optional=True))


def area():
    return options.advanced(QgsProcessingParameterFeatureSource(
        "AREA", "Polygons of the points to process (empty = all); others are copied unchanged",
        [QgsProcessing.TypeVectorPolygon], optional=True))


def one(label):
    return [CloudInput("INPUT", label)]


def many(label):
    return [CloudInputs("INPUT", label)]


FILES_OR_FOLDER = [CloudInputs("INPUT", "Point clouds", optional=True),
                   folder("FOLDER", "or a folder of point clouds", optional=True)]


# Superpoints.

def summary(stage):
    """Returns one line about a run, from the metadata of the stage."""
    text = (f"{stage['points']} points, {stage['superpoints']} superpoints"
            f" (median {stage.get('size', {}).get('median', 0)} points), model {stage.get('model', 'none')},"
            f" {stage.get('device', 'cpu')}, {stage.get('seconds', {}).get('total', 0):.1f} s")
    return "\n".join([text, *(f"{name} {value}" for name, value in stage.get("metrics", {}).items())])


def superpoints(job):
    source, = job.clouds()
    output, shown = job.layer()
    values = {**job.values(), **job.area()}
    job.feedback.pushInfo(f"options: {values}")
    done, = job.lines("segment", values, [source, output])
    if done.get("error"):
        raise ValueError(f"{source}: {done['error']}")
    stage, written = done["stage"], done["output"]
    if written != output:
        job.feedback.pushWarning(f"The result is {written}: this PDAL cannot write the file's classes or scan angles "
                                 "to LAZ.")
    job.feedback.pushInfo(summary(stage))
    path = ""
    if shown:
        path = layers.show(job, written, layers.stem(source) + " superpoints", layers.styles_of(values, stage))
    return {"OUTPUT": written, "MAP": path, "POINTS": stage["points"], "SUPERPOINTS": stage["superpoints"],
            "MODEL_USED": stage.get("model", "")}


def tile(job):
    target = job.text("OUTPUT")
    values = job.values()
    values.pop("color", None)  # adjacency across tiles is unknown
    if os.path.exists(os.path.join(target, "plan.json")):
        job.feedback.pushInfo(f"{target} has a plan: the survey continues, with its options")
    else:
        job.run("survey plan", {"output": target, **values}, job.clouds())
    job.program.run(["superpoint", "survey", "run", os.path.abspath(target)], job.feedback)
    results = sorted(glob.glob(os.path.join(glob.escape(target), "out", "*.la[sz]")))
    for result in results if job.on("LOAD") else []:
        layers.show(job, result, layers.stem(result), layers.styles_of(values, {"model": "any"}))
    return {"OUTPUT": target, "COUNT": len(results)}


def map_(job):
    sources, output = job.clouds(), os.path.abspath(job.text("OUTPUT"))
    copc = layers.provider(".copc.laz") and job.program.has("writers.copc")
    values = {**job.values(), **job.area(), "output": output, **({"copc": True} if copc else {})}
    if job.choice("CLASS_CHANGE") == "all":
        values["class_change"] = "all"
    job.feedback.pushInfo(job.run("map", values, sources))
    job.found = {}
    if job.on("LOAD"):
        points = sorted(glob.glob(os.path.join(glob.escape(output), "points", "*.la[sz]")))
        for path in points[:SHOWN]:
            try:
                job.found[path] = layers.map_file(job, path)
            except (ValueError, OSError, ImportError, program.Failed) as e:
                job.feedback.pushWarning(f"{path} cannot be shown: {e}")
        if len(points) > SHOWN:
            job.feedback.pushWarning(f"The points of {SHOWN} of {len(points)} tiles are shown; all are in "
                                     f"{output}/points")
    return {"OUTPUT": output, "REPORT": os.path.join(output, "report.html")}


def map_shown(job):
    if job.on("LOAD"):
        layers.show_map(os.path.abspath(job.text("OUTPUT")), job.found, job.context.project())


# Commands that read clouds and write one file.

def write(job):
    """Runs the command of the tool's name; the program writes the output only when it is complete."""
    sources = job.clouds()
    output, values = job.file(), job.values()
    if job.tool.name == "render" and not output.lower().endswith(".png"):
        raise ValueError(f"{output}: choose a name that ends in .png")
    for line in job.run(job.tool.name, values, [*sources, output]).splitlines():
        job.feedback.pushInfo(line)
    if job.tool.output[0] == "vector":
        layers.keep_style(output, job.context)
    elif job.on("LOAD"):
        (layers.load_objects(output, job.context) if job.tool.name == "objects" else load_rows(job, sources[0], output))
    return {"OUTPUT": output}


def load_rows(job, source, output):
    """Loads the rows of a table as points, at their centroids."""
    if not output.lower().endswith(".csv"):
        job.feedback.pushWarning(f"{output} is not shown: choose a Table that ends in .csv for that")
        return
    query = QUrlQuery()
    for key, value in (("type", "csv"), ("detectTypes", "yes"), ("xField", "x"), ("yField", "y"),
                       ("crs", layers.reference(job, source))):
        if value:
            query.addQueryItem(key, value)
    url = QUrl.fromLocalFile(output)
    url.setQuery(query)
    job.context.addLayerToLoadOnCompletion("delimitedtext://" + bytes(url.toEncoded()).decode(), QgsProcessingContext.
                                           LayerDetails("Superpoints table", job.context.project(), "OUTPUT",
                                                        QgsProcessingUtils.LayerHint.Vector))


# Labels of outlines.

def propose(job, count=None):
    """Runs propose with the present labels, and keeps the proposed superpoints. Returns the ids that have labels."""
    source = job.algorithm.parameterAsSource(job.parameters, "LABELS", job.context)
    if source is None:
        raise ValueError("there is no layer of labels")
    job.table = os.path.join(job.folder, "labels.csv")
    labelled, lost = labels.write_table(source, job.table)
    if lost:
        job.feedback.pushWarning(f"{lost} labels are not used: their outlines have no id, as new outlines have none")
    classifier = job.text("CLASSES_FILE") or job.text("CLASSES") or "aerial"
    job.base = {"classes": classifier, **({"labels": job.table} if labelled else {})}
    answer = os.path.join(job.folder, "next.csv")
    job.run("propose", {**job.base, "count": count or int(float(job.text("COUNT")))}, [*job.clouds(), answer])
    job.found = labels.read_table(answer)
    return labelled


def label_next(job):
    with tempfile.TemporaryDirectory(prefix="superpoint-") as job.folder:
        propose(job)
    ids = list(job.found)
    job.feedback.pushInfo("Label next: " + ", ".join(str(i) for i in ids))
    return {"COUNT": len(ids), "IDS": ",".join(str(i) for i in ids)}


def label_next_shown(job):
    layer = job.algorithm.labels
    if layer is None or not job.found:
        return
    rank = {i: {"next": n + 1} for n, i in enumerate(job.found)}
    key = layer.fields().lookupField("id")
    every = {labels.number(f.attributes()[key]): {"next": None} for f in layer.getFeatures()}
    labels.change(layer, job.tool.title, {**every, **rank})
    layer.selectByIds([f.id() for f in layer.getFeatures() if labels.number(f.attributes()[key]) in rank])


def classify(job):
    output, save = job.file(), job.file("SAVE")
    with tempfile.TemporaryDirectory(prefix="superpoint-") as job.folder:
        labelled = propose(job, EVERY)
        if not labelled and (output or save):
            raise ValueError("no outline has a label; give some a label first")
        if output or save:
            job.run("classify", {**job.base, **job.values(), **({"save": save} if save else {})},
                    [*job.clouds(), *([output] if output else [])])
    return {"LABELLED": len(labelled), "OUTPUT": output, "SAVE": save}


def classify_shown(job):
    if job.algorithm.labels is not None:
        labels.change(job.algorithm.labels, job.tool.title, {
            i: {"class": int(row["class"]), "confidence": float(row["confidence"])} for i, row in job.found.items()})


LABELS = [*one("Point cloud with superpoints"),
          QgsProcessingParameterFeatureSource("LABELS", "Outlines with the field label",
                                              [QgsProcessing.TypeVectorPolygon])]
CLASSIFIER = [
    Field("CLASSES", "Base classifier", default="aerial", optional=True, own=True),
    Field("CLASSES_FILE", "Classifier file, instead of a built-in classifier", optional=True, rare=True, own=True,
          files="Classifiers (*.safetensors)")]
NEEDS = "The point clouds need superpoints: run Superpoints first."
LOAD = "Show the results as styled layers", False

TOOLS = [
    Tool("map", "Classify and map",
         "Computes from raw airborne scans: points with superpoints, classes and confidence, buildings, trees and "
         "water as a GeoPackage, terrain and surface as rasters, a picture with legend and scale, and a report that "
         "lists what to check.\n\n"
         "The input is files or layers, or a folder. Points of class 0 and 1 are classified; other classes are "
         "kept unless all points are to be classified. Existing results of the same inputs and options are kept, "
         "so a cancelled run can be continued.\n\n"
         "The layers are a group: objects and water above the points, coloured by class, and the terrain below. Points "
         "are shown at scales of 1:2,500 and larger.",
         [*FILES_OR_FOLDER, crs("CRS of files without one"), area()], map_, [
             *command("map", "classes resolution", "min_area min_water min_object_confidence",
                      classes={"label": "Classes: a built-in classifier (aerial), or a file"}),
             Field("CLASS_CHANGE", "Points to classify", choices=["without a class", "all"], default="without a class",
                   own=True)],
         ("making",), ("folder", "Folder for the results", ""), ("Show the results", True), map_shown,
         texts={"REPORT": "Report"}),
    Tool("superpoints", "Superpoints",
         "Divides a point cloud into superpoints: small segments, each of points of one object.\n\n"
         "The output has every dimension of the input, SuperpointID (from 1), the learned embedding (Embedding0, "
         "…) and, for the styles, SuperpointColor (0–31, different for adjacent superpoints) and EmbeddingR, "
         "EmbeddingG, EmbeddingB; with classes also Classification and ClassConfidence.\n\n"
         "Larger mean numbers of points give fewer, larger superpoints. Lengths are in metres, whatever the unit of "
         "the file.\n\n"
         "The layer has the styles superpoint, embedding and class; select one under Styles in the layer's menu.",
         [*one("Point cloud"), crs("CRS of the input, if it has none"), area()], superpoints, [],
         ("making", "writing"), ("cloud", "Superpoints", "LAZ (*.laz);;LAS (*.las);;COPC (*.copc.laz)"),
         ("Show the result as a styled layer", True),
         numbers={"POINTS": "Number of points", "SUPERPOINTS": "Number of superpoints"},
         texts={"MAP": "The displayed file: the output, or a copy", "MODEL_USED": "Model that was used"}),
    Tool("tile", "Superpoints of a survey (tiles)",
         "Computes the superpoints of a survey of any size by tiles, with the memory of one tile. The superpoints are "
         "the same as if all points were segmented at once, and ids are unique. SuperpointColor is not written.\n\n"
         "The input is files or layers, or a folder. The results are in the subfolder out of the survey's folder. "
         "A cancelled run is continued, with the options of its plan, if the same folder is given again.",
         FILES_OR_FOLDER, tile, command("survey plan", "", "tile halo"), ("making", "writing"),
         ("folder", "Folder of the survey", ""), LOAD, numbers={"COUNT": "Files written"}),
    Tool("outline", "Outline",
         "Writes one polygon per superpoint, in X and Y, with count, most frequent class, height, area and shape "
         "as attributes. Every position belongs to the superpoint that is visible there from above, and adjacent "
         "polygons share their border.\n\n"
         "With classes to label with, the outlines have a field label, for which the attribute form offers the "
         "classes, and are coloured by class. They are the input of What to label next and Classify from labels.\n\n"
         + NEEDS + " A GeoPackage includes the style.",
         many("Point clouds with superpoints"), write,
         command("outline", "label", "cell max_edge class id threads",
                 label={**ANY, "label": "Classes to label with, for example aerial, in a field label (empty = none)"}),
         output=("vector", "Outlines", "")),
    Tool("propose", "What to label next",
         "Selects the outlines to label next: large ones whose class is uncertain and that differ from those with "
         "a label. Their field next is the order, the most useful first.\n\n"
         "Give them a label in the attribute form, then run Classify from labels. Unsaved labels of the layer are "
         "used, too. One Undo reverts the changes of this tool.",
         LABELS, label_next, [*CLASSIFIER, *command("propose", "count", count={"default": 10, "own": True})],
         after=label_next_shown),
    Tool("classify", "Classify from labels",
         "Trains a classifier on the labels of the outlines, in seconds, and writes the predicted classes of all "
         "outlines to the fields class and confidence, which set the colours. Unsaved labels of the layer are "
         "used, too. One Undo reverts the changes of this tool; save the layer to keep them.\n\n"
         "If files for them are given, the classified point cloud is written, and the classifier, which the option "
         "classes of Superpoints takes for other clouds. Points of classes other than 0 and 1 keep their class "
         "unless the last option lists it.",
         [*LABELS, *(QgsProcessingParameterFileDestination(name, label, kinds, optional=True, createByDefault=False)
                     for name, label, kinds in (("OUTPUT", "Classified point cloud", "LAZ (*.laz);;LAS (*.las)"),
                                                ("SAVE", "Classifier", "Classifiers (*.safetensors)")))],
         classify, [
             *CLASSIFIER,
             Field("TARGET_SIZE", "Target size with which the cloud was segmented (empty = not set)", float, least=0,
                   optional=True, rare=True),
             Field("REGULARIZATION", "Regularization with which the cloud was segmented (empty = not set)", float,
                   least=0, optional=True, rare=True),
             Field("CLASS_CHANGE", "Classes of points to replace", default="0,1", optional=True, rare=True)],
         after=classify_shown),
    Tool("objects", "Objects",
         "Writes buildings and crowns as polygons and tops of trees as points, with "
         "height, area, points and confidence as attributes. Several clouds are tiles of one; an object in several "
         "is one object.\n\n"
         "The point clouds need superpoints with classes: run Superpoints with classes, or Classify from labels. The "
         "GeoPackage has the layers buildings, trees and crowns, each with a style.",
         many("Point clouds with superpoints and classes"), write,
         command("objects", "min_area min_height min_crown",
                 "min_object_confidence buildings trees ground cell class id threads"),
         output=("file", "Objects", "GeoPackage (*.gpkg)"), load=("Show the objects", True)),
    Tool("table", "Table",
         "Writes one row per superpoint as CSV: centroid, bounding box, height, shape, best plane, most "
         "frequent class, and mean and standard deviation of dimensions. Join it with outlines by id, or show its "
         "rows as points.\n\n" + NEEDS,
         one("Point cloud with superpoints"), write, command("table", "dimensions", "class id threads"),
         output=("file", "Table", "CSV (*.csv)"),
         load=("Show the rows as points", False)),
    Tool("mesh", "Mesh",
         "Writes planar superpoints, such as roofs, as triangles: binary STL in metres, for CAD and 3D programs. "
         "Coordinates are relative to an origin, which is in the log and in the file's header.\n\n" + NEEDS,
         one("Point cloud with superpoints"), write,
         command("mesh", "planarity residual min_points", "max_edge origin id threads"),
         output=("file", "Triangles", "STL (*.stl)")),
    Tool("render", "Render",
         "Draws a point cloud as a PNG, in panels side by side, with shading by depth.\n\n"
         "Panels: input, elevation, intensity, rgb, class, truth, superpoint, boundaries, embedding, or any "
         "dimension. If a panel needs superpoints and the file has none, they are computed.",
         one("Point cloud"), write,
         command("render", "panels tilt azimuth width", panels={"label": "Panels, comma separated"},
                 azimuth={"least": -360}),
         ("making",), ("file", "Picture", "PNG (*.png)")),
]
