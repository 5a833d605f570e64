#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws village.png, a picture of the page of recipes: a simulated village, its
# true objects, the learned embedding and superpoints. Needs `make` first.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p out
go run ./testdata/scanner -points 200000 -density 80 -seed 1 -o out/picture.laz
build/pdal superpoint render --panels input,truth,embedding,superpoint --width 300 \
	out/picture.laz pipelines/pictures/village.png
