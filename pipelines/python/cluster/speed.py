# SPDX-License-Identifier: BSD-3-Clause
"""Compares one worker of Dask with two over the same survey: speed.py PAIRS TILE FOLDER FILE…

The runs alternate. Workers are processes with one thread. SUPERPOINT_PDAL is the program.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import superpoint
from distributed import LocalCluster

PDAL = os.environ["SUPERPOINT_PDAL"]


def seconds(workers: int, tile: str, folder: Path, files: list[str]) -> float:
    """Plans a survey and returns the time of its run."""
    folder.mkdir(parents=True, exist_ok=True)
    project = folder / f"workers{workers}"
    shutil.rmtree(project, ignore_errors=True)
    subprocess.run([PDAL, "superpoint", "survey", "plan", "--output", project, "--tile", tile, *files], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with LocalCluster(n_workers=workers, threads_per_worker=1, resources={"memory": 8e9},
                      dashboard_address=":0") as cluster, cluster.get_client() as client:
        client.wait_for_workers(workers)
        begin = time.monotonic()
        superpoint.survey(project, client, pdal=PDAL)
        return time.monotonic() - begin


def main() -> None:
    pairs, tile, folder, *files = sys.argv[1:]
    ratios = []
    for pair in range(int(pairs)):
        order = (1, 2) if pair % 2 == 0 else (2, 1)
        took = {workers: seconds(workers, tile, Path(folder), files) for workers in order}
        ratios.append(took[1] / took[2])
        print(f"one worker {took[1]:.1f} s, two {took[2]:.1f} s, speed-up {ratios[-1]:.2f}, load "
              f"{os.getloadavg()[0]:.1f}", flush=True)
    print(f"median speed-up {statistics.median(ratios):.2f} of {len(ratios)} pairs")


if __name__ == "__main__":
    main()
