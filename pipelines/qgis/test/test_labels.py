# SPDX-License-Identifier: BSD-3-Clause
"""Labelling outlines: what to label next, classes from labels, undo, and objects,
with layers of the project as in the window."""

import csv
import os
from unittest import mock

import inqgis
from inqgis import CLOUD, OUT, fresh
from qgis.core import QgsFeature, QgsProject, QgsVectorLayer
from superpoint import labels

NAMES = {2: "ground", 3: "vegetation", 4: "vegetation", 5: "vegetation", 6: "building"}


def column(layer, name):
    """Returns a field of all features by id."""
    return {int(f["id"]): f[name] for f in layer.getFeatures()}


class Labels(inqgis.InQgis):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = fresh("labels")
        cls.cloud = os.path.join(cls.folder, "segmented.las")
        _, fine, _, text = inqgis.run("superpoints", {"INPUT": CLOUD, "LOAD": False, "OUTPUT": cls.cloud})
        assert fine, text

    def outlines(self, name):
        """Returns outlines to label as a layer of the project, with their style, and the true classes."""
        path = os.path.join(self.folder, name)
        self.done("outline", INPUT=[self.cloud], LABEL="aerial", OUTPUT=path)
        layer = QgsVectorLayer(path + "|layername=superpoints", name, "ogr")
        self.assertTrue(layer.isValid())
        layer.loadDefaultStyle()
        QgsProject.instance().addMapLayer(layer)
        return layer, {i: NAMES.get(c, "other") for i, c in column(layer, "class").items()}

    def label(self, layer, truth, ids):
        place = layer.fields().lookupField("label")
        for f in layer.getFeatures():
            if int(f["id"]) in ids:
                self.assertTrue(layer.changeAttributeValue(f.id(), place, truth[int(f["id"])]))

    def accuracy(self, layer, truth):
        """Returns the share of points whose outline has their class."""
        right = total = 0
        for f in layer.getFeatures():
            total += f["count"]
            right += f["count"] * (NAMES.get(f["class"], "other") == truth[int(f["id"])])
        return right / total

    def test_walk(self):
        layer, truth = self.outlines("walk.gpkg")
        self.assertEqual(layer.editorWidgetSetup(layer.fields().lookupField("label")).type(), "ValueMap")
        self.assertEqual(layer.renderer().type(), "categorizedSymbol")
        self.assertTrue(layer.startEditing())
        labelled = set()
        for _ in range(3):
            results = self.done("propose", INPUT=self.cloud, LABELS=layer.id(), COUNT=10)
            chosen = {int(i) for i in results["IDS"].split(",")}
            shown = {int(f["id"]) for f in layer.selectedFeatures()}
            self.assertTrue(shown and shown <= chosen, (shown, chosen))
            self.assertFalse(chosen & labelled, "outlines with a label are proposed again")
            self.label(layer, truth, shown)
            labelled |= shown
        results = self.done("classify", INPUT=self.cloud, LABELS=layer.id(),
                                     OUTPUT=os.path.join(self.folder, "classified.las"),
                                     SAVE=os.path.join(self.folder, "few.safetensors"), CLASS_CHANGE="all")
        self.assertEqual(results["LABELLED"], len(labelled))
        after = column(layer, "class")
        share = self.accuracy(layer, truth)
        print(f"{len(labelled)} labels: {share:.3f} of the points")
        self.assertGreater(share, 0.9)
        picture = inqgis.draw(layer, os.path.join(OUT, "labels.png"))
        for colour in (0xbf9a6b, 0x5aae61, 0xd6604d):
            away = inqgis.numpy.abs(picture.astype(int) - [colour >> 16, colour >> 8 & 255, colour & 255])
            near = away.max(axis=2) < 80
            self.assertGreater(near.mean(), 0.01, hex(colour))
        self.assertTrue(os.path.getsize(os.path.join(self.folder, "few.safetensors")) > 10_000)
        self.assertIn("Classify from labels", layer.undoStack().undoText())
        layer.undoStack().undo()
        before = column(layer, "class")
        self.assertNotEqual(before, after)
        self.assertEqual({i: NAMES.get(c, "other") for i, c in before.items()}, truth)
        layer.undoStack().redo()
        self.assertEqual(column(layer, "class"), after)
        self.assertTrue(layer.commitChanges())

        path = os.path.join(self.folder, "objects.gpkg")
        results = self.done("objects", INPUT=os.path.join(self.folder, "classified.las"), OUTPUT=path)
        counts = {}
        for drawn in inqgis.load(self.context):
            counts[drawn.name()] = drawn.featureCount()
            inqgis.draw(drawn, os.path.join(OUT, drawn.name().lower() + ".png"))
        self.assertGreater(counts["Buildings"], 8)
        self.assertGreater(counts["Trees"], 15)

    def test_without_a_window_the_file_is_changed(self):
        layer, truth = self.outlines("batch.gpkg")
        QgsProject.instance().removeMapLayer(layer.id())
        path = os.path.join(self.folder, "batch.gpkg")
        layer = QgsVectorLayer(path + "|layername=superpoints", "batch", "ogr")
        layer.startEditing()
        self.label(layer, truth, set(list(truth)[:40]))
        self.assertTrue(layer.commitChanges())
        self.done("classify", INPUT=self.cloud, LABELS=path + "|layername=superpoints")
        confident = column(QgsVectorLayer(path + "|layername=superpoints", "batch", "ogr"), "confidence")
        self.assertGreater(max(confident.values()), 0.5)

    def test_new_outlines_have_no_id(self):
        """An outline that the user draws has no id: its label is not used, and everything else works and is undone."""
        layer, truth = self.outlines("new.gpkg")
        self.assertTrue(layer.startEditing())
        self.label(layer, truth, set(list(truth)[:30]))
        for text in (None, "ground"):
            drawn = QgsFeature(layer.fields())
            drawn.setGeometry(next(layer.getFeatures()).geometry())
            drawn["label"] = text
            self.assertTrue(layer.addFeature(drawn))
        for name, more in (("propose", {"COUNT": 5}), ("classify", {})):
            before = layer.undoStack().count()
            results = self.done(name, INPUT=self.cloud, LABELS=layer.id(), **more)
            self.assertIn("1 labels are not used", self.log)
            self.assertFalse(layer.isEditCommandActive())
            self.assertEqual(layer.undoStack().count(), before + 1)
        self.assertEqual(results["LABELLED"], 30)
        self.assertTrue(layer.rollBack())

    def test_a_failed_change_is_undone(self):
        layer, truth = self.outlines("failed.gpkg")
        self.assertTrue(layer.startEditing())
        classes = column(layer, "class")

        def half(layer, wanted, values):
            layer.changeAttributeValue(next(layer.getFeatures()).id(), layer.fields().lookupField("class"), 77)
            raise KeyError("after half of the changes")

        with mock.patch.object(labels, "_set", half), self.assertRaises(KeyError):
            labels.change(layer, "Classify", {min(truth): {"class": 77}})
        self.assertFalse(layer.isEditCommandActive())
        self.assertEqual(column(layer, "class"), classes)
        self.assertTrue(layer.rollBack())

    def test_a_change_has_the_fields_of_all_its_rows(self):
        layer = QgsVectorLayer("Polygon?field=id:integer", "made", "memory")
        for number in (1, 2):
            f = QgsFeature(layer.fields())
            f.setAttributes([number])
            layer.dataProvider().addFeature(f)
        labels.change(layer, "Change", {1: {"next": 1}, 2: {"class": 6}})
        self.assertEqual(column(layer, "next")[1], 1)
        self.assertEqual(column(layer, "class")[2], 6)

    def test_refusals(self):
        layer, _ = self.outlines("refused.gpkg")
        self.refused("no outline has a label", "classify", INPUT=self.cloud, LABELS=layer.id(),
                     OUTPUT=os.path.join(self.folder, "nothing.las"))
        path = os.path.join(self.folder, "plain.gpkg")
        self.done("outline", INPUT=[self.cloud], OUTPUT=path)
        self.refused("needs the fields id and label", "propose", INPUT=self.cloud, LABELS=path)

    def test_table_of_labels(self):
        layer = QgsVectorLayer("Polygon?field=id:integer&field=label:string", "made", "memory")
        feature = layer.fields()
        for number, text in ((1, "ground"), (2, None), (3, ""), (4, " 6 ")):
            f = QgsFeature(feature)
            f.setAttributes([number, text])
            layer.dataProvider().addFeature(f)
        path = os.path.join(self.folder, "table.csv")
        self.assertEqual(labels.write_table(layer, path), ([1, 4], 0))
        with open(path, newline="", encoding="utf-8") as file:
            self.assertEqual(list(csv.reader(file)), [["id", "label"], ["1", "ground"], ["4", "6"]])
