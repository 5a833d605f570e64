# SPDX-License-Identifier: BSD-3-Clause
"""Clouds: points of arrays, laspy, Open3D and files as columns for the library."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._library import CCloud, CColumn, CReference, Error, text

Array = npt.NDArray[Any]
CloudLike = Union["Cloud", Array, Sequence[Any], Mapping[str, Any], str, "os.PathLike[str]", Any]

AXES = ("X", "Y", "Z")
# laspy's names that are not PDAL's name in snake case; extra dimensions keep their names.
_OF_LASPY = {"nir": "Infrared", "scanner_channel": "ScanChannel", "scan_angle": "ScanAngleRank"}
_STANDARD = set(
    "intensity return_number number_of_returns classification point_source_id scan_angle_rank scan_direction_flag "
    "edge_of_flight_line red green blue gps_time user_data synthetic key_point withheld overlap".split()
)
_WKT = re.compile(r"\s*(PROJ|GEO|COMP|BOUND|LOCAL|ENG|VERT|DERIVED|FITTED)[A-Z_]*\s*[\[(].*[\])]\s*$", re.I | re.S)


def column(name: str, values: Any, count: int | None = None) -> Array:
    """Returns a column of numbers, one for each of count points; None allows any count.

    Nothing is copied or converted. Raises Error for other shapes, masked values and
    values that are not numbers, which numpy would convert silently.
    """
    array = rows(name, values)
    if isinstance(array, np.ma.MaskedArray):
        masked = int(np.count_nonzero(np.ma.getmaskarray(array)))
        if masked:
            raise Error(
                f"{name} is a masked array, {masked} of its {array.size} values are masked; leave these points out of "
                "all columns, or give values in their place (filled)"
            )
        array = array.data
    if array.ndim != 1:
        raise Error(f"{name} has shape {array.shape}; give a column, one value for each point (ravel, or one column)")
    if array.dtype.kind not in "biuf":
        raise Error(f"{name} holds {array.dtype}; give numbers, as by {name}.astype(float), or leave it out")
    if count is not None and len(array) != count:
        raise Error(f"{name} has {len(array)} values, the cloud has {count} points; give one for each point")
    return array


def rows(name: str, values: Any) -> Array:
    """Returns values as an array of any shape; a masked array keeps its mask."""
    if isinstance(values, np.ma.MaskedArray):
        return values
    try:
        return np.asarray(values)
    except Exception as failed:  # numpy's, and of any __array__
        raise Error(f"{name}: {failed}; give rows of equal length") from failed


def dimension(name: Any) -> str:
    """Returns the name of a dimension; the library reads names from a comma separated list."""
    plain = text("dimension", name).decode()  # also of bytes
    if not plain or "," in plain:
        raise Error(f"dimension {plain!r}: a name is not empty and has no comma; rename it")
    return plain


def reference(srs: Any, unit: float | None = None) -> str:
    """Returns well-known text. Raises Error for any other: the library would take coordinates as metres."""
    if unit is not None:
        if srs is not None or not (isinstance(unit, (int, float, np.number)) and 0 < unit < np.inf):
            raise Error(f"unit {unit!r}: give the metres per unit of the coordinates, for example 0.3048, and no srs")
        return f'LOCAL_CS["arrays",UNIT["unit",{float(unit)!r}]]'
    given = srs.to_wkt() if hasattr(srs, "to_wkt") else srs
    wkt = text("srs", given).decode()  # also of bytes
    outside = re.sub('"[^"]*"', "", wkt)
    closed = sum(map(outside.count, "[(")) == sum(map(outside.count, "])"))
    if wkt and not (closed and _WKT.match(wkt)):
        raise Error(
            f"srs {wkt[:40]!r} is not well-known text, the only form that is read without PDAL; give "
            "pyproj.CRS(…).to_wkt(), or unit=, the metres per unit of the coordinates"
        )
    return wkt


# Arrays without a spatial reference are in metres; with this reference the library does not warn.
METRES = reference(None, 1)


@dataclass(eq=False, repr=False)
class Cloud:
    """Points with their dimensions.

    Columns of float64 are passed to the library without a copy. Others are converted
    when the library reads them, one column at a time.

    >>> Cloud.of(np.zeros((3, 3)), colour=np.full((3, 3), 255, np.uint8))
    Cloud(3 points, Red, Green, Blue)
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
                raise Error(f"dimension {name} is a coordinate; give it as {dimension(name).lower()} only")
        self.dimensions = {dimension(name): column(name, values, len(self)) for name, values in self.dimensions.items()}
        self.srs = reference(self.srs)

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return f"Cloud({', '.join([f'{len(self)} points', *self.dimensions])})"

    @classmethod
    def of(
        cls,
        points: CloudLike,
        *,
        colour: Any = None,
        dimensions: Mapping[str, Any] | None = None,
        srs: Any = None,
        unit: float | None = None,
    ) -> Cloud:
        """Makes a cloud from

        - an array of shape (n, 3), or three columns (x, y, z);
        - a structured array, a mapping or a DataFrame with X, Y, Z, as python-pdal returns;
        - laspy's LasData: a copy of all its dimensions, and its spatial reference;
        - Open3D's PointCloud, with its colours;
        - the name of a LAS or LAZ file (with laspy);
        - another cloud.

        Columns of float64 are used without a copy. To save memory, pass three of
        them, or an array in Fortran order. srs is well-known text or a CRS of pyproj;
        unit is the metres per unit of the coordinates.
        """
        cloud = _made(points)
        further = {**({} if colour is None else _colours(colour)), **(dimensions or {})}
        srs = cloud.srs if srs is None and unit is None else reference(srs, unit)
        return Cloud(cloud.x, cloud.y, cloud.z, {**cloud.dimensions, **further}, srs)

    def available(self) -> bytes:
        """Returns the names of all dimensions, comma separated."""
        return ",".join([*AXES, *map(dimension, self.dimensions)]).encode()

    def lend(self, dimensions: Sequence[str]) -> CBuffer:
        """Returns the points for the library, with the given dimensions that the cloud has."""
        return CBuffer(self, [name for name in dimensions if name in self.dimensions])


