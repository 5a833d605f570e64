#!/usr/bin/python3
"""Superpoints of a planned survey on Dask.

    pdal superpoint survey plan --output FOLDER survey/*.laz
    superpoint_dask.py FOLDER                                  # workers on this machine
    superpoint_dask.py FOLDER --scheduler tcp://host:8786      # existing workers

Needs python3-distributed (Debian) and, on every worker, pdal with the superpoint
plugins and FOLDER under the same path. A unit of work is one `pdal superpoint`
process. Finished units are skipped, so the same command continues an interrupted
run. Exit code 1: some units failed; each is named.
"""
import argparse
import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import time


# the steps of `pdal superpoint survey run`, and what each is parallel over
STEPS = [("cut", "sources"), ("embed", "tiles"), ("coarsen", "tiles"), ("merge", "once"), ("refine", "tiles"),
         ("number", "once"), ("label", "tiles"), ("write", "results"),
         ("index", "once")]


class UnitFailed(Exception):
    """A unit of work ended with an error; the text is the message of pdal."""


def die_with_parent():
    """Ends the child when its worker is killed (Linux)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def unit(pdal, folder, step, number, threads, after=None):
    """Runs a step for one source or tile and returns its line of JSON. `after` only orders units."""
    command = [pdal, "superpoint", "survey", "run", "--threads", str(threads), folder, step, str(number)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          preexec_fn=die_with_parent)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise UnitFailed(f"{' '.join(command)}: exit code {done.returncode}: {lines[-1] if lines else 'no message'}")
    return json.loads(done.stdout.splitlines()[-1])


def memory_of_a_tile(plan):
    """Returns the bytes that a process needs: 700 per point of the largest tile, estimated as twice the mean."""
    grid = plan["grid"]
    seen = (1 + 2 * grid["halo"] / grid["size"]) ** 2
    return int(200e6 + 700 * 2 * seen * plan["points"] / max(1, len(plan["tiles"])))


def available_memory():
    with open("/proc/meminfo", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def connect(options, plan):
    from distributed import Client, LocalCluster
    if options.scheduler:
        return Client(options.scheduler, timeout=30)
    fit = max(1, available_memory() // memory_of_a_tile(plan))
    workers = min(options.workers or max(1, (os.cpu_count() or 1) // options.threads), fit)
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=options.dashboard)
    print(f"{workers} workers, {memory_of_a_tile(plan) / 1e9:.1f} GB each; dashboard {cluster.dashboard_link}",
          flush=True)
    return Client(cluster)


def collect(name, futures, progress):
    """Waits for units; returns results, and texts of those that failed."""
    from distributed import as_completed
    results, failures = [], {}
    for done, future in enumerate(as_completed(futures), 1):
        if future.status == "finished":
            results.append(future.result())
        else:
            error = future.exception()
            failures[str(error) or type(error).__name__] = True  # a source that fails does so in all its tiles
        if progress:
            print(f"{name} {done}/{len(futures)}", flush=True)
    return results, list(failures)


def run(options):
    with open(os.path.join(options.folder, "plan.json"), encoding="utf-8") as file:
        plan = json.load(file)
    with connect(options, plan) as client:
        version = str(time.time_ns())  # other keys than in earlier runs, so that failed units are tried again

        order = list(range(len(plan["tiles"])))
        if options.shuffle is not None:
            random.Random(options.shuffle).shuffle(order)
        numbers = {"sources": list(range(len(plan["sources"]))), "tiles": order,
                   "results": list(range(len(plan["results"]))), "once": [0]}
        counted, cuts = None, {}
        for step, over in STEPS:
            futures = {}
            for n in numbers[over]:
                after = [cuts[k] for k in plan["tiles"][n]["sources"]] if step == "embed" else None
                futures[n] = client.submit(unit, options.pdal, options.folder, step, n, options.threads, after=after,
                                           key=f"{step}-{n}-{version}", retries=options.retries, pure=False)
            if step == "cut":  # a tile begins when its own sources are cut
                cuts = futures
                continue
            done, failures = collect(step, list(futures.values()), not options.quiet)
            if failures:
                return None, failures
            counted = done[0] if step == "number" else counted
        return counted, []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="folder of a plan")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; without it, workers start here")
    parser.add_argument("--workers", type=int, default=0,
                        help="workers to start here (default: as many as cores and memory allow)")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process")
    parser.add_argument("--retries", type=int, default=2, help="times a failed unit is tried again")
    parser.add_argument("--pdal", default="pdal", help="the pdal of the workers")
    parser.add_argument("--dashboard", default=":0", help="address of the dashboard of workers started here")
    parser.add_argument("--shuffle", type=int, help="seed of a random order of tiles (the result is the same)")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)
    begin = time.time()
    counted, failures = run(options)
    for failure in failures:
        print("failed:", failure, file=sys.stderr)
    if failures:
        print("fix the cause and rerun the same command; finished units are kept", file=sys.stderr)
        return 1
    print(json.dumps({**counted, "wall_seconds": round(time.time() - begin, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
