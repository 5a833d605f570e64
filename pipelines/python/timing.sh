#!/bin/sh
# Whole processes of the wheel (Python, laspy, segment) and of the stage (pdal, the same
# file, nothing written), in turns: timing.sh [FILE…], by default a simulated village of
# a million points and two real tiles where they are. After `make test-wheel`; on a quiet machine.
set -eu
cd "$(dirname "$0")/../.."
scan=$PWD/build/wheel/timing.laz
if [ $# = 0 ]; then
	[ -e "$scan" ] || go run ./testdata/scanner -scene village -mode aerial -points 1000000 -seed 1 -o "$scan"
	set -- "$scan"
	for tile in train/ahn3_cropped_1 val/ahn3_cropped_2; do
		[ ! -e "../shared/data/$tile.laz" ] || set -- "$@" "../shared/data/$tile.laz"
	done
fi
SUPERPOINT_PDAL=$PWD/build/pdal build/wheel/test/walk/bin/python pipelines/python/tests/timing.py "${RUNS:-7}" "$@"
