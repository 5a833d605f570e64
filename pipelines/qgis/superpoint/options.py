"""The options of filters.superpoint as Processing parameters.

Names, defaults and meanings are the stage's (`pdal --options filters.superpoint`);
a parameter has the option's name in capitals. Left at its default, an option is
not passed on, so that the stage decides.
"""

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

METHODS = ["ssp", "ssp-cluster", "geom-graph", "vccs", "lin"]
WITHOUT_EMBEDDING = ["vccs", "lin"]
SOLVERS = ["auto", "cut-pursuit", "merge", "multilevel"]
DOUBLE, WHOLE = QgsProcessingParameterNumber.Double, QgsProcessingParameterNumber.Integer

# Optional numbers: name, type, least value, label. Empty means the default.
NUMBERS = [
    ("min_size", WHOLE, 1, "Smallest superpoint at regularization 1, in points"),
    ("spatial_weight", DOUBLE, 0, "Weight of positions beside embeddings, per metre"),
    ("spacing", DOUBLE, 1e-9, "Distance of neighbouring points in metres (empty = measured)"),
    ("edge_decay", DOUBLE, 1e-9, "Decay of the edge weights with the distance of embeddings"),
    ("knn", WHOLE, 1, "Neighbours in the neighbourhood that is embedded"),
    ("adjacency_knn", WHOLE, 1, "Neighbours each point is joined to in the adjacency graph"),
    ("max_edge", DOUBLE, 1e-9, "Longest Delaunay edge, in metres"),
    ("seed_resolution", DOUBLE, 1e-9, "Distance between seeds, in metres (ssp-cluster, vccs, lin)"),
    ("voxel_resolution", DOUBLE, 1e-9, "Voxel size of vccs, in metres"),
    ("spatial_importance", DOUBLE, 0, "Weight of distance in vccs"),
    ("normal_importance", DOUBLE, 0, "Weight of normals in vccs"),
    ("color_importance", DOUBLE, 0, "Weight of colours in vccs"),
    ("threads", WHOLE, 0, "Threads (0 = all)"),
]
TEXTS = [
    ("features", "Dimensions used as they are in place of a model, for example Red,Green,Blue"),
    ("sphere", "Solve on the unit sphere, where embeddings lie: true or false (empty = false)"),
    ("graph", "What joins points: knn, or grid for the pixels of an image (empty = knn)"),
    ("device", "Device: auto, cpu, cuda or cuda:N"),
    ("delaunay", "Add Delaunay edges: true or false (empty = as the model says)"),
]
# Options that only a stage in a pipeline has; eval and render lack them.
OUTPUTS = [
    ("dimension", "Dimension that takes the ids (empty = SuperpointID)"),
    ("first_id", "The first id, so that the ids of several runs differ (empty = 1)"),
    ("vote", "Dimension of classes to vote over, for example Classification; written to Voted…"),
    ("truth", "Dimension of true classes, for metrics in the log"),
    ("instances", "Dimension of true objects, for the boundary metrics"),
]
SWITCHES = [
    ("embedding", True, "Write the embedding (Embedding0, Embedding1, …)"),
    ("color", True, "Write SuperpointColor, 0–31, for the style by superpoint"),
    ("embedding_color", True, "Write EmbeddingR, EmbeddingG, EmbeddingB for the style by embedding"),
]


def parameters(models):
    """The options that every algorithm has."""
    yield QgsProcessingParameterEnum(
        "MODEL", "Model", options=models, defaultValue="auto", usesStaticStrings=True)
    yield QgsProcessingParameterNumber(
        "TARGET_SIZE", "Wanted mean size of superpoints, in points (empty = by strength)",
        DOUBLE, optional=True, minValue=1)
    yield QgsProcessingParameterNumber(
        "REGULARIZATION", "Regularization strength; larger gives fewer (empty = 1)",
        DOUBLE, optional=True, minValue=1e-9)
    yield QgsProcessingParameterEnum(
        "METHOD", "Method", options=METHODS, defaultValue="ssp", usesStaticStrings=True)
    yield advanced(QgsProcessingParameterFile(
        "MODEL_FILE", "Model file of your own, instead of a built-in model", optional=True,
        fileFilter="Models (*.safetensors);;All files (*)"))
    yield advanced(QgsProcessingParameterEnum(
        "SOLVER", "Solver of the partition problem", options=SOLVERS, defaultValue="auto", usesStaticStrings=True))
    for name, kind, least, label in NUMBERS:
        yield advanced(QgsProcessingParameterNumber(
            name.upper(), label + " (empty = default)", kind, optional=True, minValue=least))
    for name, label in TEXTS:
        yield advanced(QgsProcessingParameterString(name.upper(), label, optional=True))
    yield advanced(QgsProcessingParameterString(
        "MORE", "More options of a newer stage: name=value, with ; between", optional=True))


