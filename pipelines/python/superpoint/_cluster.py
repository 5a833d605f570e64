# SPDX-License-Identifier: BSD-3-Clause
"""Surveys and maps on several machines, by Dask.

A unit of work is a process of `pdal superpoint`, and a task of Dask. `survey plan --json` lists the units of a survey,
which of them each needs, and its memory. Nothing here reads points.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import struct
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from ._commands import flags
from ._library import Error

Folder = Union[str, "os.PathLike[str]"]

MEMORY = "memory"  # the name of the resource of workers, in bytes
COUNTS = ("points", "tiles", "superpoints", "crossing", "coarser")  # of the mark of step number
BYTES_OF_TILE, BYTES_OF_POINT = 150e6, 600.0  # memory of segment with classes, and of map, which reads tile by tile


@dataclass
class Unit:
    """A process of pdal, and a task of Dask."""

    step: str
    number: int
    command: list[str]
    needs: list[str]  # names of units, or of steps: all units of it
    memory: float  # bytes
    done: bool = False

    @property
    def name(self) -> str:
        return f"{self.step} {self.number}"


def survey(
    project: Folder, client: Any = None, *, pdal: str = "pdal", retries: int = 1, progress: bool = False
) -> dict[str, Any]:
    """Runs all unfinished steps of a planned survey on Dask and returns its counts of points and superpoints.

    project   the folder of the plan, which all workers have under this path
    client    a client of Dask whose workers have a resource `memory`, in bytes; None: a worker is started here
    pdal      the program, on the workers too
    retries   how often a process that fails is started again
    progress  draw Dask's progress bar
    """
    mark = json.loads(_run(list_units(project, pdal), "number 0", client, pdal, retries, progress))
    return {name: mark[name] for name in COUNTS if name in mark}


def map(
    inputs: Sequence[Folder],
    folder: Folder,
    client: Any = None,
    *,
    stage: Mapping[str, Any] | None = None,
    pdal: str = "pdal",
    retries: int = 1,
    progress: bool = False,
    **options: Any,
) -> Path:
    """Makes a map of tiles, as `pdal superpoint map`: the points of each tile in a task of Dask, and objects, rasters
    and report in a last one. Returns the folder.

    inputs    LAS and LAZ files, which all workers have under these paths
    stage     options of the stage, such as {"target_size": 100}
    options   other options of `pdal superpoint map`, such as resolution
    client, pdal, retries, progress   as of survey
    """
    units = map_units(inputs, folder, stage or {}, options)
    os.makedirs(os.path.join(folder, "points"), exist_ok=True)
    _run(units, units[-1].name, client, pdal, retries, progress)
    return Path(folder)


def list_units(project: Folder, pdal: str = "pdal") -> list[Unit]:
    """Returns the units of a planned survey, each after those that it needs."""
    path = os.path.abspath(project)
    command = [pdal, "superpoint", "survey", "plan", "--output", path, "--json"]
    listed = json.loads(_output("survey plan", command))["units"]
    return [
        Unit(u["step"], u["number"], ["survey", "run", path, u["step"], str(u["number"])], u["needs"], u["memory"],
             u["done"])
        for u in listed
    ]


def map_units(
    inputs: Sequence[Folder], folder: Folder, stage: Mapping[str, Any], options: Mapping[str, Any]
) -> list[Unit]:
    """Returns the units of a map: one for each tile, and map, which keeps their results."""
    files = [os.path.abspath(path) for path in inputs]
    if not files:
        raise Error("map: no file is given")
    path = os.path.abspath(folder)
    of_stage = flags({"classes": "aerial", **stage})
    units = [
        Unit("tile", n, ["segment", *of_stage, file, os.path.join(path, "points", os.path.basename(file))], [],
             BYTES_OF_TILE + BYTES_OF_POINT * _points(file))
        for n, file in enumerate(files)
    ]
    most = max(unit.memory for unit in units)
    return [*units, Unit("map", 0, ["map", *of_stage, *flags(options), *files, path], ["tile"], most)]


def _points(path: str) -> int:
    """Returns the number of points by the header of a LAS or LAZ file."""
    try:
        with open(path, "rb") as file:
            head = file.read(255)
    except OSError as wrong:
        raise Error(f"{path}: {wrong.strerror}; name LAS or LAZ files") from wrong
    if head[:4] != b"LASF" or len(head) < 227:
        raise Error(f"{path}: it is no LAS or LAZ; convert it with pdal translate, or run pdal superpoint map")
    if head[25] >= 4 and len(head) == 255:
        count: int = struct.unpack_from("<Q", head, 247)[0]
        return count
    count = struct.unpack_from("<I", head, 107)[0]
    return count


def run_unit(name: str, command: Sequence[str], alone: bool, needed: Sequence[None], last: bool) -> str | None:
    """Runs a unit on a worker. needed are the results of the units that it needs. Returns what the last one prints."""
    threads = _threads() if alone else 1
    command = [*command, f"--threads={threads}"]
    if shutil.which("setpriv"):  # the process ends if its worker is killed
        command = ["setpriv", "--pdeathsig", "KILL", *command]
    printed = _output(name, command)
    return printed if last else None


def _after(needed: Sequence[None]) -> None:
    """Is the task that all units of a step have finished."""


def _output(name: str, command: Sequence[str]) -> str:
    """Runs a command and returns what it prints. Raises Error with its last message, after a name."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    except OSError as wrong:
        raise Error(f"{command[0]}: {wrong}; install PDAL and the plugin, or name the program with pdal") from wrong
    if done.returncode:
        messages = [line for line in done.stderr.splitlines() if line.strip()]
        last = messages[-1] if messages else "no message"
        raise Error(f"{name}: exit code {done.returncode}: {last}")
    return done.stdout


