#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make demo: superpoints of a cloud, the numbers and a picture in out/.
#
# The cloud is INPUT, any file that PDAL reads; or, with SCENE=building, real scans of
# Debian's libcgal-demo; or a simulated scan of a village.
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
elif [ "${SCENE:-}" = building ]; then
	if [ ! -e build/scenes/b9.ply ]; then
		command -v apt-get >/dev/null && command -v dpkg >/dev/null ||
			{ echo "superpoint: SCENE=building comes from Debian's libcgal-demo, which needs apt and dpkg;" \
				"use INPUT=file instead" >&2; exit 1; }
		echo "superpoint: fetching Debian's libcgal-demo (24 MB, once)" >&2
		rm -rf build/scenes.part && mkdir -p build/scenes.part
		(
			cd build/scenes.part
			apt-get -qq -o APT::Sandbox::User="$(id -un)" download libcgal-demo
			dpkg -x libcgal-demo_*.deb .
			tar -xzf usr/share/doc/libcgal-dev/data.tar.gz data/points_3/building.ply data/meshes/b9.ply
			mv data/points_3/building.ply data/meshes/b9.ply .
			rm -rf usr data ./*.deb
		)
		mv build/scenes.part build/scenes
	fi
	demo build/scenes/building.ply building
	demo build/scenes/b9.ply b9
elif [ -n "${SCENE:-}" ]; then
	echo "superpoint: SCENE=$SCENE is unknown; use SCENE=building, INPUT=file, or neither" >&2
	exit 1
else
	if [ ! -e out/scan.laz ]; then
		echo "superpoint: simulating a scan of a village (once)" >&2
		go run ./testdata/scanner -raw -scene village -mode aerial -points 500000 -seed 1 -o out/scan.laz
	fi
	demo out/scan.laz demo
fi
