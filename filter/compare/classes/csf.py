"""Ground by the cloth simulation filter (Zhang et al. 2016, doi:10.3390/rs8060501), as
its authors package it, to compare classes with. Needs cloth-simulation-filter, numpy
and laspy[lazrs]:

    python csf.py --output folder A.laz B.laz

It writes NAME.las with the classes 2 (ground) and 1; for main.go's -ground.
"""
import argparse
import os
import time

import CSF
import laspy
import numpy as np


def ground(path, resolution, steep):
    las = laspy.read(path)
    csf = CSF.CSF()
    csf.params.cloth_resolution, csf.params.bSloopSmooth = resolution, steep
    csf.setPointCloud(np.stack([las.x, las.y, las.z], 1))
    found, other = CSF.VecInt(), CSF.VecInt()
    csf.do_filtering(found, other, False)
    classes = np.ones(len(las.x), np.uint8)
    classes[np.array(found)] = 2
    return las, classes


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("files", nargs="+")
    p.add_argument("--output", required=True, help="folder")
    p.add_argument("--resolution", type=float, default=0.5, help="of the cloth, in metres")
    p.add_argument("--steep", action="store_true", help="smooth slopes afterwards")
    a = p.parse_args()
    os.makedirs(a.output, exist_ok=True)
    for path in a.files:
        start = time.process_time()
        las, classes = ground(path, a.resolution, a.steep)
        print(os.path.basename(path), f"{time.process_time() - start:.1f} s of CPU")
        las.classification = classes
        las.write(os.path.join(a.output, os.path.splitext(os.path.basename(path))[0] + ".las"))


if __name__ == "__main__":
    main()
