#!/bin/sh
# The classes of superpoints on labelled tiles, and the same after learning again.
#
#   filter/compare/classes/measure.sh            the built-in classes on val and after few labels: cells.csv, the
#                                                tables of README.md and the numbers of pipelines/classes.md
#   filter/compare/classes/measure.sh retrain    learns them again, into out/classes/aerial.safetensors
#   filter/compare/classes/measure.sh FILE       the classes of a file, which are printed and not kept
#   filter/compare/classes/measure.sh renew      after another embedding or recipe: builds, learns, builds the new
#                                                classes in, and measures them
#
# retrain needs `make`, the first and the third `make plugin`. FOREST, a folder of
# forest.py's predictions, and SMRF and CSF, of ground.sh's and csf.py's LAS files,
# are measured beside; without them their rows stay. TILES are other files, without
# .laz, of a SET.
set -eu
cd "$(dirname "$0")/../../.."
data=../shared/data
work=out/classes
here=filter/compare/classes
rules=embed/train/recipes/classes-aerial.yaml
mkdir -p "$work/tiles"
if [ "${1:-}" = renew ]; then
	make
	"$here/measure.sh" retrain
	cp "$work/aerial.safetensors" embed/classes/models/aerial.safetensors
	make plugin
	exec "$here/measure.sh"
fi
if [ "${1:-}" = retrain ]; then
	exec build/pdal superpoint train --classes "$rules" "$data"/train/ahn*.la[sz] "$data"/train/ign*.la[sz] \
		"$data"/train/isprs*.la[sz] "$data"/train/lidarhd*.la[sz] "$work/aerial.safetensors"
fi
v=$data/val
towns="$v/lidarhd_77055_627760 $v/lidarhd_77060_627760 $v/ahn_rgb_delft_small"
: "${SET:=val}"
: "${TILES:=$towns $v/ahn3_cropped_2 $v/ahn4_treemask_plot_11 $v/ahn4_treemask_plot_13 $v/ahn4_treemask_plot_15 \
	$v/isprs_samp23 $v/isprs_samp54 $v/isprs_samp71}"
classes=${1:-aerial}
keep="-cells $here/cells.csv -page $here/README.md -walk pipelines/classes.md"
[ $# -eq 0 ] || keep=
rm -f "$work"/tiles/*.las
for tile in $TILES; do
	build/pdal superpoint segment "$tile.laz" "$work/tiles/$(basename "$tile").las" >&2
done
go build -o "$work/compare" "./$here"
measure() {
	# shellcheck disable=SC2086 # keep is several words
	"$work/compare" -rules "$rules" -classes "$classes" -set "$SET" $keep "$@"
}
measure ${FOREST:+-forest "$FOREST"} ${SMRF:+-ground "SMRF=$SMRF"} ${CSF:+-ground "CSF=$CSF"} "$work"/tiles/*.las
[ "$SET" = val ] || exit 0
for tile in $towns; do
	measure -curve "$work/tiles/$(basename "$tile").las"
done
