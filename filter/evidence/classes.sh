#!/bin/sh
# The classes of superpoints on labelled tiles of val, and after few labels, into
# cells/classes.csv:
#
#   filter/evidence/classes.sh            the built-in classes
#   filter/evidence/classes.sh retrain    learns them again, into out/classes/aerial.safetensors
#   filter/evidence/classes.sh renew      that, builds the new classes in, and measures them
#
# retrain needs `make`, the first `make plugin`. FOREST, a folder of forest.py's
# predictions, is measured beside; without it the forest's rows stay:
#
#   D=../shared/data
#   python filter/evidence/forest.py --train $D/train/ign_6*.laz $D/train/lidarhd*.laz \
#       --test $D/val/lidarhd*.laz $D/val/ahn_rgb*.laz $D/val/ahn3*.laz --predictions forest
set -eu
cd "$(dirname "$0")/../.."
data=../shared/data
work=out/classes
rules=embed/train/recipes/classes-aerial.yaml
mkdir -p "$work/tiles" "$work/smrf"
case ${1:-} in
retrain)
	exec build/pdal superpoint train --classes "$rules" "$data"/train*/ahn*.la[sz] "$data"/train*/ign*.la[sz] \
		"$data"/train*/isprs*.la[sz] "$data"/train*/lidarhd*.la[sz] "$work/aerial.safetensors"
	;;
renew)
	make && "$0" retrain
	cp "$work/aerial.safetensors" embed/classes/models/aerial.safetensors
	make plugin
	;;
esac
v=$data/val
towns="$v/lidarhd_77055_627760 $v/lidarhd_77060_627760 $v/ahn_rgb_delft_small"
rm -f "$work"/tiles/*.las
for tile in $towns "$v/ahn3_cropped_2" "$v/ahn4_treemask_plot_11" "$v/ahn4_treemask_plot_13" \
	"$v/ahn4_treemask_plot_15" "$v/isprs_samp23" "$v/isprs_samp54" "$v/isprs_samp71"; do
	build/pdal superpoint segment "$tile.laz" "$work/tiles/$(basename "$tile").las" >&2
done
# Ground by SMRF, which may not see the classes, and refuses echoes of number 0.
for tile in "$v"/lidarhd_*.laz "$v"/ahn_*.laz "$v"/ahn3_*.laz "$v"/isprs_*.laz; do
	build/pdal pipeline --stdin <<-END
		["$tile",
		 {"type": "filters.assign", "assignment": "Classification[:]=1"},
		 {"type": "filters.assign", "assignment": "NumberOfReturns[0:0]=1"},
		 {"type": "filters.assign", "assignment": "ReturnNumber[0:0]=1"},
		 {"type": "filters.smrf"},
		 "$work/smrf/$(basename "$tile" .laz).las"]
	END
done
go build -o "$work/evidence" ./filter/evidence
measure() { "$work/evidence" classes -rules "$rules" -cells filter/evidence/cells/classes.csv "$@"; }
measure ${FOREST:+-forest "$FOREST"} -ground "$work/smrf" "$work"/tiles/*.las
for tile in $towns; do
	measure -curve "$work/tiles/$(basename "$tile").las"
done
go run ./filter/evidence -page
