#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws the pictures of pages again and compares them, byte by byte: village.png, and tile.png and map.png where
# ../shared/data is. Those of Matplotlib (planes.png, recipes) and of QGIS (objects.png, blocks.png, ../qgis/pictures)
# are not compared.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pipelines/pictures/make.sh "$folder"
if [ -d ../shared/data/val ]; then
	pipelines/pictures/tile.sh "$folder"
else
	echo "tile.png and map.png: not compared, ../shared/data/val is not there"
fi
different=0
for picture in "$folder"/*.png; do
	name=$(basename "$picture")
	if cmp -s "$picture" "pipelines/pictures/$name"; then
		echo "$name: equal"
	else
		echo "$name: today's commands draw another one; look at both, and run make.sh or tile.sh" >&2
		different=1
	fi
done
exit $different
