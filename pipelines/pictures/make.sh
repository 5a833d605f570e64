#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws village.png, a picture of the page of recipes: a simulated village, its
# true objects, the learned embedding and superpoints; and planes.png, its planar
# superpoints as `mesh` writes them. Needs `make` and, for planes.png, Matplotlib.
#
#   make.sh [folder]     the folder of the pictures, this one without it; another one gets village.png only
set -eu
cd "$(dirname "$0")/../.."
here=pipelines/pictures
to=${1:-$here}
mkdir -p out
go run ./testdata/scanner -points 200000 -density 80 -seed 1 -o out/picture.laz
build/pdal superpoint render --force --panels input,truth,embedding,superpoint --width 300 \
	out/picture.laz "$to/village.png"
rm -f "$to"/.*.superpoint
[ "$to" = $here ] || exit 0
go run ./testdata/scanner -points 400000 -density 40 -seed 1 -o out/picture.laz
build/pdal superpoint segment --force out/picture.laz out/planes.laz
build/pdal superpoint mesh --force out/planes.laz out/planes.stl
python3 $here/planes.py out/planes.stl $here/planes.png
