"""Labels of outlines: read from a layer with its unsaved edits; results are written as
edits, which undo reverts."""

import csv

from qgis.core import QgsField, QgsProject, edit
from qgis.PyQt.QtCore import QVariant

FIELDS = {"class": QVariant.Int, "confidence": QVariant.Double, "next": QVariant.Int}


def write_table(source, path):
    """Writes id and label of the features that have a label; returns their ids."""
    names = [field.name().lower() for field in source.fields()]
    if "id" not in names or "label" not in names:
        raise ValueError("the layer of labels needs the fields id and label; make one with Outline, Classes to label "
                         "with")
    at, label = names.index("id"), names.index("label")
    ids = []
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "label"])
        for feature in source.getFeatures():
            text = text_of(feature.attributes()[label])
            if text:
                table.writerow([int(feature.attributes()[at]), text])
                ids.append(int(feature.attributes()[at]))
    return ids


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
    _set(layer, wanted, values)
    layer.endEditCommand()
    layer.triggerRepaint()


def _set(layer, wanted, values):
    for name in wanted:
        if layer.fields().lookupField(name) < 0:
            layer.addAttribute(QgsField(name, FIELDS[name]))
    layer.updateFields()
    place = {name: layer.fields().lookupField(name) for name in wanted}
    key = layer.fields().lookupField("id")
    for feature in layer.getFeatures():
        row = values.get(int(feature.attributes()[key]))
        for name, value in (row or {}).items():
            if feature.attributes()[place[name]] != value:
                layer.changeAttributeValue(feature.id(), place[name], value)
