# SPDX-License-Identifier: BSD-3-Clause
"""Labels of outlines: read from a layer with its unsaved edits; results are written as
edits, which undo reverts."""

import csv

from qgis.core import QgsField, QgsProject, edit
from qgis.PyQt.QtCore import QVariant

FIELDS = {"class": QVariant.Int, "confidence": QVariant.Double, "next": QVariant.Int}


def number(value):
    """Returns an id as an integer; None for NULL, which a new outline has."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


def write_table(source, path):
    """Writes id and label of the features that have both; returns their ids, and how many labels have no id."""
    names = [field.name().lower() for field in source.fields()]
    if "id" not in names or "label" not in names:
        raise ValueError("the layer of labels needs the fields id and label; make one with Outline, Classes to label "
                         "with")
    at, label = names.index("id"), names.index("label")
    rows = [(number(f.attributes()[at]), text_of(f.attributes()[label])) for f in source.getFeatures()]
    labelled = [row for row in rows if row[1]]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("id", "label"), *(row for row in labelled if row[0] is not None)])
    ids = [i for i, _ in labelled if i is not None]
    return ids, len(labelled) - len(ids)


def text_of(value):
    """Returns an attribute as text; NULL is "" in every version of Qt's bindings."""
    return "" if value is None or not str(value).strip() or str(value) == "NULL" else str(value).strip()


def read_table(path):
    """Returns the rows of propose by id."""
    with open(path, newline="", encoding="utf-8") as file:
        return {int(row["id"]): row for row in csv.DictReader(file)}


def is_open(layer):
    """Reports whether the layer is in the project or being edited: then edits are not saved here."""
    return layer.isEditable() or QgsProject.instance().mapLayer(layer.id()) is layer


def change(layer, title, values):
    """Sets attributes of features by id, as one step of undo. values has a dictionary
    {field: value} for each id. Runs on the main thread."""
    wanted = sorted({name for row in values.values() for name in row})
    if not is_open(layer):
        with edit(layer):
            _set(layer, wanted, values)
        return
    if not layer.isEditable() and not layer.startEditing():
        raise ValueError(f"{layer.name()} cannot be edited")
    layer.beginEditCommand(title)
    try:
        _set(layer, wanted, values)
    except BaseException:
        layer.destroyEditCommand()
        raise
    layer.endEditCommand()
    layer.triggerRepaint()


def _set(layer, wanted, values):
    for name in wanted:
        if layer.fields().lookupField(name) < 0:
            layer.addAttribute(QgsField(name, FIELDS[name]))
    layer.updateFields()
    place = {name: layer.fields().lookupField(name) for name in wanted}
    key = layer.fields().lookupField("id")
    for feature in list(layer.getFeatures()):
        row = values.get(number(feature.attributes()[key]))
        for name, value in (row or {}).items():
            if feature.attributes()[place[name]] != value:
                layer.changeAttributeValue(feature.id(), place[name], value)
