"""The options of filters.superpoint as Processing parameters.

Names, defaults and labels are those of the stage, from options.json, which go generate
writes; a parameter has the name of the option in capitals. An option is passed on only
if it differs from its default.
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

# The styles need these, so the plugin writes them by default.
SHOWN = ["embedding", "color", "embedding_color"]


@dataclasses.dataclass
class Field:
    """A parameter that is an option of the stage or of a command, of the same name in small letters."""

    name: str
    label: str
    kind: type = str
    default: object = None
    least: float = None
    most: float = None
    optional: bool = False
    rare: bool = False  # under Advanced
    files: str = ""  # file types to choose from, for the name of a file
    choices: list = None

    def parameter(self):
        if self.choices is not None:
            made = QgsProcessingParameterEnum(self.name, self.label, options=self.choices, optional=self.optional,
                                              defaultValue=self.default, usesStaticStrings=True)
        elif self.kind is bool:
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
        """Returns the value to pass on, or None."""
        if self.kind is bool:
            return algorithm.parameterAsBoolean(parameters, self.name, context) or None
        if self.choices is not None:
            return algorithm.parameterAsEnumString(parameters, self.name, context) or None
        text = algorithm.parameterAsString(parameters, self.name, context).strip()
        return (text if self.kind is str else self.kind(float(text))) if text else None


MODELS = "Models (*.safetensors)"
MODEL_FILE = Field("MODEL_FILE", "Model file, instead of a built-in model", optional=True, rare=True, files=MODELS)
MORE = Field("MORE", "More options of a newer stage: name=value, separated by ;", optional=True, rare=True)


def _of(group):
    return [o for o in OPTIONS if o["group"] == group]


def _switches():
    return [o for o in _of("writing") if o["kind"] == "boolean"]


def _outputs():
    return [o for o in _of("writing") + _of("measuring") if o["kind"] != "boolean"]


def _field(option, models=()):
    """The field of an option of the stage; left empty, or at its default, the option is not passed on."""
    kind = {"integer": int, "number": float}.get(option["kind"], str)
    field = Field(option["name"].upper(), option["label"], kind, optional=True, rare=not option["common"])
    if option["kind"] == "boolean":  # empty is the default
        field.choices = ["true", "false"]
    elif option["kind"] == "choice" or option["name"] == "model":
        field.choices, field.default, field.optional = option.get("choices", list(models)), option["default"], False
    elif option["default"]:
        field.label += f" (empty = {option['default']})"
    if option["name"] == "model":
        field.label = "Model"
    if kind is not str:
        field.least, field.most = option["least"] + (1e-9 if option["above"] else 0), option["most"]
    return field


def parameters(models):
    """Yields the options that compute superpoints."""
    for option in sorted(_of("making"), key=lambda o: not o["common"]):
        yield _field(option, models).parameter()
        if option["name"] == "model":
            yield MODEL_FILE.parameter()
    yield MORE.parameter()


def switch_parameters():
    """Yields the options that select dimensions to write."""
    for option in _switches():
        yield Field(option["name"].upper(), option["label"], bool, option["name"] in SHOWN, rare=True).parameter()


def output_parameters():
    """Yields the options of written dimensions and of metrics."""
    yield from switch_parameters()
    for option in _outputs():
        yield advanced(_field(option).parameter())


# Options of commands that read a cloud with superpoints.
SUPERPOINTS = [Field("ID", "Dimension of superpoint ids", default="SuperpointID", rare=True),
               Field("THREADS", "Threads (0 = all)", int, 0, least=0, rare=True)]
CLASSES = [Field("CLASS", "Dimension of classes", default="Classification", rare=True)]


def advanced(parameter):
    """Puts the parameter under Advanced."""
    parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.FlagAdvanced)
    return parameter


def common_values(algorithm, given, context):
    """Returns the options of parameters that differ from their defaults, by name."""
    values = _values(algorithm, given, context, _of("making"))
    path = MODEL_FILE.value(algorithm, given, context)
    if path:
        values["model"] = path
    values.update(more(MORE.value(algorithm, given, context) or ""))
    return values


def _values(algorithm, given, context, wanted):
    values = {o["name"]: (_field(o).value(algorithm, given, context), o["default"]) for o in wanted}
    return {name: value for name, (value, default) in values.items() if value is not None and str(value) != default}


def more(text):
    """Returns options written as name=value, separated by ;."""
    values = {}
    for part in filter(None, (p.strip() for p in text.split(";"))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"more options: {part!r} is not name=value")
        values[name.strip()] = value.strip()
    return values


def switch_values(algorithm, parameters, context):
    """Returns the options of switch_parameters that differ from the defaults of the stage."""
    values = {o["name"]: algorithm.parameterAsBoolean(parameters, o["name"].upper(), context) for o in _switches()}
    if values.get("embedding"):
        del values["embedding"]
    if algorithm.parameterAsEnumString(parameters, "METHOD", context) not in TABLE["methods_with_embedding"]:
        del values["embedding_color"]  # the stage refuses options that the method does not have
    return values


def given(algorithm, parameters, context, fields):
    """Returns the options of fields that are not empty."""
    values = {f.name.lower(): f.value(algorithm, parameters, context) for f in fields}
    return {name: value for name, value in values.items() if value is not None}


def all_values(algorithm, given, context):
    """Returns the options of parameters and output_parameters to pass on."""
    return {**common_values(algorithm, given, context), **switch_values(algorithm, given, context),
            **_values(algorithm, given, context, _outputs())}


def names():
    """Returns the names of all options of the stage that have a parameter."""
    return {option["name"] for option in OPTIONS}
