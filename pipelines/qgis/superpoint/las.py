"""Reads an uncompressed LAS file into a numpy array: what the octree needs.

Reference: LAS specification 1.4 R15, ASPRS. Point formats 6, 7 and 8 and the
extra bytes that describe themselves are read; that is what PDAL writes here.
"""

import struct

import numpy

BASE = [("X", "<i4"), ("Y", "<i4"), ("Z", "<i4"), ("Intensity", "<u2"), ("Returns", "u1"), ("Flags", "u1"),
        ("Classification", "u1"), ("UserData", "u1"), ("ScanAngle", "<i2"), ("PointSourceId", "<u2"),
        ("GpsTime", "<f8")]
COLOR = [("Red", "<u2"), ("Green", "<u2"), ("Blue", "<u2")]
FORMATS = {6: BASE, 7: BASE + COLOR, 8: BASE + COLOR + [("Infrared", "<u2")]}
HIDDEN = ("Returns", "Flags", "Rest")  # packed bits, and bytes without a description
# Data types of extra bytes, from 1 on; 0 means undocumented bytes.
EXTRA = ["u1", "i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8"]


def read(path):
    """Returns (points, scale, offset, wkt): a structured memory map of the file,
    with X, Y and Z as stored, and how they become coordinates: X·scale + offset.

    Raises ValueError naming what is not supported.
    """
    with open(path, "rb") as file:
        head = file.read(375)
        if head[:4] != b"LASF" or head[24:26] != b"\x01\x04":
            raise ValueError(f"{path}: not a LAS 1.4 file")
        header_size, data_at, records = struct.unpack_from("<HII", head, 94)
        form, length = struct.unpack_from("<BH", head, 104)
        scale = struct.unpack_from("<3d", head, 131)
        offset = struct.unpack_from("<3d", head, 155)
        (count,) = struct.unpack_from("<Q", head, 247)
        if form not in FORMATS:
            raise ValueError(f"{path}: point format {form} is not read, only 6, 7 and 8 uncompressed")
        fields, wkt = list(FORMATS[form]), ""
        file.seek(header_size)
        for _ in range(records):
            user, number, size = struct.unpack_from("<16sHH", file.read(54), 2)
            body = file.read(size)
            if user.rstrip(b"\0") == b"LASF_Spec" and number == 4:
                fields += _extra_fields(body)
            if user.rstrip(b"\0") == b"LASF_Projection" and number == 2112:
                wkt = body.rstrip(b"\0").decode("utf-8", "replace")
    kind = numpy.dtype(fields)
    if kind.itemsize < length:
        kind = numpy.dtype(fields + [("Rest", f"V{length - kind.itemsize}")])
    if kind.itemsize != length:
        raise ValueError(f"{path}: a record has {length} bytes, its fields {kind.itemsize}")
    points = numpy.memmap(path, dtype=kind, mode="r", offset=data_at, shape=(count,)) if count else numpy.zeros(0, kind)
    return points[[n for n in kind.names if n not in HIDDEN]], scale, offset, wkt


def _extra_fields(body):
    """Fields of an extra bytes record: 192 bytes for each."""
    fields = []
    for at in range(0, len(body) - 191, 192):
        kind, flags = body[at + 2], body[at + 3]
        name = body[at + 4:at + 36].rstrip(b"\0").decode("utf-8", "replace")
        if kind == 0:
            fields.append((name, f"V{flags}"))
        elif kind <= len(EXTRA):
            fields.append((name, EXTRA[kind - 1]))
        else:
            raise ValueError(f"extra dimension {name}: data type {kind} is not read")
    return fields
