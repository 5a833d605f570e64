# SPDX-License-Identifier: BSD-3-Clause
"""The commands of `pdal superpoint`, on clouds and files.

Each function is one command: options become --name=value, clouds become names that the
library reads through Host, and a result is read back from the file that the command wrote.
"""

from __future__ import annotations

import csv
import ctypes as c
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._cloud import Cloud, CloudLike, three_columns
from ._host import Host, Progress
from ._library import Error, library, settings, take, text, texts
from ._segment import Segmentation, segment

Clouds = Union[CloudLike, Sequence[CloudLike], Mapping[str, CloudLike]]
FileName = Union[str, "os.PathLike[str]"]


def command(*arguments: str, clouds: Mapping[str, Cloud] | None = None, progress: Progress = False) -> str:
    """Runs a command of `pdal superpoint` and returns what it prints.

    clouds  clouds by the file names that the arguments have for them

    >>> print(command("version"))  # doctest: +ELLIPSIS
    superpoint ...
    >>> "aerial" in command("info")
    True
    """
    host = Host(progress, clouds)
    printed = c.c_void_p()
    count, array = texts("argument", arguments)
    host.finish(lambda error: library().sp_command(count, array, c.byref(host.c), c.byref(printed), error))
    return take(printed.value).rstrip("\n")


def evaluate(clouds: Clouds, *, progress: Progress = False, **options: Any) -> list[dict[str, Any]]:
    """Measures superpoints against true labels, as `pdal superpoint eval`. Returns a
    row per cloud and setting.

    clouds   a cloud or a file, several, or a mapping of names to clouds
    options  truth, instances, id, rules, and those of the stage; several values,
             such as target_size=[50, 100], give a curve
    """
    with _named(clouds) as known:
        rows: list[dict[str, Any]] = json.loads(_run("eval", {"format": "json"}, options, known, (), progress))
    return rows


def train(
    clouds: Clouds,
    output: FileName,
    *,
    val: Clouds | None = None,
    recipe: Mapping[str, Any] | FileName | None = None,
    progress: Progress = False,
    **options: Any,
) -> Path:
    """Trains a model on labelled clouds and returns its file, for the option model of
    segment.

    clouds   clouds and files to train on; files may be patterns, such as "tiles/*.laz"
    output   the model to write; a checkpoint and the loss curve are written beside it
    val      clouds to choose the best epoch by
    recipe   the file of a recipe, or its content ({"optimise": {"epochs": 5}, …})
    options  truth, instances, base, resume, threads, seed, on_error
    """
    with tempfile.TemporaryDirectory(prefix="superpoint-") as folder, _named(clouds) as known, _named(
        () if val is None else val
    ) as held:
        if isinstance(recipe, Mapping):
            path = Path(folder) / "recipe.yaml"
            try:
                path.write_text(json.dumps(recipe), encoding="utf-8")  # JSON is YAML
            except TypeError as wrong:
                raise Error(f"recipe: {wrong}; give texts, numbers, lists and dicts") from wrong
            recipe = path
        names = [f"--input={name}" for name in known] + [f"--val={name}" for name in held]
        fixed = {"output": output, **({} if recipe is None else {"recipe": recipe})}
        if "on_error" in options:
            fixed["on-error"] = options.pop("on_error")
        _run("train", fixed, options, {**known, **held}, (), progress, names)
    return Path(output)


def table(cloud: Clouds, superpoints: Segmentation | None = None, *, progress: Progress = False, **options: Any) -> Any:
    """Returns a row per superpoint: size, position, shape, class, mean values. A pandas
    DataFrame if pandas is installed, else columns by name.

    superpoints  the result of segment; None: the cloud has a dimension of ids
    options      those of `pdal superpoint table`: dimensions, id, class_, threads
    """
    with _written("table", "table.csv", cloud, superpoints, options, progress) as (path, _):
        try:
            import pandas
        except ImportError:
            with path.open(newline="", encoding="utf-8") as file:
                head, *rows = list(csv.reader(file))
            return {name: np.array([float(row[k] or "nan") for row in rows]) for k, name in enumerate(head)}
        return pandas.read_csv(path)


def outline(
    cloud: Clouds, superpoints: Segmentation | None = None, *, progress: Progress = False, **options: Any
) -> Any:
    """Returns a polygon per superpoint that is visible from above, with attributes. A GeoDataFrame
    if GeoPandas is installed, else GeoJSON as a dict.

    superpoints  the result of segment; None: the cloud has a dimension of ids
    options      those of `pdal superpoint outline`: cell, max_edge, label, id, class_
    """
    with _written("outline", "outline.geojson", cloud, superpoints, options, progress) as (path, srs):
        return _features(path, srs)


def objects(
    cloud: Clouds, superpoints: Segmentation | None = None, *, progress: Progress = False, **options: Any
) -> Any:
    """Returns buildings as polygons and trees as points, with height, area and confidence.
    A GeoDataFrame if GeoPandas is installed, else GeoJSON as a dict.

    cloud        with classes of superpoints; several clouds are tiles of one
    superpoints  the result of segment with classes="aerial", or of classify
    options      those of `pdal superpoint objects`: min_area, min_height, min_crown, trees
    """
    with _written("objects", "objects.geojson", cloud, superpoints, options, progress) as (path, srs):
        return _features(path, srs)


