"""What the tests compare: points as bytes, ids, and partitions."""
import glob
import json
import os
import subprocess

import numpy as np

BASE = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67]  # bytes of a record by point format (LAS 1.4 R15)


def pipeline(pdal, stages):
    subprocess.run([pdal, "pipeline", "--stdin"], input=json.dumps(stages), text=True, check=True)


def read(path, ids=False):
    """Hashes of the records' original part, and the ids in their extra bytes."""
    with open(path, "rb") as file:
        head = file.read(375)
        start, length = int.from_bytes(head[96:100], "little"), int.from_bytes(head[105:107], "little")
        count, base = int.from_bytes(head[247:255], "little"), BASE[head[104]]
        file.seek(start)
        records = np.frombuffer(file.read(count * length), np.uint8).reshape(count, length)
    weights = np.random.default_rng(7).integers(1, 2**63, base, np.uint64)
    key = np.zeros(count, np.uint64)
    for column in range(base):  # wraps around 2^64
        key = (key + records[:, column].astype(np.uint64) + np.uint64(1)) * weights[column]
        key ^= key >> np.uint64(29)
    return key, np.ascontiguousarray(records[:, base:base + 4]).view("<u4")[:, 0] if ids else None


def decode(pdal, plan, path, folder, ids=False):
    """A cloud as (hashes, ids), through LAS in the plan's layout."""
    las = os.path.join(folder, "decoded.las")
    layout = plan["layout"]
    writer = {"type": "writers.las", "filename": las, "minor_version": 4, "dataformat_id": layout["dataformat_id"],
              "forward": "all"}
    for k, axis in enumerate("xyz"):
        writer[f"scale_{axis}"], writer[f"offset_{axis}"] = layout["scale"][k], layout["offset"][k]
    if ids:
        writer["extra_dims"] = "SuperpointID=uint32"
    pipeline(pdal, [path, writer])
    found = read(las, ids)
    os.remove(las)
    return found


def sources(pdal, project):
    plan = json.load(open(os.path.join(project, "plan.json"), encoding="utf-8"))
    parts = [decode(pdal, plan, s["path"], project)[0] for s in plan["sources"]]
    return np.concatenate(parts)


def results(pdal, project):
    plan = json.load(open(os.path.join(project, "plan.json"), encoding="utf-8"))
    parts = [decode(pdal, plan, path, project, ids=True)
             for path in sorted(glob.glob(os.path.join(project, "out", "*.laz")))]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def same_bytes(a, b):
    """Whether two projects have the same result files, byte by byte."""
    names = sorted(os.path.basename(p) for p in glob.glob(os.path.join(a, "out", "*.laz")))
    if not names or names != sorted(os.path.basename(p) for p in glob.glob(os.path.join(b, "out", "*.laz"))):
        return False
    return all(open(os.path.join(a, "out", n), "rb").read() == open(os.path.join(b, "out", n), "rb").read()
               for n in names)


def adjusted_rand(a, b):
    """Hubert and Arabie 1985."""
    def pairs(v):
        count = np.unique(v, return_counts=True)[1].astype(float)
        return float((count * (count - 1) / 2).sum())

    both, left, right = pairs(a.astype(np.uint64) << np.uint64(32) | b), pairs(a), pairs(b)
    expected = left * right / (len(a) * (len(a) - 1) / 2)
    return (both - expected) / ((left + right) / 2 - expected)


def compare(keys_a, ids_a, keys_b, ids_b):
    """Adjusted Rand index over the points whose record is unique in both."""
    def unique(keys, ids):
        values, first, count = np.unique(keys, return_index=True, return_counts=True)
        once = count == 1
        return values[once], ids[first[once]]
    ka, ia = unique(keys_a, ids_a)
    kb, ib = unique(keys_b, ids_b)
    _, at, bt = np.intersect1d(ka, kb, assume_unique=True, return_indices=True)
    return adjusted_rand(ia[at], ib[bt]), len(at) / len(keys_a)
