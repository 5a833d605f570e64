"""The options of filters.superpoint as Processing parameters.

Names, defaults and meanings are the stage's, from options.json, which go generate
writes; a parameter has the option's name in capitals. Left at its default, an
option is not passed on, so that the stage decides.
"""

import dataclasses
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

# Results are shown in these, so the plugin writes them by default.
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
                "MODEL_FILE", "Model file, instead of a built-in model", optional=True,
                fileFilter="Models (*.safetensors);;All files (*)"))
    yield advanced(QgsProcessingParameterString(
        "MORE", "More options of a newer stage: name=value, separated by ;", optional=True))


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


@dataclasses.dataclass
class Field:
    """A parameter that is an option of a command, of the same name in small letters."""

    name: str
    label: str
    kind: type = str
    default: object = None
    least: float = None
    most: float = None
    optional: bool = False
    rare: bool = False  # under Advanced
    files: str = ""  # which files are offered, for the name of a file

    def parameter(self):
        if self.kind is bool:
            made = QgsProcessingParameterBoolean(self.name, self.label, defaultValue=self.default)
        elif self.files:
            made = QgsProcessingParameterFile(
                self.name, self.label, optional=self.optional, fileFilter=self.files + ";;All files (*)")
        elif self.kind is str:
            made = QgsProcessingParameterString(self.name, self.label, self.default, optional=self.optional)
        else:
            limits = {"minValue": self.least, "maxValue": self.most}
            made = QgsProcessingParameterNumber(
                self.name, self.label, WHOLE if self.kind is int else DOUBLE, self.default, self.optional,
                **{name: limit for name, limit in limits.items() if limit is not None})
        return advanced(made) if self.rare else made

    def value(self, algorithm, parameters, context):
        """The value to pass on, or None."""
        if self.kind is bool:
            return algorithm.parameterAsBoolean(parameters, self.name, context) or None
        text = algorithm.parameterAsString(parameters, self.name, context).strip()
        return (text if self.kind is str else self.kind(float(text))) if text else None


# Options of commands that read a cloud with superpoints.
SUPERPOINTS = [Field("ID", "Dimension of superpoint ids", default="SuperpointID", rare=True),
               Field("THREADS", "Threads (0 = all)", int, 0, least=0, rare=True)]
CLASSES = [Field("CLASS", "Dimension of classes", default="Classification", rare=True)]


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


def given(algorithm, parameters, context, fields):
    """The options of fields; what is empty is left out."""
    values = {f.name.lower(): f.value(algorithm, parameters, context) for f in fields}
    return {name: value for name, value in values.items() if value is not None}


def output_values(algorithm, given, context):
    """The options of output_parameters that are to be passed on."""
    values = switch_values(algorithm, given, context)
    values.update(_values(algorithm, given, context, _outputs()))
    return values


def names():
    """Every option of the stage that a parameter stands for."""
    return {option["name"] for option in OPTIONS}
