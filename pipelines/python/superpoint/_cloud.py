"""Clouds: points of arrays, laspy, Open3D and files as columns for the library."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._arguments import column, dimension, doubles, rows, text
from ._library import CCloud, CColumn, Error

Array = npt.NDArray[Any]
CloudLike = Union["Cloud", Array, Sequence[Any], Mapping[str, Any], str, "os.PathLike[str]", Any]

# PDAL's names of laspy's dimensions; extra dimensions keep their names.
_OF_LASPY = {
    "nir": "Infrared",
    "scanner_channel": "ScanChannel",
    "gps_time": "GpsTime",
    "user_data": "UserData",
    "synthetic": "Synthetic",
    "key_point": "KeyPoint",
    "withheld": "Withheld",
    "overlap": "Overlap",
    "intensity": "Intensity",
    "return_number": "ReturnNumber",
    "number_of_returns": "NumberOfReturns",
    "classification": "Classification",
    "point_source_id": "PointSourceId",
    "scan_angle": "ScanAngleRank",
    "scan_angle_rank": "ScanAngleRank",
    "scan_direction_flag": "ScanDirectionFlag",
    "edge_of_flight_line": "EdgeOfFlightLine",
    "red": "Red",
    "green": "Green",
    "blue": "Blue",
}

AXES = "XYZ"
# Arrays without a spatial reference are in metres; with this reference the library does not warn.
METRES = 'LOCAL_CS["metres",UNIT["metre",1]]'


@dataclass
class Cloud:
    """Points with their dimensions.

    Columns of float64 are passed to the library without a copy. Others are converted
    when the library reads them, one column at a time.

    >>> cloud = Cloud.of(np.zeros((3, 3)), colour=np.full((3, 3), 255, np.uint8))
    >>> len(cloud), sorted(cloud.dimensions)
    (3, ['Blue', 'Green', 'Red'])
    """

    x: Array
    y: Array
    z: Array
    dimensions: dict[str, Any] = field(default_factory=dict)  # columns by PDAL's names
    srs: str = METRES  # well-known text; "" = unknown: metres, with a warning

    def __post_init__(self) -> None:
        self.x = column("X", self.x)
        self.y, self.z = column("Y", self.y, len(self)), column("Z", self.z, len(self))
        for name in self.dimensions:
            if dimension(name) in AXES:
                raise Error(f"dimension {name} is a coordinate; give it as {name.lower()} only")
        self.dimensions = {
            name: values if isinstance(values, _Late) else column(name, values, len(self))
            for name, values in self.dimensions.items()
        }

    def __len__(self) -> int:
        return len(self.x)

    @classmethod
    def of(
        cls,
        points: CloudLike,
        *,
        colour: Any = None,
        dimensions: Mapping[str, Any] | None = None,
        srs: str | None = None,
    ) -> Cloud:
        """Makes a cloud from

        - an array of shape (n, 3), or three columns (x, y, z);
        - a structured array, a mapping or a DataFrame with X, Y, Z, as python-pdal returns;
        - laspy's LasData, with all its dimensions and its spatial reference;
        - Open3D's PointCloud, with its colours;
        - the name of a LAS or LAZ file (with laspy);
        - another cloud.

        Columns of float64 are used without a copy. To save memory, pass three of
        them, or an array in Fortran order.
        """
        cloud = _made(points)
        further = {**({} if colour is None else _colours(colour)), **(dimensions or {})}
        return Cloud(cloud.x, cloud.y, cloud.z, {**cloud.dimensions, **further}, cloud.srs if srs is None else srs)

    def available(self) -> bytes:
        """Returns the names of all dimensions, comma separated."""
        return ",".join([*AXES, *map(dimension, self.dimensions)]).encode()

    def lend(self, dimensions: Sequence[str]) -> Lent:
        """Returns the points for the library, with those of the dimensions that the cloud has."""
        return Lent(self, [name for name in dimensions if name in self.dimensions])


class Lent:
    """An sp_cloud, and the arrays that it points to. They are checked again, because
    a cloud may have changed since it was made."""

    def __init__(self, cloud: Cloud, names: Sequence[str]) -> None:
        columns = [*zip(AXES, (cloud.x, cloud.y, cloud.z)), *((name, cloud.dimensions[name]) for name in names)]
        self.arrays = [doubles(name, values, len(cloud)) for name, values in columns]
        self.srs, self.available = text("srs", cloud.srs), cloud.available()
        self.columns = (CColumn * len(columns))(
            *(CColumn(text("dimension", n), a.ctypes.data, len(a)) for (n, _), a in zip(columns, self.arrays))
        )
        self.c = CCloud(len(columns), self.columns, self.srs, 0, self.available)


def _made(points: Any) -> Cloud:
    if isinstance(points, Cloud):
        return points
    if isinstance(points, (str, os.PathLike)):
        return read(points)
    if hasattr(points, "point_format") and hasattr(points, "header"):
        return _of_laspy(points)
    if hasattr(points, "points") and hasattr(points, "has_colors"):  # Open3D's legacy geometry
        colour = _colours(points.colors) if points.has_colors() else {}
        return _of_rows(points.points, colour)
    if hasattr(points, "point") and hasattr(points.point, "positions"):  # Open3D's tensors
        tensors = points.point
        colour = _colours(tensors.colors.cpu().numpy()) if "colors" in tensors else {}
        return _of_rows(tensors.positions.cpu().numpy(), colour)
    names = _names(points)
    if names is not None:
        missing = [axis for axis in AXES if axis not in names]
        if missing:
            raise Error(f"the points have no {', '.join(missing)}; they have {', '.join(map(str, names))}")
        x, y, z = (points[axis] for axis in AXES)
        return Cloud(x, y, z, {n: points[n] for n in names if n not in AXES})
    if isinstance(points, (tuple, list)) and len(points) == 3 and all(np.ndim(axis) == 1 for axis in points):
        if len(points[0]) != 3 or isinstance(points[0], np.ndarray):  # three points of a list are rows
            return Cloud(*points)
    return _of_rows(points)


def _names(points: Any) -> Sequence[Any] | None:
    """Returns the column names of a structured array, a mapping or a pandas DataFrame, else None."""
    if isinstance(points, np.ndarray):
        return list(points.dtype.names) if points.dtype.names else None
    if isinstance(points, Mapping):
        return list(points)
    columns = getattr(points, "columns", None)
    return list(columns) if columns is not None and hasattr(points, "iloc") else None


def _of_rows(points: Any, dimensions: dict[str, Any] | None = None) -> Cloud:
    points = rows("points", points)
    if points.ndim != 2 or points.shape[1] != 3:
        raise Error(f"the points have shape {points.shape}; give (n, 3), or three columns (x, y, z)")
    return Cloud(points[:, 0], points[:, 1], points[:, 2], dimensions or {})


def _colours(colour: Any) -> dict[str, Any]:
    """Returns Red, Green, Blue of an array (n, 3): integers as they are, floats in
    [0, 1], as Open3D has them, scaled to 16 bits."""
    colour = rows("colour", colour)
    if colour.ndim != 2 or colour.shape[1] != 3:
        raise Error(f"colour has shape {colour.shape}; give (n, 3)")
    channels = [column("colour", channel) for channel in colour.T]
    if not np.issubdtype(colour.dtype, np.integer):
        if colour.size and not (0 <= colour.min() and colour.max() <= 1):
            raise Error("colour: floats must be in [0, 1]; give other values as integers")
        channels = [np.round(channel * 65535) for channel in channels]
    return dict(zip(("Red", "Green", "Blue"), channels))


def _of_laspy(las: Any) -> Cloud:
    dimensions: dict[str, Any] = {}
    for name in las.point_format.dimension_names:
        if name not in ("X", "Y", "Z"):
            dimensions[_OF_LASPY.get(name, name)] = _Late(las, name)
    return Cloud(np.asarray(las.x), np.asarray(las.y), np.asarray(las.z), dimensions, _wkt(las.header))


class _Late:
    """A dimension of laspy, which is decoded when it is read."""

    def __init__(self, las: Any, name: str) -> None:
        self._las, self._name = las, name

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self._las[self._name], dtype=dtype)


def _wkt(header: Any) -> str:
    for record in [*header.vlrs, *(header.evlrs or [])]:
        if getattr(record, "record_id", 0) == 2112 and hasattr(record, "string"):
            return str(record.string).split("\0")[0]  # the specification ends the text there
    try:
        crs = header.parse_crs()  # GeoTIFF's keys, with pyproj
        return str(crs.to_wkt()) if crs is not None else ""
    except Exception:  # an unreadable reference is unknown
        return ""


def read(path: str | os.PathLike[str]) -> Cloud:
    """Reads a LAS or LAZ file with laspy (`pip install superpoint[las]`)."""
    try:
        import laspy
    except ImportError as missing:
        raise Error(
            f"{os.fspath(path)}: reading files needs laspy; run: pip install 'superpoint[las]'"
        ) from missing
    text("file", path)
    if not Path(path).exists():
        raise Error(f"{os.fspath(path)}: there is no such file")
    return _of_laspy(laspy.read(os.fsdecode(path)))
