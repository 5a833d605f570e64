"""The options of filters.superpoint as Processing parameters.

Names, defaults and meanings are the stage's, from options.json, which go generate
writes; a parameter has the option's name in capitals. Left at its default, an
option is not passed on, so that the stage decides.
"""

import json
import os

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

with open(os.path.join(os.path.dirname(__file__), "options.json"), encoding="utf-8") as _table:
    TABLE = json.load(_table)  # of the stage's options
OPTIONS = TABLE["options"]
DOUBLE, WHOLE = QgsProcessingParameterNumber.Double, QgsProcessingParameterNumber.Integer

# Results are shown in these, so the plugin writes them unless told otherwise.
SHOWN = ["embedding", "color", "embedding_color"]


def _of(group):
    return [o for o in OPTIONS if o["group"] == group]


def _switches():
    return [o for o in _of("writing") if o["kind"] == "boolean"]


def _outputs():
    return [o for o in _of("writing") + _of("measuring") if o["kind"] != "boolean"]


def parameters(models):
    """The options of how superpoints are made, which every algorithm has."""
    for option in sorted(_of("making"), key=lambda o: not o["common"]):
        yield _flagged(option, _parameter(option, models))
        if option["name"] == "model":
            yield advanced(QgsProcessingParameterFile(
                "MODEL_FILE", "Model file of your own, instead of a built-in model", optional=True,
                fileFilter="Models (*.safetensors);;All files (*)"))
    yield advanced(QgsProcessingParameterString(
        "MORE", "More options of a newer stage: name=value, with ; between", optional=True))


def _flagged(option, parameter):
    return parameter if option["common"] else advanced(parameter)


def _parameter(option, models):
    """The field of an option; left empty, or at its default, the option is not passed on."""
    key, label, kind = option["name"].upper(), option["label"], option["kind"]
    if key == "MODEL":
        return QgsProcessingParameterEnum(
            key, "Model", options=models, defaultValue=option["default"], usesStaticStrings=True)
    if kind == "choice":
        return QgsProcessingParameterEnum(
            key, label, options=option["choices"], defaultValue=option["default"], usesStaticStrings=True)
    if kind == "boolean":  # the third state is the default
        return QgsProcessingParameterEnum(
            key, label, options=["true", "false"], optional=True, usesStaticStrings=True)
    empty = f" (empty = {option['default']})" if option["default"] else ""
    if kind in ("number", "integer"):
        least = option["least"] + (1e-9 if option["above"] else 0)
        return QgsProcessingParameterNumber(
            key, label + empty, WHOLE if kind == "integer" else DOUBLE, optional=True, minValue=least,
            maxValue=option["most"])
    return QgsProcessingParameterString(key, label + empty, optional=True)


def switch_parameters():
    """The options of which dimensions are written."""
    for option in _switches():
        yield advanced(QgsProcessingParameterBoolean(
            option["name"].upper(), option["label"], defaultValue=option["name"] in SHOWN))


def output_parameters():
    """The options of what is written to the points, and compared with them."""
    yield from switch_parameters()
    for option in _outputs():
        yield advanced(_parameter(option, []))


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
    """The options of parameters that differ from their defaults, as name to value."""
    values = _values(algorithm, given, context, _of("making"))
    path = algorithm.parameterAsFile(given, "MODEL_FILE", context)
    if path:
        values["model"] = path
    values.update(more(algorithm.parameterAsString(given, "MORE", context)))
    return values


def _values(algorithm, given, context, wanted):
    values = {}
    for option in wanted:
        key, kind = option["name"].upper(), option["kind"]
        if kind in ("number", "integer"):
            if given.get(key) is None or given[key] == "":
                continue
            number = algorithm.parameterAsDouble(given, key, context)
            value = int(number) if kind == "integer" else number
        elif kind in ("choice", "boolean") or key == "MODEL":
            value = algorithm.parameterAsEnumString(given, key, context)
        else:
            value = algorithm.parameterAsString(given, key, context).strip()
        if value != "" and str(value) != option["default"]:
            values[option["name"]] = value
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
    values = {o["name"]: algorithm.parameterAsBoolean(parameters, o["name"].upper(), context) for o in _switches()}
    if values.get("embedding"):
        del values["embedding"]
    if algorithm.parameterAsEnumString(parameters, "METHOD", context) not in TABLE["methods_with_embedding"]:
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
    values.update(_values(algorithm, given, context, _outputs()))
    return values


def names():
    """Every option of the stage that a parameter stands for."""
    return {option["name"] for option in OPTIONS}
