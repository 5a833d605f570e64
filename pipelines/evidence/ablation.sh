#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Trains and measures the paper's systems into OUT, and keeps their cells:
#
#   pipelines/evidence/ablation.sh OUT [SEED...]
#
# Three seeds by default; training and measuring take hours of one core. What is there already is kept,
# so an interrupted run continues. DATA is the folder with train/ and val/ (../shared/data).
set -eu
cd "$(dirname "$0")/../.."
out=${1:?folder}
shift
test $# -gt 0 || set -- 1 2 3
seeds=$*
data=${DATA:-../shared/data}
pdal=$PWD/build/pdal
mkdir -p "$out"

# Simulated scans: one of every kind to train on, others to measure on.
for part in "sim 20 100000" "val 1001 60000"; do
	# shellcheck disable=SC2086
	set -- $part
	[ -d "$out/$1" ] || { testdata/scanner/kinds.sh "$out/$1.part" 1 "$2" "$3" && mv "$out/$1.part" "$out/$1"; }
done
coloured=$(ls "$data"/train/mosd_learn14.la[sz] "$data"/train/mosd_learn22.la[sz] "$data"/train/mosd_learn30.la[sz] \
	"$data"/train/mosd_learn38.la[sz] "$data"/train/ign_870000*.la[sz] "$out"/sim/sim_*.las | paste -sd, -)

# paper NAME LOSS [BATCH [CHANGE]]: trains the paper's net with a loss, with every seed; CHANGE is more for sed.
paper() {
	batch=${3:-{clouds: 2, points: 10000\}}
	sed "s/^name: .*/name: paper-$1/; s/^loss: .*/loss: {$2, adjacency_knn: 5}/
		s/^batch: .*/batch: $batch/; ${4:-}" embed/train/recipes/ablation.yaml >"$out/paper-$1.yaml"
	for seed in $seeds; do
		[ -e "$out/paper-$1-$seed.safetensors" ] && continue
		"$pdal" superpoint train --recipe "$out/paper-$1.yaml" --output "$out/paper-$1-$seed.part" --seed "$seed" \
			--input "$coloured" --resume
		mv "$out/paper-$1-$seed.part" "$out/paper-$1-$seed.safetensors"
	done
}
cross='delta: 0.3, weights: cross-partition, strength: 5'
absolute='absolute: true, weights: cross-partition, strength: 5'
long='s/epochs: 16/epochs: 64/; s/decay_at: [^]]*/decay_at: [24, 36, 44, 52, 60/'
group='s/^network:/&\n  norm: group\n  norm_groups: 4/'
off='s/^network:/&\n  sphere: false/'
paper cross "$cross"
paper seal 'delta: 0.3, weights: seal, strength: 5'
paper proportional 'delta: 0.3, weights: proportional, strength: 5'
paper none 'delta: 0.3, weights: none'
paper absolute "$absolute"
paper cross-long "$cross" '' "$long"
paper seal-long 'delta: 0.3, weights: seal, strength: 5' '' "$long"
paper mu3 'delta: 0.3, weights: cross-partition, strength: 3'
paper mu8 'delta: 0.3, weights: cross-partition, strength: 8'
clusters='kind: clusters, clusters: {embedding: 3, size: 100, spatial: 1, iterations: 5, compactness: 1e-5}'
paper cluster3 "$clusters" '{clouds: 1, points: 20000}'
paper cluster3-group "$clusters" '{clouds: 1, points: 20000}' "$group"
paper cross-group "$cross" '' "$group"
paper cross-off "$cross" '' "$off"
paper absolute-off "$absolute" '' "$off"

# systems METHOD OPTIONS NAME...: every seed of those models as systems of compare.
systems() {
	method=$1 options=$2
	shift 2
	for name in "$@"; do
		for seed in $seeds; do
			echo "$method:$out/paper-$name-$seed.safetensors$options"
		done
	done | paste -sd, -
}

# measure NAME SYSTEMS: on ten coloured clouds; the cells go into cells/NAME.csv.
measure() {
	"$pdal" superpoint compare --rules pipelines/report.yaml --adjacency_knn 5 --sweep none \
		--systems "$2" --output "$out/$1" "$data"/val/mosd_*.la[sz] "$data"/val/ahn_rgb*.la[sz] "$out"/val/sim_room_* \
		"$out"/val/sim_home_* "$out"/val/sim_facade_* "$out"/val/sim_mobile_* "$out"/val/sim_town_*
	go run ./pipelines/evidence keep "$1" "$out/$1/results.csv"
}
measure paper "$(systems ssp '' cross seal proportional none absolute)"
measure paper-length "$(systems ssp '' cross seal cross-long seal-long mu3 mu8)"
measure paper-clusters "$(systems ssp-cluster +embedding_importance=9 cluster3 cluster3-group)"
measure paper-network "$(systems ssp '' cross cross-group cross-off absolute-off)"
rival=geom-graph+adjacency_knn=5
colours=vccs+color_importance=0.2,vccs+color_importance=1,vccs+color_importance=3
measure paper-rivals geom-graph,$rival,$rival+spatial_weight=0.2,vccs,vccs+normal_importance=0.4,$colours,lin
go run ./pipelines/evidence
