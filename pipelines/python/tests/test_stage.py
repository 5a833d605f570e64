# SPDX-License-Identifier: BSD-3-Clause
"""The same results as PDAL's stage and commands, from a scanned village."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import superpoint

PDAL = os.environ["SUPERPOINT_PDAL"]
SCAN = os.environ["SUPERPOINT_SCAN"]


@pytest.fixture(scope="module")
def village():
    import laspy

    return laspy.read(SCAN)


def stage(folder, **options):
    """Returns the points that a pipeline writes, and its metadata."""
    import laspy

    output, metadata = str(folder / "stage.laz"), str(folder / "stage.json")
    writer = {"type": "writers.las", "filename": output, "forward": "all", "minor_version": 4, "extra_dims": "all"}
    pipeline = json.dumps([SCAN, {"type": "filters.superpoint", **options}, writer])
    subprocess.run([PDAL, "pipeline", "--stdin", "--metadata", metadata], input=pipeline, text=True, check=True)
    return laspy.read(output), json.loads(Path(metadata).read_text())["stages"]["filters.superpoint"]


@pytest.mark.parametrize(
    "options",
    [{}, {"model": "aerial", "target_size": 80}, {"method": "vccs"}, {"vote": "Intensity", "threads": 1},
     {"delaunay": True}],
)
def test_ids_and_embedding_are_those_of_the_stage(village, tmp_path, options):
    las, metadata = stage(tmp_path, **options)
    for points in (village, superpoint.read(SCAN)):
        ours = superpoint.segment(points, **options)
        assert np.array_equal(ours.ids, las["SuperpointID"])
        for k in range(ours.embedding.shape[1]):
            assert np.array_equal(ours.embedding[:, k], las[f"Embedding{k}"])
        assert ours.metadata["superpoints"] == metadata["superpoints"]
    if not options:  # the difference is the time to copy columns
        print(f"\n{len(village.points)} points: stage {metadata['seconds']}, here {ours.metadata['seconds']}")


def test_evaluate_is_eval(village):
    run = subprocess.run([PDAL, "superpoint", "eval", "--format", "json", SCAN], capture_output=True, text=True,
                          check=True)
    theirs, (ours,) = json.loads(run.stdout)[0], superpoint.evaluate(village)
    assert {k: v for k, v in ours.items() if k not in ("file", "seconds")} == {
        k: v for k, v in theirs.items() if k not in ("file", "seconds")
    }
    curve = superpoint.evaluate({"village": village, "again": SCAN}, target_size=[50, 200])
    assert [r["setting"] for r in curve if r["file"].startswith("scan")] == ["target_size=50", "target_size=200"]
    with pytest.raises(superpoint.Error, match="Nothing"):
        superpoint.evaluate(village, truth="Nothing")


def test_table(village):
    s = superpoint.segment(village, target_size=200)
    frame = superpoint.table(village, s)
    assert len(frame) == len(s) and frame["count"].sum() == len(village.points)
    assert frame["Embedding0_mean"][0] == pytest.approx(s.embedding[s.ids == 1, 0].mean(), abs=1e-4)
    with pytest.raises(superpoint.Error, match="SuperpointID"):
        superpoint.table(SCAN)


def test_outline(village):
    s = superpoint.segment(village, target_size=500)
    frame = superpoint.outline(village, s)
    assert 0.5 * len(s) < len(frame) <= len(s) and set(frame.geometry.geom_type) <= {"Polygon", "MultiPolygon"}
    x, y = np.ptp(village.x), np.ptp(village.y)
    assert 0.5 * x * y < frame.geometry.area.sum() <= 1.1 * x * y


def test_classes_from_labels_and_objects(village, tmp_path, caplog):
    import laspy

    s = superpoint.segment(village)
    truth = np.asarray(village.classification)
    names = {2: "ground", 3: "vegetation", 4: "vegetation", 5: "vegetation", 6: "building"}
    first = np.unique(s.ids, return_index=True)[1]
    labels = {k + 1: names.get(truth[first[k]], "other") for k in range(0, len(s), max(1, len(s) // 60))}
    made = superpoint.classify(village, s, labels, save=tmp_path / "mine.safetensors", class_change="all")
    assert np.array_equal(made.ids, s.ids) and (tmp_path / "mine.safetensors").exists()
    wanted = np.isin(truth, list(names))
    right = np.array([names.get(c) == names[t] for c, t in zip(made.columns["Classification"][wanted], truth[wanted])])
    assert right.mean() > 0.85
    again = superpoint.segment(village, classes=tmp_path / "mine.safetensors", class_change="all")
    assert np.array_equal(again.columns["Classification"], made.columns["Classification"])
    bare = laspy.create(point_format=3, file_version="1.2")
    bare.xyz = village.xyz
    caplog.clear()
    assert superpoint.objects(bare, made) is not None
    assert "cloud: the file has no spatial reference" in caplog.text and "superpoint-" not in caplog.text
    assert "(set it with srs= of superpoint.Cloud.of)" in caplog.text
    found = superpoint.objects(village, made)
    kinds = set(found.geometry.geom_type)
    assert kinds <= {"Polygon", "MultiPolygon", "Point"} and len(kinds) > 1 and (found["height"] >= 2).all()
    assert len(superpoint.objects(village, made, min_area=1e5)) < len(found)
    with pytest.raises(superpoint.Error, match="no_such_class"):
        superpoint.classify(village, s, {1: "no_such_class"})
    larger = superpoint.segment(village, target_size=500, classes="aerial")
    made = superpoint.classify(village, larger, {1: "ground", 2: "building"})
    assert np.array_equal(made.ids, larger.ids) and made.options["target_size"] == 500
    with pytest.raises(superpoint.Error, match="other superpoints than those labelled"):
        superpoint.classify(village, s, {1: "ground", 2: "building"}, target_size=500)
    with pytest.raises(superpoint.Error, match="2 clouds"):
        superpoint.objects([village, village], made)


def test_without_pandas_and_geopandas(village, monkeypatch):
    for name in ("pandas", "geopandas"):
        monkeypatch.setitem(sys.modules, name, None)
    s = superpoint.segment(village, target_size=500)
    assert len(superpoint.table(village, s)["count"]) == len(s)
    assert 0.5 * len(s) < len(superpoint.outline(village, s)["features"]) <= len(s)


def test_without_laspy(monkeypatch):
    monkeypatch.setitem(sys.modules, "laspy", None)
    with pytest.raises(superpoint.Error, match=r"superpoint\[las\]"):
        superpoint.evaluate(SCAN)


def test_train(village, tmp_path):
    recipe = {"name": "short", "optimise": {"epochs": 1, "steps": 2}, "batch": {"clouds": 1, "points": 2000}}
    steps = []
    model = superpoint.train(
        [village, SCAN], tmp_path / "mine.model", val=village, recipe=recipe, seed=3,
        progress=lambda s, f: steps.append(s)
    )
    assert model.exists() and steps
    assert superpoint.segment(village, model=model).metadata["model"]
    with pytest.raises(superpoint.Error, match="no file has a name of this pattern"):
        superpoint.train("nothing*.laz", tmp_path / "other.model")


def test_a_name_with_other_letters(village, tmp_path):
    path = tmp_path / "Hügel 東京.laz"
    shutil.copy(SCAN, path)
    assert np.array_equal(superpoint.segment(path).ids, superpoint.segment(village).ids)
    with pytest.raises(superpoint.Error, match="東"):
        superpoint.segment(tmp_path / "東.laz")


def test_command_text():
    assert superpoint.command("version") == f"superpoint {superpoint.__version__}"
    with pytest.raises(superpoint.Error, match="unknown command"):
        superpoint.command("nothing")


def test_empty_arguments_are_passed():
    with pytest.raises(superpoint.Error, match="there is no such file"):
        superpoint.command("info", "")


def test_only_the_last_ends_of_lines_are_removed(monkeypatch):
    monkeypatch.setattr(superpoint._commands, "take", lambda _: "  indented\nlast \n\n")
    assert superpoint.command("version") == "  indented\nlast "
