# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and texts that would be read as something else are refused by name; what can be read is read right."""

from __future__ import annotations

import numpy as np
import pytest
import superpoint


def grid(kind: str = "f8") -> np.ndarray:
    """A structured array of 40 rows and 100 columns of points, as organised clouds are."""
    points = np.zeros((40, 100), [("X", kind), ("Y", kind), ("Z", kind), ("Intensity", "u2")])
    points["X"], points["Y"] = np.meshgrid(np.arange(100) / 4, np.arange(40) / 4)
    points["Z"] = np.where(points["X"] > 12, 5, 0)
    points["Intensity"] = points["X"]
    return points


@pytest.fixture
def rows() -> np.ndarray:
    points = grid().ravel()
    return np.column_stack([points["X"], points["Y"], points["Z"]])


def column(rows: np.ndarray, values: object) -> np.ndarray:
    """Returns a dimension as the library gets it."""
    return superpoint.Cloud.of(rows, dimensions={"Intensity": values}).lend(["Intensity"]).arrays[3]


def test_an_organised_cloud_is_refused_and_flattened_by_the_caller(rows):
    with pytest.raises(ValueError, match=r"X has shape \(40, 100\); give a column.*ravel"):
        superpoint.segment(grid())
    assert np.array_equal(superpoint.segment(grid().ravel()).ids, superpoint.segment(rows).ids)


@pytest.mark.parametrize("of", ["X", "Z", "Intensity"])
def test_columns_of_two_values_a_point_are_refused(rows, of):
    columns = {"X": rows[:, 0], "Y": rows[:, 1], "Z": rows[:, 2], "Intensity": rows[:, 0]}
    columns[of] = np.column_stack([columns[of]] * 2)
    with pytest.raises(ValueError, match=rf"{of} has shape \(4000, 2\)"):
        superpoint.segment(columns)


def test_masked_values_are_refused(rows):
    mask = np.zeros(rows.shape, bool)
    mask[3:8, 2] = True
    with pytest.raises(ValueError, match="Z is a masked array, 5 of its 4000 values are masked; leave"):
        superpoint.segment(np.ma.array(rows, mask=mask))
    with pytest.raises(ValueError, match="Intensity is a masked array, 5 of"):
        column(rows, np.ma.array(rows[:, 0], mask=mask[:, 2]))
    with pytest.raises(ValueError, match="colour is a masked array, 5 of"):
        superpoint.segment(rows, colour=np.ma.array(rows.astype(np.uint8), mask=mask))
    points = np.ma.array(grid().ravel())
    points["Y"][7] = np.ma.masked
    with pytest.raises(ValueError, match="Y is a masked array, 1 of"):
        superpoint.segment(points)
    ids = superpoint.segment(rows).ids
    assert np.array_equal(superpoint.segment(np.ma.array(rows)).ids, ids)
    assert np.array_equal(superpoint.segment(np.ma.array(grid().ravel())).ids, ids)


@pytest.mark.parametrize("short", ["y", "z", "Intensity"])
@pytest.mark.parametrize("later", [False, True])
def test_columns_of_another_length_are_refused(rows, short, later):
    parts = {"x": rows[:, 0], "y": rows[:, 1], "z": rows[:, 2], "Intensity": rows[:, 0]}
    name = short if short == "Intensity" else short.upper()
    for length in (0, 1, 3999, 5000):
        wrong = np.resize(parts[short], length)
        with pytest.raises(ValueError, match=f"{name} has {length} values, the cloud has 4000 points; give one"):
            if later:  # a cloud that was changed after it was made
                cloud = superpoint.Cloud(*rows.T, {"Intensity": rows[:, 0]})
                if short == "Intensity":
                    cloud.dimensions[short] = wrong
                else:
                    setattr(cloud, short, wrong)
            else:
                given = {**parts, short: wrong}
                cloud = superpoint.Cloud(given["x"], given["y"], given["z"], {"Intensity": given["Intensity"]})
            superpoint.segment(cloud, vote="Intensity")
    cloud = superpoint.Cloud(*rows.T)
    cloud.x = cloud.x[:10]
    with pytest.raises(ValueError, match="Y has 4000 values, the cloud has 10 points"):
        cloud.lend([])


@pytest.mark.parametrize("kind", [object, "U5", complex, "M8[s]"])
def test_values_that_are_no_numbers_are_refused(rows, kind):
    with pytest.raises(ValueError, match=r"Intensity holds .*; give numbers"):
        column(rows, np.zeros(len(rows), kind))
    with pytest.raises(ValueError, match="X holds"):
        superpoint.segment((rows[:, 0].astype(object), rows[:, 1], rows[:, 2]))
    with pytest.raises(ValueError, match="points: .*rows of equal length"):
        superpoint.segment([[1, 2, 3], [1, 2]])


