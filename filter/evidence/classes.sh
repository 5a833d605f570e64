#!/bin/sh
# The classes of superpoints on labelled tiles of val, and after few labels, into
# cells/classes.csv:
#
#   filter/evidence/classes.sh            the built-in classes
#   filter/evidence/classes.sh retrain    learns them again, into out/classes/aerial.safetensors
#   filter/evidence/classes.sh renew      that, builds the new classes in, and measures them
#   filter/evidence/classes.sh test       the built-in classes on the test set: once
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
set=val
tiles="lidarhd_77055_627760 lidarhd_77060_627760 ahn_rgb_delft_small ahn3_cropped_2 ahn4_treemask_plot_11
	ahn4_treemask_plot_13 ahn4_treemask_plot_15 isprs_samp23 isprs_samp54 isprs_samp71"
if [ "${1:-}" = test ]; then
	! grep -q '^test,' filter/evidence/cells/classes.csv || { echo "the test set has been read" >&2; exit 1; }
	set=test2 tiles="ahn3_amsterdam_manual ahn3_delft_manual ign_stbarth lidarhd_suburb pnoa_seville_cathedral"
	# No file of training is of the Spanish survey.
	sed '/^# what any makes/i\  - {files: pnoa_*, survey: PNOA, codes: *ign}' "$rules" >"$work/rules.yaml"
	rules=$work/rules.yaml
fi
rm -f "$work"/tiles/*.las "$work"/smrf/*.las
for tile in $tiles; do
	build/pdal superpoint segment "$data/$set/$tile.laz" "$work/tiles/$tile.las" >&2
done
# Ground by SMRF, which may not see the classes, and refuses echoes of number 0.
for tile in $tiles; do
	case $tile in ahn4_*) continue ;; esac # labels do not tell ground from others
	build/pdal pipeline --stdin <<-END
		["$data/$set/$tile.laz",
		 {"type": "filters.assign", "assignment": "Classification[:]=1"},
		 {"type": "filters.assign", "assignment": "NumberOfReturns[0:0]=1"},
		 {"type": "filters.assign", "assignment": "ReturnNumber[0:0]=1"},
		 {"type": "filters.smrf"},
		 "$work/smrf/$tile.las"]
	END
done
go build -o "$work/evidence" ./filter/evidence
measure() { "$work/evidence" classes -rules "$rules" -set "${set%2}" -cells filter/evidence/cells/classes.csv "$@"; }
measure ${FOREST:+-forest "$FOREST"} -ground "$work/smrf" "$work"/tiles/*.las
if [ "$set" = val ]; then
	for tile in lidarhd_77055_627760 lidarhd_77060_627760 ahn_rgb_delft_small; do
		measure -curve "$work/tiles/$tile.las"
	done
fi
go run ./filter/evidence -page
