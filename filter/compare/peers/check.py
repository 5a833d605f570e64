"""Whether the rivals run: a floor and a wall of 2,000 points must come apart."""
import sys
import tempfile

import laspy
import numpy as np

import peers

peers.SIZES = (100,)
random = np.random.default_rng(1)
flat = random.random((2000, 2)) * 4
nothing = np.zeros(1000)
floor = np.column_stack([flat[:1000], nothing])
wall = np.column_stack([flat[1000:, 0], nothing, flat[1000:, 1] + 0.3])
xyz = np.vstack([floor, wall])
with tempfile.TemporaryDirectory() as folder:
    cloud = laspy.LasData(laspy.LasHeader(point_format=6, version="1.4"))
    cloud.header.scales = [1e-3] * 3
    cloud.x, cloud.y, cloud.z = xyz.T
    cloud.write(f"{folder}/in.las")
    systems = [s for s in sys.argv[1:] if s != "sv"]
    sys.argv = ["peers.py", f"{folder}/in.las", f"{folder}/out.las", *systems, "--settings", "plain"]
    peers.main()
    out = laspy.read(f"{folder}/out.las")
    for system in systems:
        ids = np.asarray(out[f"{system}_plain_100"])
        shared = set(ids[:1000]) & set(ids[1000:])
        if len(shared) > 1:
            sys.exit(f"{system}: {len(shared)} segments have points of both floor and wall")
print("ok:", ", ".join(systems))
