#!/bin/sh
# The classes of superpoints on labelled tiles, and the same after learning again.
#
#   filter/compare/classes/measure.sh                     the built-in classes on val
#   filter/compare/classes/measure.sh retrain             learns them again, into out/classes/aerial.safetensors
#   filter/compare/classes/measure.sh out/classes/aerial.safetensors
#   TILES="../shared/data/test/ign_726831_6764269_pont" filter/compare/classes/measure.sh
#
# retrain needs `make`, the others `make plugin`. FOREST, a folder of forest.py's
# predictions, and OTHER, one of other programs' LAS files, are measured beside.
set -eu
cd "$(dirname "$0")/../../.."
data=../shared/data
work=out/classes
rules=embed/train/recipes/classes-aerial.yaml
mkdir -p "$work"
if [ "${1:-}" = retrain ]; then
	exec build/pdal superpoint train --classes "$rules" "$data"/train/ahn*.la[sz] "$data"/train/ign*.la[sz] \
		"$data"/train/isprs*.la[sz] "$data"/train/lidarhd*.la[sz] "$work/aerial.safetensors"
fi
v=$data/val
: "${TILES:=$v/lidarhd_77055_627760 $v/lidarhd_77060_627760 $v/ahn3_cropped_2 $v/ahn_rgb_delft_small}"
rm -f "$work"/*.las
for tile in $TILES; do
	build/pdal superpoint segment "$tile.laz" "$work/$(basename "$tile").las" >&2
done
set -- -rules "$rules" -classes "${1:-aerial}"
[ -z "${FOREST:-}" ] || set -- "$@" -forest "$FOREST"
[ -z "${OTHER:-}" ] || set -- "$@" -other "$OTHER"
go run ./filter/compare/classes "$@" "$work"/*.las
