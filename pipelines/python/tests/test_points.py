# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and objects with points, as clouds."""

from __future__ import annotations

import os
import types

import numpy as np
import pytest
import superpoint
from superpoint._cloud import CBuffer


@pytest.fixture
def rows() -> np.ndarray:
    return np.random.default_rng(7).random((2000, 3)) * [20, 20, 2]


def test_columns_are_not_copied(rows):
    columns = [np.ascontiguousarray(c) for c in rows.T]
    for points in (tuple(columns), np.asfortranarray(rows), dict(zip("XYZ", columns))):
        cloud = superpoint.Cloud.of(points, dimensions={"Intensity": columns[0]})
        buffer = CBuffer(cloud, ["Intensity"])
        own = points if isinstance(points, np.ndarray) else columns[1]
        assert np.shares_memory(buffer.arrays[1], own)
        assert np.shares_memory(buffer.arrays[3], columns[0])


def test_every_kind_of_points_gives_the_same_ids(rows):
    ids = superpoint.segment(rows).ids
    structured = np.zeros(len(rows), [("X", "f8"), ("Y", "f8"), ("Z", "f8"), ("Intensity", "u2")])
    structured["X"], structured["Y"], structured["Z"] = rows.T
    legacy = types.SimpleNamespace(points=rows, colors=rows * 0, has_colors=lambda: True)
    tensor = types.SimpleNamespace(cpu=lambda: types.SimpleNamespace(numpy=lambda: rows))
    tensors = types.SimpleNamespace(point=type("Tensors", (dict,), {"positions": tensor})())
    for points in (tuple(rows.T), rows.tolist(), structured, legacy, tensors, np.asfortranarray(rows),
                   superpoint.Cloud.of(rows)):
        assert np.array_equal(superpoint.segment(points).ids, ids), type(points)


def test_an_array_with_gaps_is_read_by_its_rows(rows):
    wide = np.hstack([rows, rows])
    assert np.array_equal(superpoint.segment(wide[:, :3]).ids, superpoint.segment(rows).ids)


def test_colours(rows):
    byte = (np.random.default_rng(1).random((len(rows), 3)) * 255).astype(np.uint8)
    names = ("Red", "Green", "Blue")
    by_byte = superpoint.segment(rows, colour=byte, model="paper")
    by_name = superpoint.segment(rows, dimensions=dict(zip(names, byte.T)), model="paper")
    assert np.array_equal(by_byte.ids, by_name.ids) and np.array_equal(by_byte.embedding, by_name.embedding)
    assert np.array_equal(superpoint.Cloud.of(rows, colour=byte).lend(names).arrays[3:], byte.T)
    shares = superpoint.Cloud.of(rows, colour=byte / 255)
    assert shares.dimensions["Red"].max() > 60000
    for wrong in (byte[:, :2], byte[:5], byte.astype(float), byte - np.int64(300), byte * np.int64(300),
                  np.full(byte.shape, np.nan)):
        with pytest.raises(superpoint.Error, match="colour|Red"):
            superpoint.Cloud.of(rows, colour=wrong)


@pytest.mark.parametrize("count", [3, 4])
def test_three_columns_are_not_rows(count):
    pandas = pytest.importorskip("pandas")
    columns = [np.arange(count) + 10.0 * k for k in range(3)]
    for make in (np.asarray, pandas.Series):
        for kind in (tuple, list):
            cloud = superpoint.Cloud.of(kind(map(make, columns)))
            assert [list(a) for a in (cloud.x, cloud.y, cloud.z)] == [list(c) for c in columns]
            with superpoint._commands._named(kind(map(make, columns))) as known:
                assert [len(cloud) for cloud in known.values()] == [count]
    assert list(superpoint.Cloud.of([[0, 0, 0], [1, 1, 1], [2, 2, 2]]).x) == [0, 1, 2]


def test_names_of_columns_are_matched_whole(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=list("XYZ")).assign(YZ=1.0, XY=2, Int=3)
    assert list(superpoint.Cloud.of(frame).dimensions) == ["YZ", "XY", "Int"]
    assert list(superpoint.Cloud.of(rows, dimensions={"XY": rows[:, 0]}).dimensions) == ["XY"]
    frame[7] = 1
    with pytest.raises(superpoint.Error, match="dimension 7 is of type int"):
        superpoint.Cloud.of(frame)


