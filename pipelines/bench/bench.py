#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a table: the time of every step of filters.superpoint on one and on two threads, beside VCCS and Lin, and of
commands from a LAZ file to its results, beside filters.smrf and OpenPointClass. All are measured in one run.

    make bench                       simulated tiles of 0.2, 1, 10 and 30 million points
    make bench SIZES=0.2,1           the short one, 4 minutes
    make bench INPUT="a.laz b.laz"   tiles of yours

Times of filters are of the filter alone, from its metadata. Those of commands ("of a file") include the start of the
process, reading and writing. Memory is the peak of the largest process above the peak of a pipeline that only reads,
less the columns the filter adds to PDAL's table.

OpenPointClass is measured where its pcclassify is on the PATH and OPC_MODEL names its model.
"""

import argparse
import csv
import datetime
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

PDAL, FOLDER = "build/pdal", Path("build/bench")  # from the top of the checkout
LAST = Path(__file__).with_name("speed.csv")  # rows of the last release
SMALL, LARGE = 2_000_000, 12_000_000  # points up to which runs are repeated, and other systems are measured
MEAN_SIZE, VOXELS = 100, 7  # mean points of a segment of other methods; voxels along one of VCCS
WRITTEN = 4 + 4 * 4  # bytes of SuperpointID and Embedding0..3, columns of PDAL's table
OF_A_FILE = " of a file"  # ends the names of commands
SUPERPOINT, VCCS = "filters.superpoint", "superpoint, method vccs"
STEPS = ["neighbors", "graph", "embedding", "partition", "output"]
COLUMNS = ["date", "version", "machine", "tile", "points", "what", "threads", "seconds", "points_per_second",
           "bytes_per_point", "superpoints", *STEPS]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def timed(command, text=""):
    """Runs a command with a text as its input; returns its seconds and the peak bytes of its largest process."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=sys.stderr)
    child.stdin.write(text.encode())
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - begin
    if status:
        sys.exit(f"bench: this command failed: {command} {text}")
    return seconds, usage.ru_maxrss * 1024


class Tile:
    """A cloud as uncompressed LAS, so that little time goes to reading. What was made once is kept."""

    def __init__(self, name, again, *command):
        self.name, self.path = name, str(FOLDER / (name + ".las"))
        if again or not os.path.exists(self.path):
            subprocess.run([*command, self.path], check=True, stdout=sys.stderr)
        self.summary = json.loads(output(PDAL, "info", "--summary", self.path))["summary"]
        self.points = self.summary["num_points"]

    def run(self, *stages):
        """Runs stages; returns seconds and peak bytes of the process, and the metadata of filters.superpoint."""
        metadata = FOLDER / "metadata.json"
        pipeline = [{"type": "readers.las", "filename": self.path}, *stages]
        seconds, peak = timed([PDAL, "pipeline", "--stdin", "--metadata", metadata], json.dumps(pipeline))
        return seconds, peak, json.loads(metadata.read_text())["stages"].get(SUPERPOINT)

    def read(self, *stages):
        return self.run(*stages, {"type": "writers.null"})

    def raw(self):
        """Returns a LAZ file of the tile without classes. What was made once is kept."""
        path = FOLDER / (self.name + "_raw.laz")
        if not path.exists() or path.stat().st_mtime < os.path.getmtime(self.path):
            part = path.with_name("part.laz")
            subprocess.run([PDAL, "translate", self.path, part, "assign", "--writers.las.forward=all",
                            "--writers.las.minor_version=4", "--filters.assign.value=Classification = 1"],
                           check=True, stdout=sys.stderr)
            part.rename(path)
        return str(path)

    def seed(self, method):
        """Returns the seed resolution at which a method's segments have the mean size."""
        return self.read({"type": SUPERPOINT, "method": method, "target_size": MEAN_SIZE})[2]["seed_resolution"]


def ours(tile, threads, **options):
    def measure(base):
        _, peak, metadata = tile.read({"type": SUPERPOINT, "threads": threads, **options})
        return {"seconds": metadata["seconds"]["total"], "bytes": (peak - base[1]) / tile.points - WRITTEN,
                "steps": metadata["seconds"], "superpoints": metadata["superpoints"],
                "energy": metadata.get("energy")}
    return measure


def of_pdal(tile, stage):
    """A stage whose metadata has no times: the whole run less one that only reads."""
    def measure(base):
        seconds, peak, _ = tile.read({"type": stage})
        return {"seconds": seconds - base[0], "bytes": (peak - base[1]) / tile.points}
    return measure


def of_file(tile, *command):
    """A command, from the start of its process to its end. {file} and {result} stand for its input and output."""
    def measure(base):
        result = FOLDER / "result"
        shutil.rmtree(result, ignore_errors=True)
        result.mkdir()
        names = {"file": tile.raw(), "result": result}
        seconds, peak = timed([word.format(**names) for word in command])
        shutil.rmtree(result)
        return {"seconds": seconds, "bytes": (peak - base[1]) / tile.points}
    return measure


