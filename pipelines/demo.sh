#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make demo: superpoints of a cloud, the numbers and a picture in out/.
#
# The cloud is INPUT, any file that PDAL reads, or a simulated scan of a village.
set -eu
cd "$(dirname "$0")/.."
pdal=$PWD/build/pdal
mkdir -p out

# Segments $1 into out/$2.laz, which prints the numbers, and draws out/$2.png.
demo() {
	case $1 in -*) input=./$1 ;; *) input=$1 ;; esac
	output=out/$2.laz
	rm -f "out/$2.laz" "out/$2.las"
	"$pdal" superpoint segment --color true "$input" "$output"
	# PDAL 2.2 cannot write some classes above 31 to LAZ, but can to LAS.
	[ -e "$output" ] || output=out/$2.las
	"$pdal" superpoint render "$output" "out/$2.png"
	echo
	echo "points with ids, embedding and colours: $output"
	echo "picture:                                out/$2.png"
}

if [ -n "${INPUT:-}" ]; then
	[ -r "$INPUT" ] || { echo "superpoint: INPUT=$INPUT cannot be read" >&2; exit 1; }
	demo "$INPUT" demo
else
	if [ ! -e out/scan.laz ]; then
		echo "superpoint: simulating a scan of a village (once)" >&2
		go run ./testdata/scanner -raw -scene village -mode aerial -points 500000 -seed 1 -o out/scan.laz
	fi
	demo out/scan.laz demo
fi
