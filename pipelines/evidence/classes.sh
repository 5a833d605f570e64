#!/bin/sh
# The classes of superpoints and of rivals on labelled tiles of val, and after few labels,
# into cells/classes.csv:
#
#   pipelines/evidence/classes.sh            the built-in classes
#   pipelines/evidence/classes.sh retrain    learns them again, into out/classes/aerial.safetensors
#   pipelines/evidence/classes.sh renew      that, builds the new classes in, and measures them
#   pipelines/evidence/classes.sh time       seconds and memory on one tile, into cells/class-times.csv
#   pipelines/evidence/classes.sh test       the built-in classes on the test set: once
#
# retrain needs `make`, the first `make plugin`. Rows of these stay unless they are given:
#
# FOREST, a folder of forest.py's predictions:
#
#   D=../shared/data
#   python pipelines/evidence/forest.py --train $D/train/ign_6*.laz $D/train/lidarhd*.laz --predictions forest \
#       --test $D/val/lidarhd*.laz $D/val/ahn_rgb*.laz $D/val/ahn3*.laz $D/val/ahn4_treemask*.laz $D/val/isprs*.laz
#
# GROUND_PDAL, a PDAL newer than 2.2, for CSF; that of 2.2 takes memory by the square of the points.
#
# OPENPOINTCLASS, the folder of its programs pctrain and pcclassify (README.md). It learns the
# tiles of retrain into out/classes/openpointclass.bin, unless that is there.
set -eu
cd "$(dirname "$0")/../.."
data=../shared/data
work=out/classes
rules=embed/train/recipes/classes-aerial.yaml
mode=${1:-}
sims=$work/sims # simulated scans, also learned
set -- "$data"/train*/ahn*.la[sz] "$data"/train*/ign*.la[sz] "$data"/train*/isprs*.la[sz] "$data"/train*/lidarhd*.la[sz]
mkdir -p "$work"
case $mode in
retrain)
	testdata/scanner/kinds.sh "$sims" 20 1 120000 land shore
	testdata/scanner/kinds.sh "$sims" 14 101 120000 hill cliff
	testdata/scanner/kinds.sh "$sims" 8 101 160000 dense
	testdata/scanner/kinds.sh "$sims" 16 201 60000 sparse
	exec build/pdal superpoint train --classes "$rules" "$@" "$sims"/*.las "$work/aerial.safetensors"
	;;
renew)
	make && "$0" retrain
	cp "$work/aerial.safetensors" embed/classes/models/aerial.safetensors
	make plugin
	;;
esac
ground=${GROUND_PDAL:-build/pdal}
filters="SMRF PMF CSF"
case $("$ground" --version) in *"pdal 2.2."*) filters="SMRF PMF" ;; esac
set='val'
tiles="lidarhd_77055_627760 lidarhd_77060_627760 ahn_rgb_delft_small ahn3_cropped_2 ahn4_treemask_plot_11
	ahn4_treemask_plot_13 ahn4_treemask_plot_15 isprs_samp23 isprs_samp54 isprs_samp71"
if [ "$mode" = test ]; then
	! grep -q '^test,' pipelines/evidence/cells/classes.csv || { echo "the test set has been read" >&2; exit 1; }
	set=test2 tiles="ahn3_amsterdam_manual ahn3_delft_manual ign_stbarth pnoa_seville_cathedral"
	# No file of training is of the Spanish survey.
	sed '/^# what any makes/i\  - {files: pnoa_*, survey: PNOA, codes: *ign}' "$rules" >"$work/rules.yaml"
	rules=$work/rules.yaml
fi
times=pipelines/evidence/cells/class-times.csv
classes=
if [ "$mode" = time ]; then
	tiles=ahn3_cropped_2 classes="--classes aerial"
	echo "file,method,seconds,user,system,kB,cores,load,date" >"$times"
fi
# timed METHOD COMMAND…: runs a command; with `time`, adds a row to the table.
timed() {
	method=$1
	shift
	[ "$mode" = time ] || { "$@"; return; }
	/usr/bin/time -a -o "$times" -f "$tile,$method,%e,%U,%S,%M,$(nproc),$(cut -d' ' -f1 /proc/loadavg),$(date -u +%F)" "$@"
}
go build -o "$work/evidence" ./pipelines/evidence
rm -rf "$work/tiles" "$work/rivals" "$work/plain"
mkdir -p "$work/tiles" "$work/rivals/SMRF" "$work/rivals/CSF" "$work/rivals/PMF" "$work/rivals/OpenPointClass"
for tile in $tiles; do
	# shellcheck disable=SC2086 # two words, or none
	timed superpoints build/pdal superpoint segment $classes "$data/$set/$tile.laz" "$work/tiles/$tile.las" >&2
done
# Ground by filters with their defaults, which may not see the classes, and refuse echoes of number 0.
for tile in $tiles; do
	case $tile in ahn4_*) continue ;; esac # labels do not tell ground from others
	for filter in $filters; do
		timed "$filter" "$ground" pipeline --stdin <<-END
			["$data/$set/$tile.laz",
			 {"type": "filters.assign", "assignment": "Classification[:]=1"},
			 {"type": "filters.assign", "assignment": "NumberOfReturns[0:0]=1"},
			 {"type": "filters.assign", "assignment": "ReturnNumber[0:0]=1"},
			 {"type": "filters.$(echo "$filter" | tr '[:upper:]' '[:lower:]')"},
			 "$work/rivals/$filter/$tile.las"]
		END
	done
done
if [ -n "${OPENPOINTCLASS:-}" ]; then
	model=$work/openpointclass.bin
	mkdir -p "$work/plain/tiles" "$work/plain/train" "$work/train"
	"$work/evidence" plain -rules "$rules" "$work/plain/tiles" "$work"/tiles/*.las
	if [ ! -e "$model" ]; then
		for file in "$@"; do
			build/pdal translate "$file" "$work/train/$(basename "${file%.la?}").las" --writers.las.forward=all
		done
		"$work/evidence" plain -rules "$rules" "$work/plain/train" "$work"/train/*.las
		tile=train
		timed "OpenPointClass training" "$OPENPOINTCLASS/pctrain" -m 1000 -o "$model" "$work"/plain/train/*.las >&2
	fi
	for tile in $tiles; do
		timed OpenPointClass "$OPENPOINTCLASS/pcclassify" "$work/plain/tiles/$tile.las" \
			"$work/rivals/OpenPointClass/$tile.las" "$model" >&2
	done
fi
measure() { "$work/evidence" classes -rules "$rules" -set "${set%2}" -cells pipelines/evidence/cells/classes.csv "$@"; }
if [ "$mode" != time ]; then
	measure ${FOREST:+-forest "$FOREST"} -rivals "$work/rivals" "$work"/tiles/*.las
	if [ "$set" = val ]; then
		for tile in lidarhd_77055_627760 lidarhd_77060_627760 ahn_rgb_delft_small; do
			measure -curve "$work/tiles/$tile.las"
		done
	fi
fi
go run ./pipelines/evidence -page
