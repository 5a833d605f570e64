#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes clouds of the two data sets of Landrieu and Boussaha 2019 as LAS, with the classes of the authors' programs
(1 to 13, 0 for none) in Classification:

    convert.py PDAL Area_1/office_1/office_1.txt out.las    # S3DIS, with the number of the object in PointSourceId
    convert.py PDAL 01/0001_00000.npy out.las               # vKITTI3D

S3DIS has a file for each object of a room, Annotations/chair_3.txt, of lines "x y z r g b" in metres and 0 to 255;
vKITTI3D an array of numpy with rows x y z r g b class. Objects are numbered from 1 in the order of their names.
"""

import array
import ast
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

CLASSES = ["ceiling", "floor", "wall", "column", "beam", "window", "door", "table", "chair", "bookcase", "sofa",
           "board", "clutter"]
UNLABELLED = 13  # class of vKITTI3D that the authors leave out; theirs are one more than those of the files
NAMES = ["X", "Y", "Z", "Red", "Green", "Blue", "Classification", "PointSourceId"]


def room(path):
    """Yields the points of a room of S3DIS."""
    files = sorted((path.parent / "Annotations").glob("*.txt"))
    if not files:
        sys.exit(f"{path.parent}/Annotations has no objects; S3DIS has files such as chair_1.txt there")
    for number, file in enumerate(files, 1):
        kind = file.stem.split("_")[0]
        code = CLASSES.index(kind) + 1 if kind in CLASSES else 0  # stairs and what else there is: 0
        for n, line in enumerate(file.read_text(encoding="latin1").splitlines(), 1):
            try:
                x, y, z, *color = map(float, line.split())
                red, green, blue = map(round, color)
            except ValueError as wrong:
                sys.exit(f"{file}, line {n}: {wrong}; want x y z r g b, correct the file (Area_5/hallway_6 of S3DIS is "
                         "known for a stray sign)")
            yield x, y, z, red, green, blue, code, number


def scan(path):
    """Yields the points of an array of vKITTI3D (numpy's format, versions 1 to 3)."""
    data = path.read_bytes()
    begin = 10 if data[6:7] == b"\1" else 12
    end = begin + int.from_bytes(data[8:begin], "little")
    try:
        header = ast.literal_eval(data[begin:end].decode("latin1"))
        values = array.array({"<f4": "f", "<f8": "d"}[header["descr"]], data[end:])
        rows, columns = header["shape"]
        if header["fortran_order"] or columns < 7 or len(values) != rows * columns:
            raise ValueError(header)
    except (ValueError, KeyError, SyntaxError) as wrong:
        sys.exit(f"{path}: no array of rows x y z r g b class ({wrong}); write it again with "
                 "numpy.save(file, numpy.ascontiguousarray(a, dtype='<f4'))")
    for i in range(0, len(values), columns):
        x, y, z, red, green, blue = values[i:i + 6]
        code = int(values[i + columns - 1])
        yield x, y, z, round(red), round(green), round(blue), 0 if code == UNLABELLED else code + 1, 0


def main(pdal, source, target):
    path = Path(source)
    points = scan(path) if path.suffix == ".npy" else room(path)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "points.csv"
        with text.open("w", newline="", encoding="ascii") as file:
            csv.writer(file).writerows([NAMES, *points])
        subprocess.run([pdal, "translate", text, target, "--readers.text.separator=,", "--writers.las.dataformat_id=2",
                        "--writers.las.scale_x=0.0001", "--writers.las.scale_y=0.0001", "--writers.las.scale_z=0.0001",
                        "--writers.las.offset_x=auto", "--writers.las.offset_y=auto", "--writers.las.offset_z=auto"],
                       check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
