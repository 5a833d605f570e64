# SPDX-License-Identifier: BSD-3-Clause
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
KINDS = {"floating": "f", "signed": "i", "unsigned": "u"}
# QGIS (from 3.36 on) reads an attribute of this name as four, and all following ones wrongly.
SPLIT = ("ClassFlags",)


def convert(program, source, folder, feedback):
    """Writes a file as an octree to an empty folder and returns the path of its ept.json."""
    names, kinds, dims = ["X", "Y", "Z"], ["f8"] * 3, ["X", "Y", "Z"]
    described = json.loads(program.ask("info", "--schema", "--metadata", source))
    for d in described["schema"]["dimensions"]:
        if d["name"] in (*SPLIT, *"XYZ") or not d["name"].isidentifier():
            continue
        long = d["size"] == 8  # QGIS refuses integers of eight bytes, and PLY has none
        names.append(d["name"])
        kinds.append("<f8" if long else f"<{KINDS[d['type']]}{d['size']}")
        dims.append(d["name"] + ("=double" if long else ""))
    flat = os.path.join(folder, "points.ply")
    program.run(["translate", source, flat, "--writers.ply.storage_mode=little endian",
                 "--writers.ply.dims=" + ",".join(dims)], feedback)
    points = read(flat, numpy.dtype(list(zip(names, kinds))))
    check_count(len(points), described["metadata"].get("count"), flat)
    path = write(folder, points, described["metadata"].get("srs", {}).get("wkt", ""))
    os.remove(flat)
    return path


def read(path, kind):
    """Returns the vertices of a binary PLY of pdal, which may be incomplete: writers.ply succeeds on a full disk.
    Raises ValueError if it has less than its header counts."""
    with open(path, "rb") as file:
        vertices = 0
        for line in file:
            if line == b"end_header\n":
                break
            if line.startswith(b"element vertex "):
                vertices = int(line.split()[2])
        else:
            raise ValueError(f"{path} ends in its header; is the disk full?")
        held = (os.path.getsize(path) - file.tell()) // kind.itemsize
        check_count(min(held, vertices), vertices, path)
        return numpy.fromfile(file, kind, vertices)


def check_count(found, expected, path):
    """Raises ValueError if a file that pdal wrote has not all points. The number is None if nobody knows it."""
    if expected is not None and found != expected:
        raise ValueError(f"{path} has {found:,} of {expected:,} points; is the disk full?")


def write(folder, points, wkt=""):
    """Writes points, a structured array with X, Y and Z first, to folder. Returns the path of ept.json."""
    if len(points) == 0:
        raise ValueError("no points to show")
    for name in ("ept-data", "ept-hierarchy"):
        os.makedirs(os.path.join(folder, name))
    names = points.dtype.names
    kind = numpy.dtype([(n, "<i4" if n in "XYZ" else points.dtype[n]) for n in names])
    place = [points[n].astype("f8") for n in "XYZ"]
    low, high = [float(p.min()) for p in place], [float(p.max()) for p in place]
    side = max(*(top - bottom for top, bottom in zip(high, low)), 1e-3) * 1.001
    cube = [(top + bottom) / 2 - side / 2 for top, bottom in zip(high, low)]
    scale = 10.0 ** math.ceil(math.log10(side / STEPS))

    hierarchy = {}
    for key, members in _nodes(place, cube, side):
        node = points[members].astype(kind, copy=False)
        for axis, name in enumerate("XYZ"):
            node[name] = numpy.round((place[axis][members] - cube[axis]) / scale)
        node.tofile(os.path.join(folder, "ept-data", key + ".bin"))
        hierarchy[key] = len(members)
    path = os.path.join(folder, "ept.json")
    for name, document in ((os.path.join("ept-hierarchy", "0-0-0-0.json"), hierarchy), ("ept.json", {
        "bounds": cube + [c + side for c in cube], "boundsConforming": low + high, "dataType": "binary",
        "hierarchyType": "json", "version": "1.0.0", "points": len(points), "span": SPAN,
        "schema": [_attribute(n, kind[n], points[n].astype("f8"), scale, cube) for n in names],
        "srs": {"wkt": wkt} if wkt else {},
    })):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False)
    return path


def _nodes(place, cube, side):
    """Yields the key of every node and the points it keeps, level by level."""
    left = numpy.arange(len(place[0]))
    for level in range(DEEPEST + 1):
        if len(left) == 0:
            return
        cells = SPAN << level
        cell = [numpy.minimum(((p[left] - c) * (cells / side)).astype("i8"), cells - 1) for p, c in zip(place, cube)]
        node, within = ((x << 42) | (y << 21) | z for x, y, z in ([c // SPAN for c in cell], [c % SPAN for c in cell]))
        order = numpy.argsort(node, kind="stable")
        starts = numpy.flatnonzero(numpy.diff(node[order], prepend=-1))
        keep = numpy.zeros(len(left), bool)
        for begin, end in zip(starts, numpy.append(starts[1:], len(order))):
            members = order[begin:end]
            if end - begin > WHOLE and level < DEEPEST:
                members = members[numpy.sort(numpy.unique(within[members], return_index=True)[1])]
            keep[members] = True
            yield "-".join(str(n) for n in (level, *(int(c[members[0]]) // SPAN for c in cell))), left[members]
        left = left[~keep]


def _attribute(name, kind, values, scale, offset):
    """Returns the schema entry of a dimension, with its statistics."""
    entry = {
        "name": name, "size": kind.itemsize,
        "type": {"i": "signed", "u": "unsigned", "f": "float"}[kind.kind],
        "count": len(values), "minimum": float(values.min()), "maximum": float(values.max()),
        "mean": float(values.mean()), "stddev": float(values.std()), "variance": float(values.var()),
    }
    return {**entry, "scale": scale, "offset": offset["XYZ".index(name)]} if name in "XYZ" else entry
