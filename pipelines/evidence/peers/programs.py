"""Rivals that are programs: labels at a resolution in metres, from points and colours in a text file.

pcl is VCCS of the Point Cloud Library (partition/vccs/_pcl/pcl_vccs.cpp), yblin the program of Lin et al. 2018
(yblin.cpp), pdal that method in PDAL 2.10, filters.normal and filters.supervoxel with their defaults. The settings are
those that are searched for this repository's vccs and lin; voxels are chosen as its vccs does. A point that a program
leaves without label gets that of the nearest labelled point.
"""
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree


@dataclass(frozen=True)
class Importance:
    """Weights of VCCS."""

    normal: float = 1
    color: float = 0


SETTINGS = {
    "pcl": {
        "normal1": Importance(),
        "normal04": Importance(normal=0.4),
        "color02": Importance(color=0.2),
        "color1": Importance(color=1),
        "color3": Importance(color=3),
    },
    "yblin": {"default": Importance()},
    "pdal": {"default": Importance()},
}
VOXEL_SPACINGS = 1.5   # size of a voxel of VCCS, in median distances to the 4th neighbour
VOXELS_A_SEED = 4      # voxels along a seed resolution, at least


class Programs:
    """The programs of a folder, and a cloud as text in another."""

    def __init__(self, programs, folder, cloud, colors):
        self.programs, self.cloud, self.colored = Path(programs), cloud, colors is not None
        self.spacing = float(np.median(cloud.distances[:, 4]))
        self.text, self.out = Path(folder) / "cloud.txt", Path(folder) / "labels"
        colors = np.zeros(cloud.xyz.shape) if colors is None else colors
        np.savetxt(self.text, np.hstack([cloud.xyz, colors]), fmt=["%.6f"] * 3 + ["%d"] * 3)

    def settings(self, system):
        """Names and settings of a system that the cloud has the dimensions for."""
        return {name: s for name, s in SETTINGS[system].items() if self.colored or not s.color}

    def labels(self, system, setting, resolution):
        """Labels at a resolution, none of them negative."""
        labels = getattr(self, system)(setting, repr(float(resolution)))
        none = labels < 0
        if none.any() and not none.all():
            nearest = cKDTree(self.cloud.xyz[~none]).query(self.cloud.xyz[none])[1]
            labels[none] = labels[~none][nearest]
        return np.maximum(labels, 0)

    def pcl(self, setting, seed):
        """PCL's labels, in which 0 is none."""
        voxel = min(VOXEL_SPACINGS * self.spacing, float(seed) / VOXELS_A_SEED)
        return self.run("pcl_vccs", self.text, voxel, seed, self.out, setting.normal, setting.color,
                        out=f"{self.out}.{seed}") - 1

    def yblin(self, _, resolution):
        """The labels of Lin's authors, who leave no point without."""
        return self.run("yblin", self.text, resolution, self.out, out=self.out)

    def pdal(self, _, resolution):
        """The numbers of PDAL's filters.supervoxel."""
        stages = [
            {"type": "readers.text", "filename": str(self.text), "header": "X Y Z Red Green Blue"},
            {"type": "filters.normal"},
            {"type": "filters.supervoxel", "resolution": float(resolution)},
            {"type": "writers.text", "filename": str(self.out), "order": "ClusterID:0", "keep_unspecified": False,
             "write_header": False},
        ]
        pipeline = self.text.with_suffix(".json")
        pipeline.write_text(json.dumps(stages))
        return self.run("pdal", "pipeline", pipeline, out=self.out)

    def run(self, program, *arguments, out):
        command = [self.programs / program, *arguments]
        subprocess.run([str(a) for a in command], check=True, stdout=subprocess.DEVNULL)
        labels = np.loadtxt(out, dtype=np.int64)
        Path(out).unlink()
        return labels
