"""The commands of `pdal superpoint`, on clouds and files."""

from __future__ import annotations

import csv
import ctypes as c
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._arguments import text, texts
from ._cloud import Cloud, CloudLike
from ._host import Host, Progress
from ._library import Error, library, setting, take
from ._segment import Segmentation

Clouds = Union[CloudLike, Sequence[CloudLike], Mapping[str, CloudLike]]


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
    with _named(clouds) as (names, known):
        text = command("eval", *_flags(options), "--format", "json", *names, clouds=known, progress=progress)
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def train(
    clouds: Clouds,
    output: str | os.PathLike[str],
    *,
    val: Clouds | None = None,
    recipe: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    progress: Progress = False,
    **options: Any,
) -> Path:
    """Trains a model on labelled clouds and returns its file, for the option model of
    segment.

    clouds   clouds and files to train on; files may be patterns, such as "tiles/*.laz"
    output   the model to write; a checkpoint and the loss curve are written beside it
    val      clouds to choose the best epoch by
    recipe   the file of a recipe, or its content ({"optimise": {"epochs": 5}, …})
    options  truth, instances, base, resume, device, threads, seed, on_error
    """
    with tempfile.TemporaryDirectory(prefix="superpoint-") as folder, _named(clouds) as (names, known), _named(
        () if val is None else val, folder
    ) as (held, more):
        arguments = [f"--input={name}" for name in names] + [f"--val={name}" for name in held]
        if isinstance(recipe, Mapping):
            path = Path(folder) / "recipe.yaml"
            path.write_text(json.dumps(recipe), encoding="utf-8")  # JSON is YAML
            recipe = path
        if recipe is not None:
            arguments.append(f"--recipe={os.fspath(recipe)}")
        if "on_error" in options:
            arguments.append(f"--on-error={options.pop('on_error')}")
        arguments += [f"--output={os.fspath(output)}", *_flags(options)]
        command("train", *arguments, clouds=known | more, progress=progress)
    return Path(output)


def table(
    cloud: CloudLike, superpoints: Segmentation | None = None, *, progress: Progress = False, **options: Any
) -> Any:
    """Returns a row per superpoint: size, position, shape, class, mean values. A pandas
    DataFrame if pandas is installed, else columns by name.

    superpoints  the result of segment; None: the cloud has a dimension of ids
    options      those of `pdal superpoint table`: dimensions, id, class_, threads
    """
    with tempfile.TemporaryDirectory(prefix="superpoint-") as folder:
        path = Path(folder) / "table.csv"
        _measure("table", cloud, superpoints, path, options, progress)
        try:
            import pandas
        except ImportError:
            return _columns(path)
        return pandas.read_csv(path)


def outline(
    cloud: CloudLike, superpoints: Segmentation | None = None, *, progress: Progress = False, **options: Any
) -> Any:
    """Returns a polygon per superpoint, seen from above, with attributes. A GeoDataFrame
    if GeoPandas is installed, else GeoJSON as a dict.

    superpoints  the result of segment; None: the cloud has a dimension of ids
    options      those of `pdal superpoint outline`: top, cell, max_edge, mean, id, class_
    """
    known = Cloud.of(cloud)
    with tempfile.TemporaryDirectory(prefix="superpoint-") as folder:
        path = Path(folder) / "outline.geojson"
        _measure("outline", known, superpoints, path, options, progress)
        features: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    try:
        import geopandas
    except ImportError:
        return features
    crs = known.srs if known.srs and not known.srs.startswith("LOCAL_CS") else None
    return geopandas.GeoDataFrame.from_features(features["features"], crs=crs)


def _measure(
    name: str,
    cloud: CloudLike,
    superpoints: Segmentation | None,
    path: Path,
    options: dict[str, Any],
    progress: Progress,
) -> None:
    known = Cloud.of(cloud)
    if superpoints is not None:
        columns: dict[str, Any] = dict(superpoints.columns)
        columns[options.get("id", "SuperpointID")] = superpoints.ids
        columns.update({f"Embedding{k}": column for k, column in enumerate(superpoints.embedding.T)})
        known = Cloud.of(known, dimensions=columns)
    source = os.fspath(cloud) if isinstance(cloud, (str, os.PathLike)) else "cloud"
    command(name, *_flags(options), source, str(path), clouds={source: known}, progress=progress)


def _columns(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    return {name: np.array([float(row[k] or "nan") for row in rows]) for k, name in enumerate(head)}


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Returns options as arguments of a command."""
    return ["--" + setting(name, value) for name, value in options.items()]


@contextmanager
def _named(clouds: Clouds, folder: str | None = None) -> Iterator[tuple[list[str], dict[str, Cloud]]]:
    """Yields names of clouds for a command, and the clouds by name. A cloud in memory has
    the name of an empty temporary file, because train checks that its inputs exist."""
    if isinstance(clouds, Mapping) and not {"X", "Y", "Z"} <= set(clouds):
        named = dict(clouds)
    elif isinstance(clouds, (list, tuple)) and not _is_points(clouds):
        named = {f"cloud{k + 1}": one for k, one in enumerate(clouds)}
    else:
        named = {"cloud": clouds}
    names: list[str] = []
    known: dict[str, Cloud] = {}
    with tempfile.TemporaryDirectory(prefix="superpoint-") as place:
        for name, one in named.items():
            if isinstance(one, (str, os.PathLike)):
                names.append(os.fspath(one))
                continue
            path = Path(folder or place) / _plain(name)
            path.touch()
            names.append(str(path))
            known[str(path)] = Cloud.of(one)
        yield names, known


def _plain(name: Any) -> str:
    """Returns the name of a cloud. Raises Error for a name that is a path."""
    if len(text("the name of a cloud", name)) not in range(1, 201) or name in (".", "..") or set(name) & set("/\\:"):
        raise Error(f"the name of a cloud, {name!r}: give 1 to 200 bytes without /, \\ and :")
    return str(name)


def _is_points(value: Sequence[Any]) -> bool:
    """Reports whether a sequence is one cloud (three columns, or rows), not several."""
    return len(value) > 0 and isinstance(value[0], (np.ndarray, list, tuple)) and np.ndim(value[0]) == 1
