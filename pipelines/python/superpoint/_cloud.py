"""Points as the library takes them, made of whatever holds points in Python."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._library import CCloud, Error

Array = npt.NDArray[Any]
CloudLike = Union["Cloud", Array, Sequence[Any], Mapping[str, Any], str, "os.PathLike[str]", Any]

# PDAL's names of laspy's dimensions; extra ones keep theirs.
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

# Arrays without a spatial reference are in metres; said so that nothing is assumed.
METRES = 'LOCAL_CS["metres",UNIT["metre",1]]'


@dataclass
class Cloud:
    """Points with their dimensions.

    Columns of float64 go to the library as they are; other types are turned into
    it a column at a time, when the library asks for that column.

    >>> cloud = Cloud.of(np.zeros((3, 3)), colour=np.full((3, 3), 255, np.uint8))
    >>> len(cloud), sorted(cloud.dimensions)
    (3, ['Blue', 'Green', 'Red'])
    """

    x: Array
    y: Array
    z: Array
    dimensions: dict[str, Any] = field(default_factory=dict)  # columns by PDAL's names
    srs: str = METRES  # well-known text; "" = not known, which is taken as metres with a warning

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
        """Makes a cloud of

        - an array of shape (n, 3), or three columns (x, y, z);
        - a structured array or a mapping with X, Y, Z, as PDAL's Python has them;
        - laspy's LasData, with all its dimensions and its spatial reference;
        - Open3D's PointCloud, with its colours;
        - the name of a LAS or LAZ file (with laspy);
        - another cloud.

        Nothing is copied that need not be: columns of float64 are used in place, so
        give three of them, or an array in Fortran order, where memory matters.
        """
        cloud = _made(points)
        if colour is not None:
            cloud.dimensions.update(_colours(colour))
        if dimensions is not None:
            cloud.dimensions.update({name: np.asarray(v) for name, v in dimensions.items()})
        if srs is not None:
            cloud.srs = srs
        for name, values in cloud.dimensions.items():
            if np.shape(values) != (len(cloud),):
                raise Error(
                    f"dimension {name} has shape {np.shape(values)}; give one value for each of {len(cloud)} points"
                )
        return cloud

    def lend(self, dimensions: Sequence[str]) -> Lent:
        """The points with those of the dimensions that are there, for the library."""
        return Lent(self, [name for name in dimensions if name in self.dimensions])


class Lent:
    """An sp_cloud, and the arrays that it points to."""

    def __init__(self, cloud: Cloud, names: Sequence[str]) -> None:
        self.arrays = [_column(v) for v in (cloud.x, cloud.y, cloud.z, *(cloud.dimensions[n] for n in names))]
        addresses = [a.ctypes.data for a in self.arrays]
        self.texts = [n.encode() for n in names]
        self.srs, self.available = cloud.srs.encode(), ",".join(["X", "Y", "Z", *cloud.dimensions]).encode()
        self.c = CCloud(
            len(cloud),
            *addresses[:3],
            len(names),
            (c.c_char_p * len(names))(*self.texts),
            (c.c_void_p * len(names))(*addresses[3:]),
            self.srs,
            0,
            self.available,
        )


def _column(values: Any) -> npt.NDArray[np.float64]:
    return np.ascontiguousarray(values, dtype=np.float64)


def _made(points: Any) -> Cloud:
    if isinstance(points, Cloud):
        return Cloud(points.x, points.y, points.z, dict(points.dimensions), points.srs)
    if isinstance(points, (str, os.PathLike)):
        return read(points)
    if hasattr(points, "point_format") and hasattr(points, "header"):
        return _of_laspy(points)
    if hasattr(points, "points") and hasattr(points, "has_colors"):  # Open3D's legacy geometry
        colour = _colours(np.asarray(points.colors)) if points.has_colors() else {}
        return _of_rows(np.asarray(points.points), colour)
    if hasattr(points, "point") and hasattr(points.point, "positions"):  # Open3D's tensors
        tensors = points.point
        colour = _colours(tensors.colors.cpu().numpy()) if "colors" in tensors else {}
        return _of_rows(tensors.positions.cpu().numpy(), colour)
    names = points.dtype.names if isinstance(points, np.ndarray) else points if isinstance(points, Mapping) else None
    if names is not None:
        missing = [axis for axis in "XYZ" if axis not in names]
        if missing:
            raise Error(f"the points have no {', '.join(missing)}; they have {', '.join(names)}")
        return _checked(points["X"], points["Y"], points["Z"], {n: points[n] for n in names if n not in "XYZ"})
    if isinstance(points, (tuple, list)) and len(points) == 3 and all(np.ndim(column) == 1 for column in points):
        if len(points[0]) != 3 or isinstance(points[0], np.ndarray):  # three points of a list are rows
            return _checked(*points)
    return _of_rows(np.asarray(points))


def _of_rows(rows: Array, dimensions: dict[str, Any] | None = None) -> Cloud:
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise Error(f"the points have shape {rows.shape}; give (n, 3), or three columns (x, y, z)")
    return _checked(rows[:, 0], rows[:, 1], rows[:, 2], dimensions)


def _checked(x: Any, y: Any, z: Any, dimensions: dict[str, Any] | None = None) -> Cloud:
    x, y, z = np.asarray(x), np.asarray(y), np.asarray(z)
    if not len(x) == len(y) == len(z):
        raise Error(f"x, y and z have {len(x)}, {len(y)} and {len(z)} values; give as many of each")
    return Cloud(x, y, z, dimensions or {})


def _colours(colour: Any) -> dict[str, Any]:
    """Red, Green, Blue of an array (n, 3): whole numbers as they are, shares of 1
    (Open3D) as 16 bits."""
    colour = np.asarray(colour)
    if colour.ndim != 2 or colour.shape[1] != 3:
        raise Error(f"colour has shape {colour.shape}; give (n, 3)")
    if not np.issubdtype(colour.dtype, np.integer):
        if colour.size and not (0 <= colour.min() and colour.max() <= 1):
            raise Error("colours that are no whole numbers lie in [0, 1]; give others as integers")
        colour = np.round(colour * 65535)
    return dict(zip(("Red", "Green", "Blue"), colour.T))


def _of_laspy(las: Any) -> Cloud:
    dimensions: dict[str, Any] = {}
    for name in las.point_format.dimension_names:
        if name not in ("X", "Y", "Z"):
            dimensions[_OF_LASPY.get(name, name)] = _Late(las, name)
    return Cloud(np.asarray(las.x), np.asarray(las.y), np.asarray(las.z), dimensions, _wkt(las.header))


class _Late:
    """A dimension of laspy, which is taken apart when it is asked for."""

    def __init__(self, las: Any, name: str) -> None:
        self._las, self._name = las, name
        self.shape = (len(las.points),)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self._las[self._name], dtype=dtype)

    def __len__(self) -> int:
        return self.shape[0]


def _wkt(header: Any) -> str:
    for record in [*header.vlrs, *(header.evlrs or [])]:
        if getattr(record, "record_id", 0) == 2112 and hasattr(record, "string"):
            return str(record.string).rstrip("\0")
    try:
        crs = header.parse_crs()  # GeoTIFF's keys, with pyproj
        return str(crs.to_wkt()) if crs is not None else ""
    except Exception:  # a reference that cannot be read is one that is not known
        return ""


def read(path: str | os.PathLike[str]) -> Cloud:
    """Reads a LAS or LAZ file with laspy (`pip install superpoint[las]`)."""
    try:
        import laspy
    except ImportError as missing:
        raise Error(
            f"{os.fspath(path)}: laspy is missing, which reads files; run: pip install 'superpoint[las]'"
        ) from missing
    if not Path(path).exists():
        raise Error(f"{os.fspath(path)}: there is no such file")
    return _of_laspy(laspy.read(path))