class CBuffer:
    """An sp_cloud, and the arrays that it points to: float64, contiguous, in the native byte order.
    They are checked again, because a cloud may have changed since it was made."""

    def __init__(self, cloud: Cloud, names: Sequence[str]) -> None:
        columns = [*zip(AXES, (cloud.x, cloud.y, cloud.z)), *((name, cloud.dimensions[name]) for name in names)]
        self.arrays = [
            np.require(column(name, values, len(cloud)), np.float64, ["C_CONTIGUOUS", "ALIGNED"])
            for name, values in columns
        ]
        self.srs, self.available = text("srs", reference(cloud.srs)), cloud.available()
        self.columns = (CColumn * len(columns))(
            *(CColumn(text("dimension", n), a.ctypes.data, len(a)) for (n, _), a in zip(columns, self.arrays))
        )
        self.c = CCloud(len(columns), self.columns, CReference(self.srs), self.available)


def three_columns(points: Any) -> bool:
    """Reports whether points are x, y and z. Nine numbers in plain lists are three rows."""
    return (
        isinstance(points, (tuple, list))
        and len(points) == 3
        and all(hasattr(axis, "__len__") and np.ndim(axis) == 1 for axis in points)
        and (len(points[0]) != 3 or any(hasattr(axis, "__array__") for axis in points))
    )


def _made(points: Any) -> Cloud:
    if isinstance(points, Cloud):
        return points
    if isinstance(points, (str, bytes, os.PathLike)):
        return read(points)
    if hasattr(points, "point_format") and hasattr(points, "header"):
        return _of_laspy(points)
    if hasattr(points, "points") and hasattr(points, "has_colors"):  # Open3D's legacy geometry
        return _of_rows(points.points, points.colors if points.has_colors() else None)
    if hasattr(points, "point") and hasattr(points.point, "positions"):  # Open3D's tensors
        tensors = points.point
        return _of_rows(tensors.positions.cpu().numpy(), tensors.colors.cpu().numpy() if "colors" in tensors else None)
    names = _names(points)
    if names is not None:
        missing = [axis for axis in AXES if axis not in names]
        if missing:
            raise Error(f"the points have no {', '.join(missing)}; they have {', '.join(map(str, names))}")
        x, y, z = (points[axis] for axis in AXES)
        return Cloud(x, y, z, {n: points[n] for n in names if n not in AXES})
    if three_columns(points):
        return Cloud(*points)
    return _of_rows(points)


