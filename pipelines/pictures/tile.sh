#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of pages from two tiles of IGN's LiDAR HD in ../shared/data/val (Etalab 2.0): tile.png
# (superpoints and classes), map.png (classes from above) and out/map, whose layers QGIS drew for objects.png.
# Needs `make plugin` first.
#
#   tile.sh [folder]     the folder of the pictures, this one without it
set -eu
cd "$(dirname "$0")/../.."
tiles=../shared/data/val
[ -d "$tiles" ] || { echo "$tiles is not there; name tiles of yours in this script" >&2; exit 1; }
here=${1:-pipelines/pictures}
mkdir -p out
rm -rf out/map
build/pdal superpoint map --color --resolution 0.5 --class_change all \
	"$tiles/lidarhd_77055_627760.laz" "$tiles/lidarhd_77060_627760.laz" out/map
build/pdal superpoint render --force --panels superpoint,class --tilt 62 --azimuth 20 --width 460 \
	out/map/points/lidarhd_77055_627760.laz "$here/tile.png"
build/pdal pipeline --stdin <<'JSON'
["out/map/points/lidarhd_77055_627760.laz", "out/map/points/lidarhd_77060_627760.laz", {"type": "filters.merge"},
{"type": "writers.las", "filename": "out/map/merged.laz", "minor_version": 4, "extra_dims": "all"}]
JSON
build/pdal superpoint render --force --panels class --tilt 90 --width 640 out/map/merged.laz "$here/map.png"
rm -f "$here"/.*.superpoint
