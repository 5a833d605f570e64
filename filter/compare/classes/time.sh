#!/bin/bash
# CPU seconds of classes on a tile, one thread, medians of seven turns: PDAL's reading
# and writing alone, the stage without and with classes, and the command segment.
# forest.py writes the forest's into its seconds.json.
#
#   filter/compare/classes/time.sh [TILE.laz]
set -eu
cd "$(dirname "$0")/../../.."
tile=${1:-../shared/data/val/lidarhd_77055_627760.laz}
work=out/classes/time
mkdir -p "$work"
export GOMAXPROCS=1
TIMEFORMAT='%U %S'
all=(--writers.las.minor_version=4 --writers.las.extra_dims=all)
stage=(superpoint "${all[@]}" --filters.superpoint.threads=1)
turn() { # a name, and the command
	local name=$1
	shift
	{ time "$@" >"$work/log" 2>&1; } 2>>"$work/$name"
}
rm -f "$work"/reading "$work"/superpoints "$work"/classes "$work"/command
for _ in 1 2 3 4 5 6 7; do
	turn reading build/pdal translate "$tile" "$work/out.laz" "${all[@]}"
	turn superpoints build/pdal translate "$tile" "$work/out.laz" "${stage[@]}"
	turn classes build/pdal translate "$tile" "$work/out.laz" "${stage[@]}" --filters.superpoint.classes=aerial \
		--filters.superpoint.class_change=all
	turn command build/pdal superpoint segment --threads 1 --classes aerial --class_change all "$tile" "$work/out.laz"
done
for name in reading superpoints classes command; do
	awk '{ printf "%.3f\n", $1 + $2 }' "$work/$name" | sort -n | sed -n "4s/^/$name /p"
done
