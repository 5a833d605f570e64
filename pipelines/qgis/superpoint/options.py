# SPDX-License-Identifier: BSD-3-Clause
"""Options of the stage and of commands as Processing parameters.

Names, defaults and labels come from the program, by options.json, which go generate
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
    TABLE = json.load(_table)
COMMANDS = TABLE["commands"]
DOUBLE, WHOLE = QgsProcessingParameterNumber.Double, QgsProcessingParameterNumber.Integer
OPTIONAL, ADVANCED = QgsProcessingParameterDefinition.FlagOptional, QgsProcessingParameterDefinition.FlagAdvanced
NONE = "none"
# Switches that are on by default, because the styles need the dimensions.
SHOWN = ["embedding", "color", "embedding_color"]
# Options that are not in front, though the stage's help lists them first.
RARE = ["regularization", "device"]


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
    own: bool = False  # not an option; the tool reads it itself

    def parameter(self):
        if self.choices is not None:
            made = QgsProcessingParameterEnum(self.name, self.label, options=self.choices, defaultValue=self.default,
                                              optional=self.optional, usesStaticStrings=True)
        elif self.kind is bool:
            made = QgsProcessingParameterBoolean(self.name, self.label, defaultValue=self.default)
        elif self.files:
            made = QgsProcessingParameterFile(
                self.name, self.label, optional=self.optional, fileFilter=self.files + ";;All files (*)")
        elif self.kind is str:
            made = QgsProcessingParameterString(self.name, self.label, self.default, optional=self.optional)
        else:
            made = QgsProcessingParameterNumber(
                self.name, self.label, WHOLE if self.kind is int else DOUBLE, self.default, self.optional)
            made.setMinimum(-1e300 if self.least is None else self.least)
            made.setMaximum(1e300 if self.most is None else self.most)
        return advanced(made) if self.rare else made

    def value(self, job):
        """Returns the value to pass on, or None."""
        if self.choices is not None:
            text = job.choice(self.name)
            return None if text in ("", NONE) else text
        if self.kind is bool:
            return job.on(self.name)
        text = job.text(self.name)
        return (text if self.kind is str else self.kind(float(text))) if text else None


def advanced(parameter):
    """Puts the parameter under Advanced."""
    parameter.setFlags(parameter.flags() | ADVANCED)
    return parameter


KINDS = {"integer": int, "number": float, "bool": bool, "boolean": bool}


def command(name, front, rare="", **changes):
    """Returns the fields of options of a command, in front and under Advanced. changes replaces parts of fields."""
    fields = []
    for option in (front + " " + rare).split():
        row = COMMANDS[name][option]
        kind = KINDS.get(row["kind"], str)
        empty = "(empty = " in row["label"] or row["default"] == ""
        default = None if empty else row["default"] == "true" if kind is bool else kind(row["default"])
        field = Field(option.upper(), row["label"], kind, default, 0 if kind in (int, float) else None,
                      optional=empty, rare=option in rare.split())
        fields.append(dataclasses.replace(field, **changes.get(option, {})))
    return fields


MODELS = "Models (*.safetensors)"
MODEL_FILE = Field("MODEL_FILE", "Model file, instead of a built-in model", optional=True, rare=True, files=MODELS)
MORE = Field("MORE", "More options of a newer stage: name=value, separated by ;", optional=True, rare=True)


def stage(groups):
    """Returns the fields of options of the stage, those in front first."""
    chosen = [o for o in TABLE["options"] if o["group"] in groups]
    fields = [_field(o) for o in sorted(chosen, key=lambda o: o["name"] not in ("classes", "target_size"))]
    return fields + [MODEL_FILE, MORE] if fields else []


def _field(option):
    """The field of an option of the stage; left empty, or at its default, the option is not passed on."""
    name = option["name"]
    kind = {"integer": int, "number": float}.get(option["kind"], str)
    field = Field(name.upper(), option["label"], kind, optional=True,
                  rare=not option.get("common") or name in RARE)
    if option["kind"] == "boolean" and option["group"] == "writing":
        field.kind, field.default, field.optional = bool, name in SHOWN, False
    elif option["kind"] == "boolean":  # empty is the default
        field.choices = ["true", "false"]
    elif "choices" in option:
        field.choices, field.default, field.optional = option["choices"], option["default"], False
    elif option["default"]:
        field.label += f" (empty = {option['default']})"
    if name == "model":
        field.label = "Model"
    if name == "classes":
        field.label = "Classify superpoints with: aerial, or the file of a classifier (empty = no classes)"
    if kind is not str:
        field.least = option.get("least", 0)
        field.most = option.get("most")
    return field


def values(job):
    """Returns the options of all parameters of a tool that differ from their defaults, by name."""
    found = {}
    for option in TABLE["options"]:
        if option["group"] in job.tool.stage:
            value = _field(option).value(job)
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if value is not None and text != option["default"]:
                found[option["name"]] = value
    if "method" in found and found["method"] not in TABLE["methods_with_embedding"]:
        found.pop("embedding_color", None)  # the stage refuses options that the method does not have
        found.pop("embedding", None)
    if job.tool.stage:
        found.update({"model": MODEL_FILE.value(job)} if MODEL_FILE.value(job) else {})
        found.update(more(MORE.value(job) or ""))
    for field in job.tool.fields:
        value = None if field.own else field.value(job)
        if value is not None and value is not False:
            found[field.name.lower()] = value
    return found


def more(text):
    """Returns options written as name=value, separated by ;."""
    values = {}
    for part in filter(None, (p.strip() for p in text.split(";"))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"more options: {part!r} is not name=value")
        values[name.strip()] = value.strip()
    return values
