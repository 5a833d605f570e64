"""Seconds of the wheel beside those of the stage: `timing.sh` runs it, or one process of it with --segment."""

import json
import os
import statistics
import subprocess
import sys
import time


def segment(path: str) -> None:
    """One process of the wheel's side: reads the file, segments it, prints segment's own seconds."""
    import laspy
    import numpy
    import superpoint

    points = laspy.read(path)
    began = time.perf_counter()
    result = superpoint.segment(numpy.ascontiguousarray(points.xyz))
    seconds = time.perf_counter() - began
    print(json.dumps({"call": seconds, "superpoints": len(result)}))


def stage(path: str) -> list[str]:
    """The stage's side: the same file through PDAL, nothing written."""
    return [os.environ["SUPERPOINT_PDAL"], "translate", path, os.devnull, "superpoint", "--writer", "writers.null"]


def wall(command: list[str]) -> float:
    """Seconds from the start of a process to its end."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main(runs: int, paths: list[str]) -> None:
    """Prints, for each file, the medians of both sides, taken in turns, and the ratio of each turn."""
    print("| file | points | stage, s | wheel, s | wheel / stage: median | least | most |")
    print("|---|---|---|---|---|---|---|")
    for path in paths:
        import laspy

        with laspy.open(path) as file:
            count = file.header.point_count
        wheel = [sys.executable, __file__, "--segment", path]
        wall(stage(path)), wall(wheel)  # the disk's cache
        turns = [(wall(stage(path)), wall(wheel)) for _ in range(runs)]
        theirs, ours = (statistics.median(side) for side in zip(*turns, strict=True))
        ratios = sorted(b / a for a, b in turns)
        name = os.path.basename(path)
        print(
            f"| {name} | {count:,} | {theirs:.2f} | {ours:.2f} |"
            f" {statistics.median(ratios):.2f} | {ratios[0]:.2f} | {ratios[-1]:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1] == "--segment":
        segment(sys.argv[2])
    else:
        main(int(sys.argv[1]), sys.argv[2:])