def _threads() -> int:
    """Returns the number of threads of this worker."""
    from distributed import get_worker

    threads: int = get_worker().state.nthreads
    return threads


def _local_cluster() -> Any:
    """Starts a worker in this process that has all cores and all memory, so that the largest units fit."""
    _require()
    from dask.system import CPU_COUNT
    from distributed import LocalCluster
    from distributed.system import MEMORY_LIMIT

    return LocalCluster(processes=False, n_workers=1, threads_per_worker=CPU_COUNT, resources={MEMORY: MEMORY_LIMIT},
                        silence_logs=logging.CRITICAL)  # what fails is raised


def _require() -> None:
    """Raises Error unless Dask is installed."""
    try:
        import distributed  # noqa: F401
    except ImportError as wrong:
        raise Error("Dask is missing; install it with pip install 'superpoint[cluster]'") from wrong


def _run(units: list[Unit], last: str, client: Any, pdal: str, retries: int, progress: bool) -> str:
    """Runs units on a cluster and returns what the one named last prints."""
    if client is not None:
        return _Run(client, pdal, last, retries).all(units, progress)
    with _local_cluster() as cluster, cluster.get_client() as own:
        if progress:
            print(f"dashboard: {cluster.dashboard_link}", file=sys.stderr)
        return _Run(own, pdal, last, retries).all(units, progress)


