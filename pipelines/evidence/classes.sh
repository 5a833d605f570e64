#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The classes of superpoints on labelled tiles, and the ground of PDAL's SMRF, into cells/classes.csv, whose rows of
# other rivals are recorded:
#
#   pipelines/evidence/classes.sh [SET…]     the built-in classes, on all sets or some: see below
#   pipelines/evidence/classes.sh retrain    learns them again, into out/classes/aerial.safetensors
#   pipelines/evidence/classes.sh renew      that, builds the new classes in, and measures them
#   pipelines/evidence/classes.sh seeds      after renew, learns them twice more, with other seeds, and measures these
#
# retrain needs `make`, the first `make plugin`. The card has the weights_sha256 of the built-in classifier.
set -eu
cd "$(dirname "$0")/../.."
data=../shared/data
work=out/classes
cells=pipelines/evidence/cells/classes.csv
rules=embed/train/recipes/classes-aerial.yaml
sims=$work/sims # simulated scans, also learned
scan=testdata/scanner/kinds.sh
classifier=aerial
training=
mkdir -p "$work"

# retrain RULES MODEL
retrain() {
	$scan "$sims" 12 1 120000 land shore
	$scan "$sims" 6 101 100000 hill cliff
	$scan "$sims" 3 101 160000 dense
	$scan "$sims" 8 201 60000 sparse
	$scan "$sims" 50 1 40000 dry
	$scan "$sims" 30 51 100000 dry
	# not qc_*, fr_alps_*, az_* (GPL-3) and odm_* (CC BY-SA): the classifier is shipped
	build/pdal superpoint train --classes "$1" "$data"/train*/ahn*.la[sz] "$data"/train*/ign*.la[sz] \
		"$data"/train*/isprs*.la[sz] "$data"/train*/lidarhd*.la[sz] "$data"/train3/nl_*.laz "$data"/train3/fr_[!a]*.laz \
		"$data"/train3/bc_*.laz "$data"/train3/us_*.laz "$data"/test/ign_*.laz "$sims"/*.las "$2"
}

# measure SET FILE…
measure() {
	set=$1
	shift
	rm -rf "$work/tiles"
	mkdir -p "$work/tiles"
	for file in "$@"; do
		name=$(basename "${file%.*}")
		build/pdal superpoint segment --classifier "$classifier" --class_dimension Class --vegetation_heights 0,0 "$file" \
			"$work/own.las" >&2
		build/pdal pipeline --stdin >&2 <<-EOF
			["$work/own.las", {"type": "filters.ferry", "dimensions": "Classification=>Truth"},
			{"type": "filters.assign", "value": "Classification = 1"}, {"type": "filters.smrf"},
			{"type": "filters.ferry", "dimensions": "Classification=>Smrf, Truth=>Classification"},
			{"type": "writers.las", "filename": "$work/tiles/$name.las", "extra_dims": "all", "forward": "all"}]
		EOF
	done
	go run ./pipelines/evidence classes -rules "$rules" -set "$set" -training "$training" -cells "$cells" \
		"$work"/tiles/*.las
}

# label SET FILE…: the classes after 20 of the superpoints that `propose` names got their true class
label() {
	set=$1
	shift
	rm -rf "$work/tiles"
	mkdir -p "$work/tiles"
	for file in "$@"; do
		name=$(basename "${file%.*}").las # by which the rules know what its labels mean
		segmented=$work/$name
		build/pdal superpoint segment --classifier "$classifier" --class_dimension Class --vegetation_heights 0,0 \
			"$file" "$segmented" >&2
		build/pdal superpoint propose --force --count 100 "$segmented" "$work/proposed.csv" >&2
		go run ./pipelines/evidence label -rules "$rules" "$segmented" "$work/proposed.csv" "$work/labels.csv"
		build/pdal superpoint classify --force --labels "$work/labels.csv" --class_dimension Class --class_change all \
			--vegetation_heights 0,0 "$segmented" "$work/tiles/$name" >&2
		rm "$segmented"
	done
	go run ./pipelines/evidence classes -rules "$rules" -set "$set" -training "20 labels" -cells "$cells" \
		"$work"/tiles/*.las
}

# ground FOLDER FILE STAGES: the map of a file whose ground stages of PDAL find
ground() {
	build/pdal pipeline --stdin >&2 <<-EOF
		["$2", $3 {"type": "filters.assign", "value": "Classification = 5 WHERE Classification != 2"}, "$work/ground.las"]
	EOF
	build/pdal superpoint map --force "$work/ground.las" "$1" >&2
}

# terrain FILE…: every point's height over three terrains of map: of its classes, of SMRF's ground, of the labels; and
# the footprint of map that it lies in
terrain() {
	rm -rf "$work/tiles"
	mkdir -p "$work/tiles"
	for file in "$@"; do
		build/pdal superpoint map --force --class_change all "$file" "$work/own" >&2
		ground "$work/smrf" "$file" '{"type": "filters.assign", "value": "Classification = 1"}, {"type": "filters.smrf"},'
		ground "$work/labels" "$file" ''
		stages=
		for of in own smrf labels; do
			stages="$stages, {\"type\": \"filters.hag_dem\", \"raster\": \"$work/$of/terrain.tif\", \"zero_ground\": false},
				{\"type\": \"filters.ferry\", \"dimensions\": \"HeightAboveGround=>$of\"}"
		done
		build/pdal pipeline --stdin >&2 <<-EOF
			["$file"$stages, {"type": "filters.ferry", "dimensions": "=>Footprint"}, {"type": "filters.overlay",
			"dimension": "Footprint", "datasource": "$work/own/objects.gpkg", "layer": "buildings", "column": "id"},
			{"type": "writers.las", "filename": "$work/tiles/$(basename "${file%.*}").las", "extra_dims": "all"}]
		EOF
	done
	go run ./pipelines/evidence classes -terrain -cells "$cells" "$work"/tiles/*.las
}

# sets SET…
sets() {
	for kind; do
		case $kind in
		home) measure home "$data"/train/lidarhd_*.laz "$data"/train/ahn3_cropped_1.laz ;; # SMRF refuses ign_726831*
		val)
			measure val "$data"/val/lidarhd_*.laz "$data"/val/ahn_rgb_*.laz "$data"/val/ahn3_*.laz \
				"$data"/val/ahn4_treemask_*.laz "$data"/val/isprs_*.laz
			;;
		second) measure second "$data"/test/ahn4_treemask_*.laz ;;
		third) measure third "$data"/test2/ahn3_*.laz "$data"/test2/ign_*.laz "$data"/test2/pnoa_*.laz ;;
		val3) measure val3 "$data"/val3/*.laz ;;
		dry | shore | rock | oldtown)
			rm -rf "$work/unseen"
			$scan "$work/unseen" 20 5001 40000 "$kind"
			measure "$kind" "$work"/unseen/sim_"$kind"_*.las
			;;
		terrain)
			terrain "$data"/train/lidarhd_7705*_627755.laz "$data"/train/lidarhd_77060_627755.laz \
				"$data"/train/lidarhd_77050_627760.laz "$data"/val/lidarhd_*_627760.laz "$data"/train/ahn3_cropped_1.laz \
				"$data"/val/ahn3_cropped_2.laz
			;;
		labels)
			label third "$data"/test2/ahn3_*.laz "$data"/test2/ign_*.laz "$data"/test2/pnoa_*.laz
			label val3 "$data"/val3/*.laz
			;;
		*) echo "no set $kind" >&2 && exit 1 ;;
		esac
	done
	go run ./pipelines/evidence
}

case ${1:-} in
retrain)
	retrain "$rules" "$work/aerial.safetensors"
	exit
	;;
seeds)
	for seed in 4 5; do
		classifier=$work/seed$seed.safetensors
		if [ ! -f "$classifier" ]; then
			sed "s/seed: [0-9]*,/seed: $seed,/" "$rules" >"$work/seed$seed.yaml"
			retrain "$work/seed$seed.yaml" "$classifier"
		fi
		training="seed $seed"
		go run ./pipelines/evidence classes -training "$training" -model "$classifier" -cells "$cells"
		sets home val second third val3
	done
	exit
	;;
renew)
	make
	retrain "$rules" "$work/aerial.safetensors"
	rm -f "$work"/seed*.safetensors
	cp "$work/aerial.safetensors" embed/classes/models/aerial.safetensors
	make plugin
	shift
	;;
esac
test $# -gt 0 || set -- home val second third val3 dry shore rock terrain labels
sets "$@"
