# SPDX-License-Identifier: BSD-3-Clause
"""Superpoints in Python: python superpoints.py input.laz

Needs python-pdal (`conda install -c conda-forge python-pdal`, or `pip install pdal`,
which compiles it, where PDAL's headers are) with the plugin installed for the same
PDAL. PDAL_DRIVER_PATH must be set before pdal is imported.
"""

import sys

try:
    import pdal
except ImportError:
    sys.exit("python-pdal is missing; run: conda install -c conda-forge python-pdal")

pipeline = pdal.Reader(sys.argv[1]) | pdal.Filter(type="filters.superpoint", target_size=100)
pipeline.execute()
points = pipeline.arrays[0]  # a numpy array with a field for every dimension
print(len(points), "points in", points["SuperpointID"].max(), "superpoints")
print("embedding of the first:", [float(points[f"Embedding{k}"][0]) for k in range(4)])
