#!/bin/sh
# Makes tile.png, the picture of the first page, from a tile of IGN's LiDAR HD in
# ../shared/data/val (Etalab 2.0): intensity, superpoints, classes. Needs `make plugin`
# first. objects.py draws objects.png, what QGIS shows of out/objects.gpkg.
set -eu
cd "$(dirname "$0")/../.."
tile=../shared/data/val/lidarhd_77055_627760.laz
[ -e "$tile" ] || { echo "$tile is not there; name a tile of yours in this script" >&2; exit 1; }
mkdir -p out
build/pdal superpoint segment --classes aerial --class_change all "$tile" out/classified.laz
build/pdal superpoint render --panels intensity,superpoint,class --width 400 out/classified.laz \
	pipelines/pictures/tile.png
build/pdal superpoint objects out/classified.laz out/objects.gpkg
