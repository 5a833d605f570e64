# SPDX-License-Identifier: BSD-3-Clause
"""The C boundary, superpoint.h, by ctypes: types, functions, errors."""

from __future__ import annotations

import ctypes as c
import functools
import os
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any


class Error(ValueError):
    """An error of the library; the text names the option, file or dimension, and the remedy."""


class CColumn(c.Structure):
    """sp_column"""

    _fields_ = [("name", c.c_char_p), ("values", c.c_void_p), ("count", c.c_uint64)]


class CReference(c.Structure):
    """sp_reference; the library reads units, kind and code from the text"""

    _fields_ = [(name, c.c_char_p) for name in ("wkt", "read", "code", "geokeys")]


class CCloud(c.Structure):
    """sp_cloud"""

    _fields_ = [
        ("columns", c.c_uint32),
        ("column", c.POINTER(CColumn)),
        ("reference", CReference),
        ("available", c.c_char_p),
    ]


LOG = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_char_p)
PROGRESS = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_double)
# The returned text must exist after the callback, so it is an address.
READ = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p, c.POINTER(c.POINTER(CCloud)))
CONVERT = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p, c.c_char_p)

RELEASE = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p)


class CHost(c.Structure):
    """sp_host"""

    _fields_ = [
        ("context", c.c_void_p),
        ("log", LOG),
        ("progress", PROGRESS),
        ("read", READ),
        ("convert", CONVERT),
        ("release", RELEASE),
        ("describe", c.c_void_p),  # without PROJ there is none
        ("same", c.c_void_p),
        ("write_raster", c.c_void_p),  # nor without GDAL
        ("read_raster", c.c_void_p),
    ]


ABI_VERSION = 12
_HOST, _TEXT, _TEXTS = c.POINTER(CHost), c.c_char_p, c.POINTER(c.c_char_p)
_ERROR = c.POINTER(c.c_void_p)  # char **

# Result and parameters of every function of superpoint.h that is used.
_FUNCTIONS: dict[str, tuple[object, list[object]]] = {
    "sp_abi_version": (c.c_int32, []),
    "sp_open": (c.c_uint64, [c.c_int32, _TEXTS, _HOST, _ERROR]),
    "sp_describe": (c.c_void_p, [c.c_uint64, _TEXT, _HOST, _ERROR]),
    "sp_segment": (c.c_int32, [c.c_uint64, c.POINTER(CCloud), _HOST, _ERROR]),
    "sp_output": (c.c_int32, [c.c_uint64, _TEXT, c.c_void_p, c.c_uint64, _ERROR]),
    "sp_metadata": (c.c_void_p, [c.c_uint64, _ERROR]),
    "sp_command": (c.c_int32, [c.c_int32, _TEXTS, _HOST, _ERROR, _ERROR]),
    "sp_cancel": (None, [_HOST]),
    "sp_free": (None, [c.c_void_p]),
    "sp_close": (None, [c.c_uint64]),
}


def version() -> str:
    """Returns the version of the installed package and of its library, which are equal."""
    return metadata.version("superpoint")


@functools.cache
def library() -> c.CDLL:
    """Opens the library. This happens at the first call, so that an import is fast and a
    process that has only imported the package can fork."""
    name = "libsuperpoint.dll" if sys.platform == "win32" else "libsuperpoint.so"
    path = Path(__file__).with_name(name)
    if not path.exists():
        raise Error(f"{path} is missing; install the wheel (make wheel builds it), not the folder")
    opened = c.CDLL(str(path))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(opened, name)
        function.restype, function.argtypes = result, arguments
    found = opened.sp_abi_version()
    if found != ABI_VERSION:
        raise Error(
            f"{path} has version {found} of superpoint.h, this package needs {ABI_VERSION}; install the wheel again"
        )
    return opened


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


def settings(options: Mapping[str, Any]) -> list[str]:
    """Returns options as name=value, without those that are None. class_ stands for class, a keyword of Python."""
    return [f"{name.rstrip('_')}={_value(value)}" for name, value in options.items() if value is not None]


def _value(value: Any) -> str:
    """Returns a value as text; several values, also of a mapping, are separated by commas."""
    if isinstance(value, (str, bytes, os.PathLike)):
        return value if isinstance(value, str) else os.fsdecode(value)
    several = [f"{key}={of}" for key, of in value.items()] if isinstance(value, Mapping) else value
    if isinstance(several, Collection) and getattr(value, "ndim", 1) == 1 and len(value) < 300:
        return ",".join(map(str, several))
    return str(value).lower() if str(value) in ("True", "False") else str(value)  # Python's, and numpy's


def plain(text: bytes | None) -> str:
    """Returns a text of the library, with the argument srs in place of options of PDAL's readers."""
    return _READERS.sub("srs=", (text or b"").decode("utf-8", "replace"))


_READERS = re.compile("the reader's (default|override)_srs")


def take(address: int | None) -> str:
    """Returns a copy of a text of the library, and frees it."""
    if not address:
        return ""
    copy = plain(c.string_at(address))
    library().sp_free(address)
    return copy