def las_of(rows):
    """laspy's points of format 8 with every dimension different."""
    laspy = pytest.importorskip("laspy")
    header = laspy.LasHeader(point_format=8, version="1.4")
    header.scales = [0.001] * 3
    header.add_extra_dims([laspy.ExtraBytesParams("Pulse width", "uint64"), laspy.ExtraBytesParams("vec", "3f4")])
    las = laspy.LasData(header)
    las.x, las.y, las.z = rows.T
    for k, name in enumerate(las.point_format.dimension_names):
        if name not in "XYZ" and name != "vec":
            las[name] = (np.arange(len(rows)) // (k + 1)) % 2
    las.vec = np.arange(3 * len(rows)).reshape(-1, 3)
    return las


def test_dimensions_of_laspy_have_the_names_of_pdal(rows):
    las = las_of(rows)
    cloud = superpoint.Cloud.of(las)
    assert np.array_equal(cloud.dimensions["Infrared"], las.nir) and "nir" not in cloud.dimensions
    assert sorted(cloud.dimensions) == sorted([
        "Blue", "Classification", "EdgeOfFlightLine", "GpsTime", "Green", "Infrared", "Intensity", "KeyPoint",
        "NumberOfReturns", "Overlap", "PointSourceId", "Pulse width", "Red", "ReturnNumber", "ScanAngleRank",
        "ScanChannel", "ScanDirectionFlag", "Synthetic", "UserData", "Withheld", "vec0", "vec1", "vec2"])
    assert np.array_equal(cloud.dimensions["vec1"], las.vec[:, 1])


@pytest.mark.parametrize("how", ["sorted", "changed", "shorter"])
def test_a_cloud_of_laspy_is_one_moment(rows, how):
    las = las_of(rows)
    cloud = superpoint.Cloud.of(las)
    before = [np.array(las.x), np.array(las.intensity), np.array(las.vec[:, 2])]
    if how == "sorted":
        las.points = las.points[np.arange(len(rows))[::-1]]
    elif how == "shorter":
        las.points = las.points[:10]
    else:
        las.intensity[:] = 7
        las.points.array["X"][:] = 7
    arrays = cloud.lend(["Intensity", "vec2"]).arrays
    for got, want in zip((arrays[0], arrays[3], arrays[4]), before):
        assert np.array_equal(got, want)


NO_SRS = ["EPSG:2263", "junk", "2263", "+proj=utm +zone=31", 'PROJCS["a",UNIT["metre",1]', "LOCAL_CS", 'WHAT["a"]']


@pytest.mark.parametrize("srs", NO_SRS)
def test_a_reference_that_cannot_be_read_is_refused(rows, srs):
    cloud = superpoint.Cloud.of(rows)
    cloud.srs = srs  # also after it was made
    for call in (lambda: superpoint.segment(rows, srs=srs), lambda: superpoint.Cloud(*rows.T, {}, srs),
                 lambda: superpoint.segment(cloud)):
        with pytest.raises(superpoint.Error, match="not well-known text.*unit="):
            call()


def test_units(rows):
    ids = superpoint.segment(rows).ids
    foot = 0.5  # exact, so that ids are equal
    text = f'LOCAL_CS["half metres",UNIT["half metre",{foot}]]'
    for how in ({"srs": text}, {"unit": foot}, {"srs": types.SimpleNamespace(to_wkt=lambda: text)}):
        assert np.array_equal(superpoint.segment(rows / foot, **how).ids, ids)
    for wrong in (0, -1, "feet", float("nan")):
        with pytest.raises(superpoint.Error, match="unit .*metres per unit"):
            superpoint.segment(rows, unit=wrong)
    with pytest.raises(superpoint.Error, match="no srs"):
        superpoint.segment(rows, unit=1, srs=text)
    with pytest.raises(superpoint.Error, match="not angles.*set the right one with srs="):  # not by options of PDAL
        superpoint.segment(rows * 100, srs='GEOGCS["a",DATUM["b",SPHEROID["c",6378137,298]],UNIT["degree",0.0174533]]')


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('LOCAL_CS["a"]', 'LOCAL_CS["a"]'),
        ('LOCAL_CS["a"]\0', 'LOCAL_CS["a"]'),
        ('LOCAL_CS["a"]\0LOCAL_CS["b"]\0', 'LOCAL_CS["a"]'),
        ("\0LOCAL_CS", ""),
    ],
)
def test_well_known_text_ends_at_its_nul(text, kept):
    record = types.SimpleNamespace(record_id=2112, string=text)
    other = types.SimpleNamespace(record_id=2111, string="MATH")
    for header in (types.SimpleNamespace(vlrs=[other, record], evlrs=None),
                   types.SimpleNamespace(vlrs=[], evlrs=[record])):
        assert superpoint._cloud._wkt(header) == kept


@pytest.mark.parametrize("content", [b"", b"LASF" + bytes(400), b"hello", None])
@pytest.mark.parametrize("call", [superpoint.read, superpoint.segment, superpoint.table, superpoint.evaluate])
def test_errors_of_files_have_their_name(tmp_path, content, call):
    path = tmp_path / "bad.laz"
    path.mkdir() if content is None else path.write_bytes(content)
    for name in (path, str(path), os.fsencode(path)):
        with pytest.raises(superpoint.Error, match="bad.laz"):
            call(name)


def test_a_result_is_printed_on_one_line(rows):
    result = superpoint.segment(rows, color=True)
    assert str(result) == repr(result)
    assert str(result) == (f"Segmentation({len(result)} superpoints of 2000 points, ids, embedding of 4 columns, "
                           "SuperpointColor, metadata)")


def test_first_id_does_not_count(rows):
    plain, later = superpoint.segment(rows), superpoint.segment(rows, first_id=1000)
    assert later.ids.min() == 1000 and len(later) == len(plain) == plain.ids.max()


def test_misshapen_points(rows):
    with pytest.raises(superpoint.Error, match=r"shape \(2000, 2\)"):
        superpoint.segment(rows[:, :2])
    with pytest.raises(superpoint.Error, match="no Z"):
        superpoint.segment({"X": rows[:, 0], "Y": rows[:, 1]})


def test_further_outputs_have_their_types(rows):
    s = superpoint.segment(rows, color=True, embedding=False)
    assert s.columns["SuperpointColor"].dtype == np.uint8
    assert s.embedding.shape == (len(rows), 0)


def test_columns_of_superpoints_have_the_names_of_the_stage(rows):
    s = superpoint.segment(rows, color=True)
    frame = superpoint.table(rows, s)
    for column, values in enumerate(s.embedding.T):
        means = [values[s.ids == k].mean() for k in frame["id"]]
        assert np.allclose(frame[f"Embedding{column}_mean"], means, atol=1e-4)
    assert f"Embedding{s.embedding.shape[1]}_mean" not in frame
