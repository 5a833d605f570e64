#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The classes of superpoints on labelled tiles of a set, into cells/classes.csv, whose rows of rivals and
# of few labels are recorded:
#
#   pipelines/evidence/classes.sh            the built-in classes, on validation
#   pipelines/evidence/classes.sh third      on the third validation set
#   pipelines/evidence/classes.sh retrain    learns them again, into out/classes/aerial.safetensors
#   pipelines/evidence/classes.sh renew      that, builds the new classes in, and measures them
#
# retrain needs `make`, the first `make plugin`.
set -eu
cd "$(dirname "$0")/../.."
data=../shared/data
work=out/classes
rules=embed/train/recipes/classes-aerial.yaml
mode=${1:-}
sims=$work/sims # simulated scans, also learned
mkdir -p "$work"
case $mode in
retrain)
	testdata/scanner/kinds.sh "$sims" 12 1 120000 land shore
	testdata/scanner/kinds.sh "$sims" 6 101 100000 hill cliff
	testdata/scanner/kinds.sh "$sims" 3 101 160000 dense
	testdata/scanner/kinds.sh "$sims" 8 201 60000 sparse
	testdata/scanner/kinds.sh "$sims" 50 1 40000 dry
	testdata/scanner/kinds.sh "$sims" 30 51 100000 dry
	# not qc_*, fr_alps_*, az_* (GPL-3) and odm_* (CC BY-SA): the classifier is shipped
	exec build/pdal superpoint train --classes "$rules" "$data"/train*/ahn*.la[sz] "$data"/train*/ign*.la[sz] \
		"$data"/train*/isprs*.la[sz] "$data"/train*/lidarhd*.la[sz] "$data"/train3/nl_*.laz "$data"/train3/fr_[!a]*.laz \
		"$data"/train3/bc_*.laz "$data"/train3/us_*.laz "$data"/test/ign_*.laz "$sims"/*.las "$work/aerial.safetensors"
	;;
renew)
	make && "$0" retrain
	cp "$work/aerial.safetensors" embed/classes/models/aerial.safetensors
	make plugin
	;;
esac
set=val folder=val
tiles="lidarhd_77055_627760 lidarhd_77060_627760 ahn_rgb_delft_small ahn3_cropped_2 ahn4_treemask_plot_11
	ahn4_treemask_plot_13 ahn4_treemask_plot_15 isprs_samp23 isprs_samp54 isprs_samp71"
if [ "$mode" = third ]; then
	set=third folder=test2 tiles="ahn3_amsterdam_manual ahn3_delft_manual ign_stbarth pnoa_seville_cathedral"
	# No file of training is of the Spanish survey.
	sed '/^# what any makes/i\  - {files: pnoa_*, survey: PNOA, codes: *ign}' "$rules" >"$work/rules.yaml"
	rules=$work/rules.yaml
fi
rm -rf "$work/tiles"
mkdir -p "$work/tiles"
for tile in $tiles; do
	build/pdal superpoint segment --classes aerial --class_dimension Class "$data/$folder/$tile.laz" \
		"$work/tiles/$tile.las" >&2
done
go run ./pipelines/evidence classes -rules "$rules" -set "$set" -cells pipelines/evidence/cells/classes.csv \
	"$work"/tiles/*.las
go run ./pipelines/evidence