def switch_parameters():
    """The options of which dimensions are written."""
    for name, default, label in SWITCHES:
        yield advanced(QgsProcessingParameterBoolean(name.upper(), label, defaultValue=default))


def output_parameters():
    """The options of what is written to the points."""
    yield from switch_parameters()
    for name, label in OUTPUTS:
        yield advanced(QgsProcessingParameterString(name.upper(), label, optional=True))


def superpoint_parameters(classes=True):
    """The options of commands that read a cloud with superpoints."""
    if classes:
        yield advanced(QgsProcessingParameterString(
            "CLASS", "Dimension of classes, for the majority", "Classification"))
    yield advanced(QgsProcessingParameterString("ID", "Dimension with the ids of superpoints", "SuperpointID"))
    yield advanced(QgsProcessingParameterNumber("THREADS", "Threads (0 = all)", WHOLE, 0, minValue=0))


def advanced(parameter):
    """Puts the parameter under Advanced."""
    parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.FlagAdvanced)
    return parameter


def common_values(algorithm, given, context):
    """The options that differ from their defaults, as name to value."""
    values = {}
    for name, default in (("model", "auto"), ("method", "ssp"), ("solver", "auto")):
        value = algorithm.parameterAsEnumString(given, name.upper(), context)
        if value and value != default:
            values[name] = value
    path = algorithm.parameterAsFile(given, "MODEL_FILE", context)
    if path:
        values["model"] = path
    sizes = [("target_size", DOUBLE, 1, ""), ("regularization", DOUBLE, 0, "")]
    for name, kind, _, _ in sizes + NUMBERS:
        if name.upper() in given and given[name.upper()] is not None and given[name.upper()] != "":
            number = algorithm.parameterAsDouble(given, name.upper(), context)
            values[name] = int(number) if kind == WHOLE else number
    for name, _ in TEXTS:
        text = algorithm.parameterAsString(given, name.upper(), context).strip()
        if text:
            values[name] = text
    values.update(more(algorithm.parameterAsString(given, "MORE", context)))
    return values


def more(text):
    """Options written as name=value with ; between."""
    values = {}
    for part in filter(None, (p.strip() for p in text.split(";"))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"more options: {part!r} is not name=value")
        values[name.strip()] = value.strip()
    return values


def switch_values(algorithm, parameters, context):
    """The options of switch_parameters that differ from the stage's defaults."""
    values = {name: algorithm.parameterAsBoolean(parameters, name.upper(), context) for name, _, _ in SWITCHES}
    if values.get("embedding"):
        del values["embedding"]
    if algorithm.parameterAsEnumString(parameters, "METHOD", context) in WITHOUT_EMBEDDING:
        del values["embedding_color"]  # the stage refuses what its method does not have
    return values


def superpoint_values(algorithm, parameters, context, classes=True):
    """The options of superpoint_parameters."""
    kinds = [("ID", str), ("THREADS", int)] + ([("CLASS", str)] if classes else [])
    return given(algorithm, parameters, context, kinds)


def given(algorithm, parameters, context, kinds):
    """Options by the names and types of their parameters; what is empty is left out."""
    values = {}
    for name, kind in kinds:
        text = algorithm.parameterAsString(parameters, name, context).strip()
        if text:
            values[name.lower()] = text if kind is str else kind(float(text))
    return values


def output_values(algorithm, given, context):
    """The options of output_parameters that are to be passed on."""
    values = switch_values(algorithm, given, context)
    for name, _ in OUTPUTS:
        text = algorithm.parameterAsString(given, name.upper(), context).strip()
        if text:
            values[name] = text
    return values


def names():
    """Every option of the stage that a parameter stands for."""
    return {"model", "target_size", "regularization", "method", "solver"} | {
        row[0] for row in NUMBERS + TEXTS + OUTPUTS + SWITCHES}
