# SPDX-License-Identifier: BSD-3-Clause
"""Prints hashes of the ids, embeddings and outlines of a file of positions, to compare
machines: bits.py FILE.npy. The first line names the machine."""

import hashlib
import json
import platform
import sys

import numpy as np
import superpoint

if __name__ == "__main__":
    xyz = np.load(sys.argv[1])
    print(platform.machine(), "Python", platform.python_version(), "numpy", np.__version__)
    for options in ({}, {"model": "aerial", "target_size": 80}, {"method": "vccs"}, {"delaunay": True}):
        result = superpoint.segment(xyz, threads=2, **options)
        hashes = (hashlib.sha256(values.tobytes()).hexdigest()[:16] for values in (result.ids, result.embedding))
        print(options, len(result), "superpoints: ids", *hashes)
    outlines = json.dumps(superpoint.outline(xyz, result)).encode()
    print("outlines", hashlib.sha256(outlines).hexdigest()[:16])
    try:
        superpoint.segment(xyz, knn=0)
    except superpoint.Error as error:
        print(error)