def commands(tile):
    """Lists commands that people wait for, and those of others."""
    whole = ("--writers.las.forward=all", "--writers.las.minor_version=4")
    for threads in (1, 2):
        for name, result in (("segment", "{result}/out.laz"), ("map", "{result}/map")):
            command = (PDAL, "superpoint", name, "--threads", str(threads), "{file}", result)
            yield name + OF_A_FILE, threads, of_file(tile, *command)
    yield "filters.smrf" + OF_A_FILE, 1, of_file(tile, PDAL, "translate", "{file}", "{result}/out.laz", "smrf", *whole)
    classify, model = shutil.which("pcclassify"), os.environ.get("OPC_MODEL")
    if classify and model:
        yield "OpenPointClass" + OF_A_FILE, os.cpu_count(), of_file(tile, classify, "{file}", "{result}/out.laz", model)


def measured(tile):
    """Measures all systems on a tile."""
    systems = [("superpoint", n, ours(tile, n)) for n in (1, 2)]
    systems += [("superpoint with classes", n, ours(tile, n, classes="aerial")) for n in (1, 2)]
    systems.append(("filters.smrf", 1, of_pdal(tile, "filters.smrf")))
    systems += commands(tile)
    if tile.points <= LARGE:
        vccs, lin = tile.seed("vccs"), tile.seed("lin")
        for n in (1, 2):
            systems += [(VCCS, n, ours(tile, n, method="vccs", seed_resolution=vccs,
                                           voxel_resolution=vccs / VOXELS)),
                        ("superpoint, method lin", n, ours(tile, n, method="lin", seed_resolution=lin))]
    best = {}
    for _ in range(3 if tile.points <= SMALL else 1):
        base = tile.read()
        for name, threads, measure in systems:
            now, was = measure(base), best.get((name, threads))
            peak = max(now["bytes"], was["bytes"] if was else 0)
            if was is None or now["seconds"] < was["seconds"]:
                best[name, threads] = was = now
            was["bytes"] = peak
    one, two = best["superpoint", 1], best["superpoint", 2]
    if (one["superpoints"], one["energy"]) != (two["superpoints"], two["energy"]):
        sys.exit(f"bench: 1 thread gave other superpoints than 2 threads: {one}, {two}")
    return {(tile.name, *key): dict(result, points=tile.points) for key, result in best.items()}


def machine():
    """Names the processor and counts its cores."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(": ", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{(names or [os.uname().machine])[0]}, {os.cpu_count()} cores"


def rows(results, version):
    for (tile, name, threads), r in results.items():
        steps = r.get("steps", {})
        yield [datetime.date.today().isoformat(), version, machine(), tile, r["points"], name, threads,
               f"{r['seconds']:.3f}", f"{r['points'] / r['seconds']:.0f}", f"{r['bytes']:.0f}",
               r.get("superpoints", 0), *(f"{steps.get(s, 0):.3f}" for s in STEPS)]


def times_vccs(key, rates):
    """Returns a speed relative to VCCS on one thread."""
    by = rates.get((key[0], VCCS, 1))
    return f"{rates[key] / by:.2f}" if by and key in rates else ""


def show(results, last):
    """Prints the table, with the speed relative to VCCS in this run and in the last release."""
    rates = {key: r["points"] / r["seconds"] for key, r in results.items()}
    lines = [["tile", "system", "threads", *(s + ", µs/point" for s in STEPS), "total", "points/s", "bytes/point",
              "superpoints", "times VCCS", "last release"]]
    for key, r in results.items():
        micro = [f"{1e6 * r['steps'].get(s, 0) / r['points']:.2f}" if "steps" in r else "" for s in STEPS]
        lines.append([*map(str, key), *micro, f"{1e6 / rates[key]:.2f}", f"{rates[key]:.0f}", f"{r['bytes']:.0f}",
                      str(r.get("superpoints", 0)), times_vccs(key, rates), times_vccs(key, last)])
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print(" | ".join(text.rjust(width) for text, width in zip(line, widths)))


def main():
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("--record", action="store_true", help="put the rows of this run into speed.csv")
    parser.add_argument("--sizes", default="0.2,1,10,30", help="millions of points of simulated tiles")
    parser.add_argument("tiles", nargs="*", help="tiles of yours")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(LAST, newline="", encoding="utf-8") as file:
        before = {(row[3], row[5], int(row[6])): row for row in list(csv.reader(file))[1:]}
    if options.tiles:
        tiles = [Tile(Path(path).stem, True, PDAL, "translate", "--writers.las.forward=all",
                      "--writers.las.minor_version=4", path) for path in options.tiles]
    else:
        scan = ["go", "run", "./testdata/scanner", "-scene", "village", "-mode", "aerial", "-seed", "1", "-points"]
        tiles = [Tile(f"village_{size:g}M", False, *scan, str(round(size * 1e6)), "-o")
                 for size in map(float, options.sizes.split(","))]
    results = {}
    for tile in tiles:
        results.update(measured(tile))
    show(results, {key: float(row[8]) for key, row in before.items()})
    if not options.record:
        return
    version = output(PDAL, "superpoint", "version").split()[1]
    for row in rows(results, version):
        before[row[3], row[5], row[6]] = row
    with open(LAST, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(sorted(before.values(), key=lambda row: [str(v) for v in row[3:7]]))


if __name__ == "__main__":
    main()