@pytest.mark.parametrize("kind", [">f8", ">f4", ">i4", ">u2", "<u2", "u1", "i8", "f2", "?"])
def test_other_types_and_byte_orders_have_the_same_values(rows, kind):
    values = (rows[:, 0] > 9).astype(float)
    assert np.array_equal(column(rows, values.astype(kind)), values)
    assert np.array_equal(superpoint.segment(rows.astype(">f8")).ids, superpoint.segment(rows).ids)


def test_views_have_the_values_that_they_show(rows):
    values = rows[:, 0]
    wide, packed = np.repeat(values, 3), np.zeros(len(rows), [("flag", "u1"), ("value", "f8")])
    packed["value"] = values
    raw = np.zeros(8 * len(rows) + 1, np.uint8)
    unaligned = raw[1:].view("f8")
    unaligned[:] = values
    frozen = values.copy()
    frozen.flags.writeable = False
    for view in (wide[::3], values[::-1][::-1], packed["value"], unaligned, frozen, list(values)):
        assert np.array_equal(column(rows, view), values)
    backwards = superpoint.segment(rows[::-1])
    assert np.array_equal(backwards.ids, superpoint.segment(rows[::-1].copy()).ids)
    assert np.array_equal(column(rows, np.broadcast_to(7.0, len(rows))), np.full(len(rows), 7.0))


EMPTY = [np.empty((0, 3)), (np.empty(0),) * 3, dict.fromkeys("XYZ", np.empty(0)), grid()[:0, 0]]


@pytest.mark.parametrize("empty", EMPTY)
def test_no_points(empty):
    result = superpoint.segment(empty)
    assert len(result) == 0 and result.ids.shape == (0,)


def test_a_data_frame_is_read_by_its_names(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"Z": rows[:, 2], "Y": rows[:, 1], "X": rows[:, 0]})
    assert np.array_equal(superpoint.segment(frame).ids, superpoint.segment(rows).ids)


def test_columns_of_the_caller_stay_as_they_were(rows):
    own = {"Intensity": list(rows[:, 0])}
    superpoint.Cloud.of(superpoint.Cloud(*rows.T, own), dimensions={"Red": rows[:, 0]})
    assert list(own) == ["Intensity"] and isinstance(own["Intensity"], list)