def _names(points: Any) -> Sequence[Any] | None:
    """Returns the column names of a structured array, a mapping or a DataFrame, else None."""
    if isinstance(points, np.ndarray):
        return list(points.dtype.names) if points.dtype.names else None
    if isinstance(points, Mapping):
        return list(points)
    columns = getattr(points, "columns", None)
    return list(columns) if columns is not None and hasattr(points, "iloc") else None


def _of_rows(points: Any, colour: Any = None) -> Cloud:
    points = rows("points", points)
    if points.ndim != 2 or points.shape[1] != 3:
        raise Error(f"the points have shape {points.shape}; give (n, 3), or three columns (x, y, z)")
    return Cloud(points[:, 0], points[:, 1], points[:, 2], {} if colour is None else _colours(colour))


def _colours(colour: Any) -> dict[str, Any]:
    """Returns Red, Green, Blue of an array (n, 3): integers as they are, floats in
    [0, 1], as Open3D has them, scaled to 16 bits."""
    colour = rows("colour", colour)
    if colour.ndim != 2 or colour.shape[1] != 3:
        raise Error(f"colour has shape {colour.shape}; give (n, 3)")
    channels = [column("colour", channel) for channel in colour.T]
    whole = np.issubdtype(colour.dtype, np.integer)
    if colour.size and not (0 <= colour.min() and colour.max() <= (65535 if whole else 1)):
        raise Error(f"colour has values from {colour.min()} to {colour.max()}; give integers of 8 or 16 bits, at most "
                    "65535, or floats in [0, 1]")
    return dict(zip(("Red", "Green", "Blue"), channels if whole else [np.round(c * 65535) for c in channels]))


def _of_laspy(las: Any) -> Cloud:
    """Copies all columns at one moment: laspy's own are views of a record that its user may sort or change."""
    dimensions: dict[str, Any] = {}
    for name in las.point_format.dimension_names:
        if name in AXES:
            continue
        values = np.array(las[name])
        known = "".join(map(str.capitalize, name.split("_"))) if name in _STANDARD else _OF_LASPY.get(name, name)
        if values.ndim == 1:
            dimensions[known] = values
        else:  # an array of extra bytes: its parts are numbered, as by PDAL
            dimensions.update({f"{known}{k}": part for k, part in enumerate(values.T)})
    try:
        srs = reference(_wkt(las.header))
    except Error:  # unknown: metres, with a warning of the library
        srs = ""
    return Cloud(np.array(las.x), np.array(las.y), np.array(las.z), dimensions, srs)


def _wkt(header: Any) -> str:
    for record in [*header.vlrs, *(header.evlrs or [])]:
        if getattr(record, "record_id", 0) == 2112 and hasattr(record, "string"):
            return str(record.string).split("\0")[0]  # the specification ends the text there
    try:
        crs = header.parse_crs()  # GeoTIFF's keys, with pyproj
        return str(crs.to_wkt()) if crs is not None else ""
    except Exception:  # an unreadable reference is unknown
        return ""


def read(path: str | bytes | os.PathLike[str]) -> Cloud:
    """Reads a LAS or LAZ file with laspy (`pip install superpoint[las]`)."""
    name = text("file", path).decode()
    try:
        import laspy
    except ImportError as missing:
        raise Error(f"{name}: reading files needs laspy; run: pip install 'superpoint[las]'") from missing
    if not os.path.isfile(name):
        raise Error(f"{name}: {'it is a folder; name a file' if os.path.isdir(name) else 'there is no such file'}")
    try:
        return _of_laspy(laspy.read(name))
    except Error as wrong:
        raise Error(f"{name}: {wrong}") from wrong
    except Exception as failed:  # of laspy and its decoders
        raise Error(f"{name}: laspy cannot read it: {failed}; give a LAS or LAZ file") from failed
