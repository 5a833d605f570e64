"""Checks of what callers pass: `column` checks every array, `text` every text."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import Error


def rows(name: str, values: Any) -> npt.NDArray[Any]:
    """Returns values as an array of any shape; a masked array keeps its mask."""
    if isinstance(values, np.ma.MaskedArray):
        return values
    try:
        return np.asarray(values)
    except ValueError as ragged:
        raise Error(f"{name}: {ragged}; give rows of equal length") from ragged


def column(name: str, values: Any, count: int | None = None) -> npt.NDArray[Any]:
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
        raise Error(f"{name} has values of type {array.dtype}; give numbers, for example {name}.astype(float)")
    if count is not None and len(array) != count:
        raise Error(f"{name} has {len(array)} values, the cloud has {count} points; give one for each point")
    return array


def doubles(name: str, values: Any, count: int) -> npt.NDArray[np.float64]:
    """Returns a column as the library reads it: float64, aligned, contiguous, in the native byte order."""
    return np.require(column(name, values, count), np.float64, ["C_CONTIGUOUS", "ALIGNED"])


def text(what: str, value: Any) -> bytes:
    """Returns a text in UTF-8. Raises Error for NUL characters, at which C texts end."""
    if isinstance(value, (bytes, os.PathLike)):
        value = os.fsdecode(value)
    if not isinstance(value, str):
        raise Error(f"{what} {value!r} is of type {type(value).__name__}; give a text")
    if "\0" in value:
        raise Error(f"{what} {value!r} contains a NUL character; remove it")
    try:
        return value.encode()
    except UnicodeEncodeError as surrogate:
        raise Error(f"{what} {value!r} has a character that is not Unicode; rename it") from surrogate


def texts(what: str, values: Sequence[Any]) -> tuple[int, c.Array[c.c_char_p]]:
    """Returns the number of texts and an array of them for C."""
    return len(values), (c.c_char_p * len(values))(*(text(what, v) for v in values))


def dimension(name: Any) -> str:
    """Returns the name of a dimension; the library reads names from a comma separated list."""
    if not text("dimension", name) or "," in name:
        raise Error(f"dimension {name!r}: a name is not empty and has no comma; rename it")
    return str(name)
