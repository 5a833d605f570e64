"""Arrays and objects with points, as clouds."""

from __future__ import annotations

import types

import numpy as np
import pytest
import superpoint
from superpoint._cloud import Lent


@pytest.fixture
def rows() -> np.ndarray:
    return np.random.default_rng(7).random((2000, 3)) * [20, 20, 2]


def test_columns_are_not_copied(rows):
    columns = [np.ascontiguousarray(c) for c in rows.T]
    for points in (tuple(columns), np.asfortranarray(rows), dict(zip("XYZ", columns))):
        cloud = superpoint.Cloud.of(points, dimensions={"Intensity": columns[0]})
        lent = Lent(cloud, ["Intensity"])
        own = points if isinstance(points, np.ndarray) else columns[1]
        assert np.shares_memory(lent.arrays[1], own)
        assert np.shares_memory(lent.arrays[3], columns[0])


def test_every_kind_of_points_gives_the_same_ids(rows):
    ids = superpoint.segment(rows).ids
    structured = np.zeros(len(rows), [("X", "f8"), ("Y", "f8"), ("Z", "f8"), ("Intensity", "u2")])
    structured["X"], structured["Y"], structured["Z"] = rows.T
    legacy = types.SimpleNamespace(points=rows, colors=rows * 0, has_colors=lambda: True)
    for points in (tuple(rows.T), rows.tolist(), structured, legacy, np.asfortranarray(rows),
                   superpoint.Cloud.of(rows)):
        assert np.array_equal(superpoint.segment(points).ids, ids), type(points)


def test_an_array_with_gaps_is_read_by_its_rows(rows):
    wide = np.hstack([rows, rows])
    assert np.array_equal(superpoint.segment(wide[:, :3]).ids, superpoint.segment(rows).ids)


def test_colours(rows):
    byte = (np.random.default_rng(1).random((len(rows), 3)) * 255).astype(np.uint8)
    by_byte = superpoint.segment(rows, colour=byte, features="Red,Green,Blue")
    by_name = superpoint.segment(rows, dimensions=dict(zip(("Red", "Green", "Blue"), byte.T)),
                                 features="Red,Green,Blue")
    assert np.array_equal(by_byte.ids, by_name.ids)
    assert by_byte.embedding.shape == (len(rows), 3)
    shares = superpoint.Cloud.of(rows, colour=byte / 255)
    assert shares.dimensions["Red"].max() > 60000
    for wrong in (byte[:, :2], byte[:5], byte.astype(float)):
        with pytest.raises(superpoint.Error):
            superpoint.Cloud.of(rows, colour=wrong)


def test_empty_and_misshapen_points(rows):
    assert len(superpoint.segment(np.empty((0, 3)))) == 0
    with pytest.raises(superpoint.Error, match=r"shape \(2000, 2\)"):
        superpoint.segment(rows[:, :2])
    with pytest.raises(superpoint.Error, match="Z has 5 values, the cloud has 2000 points"):
        superpoint.segment((rows[:, 0], rows[:, 1], rows[:5, 2]))
    with pytest.raises(superpoint.Error, match="no Z"):
        superpoint.segment({"X": rows[:, 0], "Y": rows[:, 1]})


def test_further_outputs_have_their_types(rows):
    s = superpoint.segment(rows, color=True, embedding=False)
    assert s.columns["SuperpointColor"].dtype == np.uint8
    assert s.embedding.shape == (len(rows), 0)


def test_open3d(rows):
    open3d = pytest.importorskip("open3d", reason="Open3D (0.4 GB) is not installed")
    cloud = open3d.geometry.PointCloud(open3d.utility.Vector3dVector(rows))
    cloud.colors = open3d.utility.Vector3dVector(rows / 20)
    ids = superpoint.segment(rows).ids
    assert np.array_equal(superpoint.segment(cloud).ids, ids)
    assert sorted(superpoint.Cloud.of(cloud).dimensions) == ["Blue", "Green", "Red"]
    tensors = open3d.t.geometry.PointCloud(rows)
    assert np.array_equal(superpoint.segment(tensors).ids, ids)
