# SPDX-License-Identifier: BSD-3-Clause
"""Surveys on several machines, by Dask.

A unit of work is a process, `pdal superpoint survey run FOLDER STEP NUMBER`, and a task of Dask. `survey plan --json`
lists the units, which units each needs, and its memory. Nothing here reads points.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Sequence
from typing import Any, Union

from ._library import Error

Unit = dict[str, Any]
Folder = Union[str, "os.PathLike[str]"]

MEMORY = "memory"  # the name of the resource of workers, in bytes
COUNTS = ("points", "tiles", "superpoints", "crossing", "coarser")  # of the mark of step number


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
    units = list_units(project, pdal)
    if client is not None:
        return _Run(client, pdal, os.path.abspath(project), retries).all(units, progress)
    with _local_cluster() as cluster, cluster.get_client() as own:
        if progress:
            print(f"dashboard: {cluster.dashboard_link}", file=sys.stderr)
        return _Run(own, pdal, os.path.abspath(project), retries).all(units, progress)


def list_units(project: Folder, pdal: str = "pdal") -> list[Unit]:
    """Returns the units of a planned survey, each after those that it needs."""
    command = [pdal, "superpoint", "survey", "plan", "--output", os.path.abspath(project), "--json"]
    units: list[Unit] = json.loads(_output(command))["units"]
    return units


def run_unit(pdal: str, project: str, unit: Unit, needed: Sequence[None]) -> dict[str, Any] | None:
    """Runs a unit on a worker. needed are the results of the units that it needs. Returns the counts of step number."""
    threads = _threads() if unit["alone"] else 1
    command = [pdal, "superpoint", "survey", "run", "--threads", str(threads), project, unit["step"],
               str(unit["number"])]
    if shutil.which("setpriv"):  # the process ends if its worker is killed
        command = ["setpriv", "--pdeathsig", "KILL", *command]
    mark: dict[str, Any] = json.loads(_output(command))
    return {name: mark[name] for name in COUNTS if name in mark} if unit["step"] == "number" else None


def _after(needed: Sequence[None]) -> None:
    """Is the task that all units of a step have finished."""


def _output(command: Sequence[str]) -> str:
    """Runs a command and returns what it prints. Raises Error with its last message."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    except OSError as wrong:
        raise Error(f"{command[0]}: {wrong}; install PDAL and the plugin, or name the program with pdal") from wrong
    if done.returncode:
        messages = [line for line in done.stderr.splitlines() if line.strip()]
        last = messages[-1] if messages else "no message"
        raise Error(f"{' '.join(command[-2:])}: exit code {done.returncode}: {last}")
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


class _Run:
    """One run of a survey on a cluster."""

    def __init__(self, client: Any, pdal: str, project: str, retries: int) -> None:
        self.client, self.pdal, self.project, self.retries = client, pdal, project, retries
        self.token = uuid.uuid4().hex  # keys differ between runs: Dask would return the errors of earlier ones

    def all(self, units: list[Unit], progress: bool) -> dict[str, Any]:
        """Runs units and returns the counts of step number."""
        self.check_memory(units)
        futures = self.submit(units)
        self.wait(list(futures.values()), progress)
        self.check_failures(futures)
        counts: dict[str, Any] = futures["number 0"].result()
        return counts

    def check_memory(self, units: list[Unit]) -> None:
        """Raises Error unless a worker has the memory of the largest unit; Dask would wait forever."""
        self.client.wait_for_workers(1)
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        most = max(worker["resources"].get(MEMORY, 0) for worker in workers)
        if most == 0:
            raise Error('no worker of Dask has a resource "memory"; start workers with --resources memory=64e9 '
                        "(bytes), those of LocalCluster with resources={'memory': 64e9}")
        for unit in units:
            if not unit["done"] and unit["memory"] > most:
                need = f"{unit['memory'] / 1e9:.1f} GB"
                raise Error(f"{_name(unit)} needs about {need}, and the largest worker has {most / 1e9:.1f} GB; "
                            "start one with more memory, or plan smaller tiles")

    def submit(self, units: list[Unit]) -> dict[str, Any]:
        """Submits units that have to run, and a task after all units of a step that others need. Returns the tasks by
        name. A finished unit is submitted only for its counts."""
        steps: dict[str, list[Unit]] = {}
        for unit in units:
            steps.setdefault(unit["step"], []).append(unit)
        futures: dict[str, Any] = {}
        for unit in units:
            if unit["done"] and unit["step"] != "number":
                continue
            needed = []
            for name in unit["needs"]:
                if name in steps and name not in futures:
                    futures[name] = self.after(name, steps[name], futures)
                if name in futures:
                    needed.append(futures[name])
            futures[_name(unit)] = self.client.submit(
                run_unit, self.pdal, self.project, {**unit, "alone": len(steps[unit["step"]]) == 1}, needed,
                key=f"{unit['step']}-{unit['number']}-{self.token}", pure=False, retries=self.retries,
                resources={MEMORY: unit["memory"]})
        return futures

    def after(self, step: str, units: list[Unit], futures: dict[str, Any]) -> Any:
        """Submits the task after all units of a step."""
        pending = [futures[_name(unit)] for unit in units if _name(unit) in futures]
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


def _name(unit: Unit) -> str:
    return f"{unit['step']} {unit['number']}"


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
