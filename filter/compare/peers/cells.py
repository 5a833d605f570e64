"""cells.py names FILE.las: the rivals' segments in a file, as superpoint compare's systems.
cells.py ours PDAL THREADS FILE.las: seconds of our default model as a row of times.csv, by that launcher of pdal.
cells.py seconds FOLDER: the table of CPU seconds from FOLDER/times.csv."""
import csv
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

NAME = re.compile(r"^(cp|ez|sv)_\w+_\d+$")


def names(path):
    import laspy
    with laspy.open(path) as f:
        print(",".join("id:" + d for d in f.header.point_format.extra_dimension_names if NAME.match(d)))


def ours(pdal, threads, path):
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([pdal, "superpoint", "segment", "--target_size", "100", "--threads", threads, path,
                        os.path.join(folder, "out.laz")], check=True, stdout=subprocess.DEVNULL)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{os.path.basename(path)},ours_100,,{wall:.3f},{cpu:.3f}")


def seconds(folder):
    clouds, systems = {}, set()
    with open(os.path.join(folder, "times.csv"), newline="") as f:
        for cloud, name, _, _, cpu in csv.reader(f):
            system = name.rsplit("_", 1)[0]
            systems.add(system)
            clouds.setdefault(os.path.splitext(cloud)[0], {}).setdefault(system, []).append(float(cpu))
    columns = sorted(systems - {"ours"}) + ["ours"]
    print("| cloud |", " | ".join(f"`{s}`" if s != "ours" else "ours, everything" for s in columns), "|")
    print("|---" * (len(columns) + 1) + "|")
    for cloud, of in sorted(clouds.items()):
        medians = [f"{statistics.median(of[s]):.2f}" if s in of else "–" for s in columns]
        print(f"| {cloud} |", " | ".join(medians), "|")


if __name__ == "__main__":
    {"names": names, "ours": ours, "seconds": seconds}[sys.argv[1]](*sys.argv[2:])
