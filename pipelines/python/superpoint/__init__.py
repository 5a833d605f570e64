# SPDX-License-Identifier: BSD-3-Clause
"""Superpoints of lidar point clouds, on numpy arrays.

Superpoints are small connected sets of points, each of one object. The functions
are those of PDAL's filters.superpoint and `pdal superpoint`, from the same
library. Only commands that write clouds need PDAL.

>>> import numpy as np, superpoint
>>> x, y = np.meshgrid(np.arange(0, 20, 0.25), np.arange(0, 20, 0.25))
>>> ground = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
>>> roof = ground[ground[:, 0] > 12] + [0, 0, 6]
>>> cloud = np.vstack([ground, roof])
>>> result = superpoint.segment(cloud, target_size=100)
>>> result.ids.dtype, result.ids.min(), result.ids.shape == (len(cloud),)
(dtype('uint32'), np.uint32(1), True)
>>> result.embedding.dtype, len(result.embedding) == len(cloud)
(dtype('float32'), True)
>>> bool(set(result.ids[: len(ground)]) & set(result.ids[len(ground) :]))
False
>>> result.metadata["points"] == len(cloud)
True

Options are those of the stage (filters.superpoint.md); an invalid one raises Error:

>>> superpoint.segment(cloud, target_size=-1)
Traceback (most recent call last):
superpoint.Error: option target_size: -1 is out of range; ...
"""

from ._cloud import Cloud, read
from ._cluster import map, survey
from ._commands import classify, command, evaluate, objects, outline, table, train
from ._library import Error, version
from ._segment import Segmentation, segment

__version__ = version()
__all__ = [
    "Cloud",
    "Error",
    "Segmentation",
    "classify",
    "command",
    "evaluate",
    "map",
    "objects",
    "outline",
    "read",
    "segment",
    "survey",
    "table",
    "train",
]
