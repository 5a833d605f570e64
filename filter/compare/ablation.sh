#!/bin/sh
# Trains and measures everything of EVIDENCE.md into OUT, then makes its tables:
#
#   filter/compare/ablation.sh OUT [SEED...]
#
# Three seeds by default. A training takes one and a half minutes of one core, there are
# 28, and measuring takes half an hour. What is there already is kept, so an interrupted
# run goes on. DATA is the folder with train/ and val/ (../shared/data).
set -eu
cd "$(dirname "$0")/../.."
out=${1:?folder}
shift
test $# -gt 0 || set -- 1 2 3
seeds=$*
data=${DATA:-../shared/data}
recipes=embed/train/recipes
pdal=$PWD/build/pdal
mkdir -p "$out"

# Simulated scans: one of every kind to train on, others to measure on.
for part in "sim 20 100000" "val 1001 60000"; do
	# shellcheck disable=SC2086
	set -- $part
	[ -d "$out/$1" ] || { testdata/scanner/kinds.sh "$out/$1.part" 1 "$2" "$3" && mv "$out/$1.part" "$out/$1"; }
done

# list FOLDER NAME...: the files of those names, with commas between.
list() {
	folder=$1
	shift
	for name in "$@"; do
		# shellcheck disable=SC2086 # names are patterns
		ls "$folder"/$name.la[sz]
	done | paste -sd, -
}
mixed=$(list "$out/sim" 'sim_*')
coloured=$(list "$data/train" mosd_learn14 mosd_learn22 mosd_learn30 mosd_learn38 'ign_870000*'),$mixed
real=$(list "$data/train" lidarhd_77050_627755 lidarhd_77055_627755 'ign_870000*' 'ahn_amsterdam*' isprs_samp11 \
	isprs_samp12 isprs_samp31 isprs_samp53 ahn4_trees_easy_patch_1 ahn4_trees_hard_patch_4 ahn4_trees_hard_patch_12 \
	ahn4_trees_median_patch_7 ahn4_trees_median_patch_9 ahn4_treemask_plot_8 ahn4_treemask_plot_16 mosd_learn14 \
	mosd_learn26 mosd_learn38)
any=$real,$(list "$out/sim" 'sim_[!evf]*' 'sim_f[!i]*')

# training NAME FILES: trains the recipe OUT/NAME.yaml with every seed.
training() {
	for seed in $seeds; do
		[ -e "$out/$1-$seed.safetensors" ] && continue
		"$pdal" superpoint train --recipe "$out/$1.yaml" --output "$out/$1-$seed.part" --seed "$seed" --input "$2"
		mv "$out/$1-$seed.part" "$out/$1-$seed.safetensors"
	done
}

# paper NAME LOSS [BATCH]: the paper's net with a loss.
paper() {
	batch=${3:-{clouds: 2, points: 10000\}}
	sed "s/^name: .*/name: paper-$1/; s/^loss: .*/loss: {$2, adjacency_knn: 5}/; s/^batch: .*/batch: $batch/" \
		$recipes/ablation.yaml >"$out/paper-$1.yaml"
	training "paper-$1" "$coloured"
}
paper cross 'delta: 0.3, weights: cross-partition, strength: 5'
paper seal 'delta: 0.3, weights: seal, strength: 5'
paper proportional 'delta: 0.3, weights: proportional, strength: 5'
paper none 'delta: 0.3, weights: none'
paper absolute 'absolute: true, weights: cross-partition, strength: 5'
clusters='size: 100, spatial: 1, iterations: 5, compactness: 1e-5'
one='{clouds: 1, points: 20000}'
all=$seeds
gamma=3 # the better of 3 and 6 in the search below
paper "cluster$gamma" "kind: clusters, clusters: {embedding: $gamma, $clusters}" "$one"
seeds=1
for other in 3 6; do
	paper "cluster$other" "kind: clusters, clusters: {embedding: $other, $clusters}" "$one"
done
seeds=$all