class _Run:
    """One run on a cluster."""

    def __init__(self, client: Any, pdal: str, last: str, retries: int) -> None:
        self.client, self.pdal, self.last, self.retries = client, pdal, last, retries
        self.token = uuid.uuid4().hex  # keys differ between runs: Dask would return the errors of earlier ones

    def all(self, units: list[Unit], progress: bool) -> str:
        """Runs units and returns what the last one prints."""
        self.check_memory(units)
        futures = self.submit(units)
        self.wait(list(futures.values()), progress)
        self.check_failures(futures)
        printed: str = futures[self.last].result()
        return printed

    def check_memory(self, units: list[Unit]) -> None:
        """Raises Error unless a worker has the memory of the largest unit; Dask would wait forever."""
        self.client.wait_for_workers(1)
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        most = max((worker["resources"].get(MEMORY, 0) for worker in workers), default=0)
        if most == 0:
            raise Error('no worker of Dask has a resource "memory"; start workers with --resources memory=64e9 '
                        "(bytes), those of LocalCluster with resources={'memory': 64e9}")
        for unit in units:
            if not unit.done and unit.memory > most:
                raise Error(f"{unit.name} needs about {unit.memory / 1e9:.1f} GB, and the largest worker has "
                            f"{most / 1e9:.1f} GB; start one with more memory, or plan smaller tiles")

    def submit(self, units: list[Unit]) -> dict[str, Any]:
        """Submits units that have to run, and a task after all units of a step that others need. Returns the tasks by
        name. If the last unit is done, it is submitted for what it prints."""
        steps: dict[str, list[Unit]] = {}
        for unit in units:
            steps.setdefault(unit.step, []).append(unit)
        futures: dict[str, Any] = {}
        for unit in units:
            if unit.done and unit.name != self.last:
                continue
            needed = []
            for name in unit.needs:
                if name in steps and name not in futures:
                    futures[name] = self.after(name, steps[name], futures)
                if name in futures:
                    needed.append(futures[name])
            futures[unit.name] = self.client.submit(
                run_unit, unit.name, [self.pdal, "superpoint", *unit.command], len(steps[unit.step]) == 1, needed,
                unit.name == self.last, key=f"{unit.step}-{unit.number}-{self.token}", pure=False,
                retries=self.retries, resources={MEMORY: unit.memory})
        return futures

    def after(self, step: str, units: list[Unit], futures: dict[str, Any]) -> Any:
        """Submits the task after all units of a step."""
        pending = [futures[unit.name] for unit in units if unit.name in futures]
        return self.client.submit(_after, pending, key=f"all-{step}-{self.token}", pure=False)

    def wait(self, futures: list[Any], progress: bool) -> None:
        """Waits until all tasks have finished or failed."""
        import distributed

        if progress:
            distributed.progress(futures, notebook=False)
        distributed.wait(futures)

    def check_failures(self, futures: dict[str, Any]) -> None:
        """Raises Error if units have failed. Tasks that need them have their error."""
        failures: dict[str, None] = {}
        for future in futures.values():
            if future.status != "finished":
                failures[_cause(future)] = None
        if not failures:
            return
        first = next(iter(failures))
        raise Error(f"{len(failures)} of {len(futures)} tasks failed, the first: {first}; fix the cause and run again: "
                    "finished work is kept")


def _cause(future: Any) -> str:
    """Returns the message of a task that failed."""
    wrong = future.exception()
    return str(wrong) or type(wrong).__name__


def main(arguments: Sequence[str] | None = None) -> int:
    """Is python -m superpoint.survey."""
    parser = argparse.ArgumentParser(
        prog="python -m superpoint.survey", description="Runs all unfinished steps of a planned survey on Dask.")
    parser.add_argument("project", help="folder of the plan")
    parser.add_argument("--scheduler", help="address of Dask's scheduler (default: a worker is started here)")
    parser.add_argument("--pdal", default="pdal", help="the program, on the workers too")
    parser.add_argument("--retries", type=int, default=1, help="how often a process that fails is started again")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    given = parser.parse_args(arguments)
    try:
        counts = survey(given.project, _connect(given.scheduler), pdal=given.pdal, retries=given.retries,
                        progress=not given.quiet)
    except Error as wrong:
        print(f"superpoint: {wrong}", file=sys.stderr)
        return 1
    print(json.dumps(counts))
    return 0


def _connect(scheduler: str | None) -> Any:
    """Returns a client of a scheduler; None for none."""
    if scheduler is None:
        return None
    _require()
    from distributed import Client

    try:
        return Client(scheduler)
    except OSError as wrong:
        raise Error(f"{scheduler}: {wrong}; give the address that dask scheduler prints") from wrong
