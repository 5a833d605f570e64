"""The C boundary, superpoint.h, by ctypes: types, functions, and the error."""

from __future__ import annotations

import ctypes as c
import functools
import sys
from importlib import metadata
from pathlib import Path


class Error(ValueError):
    """What the library says: the option, file or dimension at fault, and the remedy."""


class CColumn(c.Structure):
    """sp_column"""

    _fields_ = [("name", c.c_char_p), ("values", c.c_void_p), ("count", c.c_uint64)]


class CCloud(c.Structure):
    """sp_cloud"""

    _fields_ = [
        ("columns", c.c_uint32),
        ("column", c.POINTER(CColumn)),
        ("wkt", c.c_char_p),
        ("geographic", c.c_int32),
        ("available", c.c_char_p),
    ]


LOG = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_char_p)
PROGRESS = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_double)
# The text that is returned must outlive the callback, so it goes as an address.
READ = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p, c.POINTER(c.POINTER(CCloud)))
CONVERT = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p, c.c_char_p, c.c_char_p)


class CHost(c.Structure):
    """sp_host"""

    _fields_ = [
        ("context", c.c_void_p),
        ("log", LOG),
        ("progress", PROGRESS),
        ("read", READ),
        ("convert", CONVERT),
    ]


ABI_VERSION = 7
_HOST, _TEXT, _TEXTS = c.POINTER(CHost), c.c_char_p, c.POINTER(c.c_char_p)
_ERROR = c.POINTER(c.c_void_p)  # char **

# Every function of superpoint.h that is used: what it returns and what it takes.
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


def file_name() -> str:
    """The library's name on this system."""
    return {"win32": "libsuperpoint.dll", "darwin": "libsuperpoint.dylib"}.get(sys.platform, "libsuperpoint.so")


def version() -> str:
    """The version of the installed package, which is that of its library."""
    return metadata.version("superpoint")


@functools.cache
def library() -> c.CDLL:
    """Opens the library at the first call, so that importing costs nothing and a
    process that only forks can use it in its children."""
    path = Path(__file__).with_name(file_name())
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


def setting(name: str, value: object) -> str:
    """An option as a user would write it. class_ is class, which Python keeps."""
    if isinstance(value, (list, tuple)):
        value = ",".join(str(v) for v in value)
    elif str(value) in ("True", "False"):  # Python's, and numpy's
        value = str(value).lower()
    return f"{name.rstrip('_')}={value}"


def take(address: int | None) -> str:
    """Copies a text of the library and frees it."""
    if not address:
        return ""
    text = c.string_at(address).decode("utf-8", "replace")
    library().sp_free(address)
    return text
