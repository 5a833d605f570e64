#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws village.png, a picture of the page of recipes: a simulated village, its
# true objects, the learned embedding and superpoints; and planes.png, its planar
# superpoints as `mesh` writes them. Needs `make` and, for planes.png, Matplotlib.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p out
go run ./testdata/scanner -points 200000 -density 80 -seed 1 -o out/picture.laz
build/pdal superpoint render --force --panels input,truth,embedding,superpoint --width 300 \
	out/picture.laz pipelines/pictures/village.png
rm -f pipelines/pictures/.*.superpoint
go run ./testdata/scanner -points 400000 -density 40 -seed 1 -o out/picture.laz
build/pdal superpoint segment --force out/picture.laz out/planes.laz
build/pdal superpoint mesh --force out/planes.laz out/planes.stl
python3 pipelines/pictures/planes.py out/planes.stl pipelines/pictures/planes.png