@pytest.mark.parametrize(
    "name",
    ["../../x", "/x", "..", ".", "", "a/b", "a\\b", "c:x", "x\0y", "\udcff", "x" * 300, 7, b"a/b", b""],
)
def test_names_of_clouds_write_nothing_elsewhere(rows, name, tmp_path, monkeypatch):
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "a" / "b"))
    with pytest.raises(ValueError, match="the name of a cloud"):
        superpoint.evaluate({name: rows})
    with pytest.raises(ValueError, match="the name of a cloud"):
        superpoint.train(rows, tmp_path / "a.model", val={name: rows})
    assert [str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*")] == ["a", "a/b"]


@pytest.mark.parametrize(("odd", "words"), [("a\0b", "NUL character"), ("a\udcffb", "not Unicode")])
def test_texts_that_c_cannot_take_are_refused(rows, odd, words, tmp_path):
    for call in (
        lambda: superpoint.segment(rows, model=odd),
        lambda: superpoint.segment(rows, **{odd: 1}),
        lambda: superpoint.evaluate(rows, **{odd: 1}),
        lambda: superpoint.segment(rows, srs=odd),
        lambda: superpoint.segment(rows, dimensions={odd: rows[:, 0]}),
        lambda: superpoint.segment(odd),
        lambda: superpoint.evaluate(odd),
        lambda: superpoint.evaluate(rows, truth=odd),
        lambda: superpoint.train(rows, tmp_path / odd),
        lambda: superpoint.command("info", odd),
    ):
        with pytest.raises(superpoint.Error, match=words):
            call()


def test_names_of_dimensions_and_references_are_checked(rows):
    for name in ("", "A,B", 7):
        with pytest.raises(ValueError, match="dimension"):
            superpoint.segment(rows, dimensions={name: rows[:, 0]})
    with pytest.raises(ValueError, match="dimension X is a coordinate"):
        superpoint.segment(rows, dimensions={"X": rows[:, 0]})
    with pytest.raises(ValueError, match="srs 2154 is of type int; give a text"):
        superpoint.segment(rows, srs=2154)


def test_bytes_are_texts(rows):
    """Texts may be bytes in UTF-8, as names of files are on Linux."""
    srs = 'LOCAL_CS["site",UNIT["foot",0.3048]]'
    assert superpoint.Cloud.of(rows, srs=srs.encode()).srs == srs
    assert superpoint.Cloud.of(rows, srs=b"").srs == superpoint.Cloud.of(rows, srs="").srs == ""
    with pytest.raises(ValueError, match="not well-known text"):
        superpoint.Cloud.of(rows, srs=b"EPSG:2154")
    with pytest.raises(ValueError, match="dimension"):
        superpoint.segment(rows, dimensions={b"A,B": rows[:, 0]})
    assert "Height" in superpoint.Cloud.of(rows, dimensions={b"Height": rows[:, 2]}).dimensions


def test_names_of_files_are_no_options(tmp_path, monkeypatch):
    """Only names that begin with dashes are given, and none is taken as an option."""
    laspy = pytest.importorskip("laspy")
    monkeypatch.chdir(tmp_path)
    las = laspy.LasData(laspy.LasHeader(point_format=7, version="1.4"))
    points = grid().ravel()
    las.x, las.y, las.z = points["X"], points["Y"], points["Z"]
    las.classification = np.where(points["Z"] > 0, 6, 2)
    names = ["-dash.laz", "--output=stolen.laz", "--help", "-h.laz"]
    for name in names:
        with open(name, "wb") as file:
            las.write(file, do_compress=True)
    rows = superpoint.evaluate(names)
    assert [row["points"] for row in rows[:4]] == [len(points)] * 4
    for name in names:
        result = superpoint.segment(name)
        assert len(superpoint.table(name, result)) and len(superpoint.outline(name, result))
    recipe = {"name": "short", "optimise": {"epochs": 1, "steps": 1}, "batch": {"clouds": 1, "points": 1000}}
    assert superpoint.train(names[:1], "m,1.model", val=names[1:2], recipe=recipe).exists()
    kept = {*names, "m,1.model"}
    assert {p.name for p in tmp_path.iterdir() if not p.name.startswith(("m,1", "."))} == kept - {"m,1.model"}
    (tmp_path / "a,b").mkdir()
    (tmp_path / "--help").rename(tmp_path / "a,b" / "[x],y.laz")
    assert superpoint.train("a,b/[x],y.laz", "n.model", recipe=recipe).exists()
    assert superpoint.evaluate("a,b/[x],y.laz")[0]["points"] == len(points)


def test_options_that_a_function_sets_are_refused(rows):
    for call in (superpoint.evaluate, superpoint.table, superpoint.outline, superpoint.objects):
        for name in ("help", "format", "output"):
            with pytest.raises(superpoint.Error, match=f"option {name}: .*superpoint.command"):
                call(rows, **{name: "csv"})
    for odd in ("a b", "output=x,y", "-n", ""):
        with pytest.raises(superpoint.Error, match="option"):
            superpoint.evaluate(rows, **{odd: 1})
    with pytest.raises(superpoint.Error, match="recipe: .*not JSON"):
        superpoint.train(rows, "x.model", recipe={"optimise": {"epochs": object()}})


@pytest.mark.parametrize("true", [True, np.True_, np.array(True), "true"])
def test_booleans_of_numpy_are_switches(rows, true):
    assert "SuperpointColor" in superpoint.segment(rows, color=true).columns
    assert "SuperpointColor" not in superpoint.segment(rows, color=np.False_).columns


@pytest.mark.parametrize(
    ("sizes", "codes"),
    [([20, 80], ["building=26", "ground=9"]), (np.array([20, 80]), {"building": 26, "ground": 9}),
     (range(20, 81, 60), ("building=26", "ground=9")), ("20,80", "building=26,ground=9")],
)
def test_several_values_of_an_option(rows, sizes, codes):
    result = superpoint.segment(rows, target_size=sizes, classes="aerial", class_codes=codes, vote=None, model=None)
    assert result.columns["SuperpointID1"].max() < result.ids.max()
    assert not {2, 6} & set(result.columns["Classification"].tolist())


@pytest.mark.parametrize("name", ["Classification", "PointSourceId", "Other"])
@pytest.mark.parametrize("value", [3, 300, 70000, -1, 1.5, 1e9, 2**40, np.nan])
def test_values_of_any_size_are_returned_as_they_are(rows, name, value):
    own = {name: np.full(len(rows), value)}
    if name != "PointSourceId":  # a field whose values would be overwritten
        kept = superpoint.segment(rows, classes="aerial", class_dimension=name, class_change="0", dimensions=own)
        assert np.array_equal(kept.columns[name], own[name], equal_nan=True)
    if value in (3, 300, 70000, 1e9):
        assert (superpoint.segment(rows, vote=name, dimensions=own).columns[f"Voted{name}"] == value).all()