def classify(
    cloud: CloudLike,
    superpoints: Segmentation,
    labels: Mapping[int, Any],
    *,
    save: FileName | None = None,
    progress: Progress = False,
    **options: Any,
) -> Segmentation:
    """Trains a classifier on the labels of a few superpoints and classifies the cloud with it.
    Returns the superpoints with the columns Classification and ClassConfidence.

    superpoints  the result of segment, whose options are used again
    labels       class codes or names by superpoint id, such as {17: "building", 4: 2}
    save         a file for the classifier, for the option classes of segment
    options      classes (the base classifier) and others of segment, in place of the options of superpoints
    """
    options = {**superpoints.options, **options}
    with tempfile.TemporaryDirectory(prefix="superpoint-") as folder:
        given, kept = Path(folder) / "labels.csv", Path(save or Path(folder) / "classes.safetensors")
        with given.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("id", "label"), *labels.items()])
        known = {"cloud": _with(Cloud.of(cloud), superpoints, "SuperpointID")}
        _run("classify", {"labels": given, "save": kept}, options, known, (), progress)
        made = segment(cloud, progress=progress, **{**options, "classes": kept})
    if not np.array_equal(made.ids, superpoints.ids):
        raise Error("classify: these options give other superpoints than those labelled; give those of segment, such "
                    "as target_size")
    return made


def _run(
    name: str,
    fixed: Mapping[str, Any],
    options: Mapping[str, Any],
    clouds: Mapping[str, Any],
    outputs: Sequence[str],
    progress: Progress,
    arguments: Sequence[str] | None = None,
) -> str:
    """Runs a command. fixed are the options that its function sets. Names follow --, so that none is an option."""
    for option in ("help", "help_all", "format", "output", *fixed):
        if option.strip("_") in {o.rstrip("_") for o in options}:
            raise Error(f"option {option}: {name} sets it; for other results run superpoint.command({name!r}, …)")
    names = ["--", *clouds, *outputs] if arguments is None else arguments
    known = {key: cloud for key, cloud in clouds.items() if isinstance(cloud, Cloud)}
    return command(name, *flags(fixed), *flags(options), *names, clouds=known, progress=progress)


def flags(options: Mapping[str, Any]) -> list[str]:
    """Returns options as arguments of a command."""
    for name in options:
        text("option", name)
        if not re.fullmatch(r"[A-Za-z]\w*(-\w+)*", name):
            raise Error(f"option {name!r}: a name has letters, digits and _ only")
    return ["--" + setting for setting in settings(options)]


@contextmanager
def _written(
    name: str,
    file: str,
    clouds: Clouds,
    superpoints: Segmentation | None,
    options: Mapping[str, Any],
    progress: Progress,
) -> Iterator[tuple[Path, str]]:
    """Yields the file that a command wrote for clouds with superpoints, and their spatial reference."""
    with tempfile.TemporaryDirectory(prefix="superpoint-") as folder, _named(clouds) as known:
        if not known or superpoints is not None and len(known) > 1:
            raise Error(f"{name}: {len(known)} clouds are given, superpoints are those of one; give one, or clouds "
                        "with ids")
        key, first = next(iter(known.items()))
        first = known[key] = Cloud.of(first)  # others are read when the command needs them
        if superpoints is not None:
            known[key] = _with(first, superpoints, options.get("id", "SuperpointID"))
        path = Path(folder) / file
        _run(name, {}, options, known, [str(path)], progress)
        yield path, first.srs


def _with(cloud: Cloud, superpoints: Segmentation, name: str) -> Cloud:
    """Returns the cloud with the columns of superpoints."""
    further = {f"Embedding{k}": column for k, column in enumerate(superpoints.embedding.T)}
    return Cloud.of(cloud, dimensions={**superpoints.columns, name: superpoints.ids, **further})


def _features(path: Path, srs: str) -> Any:
    features: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    try:
        import geopandas
    except ImportError:
        return features
    crs = None if srs.startswith("LOCAL_CS") else srs or None
    if not features["features"]:
        return geopandas.GeoDataFrame({"geometry": []}, crs=crs)
    return geopandas.GeoDataFrame.from_features(features["features"], crs=crs)


@contextmanager
def _named(clouds: Clouds) -> Iterator[dict[str, Any]]:
    """Yields clouds and files by their names for a command. A cloud in memory has the name
    of an empty temporary file, because train checks that its inputs exist."""
    if isinstance(clouds, Mapping) and not {"X", "Y", "Z"} <= set(clouds):
        named = dict(clouds)
    elif isinstance(clouds, (list, tuple)) and not _is_points(clouds):
        named = {f"cloud{k + 1}": one for k, one in enumerate(clouds)}
    else:
        named = {"cloud": clouds}
    known: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="superpoint-") as place:
        for name, one in named.items():
            if isinstance(one, (str, bytes, os.PathLike)):
                file = text("file", one).decode()
                known[os.path.join(".", file) if file[:1] in ("-", "~") else file] = one  # as the library names it
                continue
            path = Path(place) / _plain(name)
            path.touch()
            known[str(path)] = Cloud.of(one)
        yield known


def _plain(name: Any) -> str:
    """Returns the name of a cloud. Raises Error for a name that is a path."""
    encoded = text("the name of a cloud", name)
    plain = encoded.decode()  # also of bytes
    if len(encoded) not in range(1, 201) or plain in (".", "..") or set(plain) & set("/\\:"):
        raise Error(f"the name of a cloud, {plain!r}: give 1 to 200 bytes without /, \\ and :")
    return plain


def _is_points(value: Sequence[Any]) -> bool:
    """Reports whether a sequence is one cloud (three columns, or rows), not several."""
    return three_columns(value) or (len(value) > 0 and isinstance(value[0], (np.ndarray, list, tuple))
                                    and np.ndim(value[0]) == 1)
