"""Reads .safetensors files with plain Python and torch, and measures by events."""

import json
import mmap
import statistics
import time

import torch


def read(path):
    """Returns the float32 tensors of a file by name, and its texts."""
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        head = json.loads(file.read(size))
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    tensors = {}
    for name, entry in head.items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            flat = torch.frombuffer(data, dtype=torch.float32, count=(end - begin) // 4, offset=8 + size + begin)
            tensors[name] = flat.reshape(entry["shape"])
    return tensors, head.get("__metadata__", {})


def median_seconds(work, device, repeats=5):
    """The median time of work: by events on a GPU, after one run that is not counted."""
    seconds = []
    for _ in range(repeats + 1):
        if device.type == "cuda":
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            work()
            end.record()
            end.synchronize()
            seconds.append(begin.elapsed_time(end) / 1000)
        else:
            start = time.perf_counter()
            work()
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def device():
    """The GPU; without one the CPU, for a rehearsal only."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
