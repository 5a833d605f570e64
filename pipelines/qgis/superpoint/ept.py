"""Writes points as an Entwine Point Tiles octree (EPT 1.0, binary).

QGIS without PDAL does not show LAS and LAZ, and shows COPC only from 3.26 on; this
format is for such a QGIS, and for a pdal before 2.4, which cannot write COPC.
A node of the octree keeps the first point of each of SPAN³ cells and passes the
rest to its children; a node with few points keeps them all. The result depends
on the order of the points only. https://entwine.io/entwine-point-tile.html
"""

import json
import math
import os

import numpy

SPAN = 128  # cells along a side of a node
WHOLE = 65536  # a node with fewer points keeps all of them
DEEPEST = 20  # level at which all points are kept: 128·2^20 cells along a side
STEPS = 2e9  # integers along a side, fewer than 32 bits have
# QGIS (from 3.36 on) reads an attribute of this name as four, and all following ones wrongly.
SPLIT = ("ClassFlags",)


def write(folder, points, wkt=""):
    """Writes points, a structured array with X, Y and Z among its fields, to folder.

    Returns the path of ept.json. Raises ValueError for no points.
    """
    if len(points) == 0:
        raise ValueError("no points to write")
    for name in ("ept-data", "ept-hierarchy"):
        os.makedirs(os.path.join(folder, name))
    names = [n for n in points.dtype.names if n in "XYZ" or shown(n, points.dtype[n])]
    kind = numpy.dtype([(n, "<i4" if n in "XYZ" else points.dtype[n]) for n in names])
    place = [points[n].astype("f8") for n in "XYZ"]
    low = [float(p.min()) for p in place]
    high = [float(p.max()) for p in place]
    side = max(*(top - bottom for top, bottom in zip(high, low)), 1e-3) * 1.001
    cube = [(top + bottom) / 2 - side / 2 for top, bottom in zip(high, low)]
    scale = 10.0 ** math.ceil(math.log10(side / STEPS))

    hierarchy = {}
    for key, members in _nodes(place, cube, side):
        node = numpy.empty(len(members), kind)
        for name in names:
            if name in "XYZ":
                axis = "XYZ".index(name)
                node[name] = numpy.round((place[axis][members] - cube[axis]) / scale)
            else:
                node[name] = points[name][members]
        with open(os.path.join(folder, "ept-data", key + ".bin"), "wb") as file:
            file.write(node.tobytes())
        hierarchy[key] = len(members)
    _dump(os.path.join(folder, "ept-hierarchy", "0-0-0-0.json"), hierarchy)
    path = os.path.join(folder, "ept.json")
    _dump(path, {
        "bounds": cube + [c + side for c in cube],
        "boundsConforming": low + high,
        "dataType": "binary", "hierarchyType": "json", "version": "1.0.0",
        "points": len(points), "span": SPAN,
        "schema": [_attribute(n, kind[n], points[n], scale, cube) for n in names],
        "srs": {"wkt": wkt} if wkt else {},
    })
    return path


def shown(name, kind=None):
    """Reports whether QGIS shows the attribute: it refuses integers of eight bytes."""
    return name not in SPLIT and (kind is None or kind.kind == "f" or kind.kind in "iu" and kind.itemsize <= 4)


def _nodes(place, cube, side):
    """Yields the key of every node and the points it keeps, level by level."""
    left = numpy.arange(len(place[0]))
    for level in range(DEEPEST + 1):
        if len(left) == 0:
            return
        cells = SPAN << level
        cell = [numpy.minimum(((p[left] - c) * (cells / side)).astype("i8"), cells - 1) for p, c in zip(place, cube)]
        node = _pack([c // SPAN for c in cell])
        order = numpy.argsort(node, kind="stable")
        starts = numpy.flatnonzero(numpy.diff(node[order], prepend=-1))
        keep = numpy.zeros(len(left), bool)
        within = _pack([c % SPAN for c in cell])
        for begin, end in zip(starts, numpy.append(starts[1:], len(order))):
            members = order[begin:end]
            if end - begin > WHOLE and level < DEEPEST:
                members = members[numpy.sort(numpy.unique(within[members], return_index=True)[1])]
            keep[members] = True
            at = [int(c[members[0]]) // SPAN for c in cell]
            yield "{}-{}-{}-{}".format(level, *at), left[members]
        left = left[~keep]


def _pack(columns):
    """Returns one number for three below 2^21."""
    x, y, z = columns
    return (x << 42) | (y << 21) | z


def _attribute(name, kind, column, scale, offset):
    """Returns the schema entry of a dimension, with its statistics."""
    values = column.astype("f8")
    entry = {
        "name": name, "size": kind.itemsize,
        "type": {"i": "signed", "u": "unsigned", "f": "float"}[kind.kind],
        "count": len(values), "minimum": float(values.min()), "maximum": float(values.max()),
        "mean": float(values.mean()), "stddev": float(values.std()), "variance": float(values.var()),
    }
    if name in "XYZ":
        entry.update(scale=scale, offset=offset["XYZ".index(name)])
    return entry


def _dump(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False)
