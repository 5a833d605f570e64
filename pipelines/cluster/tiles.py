#!/usr/bin/python3
"""A survey in tiles of several sizes, one of its runs killed, against the whole at once.

    pipelines/cluster/tiles.py --points 20000000 --tile 600 --tile 400 --tile 250
    pipelines/cluster/tiles.py --tile 200 --tile 120 --tile 60 FILE…

Without files it simulates a village from the air. The run of the first size is killed (SIGKILL) when two tiles
are looked around, started again, and compared byte by byte with a run that was not. Prints one row a run, exits 1
where an id differs from that of the whole. --work keeps the files in a folder, and goes on there.

Environment: SUPERPOINT_PDAL (default: build/pdal), THREADS (1).
"""
import argparse
import glob
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

import clouds

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PDAL = os.environ.get("SUPERPOINT_PDAL", os.path.join(ROOT, "build", "pdal"))
THREADS = os.environ.get("THREADS", "1")


def simulate(work, points):
    path, new = os.path.join(work, "survey.las"), os.path.join(work, "survey.new.las")
    if not os.path.exists(path):
        subprocess.run(["go", "run", "./testdata/scanner", "-scene", "village", "-mode", "aerial", "-seed", "1",
                        "-points", str(points), "-o", new], cwd=ROOT, check=True)
        os.rename(new, path)
    return [path]


def embedded(project):
    folder = os.path.join(project, "embed")
    return sum(n.endswith(".json") for n in os.listdir(folder)) if os.path.isdir(folder) else 0


def run(project, files, tile, kill=False):
    """Plans and runs a survey; returns its row."""
    if not os.path.exists(os.path.join(project, "plan.json")):
        subprocess.run([PDAL, "superpoint", "survey", "plan", "--output", project, "--tile", str(tile), *files],
                       check=True, stdout=subprocess.DEVNULL)
    command = [PDAL, "superpoint", "survey", "run", "--threads", THREADS, project]
    if kill:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and embedded(project) < 2:
            time.sleep(0.02)
        if process.poll() is not None:
            raise SystemExit(f"{project}: it ended before it could be killed; take smaller tiles")
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    merged = json.load(open(os.path.join(project, "merge", "0.json"), encoding="utf-8"))
    marks = [json.load(open(path, encoding="utf-8")) for path in glob.glob(os.path.join(project, "*", "*.json"))]
    return {"tiles": embedded(project), "seconds": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            "memory": max(m.get("memory", 0) for m in marks), "joint": merged["memory"] / merged["points"]}


def whole(work, files, project):
    """The stage, of all files at once."""
    plan = json.load(open(os.path.join(project, "plan.json"), encoding="utf-8"))
    out = os.path.join(work, "whole.las")
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    stages = [*files, {"type": "filters.merge"}, {"type": "filters.superpoint", "threads": int(THREADS)},
              {"type": "writers.las", "filename": out, "minor_version": 4, "forward": "all", "extra_dims": "all",
               "dataformat_id": plan["layout"]["dataformat_id"]}]
    subprocess.run([PDAL, "pipeline", "--stdin"], input=json.dumps(stages), text=True, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime - begin.ru_utime + end.ru_stime - begin.ru_stime
    return clouds.decode(PDAL, plan, out, work, ids=True), seconds, os.path.getsize(out)


def same(keys, ids, other_keys, other_ids):
    """Whether two sets of points are cut alike, and the adjusted Rand index; points with equal records are left out."""
    def once(k, v):
        values, first, count = np.unique(k, return_index=True, return_counts=True)
        return values[count == 1], v[first[count == 1]]
    ka, a = once(keys, ids)
    kb, b = once(other_keys, other_ids)
    if not np.array_equal(ka, kb):
        raise SystemExit("the points are not those of the sources")
    pairs = len(np.unique(a.astype(np.uint64) << np.uint64(32) | b))
    alike = pairs == len(np.unique(a)) == len(np.unique(b))
    return alike, clouds.adjusted_rand(a, b), len(ka) / len(keys)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=2_000_000)
    parser.add_argument("--tile", type=float, action="append", required=True)
    parser.add_argument("--work")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = given.work or temporary
        os.makedirs(work, exist_ok=True)
        files = [os.path.abspath(f) for f in given.files] or simulate(work, given.points)
        rows, failed, reference = [], False, None
        for tile, kill in [(given.tile[0], True)] + [(t, False) for t in given.tile]:
            project = os.path.join(work, f"tiles-{tile:g}{'-killed' if kill else ''}")
            rows.append((tile, run(project, files, tile, kill), project))
            print("killed and started again:" if kill else "", tile, rows[-1][1], file=sys.stderr, flush=True)
        bytes_equal = clouds.same_bytes(rows[0][2], rows[1][2])
        failed |= not bytes_equal
        reference, seconds, _ = whole(work, files, rows[1][2])
        print("| tile, m | tiles | superpoints | every id as of the whole, adjusted Rand index | processor s | "
              "memory of a step, GB | joint step, bytes a point |")
        print("|---|---|---|---|---|---|---|")
        for tile, row, project in rows[1:]:
            keys, ids = clouds.results(PDAL, project)
            alike, index, share = same(keys, ids, *reference)
            failed |= not alike
            print(f"| {tile:g} | {row['tiles']} | {ids.max()} | {'yes' if alike else 'NO'}, {index:.6f} | "
                  f"{row['seconds']:.0f} | {row['memory'] / 1e9:.2f} | {row['joint']:.0f} |", flush=True)
        print(f"| the whole, filters.superpoint | 1 | {len(np.unique(reference[1]))} | | {seconds:.0f} | | |")
        print(f"\n{len(reference[0])} points; points whose record is there once: {100 * share:.2f} %. Files of the run "
              f"that was killed equal to those of the other, byte by byte: {'yes' if bytes_equal else 'NO'}.")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
