"""The one entry for what callers pass: every array goes through `column`, every text through `text`."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import Error


def rows(name: str, values: Any) -> npt.NDArray[Any]:
    """Values as an array of any shape, with its mask if it has one."""
    if isinstance(values, np.ma.MaskedArray):
        return values
    try:
        return np.asarray(values)
    except ValueError as ragged:
        raise Error(f"{name}: {ragged}; give rows of equal length") from ragged


def column(name: str, values: Any, count: int | None = None) -> npt.NDArray[Any]:
    """A column of numbers, one for each of count points; any count if that is None.

    Nothing is copied or converted here. Refused are other shapes, masked values and
    what is not a number, since each would be read as something else without a word.
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
    """A column as the library reads it: aligned, contiguous, in this machine's byte order."""
    return np.require(column(name, values, count), np.float64, ["C_CONTIGUOUS", "ALIGNED"])


def text(what: str, value: Any) -> bytes:
    """A text as the library takes it: UTF-8 that no zero byte ends early."""
    if isinstance(value, (bytes, os.PathLike)):
        value = os.fsdecode(value)
    if not isinstance(value, str):
        raise Error(f"{what} {value!r} is of type {type(value).__name__}; give a text")
    if "\0" in value:
        raise Error(f"{what} {value!r} has a NUL character in it; leave that out")
    try:
        return value.encode()
    except UnicodeEncodeError as surrogate:
        raise Error(f"{what} {value!r} has a character that is not Unicode; rename it") from surrogate


def texts(what: str, values: Sequence[Any]) -> tuple[int, c.Array[c.c_char_p]]:
    """Texts as the library takes them: their number, and an array."""
    return len(values), (c.c_char_p * len(values))(*(text(what, v) for v in values))


def dimension(name: Any) -> str:
    """The name of a dimension, which is one of a comma separated list for the library."""
    if not text("dimension", name) or "," in name:
        raise Error(f"dimension {name!r}: a name is not empty and has no comma; rename it")
    return str(name)
