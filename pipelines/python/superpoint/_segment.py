# SPDX-License-Identifier: BSD-3-Clause
"""The function segment and its result."""

from __future__ import annotations

import ctypes as c
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ._cloud import Cloud, CloudLike
from ._host import Host, Progress
from ._library import library, settings, texts

# The library's names of types.
_TYPES: dict[str, Any] = {
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "int32": np.int32,
    "float": np.float32,
    "double": np.float64,
}


@dataclass(eq=False, repr=False)
class Segmentation:
    """The superpoints of a cloud of n points."""

    ids: npt.NDArray[np.uint32]  # (n,): 1, 2, 3, … without gaps
    embedding: npt.NDArray[np.float32]  # (n, m): learned unit vectors; m = 0 with embedding=False
    metadata: dict[str, Any]  # as in the metadata of the stage
    columns: dict[str, npt.NDArray[Any]] = field(default_factory=dict)  # further outputs, such as SuperpointColor
    options: dict[str, Any] = field(default_factory=dict)  # given to segment, which classify uses again

    def __len__(self) -> int:
        return int(self.metadata.get("superpoints", 0))  # not the largest id: ids begin at first_id

    def __repr__(self) -> str:
        further = ", ".join(["", *self.columns])
        return (f"Segmentation({len(self)} superpoints of {len(self.ids)} points, ids, embedding of "
                f"{self.embedding.shape[1]} columns{further}, metadata)")


def segment(
    points: CloudLike,
    *,
    colour: Any = None,
    dimensions: Mapping[str, Any] | None = None,
    srs: Any = None,
    unit: float | None = None,
    progress: Progress = False,
    **options: Any,
) -> Segmentation:
    """Divides points into superpoints.

    points      see Cloud.of: (n, 3), three columns, laspy, Open3D, the name of a file, …
    colour      (n, 3): 8 or 16 bit integers, or floats in [0, 1]
    dimensions  further columns by PDAL's names, such as {"Intensity": array}
    srs         spatial reference: well-known text, or a CRS of pyproj; without one, metres
    unit        metres per unit of the coordinates, instead of srs
    progress    True: tqdm bars, if tqdm is installed; or a function of step and fraction
    options     those of filters.superpoint: target_size=100, model="aerial", …

    Ctrl-C raises KeyboardInterrupt. An exception of the function progress cancels the
    call and is raised. Several threads may call segment at the same time.

    >>> steps = set()
    >>> segment(np.zeros((5, 3)), model="geometric", progress=lambda step, _: steps.add(step))
    Segmentation(1 superpoints of 5 points, ids, embedding of ... columns, metadata)
    >>> "partition" in steps
    True
    """
    cloud = Cloud.of(points, colour=colour, dimensions=dimensions, srs=srs, unit=unit)
    host = Host(progress)
    handle = host.call("sp_open", *texts("option", settings(options)))
    try:
        inputs, outputs = _describe(host, handle, cloud.available())
        buffer = cloud.lend(inputs)
        host.call("sp_segment", handle, c.byref(buffer.c))
        made = _result(host, handle, len(cloud), outputs)
        made.options = options
        return made
    finally:
        library().sp_close(handle)


def _describe(host: Host, handle: int, available: bytes) -> tuple[list[str], dict[str, str]]:
    """Returns the dimensions that are read, and those that are written, with their types."""
    described = host.text(lambda error: library().sp_describe(handle, available, c.byref(host.c), error))
    inputs: list[str] = []
    outputs: dict[str, str] = {}
    for line in described.splitlines():
        role, name, kind = line.split(" ")
        if role == "output":
            outputs[name] = kind
        else:
            inputs.append(name)
    return inputs, outputs


def _result(host: Host, handle: int, count: int, outputs: dict[str, str]) -> Segmentation:
    values = np.empty(count)

    def fetch(name: str) -> npt.NDArray[np.float64]:
        host.finish(lambda error: library().sp_output(handle, name.encode(), values.ctypes.data, count, error))
        return values

    names = list(outputs)
    ids = fetch(names[0]).astype(np.uint32)
    features = [name for name in names if name[:9] == "Embedding" and name[9:].isdigit()]
    embedding = np.empty((count, len(features)), np.float32)
    for k, name in enumerate(features):
        embedding[:, k] = fetch(name)
    columns = {name: _typed(fetch(name), _TYPES[outputs[name]]) for name in names[1:] if name not in features}
    text = host.text(lambda error: library().sp_metadata(handle, error))
    members = (line.split(" ", 1) for line in text.splitlines())
    return Segmentation(ids, embedding, {name: json.loads(value) for name, value in members}, columns)


def _typed(values: npt.NDArray[np.float64], kind: Any) -> npt.NDArray[Any]:
    """Returns a copy, in the type of a dimension unless votes or classes that are kept do not fit into integers."""
    with np.errstate(invalid="ignore"):
        typed = values.astype(kind)
    return typed if kind in (np.float32, np.float64) or np.array_equal(typed, values) else values.copy()
