"""Reads the binary PLY that PDAL writes into a numpy array, for the octree."""

import numpy

KINDS = {"int8": "i1", "uint8": "u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4",
         "int64": "<i8", "uint64": "<u8", "float32": "<f4", "float64": "<f8"}


def read(path, names):
    """Returns the vertices as a structured memory map with the given names of
    fields: PDAL writes them in the order asked for, in lower case.

    Raises ValueError for a file with other properties.
    """
    kinds, count = [], 0
    with open(path, "rb") as file:
        for raw in file:
            words = raw.decode("ascii").split()
            if words[0] == "element":
                count = int(words[2])
            elif words[0] == "property":
                kinds.append(KINDS[words[1]])
            elif words[0] == "end_header":
                break
        start = file.tell()
    if len(kinds) != len(names):
        raise ValueError(f"{path}: {len(kinds)} properties for the dimensions {', '.join(names)}")
    kind = numpy.dtype(list(zip(names, kinds)))
    if count == 0:
        return numpy.zeros(0, kind)
    return numpy.memmap(path, dtype=kind, mode="r", offset=start, shape=(count,))