# The net of positions alone: SEAL on towns from the air, nowhere, everywhere.
sed 's/^name: .*/name: any-mix/' $recipes/ablation-any.yaml >"$out/any-mix.yaml"
sed 's/, seal: 0.3//; s/^name: .*/name: any-cross/' $recipes/ablation-any.yaml >"$out/any-cross.yaml"
sed 's/, seal: 0.3//; s/^name: .*/name: any-seal/; s/weights: cross-partition/weights: seal/' \
	$recipes/ablation-any.yaml >"$out/any-seal.yaml"
for name in any-mix any-cross any-seal; do
	training $name "$any"
done

# systems METHOD NAME...: every seed of those models as systems of compare.
systems() {
	method=$1
	shift
	for name in "$@"; do
		for seed in $seeds; do
			echo "$method:$out/$name-$seed.safetensors${more:-}"
		done
	done | paste -sd, -
}

# measure NAME SYSTEMS FILE...: into OUT/NAME, the cells into filter/compare/cells.
measure() {
	name=$1 of=$2
	shift 2
	"$pdal" superpoint compare --rules pipelines/report.yaml --adjacency_knn 5 --picture 0 --sweep none \
		--targets "${targets:-50,100,200,400}" --systems "$of" --output "$out/$name" "$@"
	go run ./filter/compare/evidence keep "$name" "$out/$name/results.csv"
}
clouds=$(ls "$data"/val/mosd_*.la[sz] "$data"/val/ahn_rgb*.la[sz] "$out"/val/sim_room_* "$out"/val/sim_home_* \
	"$out"/val/sim_facade_* "$out"/val/sim_mobile_* "$out"/val/sim_town_*)
# shellcheck disable=SC2086
measure paper "$(systems ssp paper-cross paper-seal paper-proportional paper-none paper-absolute)" $clouds
search=
for trained in 3 6; do
	model=ssp-cluster:$out/paper-cluster$trained-1.safetensors
	for embedding in 1 2 3 5 9; do
		search=$search,$model+embedding_importance=$embedding
	done
done
model=ssp-cluster:$out/paper-cluster$gamma-1.safetensors
search=$search,$model+embedding_importance=15,$model+embedding_importance=30
for weights in 9+spatial_importance=0.5 9+spatial_importance=2 5+spatial_importance=2; do
	search=$search,$model+embedding_importance=$weights
done
targets=100 measure cluster-search "${search#,}" "$data"/val/mosd_test5.la[sz] "$data"/val/ahn_rgb*.la[sz] \
	"$out"/val/sim_room_*
best=$(more=+${BEST:-embedding_importance=9} systems ssp-cluster "paper-cluster$gamma")
# shellcheck disable=SC2086
measure clusters "$best" $clouds
rival=geom-graph+adjacency_knn=5
# shellcheck disable=SC2086
measure rivals geom-graph,$rival,$rival+spatial_weight=0.2,vccs,vccs+normal_importance=0.4,lin $clouds
# The regularization paths of seed 1.
"$pdal" superpoint compare --rules pipelines/report.yaml --picture 0 --output "$out/curves" \
	--systems "ssp:$out/paper-cross-1.safetensors,ssp:$out/paper-seal-1.safetensors,$rival,vccs,lin" \
	"$data"/val/ahn_rgb*.la[sz] "$data"/val/mosd_test45.la[sz] "$out"/val/sim_room_* "$out"/val/sim_home_* \
	"$out"/val/sim_facade_* "$out"/val/sim_town_*
cp "$out/curves/figure.svg" filter/compare/curves.svg
models=$(systems ssp any-mix any-cross any-seal)
measure any "$models" "$data"/val/*.la[sz]
measure any-simulated "$models" "$out"/val/sim_room_* "$out"/val/sim_home_* "$out"/val/sim_handheld_* \
	"$out"/val/sim_table_* "$out"/val/sim_trees_* "$out"/val/sim_facade_* "$out"/val/sim_spinning_* \
	"$out"/val/sim_town_* "$out"/val/sim_forest_*
go run ./filter/compare/evidence
