#!/bin/sh
# The paper's ablation: short trainings that differ in the loss only, then all
# of them, the sphere constraint and Delaunay edges in one comparison:
#
#   embed/train/recipes/ablation.sh OUT 'TRAINING-FILES' VALIDATION-FILE...
#
# for example embed/train/recipes/ablation.sh report/ablation \
#   '../shared/data/train/lidarhd_*.laz,../shared/data/train/ign_68*.laz' ../shared/data/val/lidarhd_*.laz
# OUT/summary.md is the table. What is there already is kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
pdal=$root/build/pdal
out=$1 files=$2
shift 2
mkdir -p "$out"
systems=

# row NAME LOSS: one training.
row() {
	sed "s/^name: .*/name: $1/; s/^loss: .*/loss: {$2, adjacency_knn: 5}/" "$here/ablation.yaml" >"$out/$1.yaml"
	[ -e "$out/$1.safetensors" ] || {
		"$pdal" superpoint train --recipe "$out/$1.yaml" --output "$out/$1.part" --seed 1 --input "$files"
		mv "$out/$1.part" "$out/$1.safetensors"
	}
	systems=$systems,ssp:$out/$1.safetensors
}
row cross-partition 'delta: 0.2, weights: cross-partition, strength: 5'
row seal 'delta: 0.2, weights: seal, strength: 5'
row proportional 'delta: 0.2, weights: proportional, strength: 5'
row none 'delta: 0.2, weights: none'
row absolute 'absolute: true, weights: cross-partition, strength: 5'
row strength-3 'delta: 0.2, weights: cross-partition, strength: 3'
row strength-8 'delta: 0.2, weights: cross-partition, strength: 8'
model=ssp:$out/cross-partition.safetensors
"$pdal" superpoint compare --rules "$root/pipelines/report.yaml" --adjacency_knn 5 --picture 0 --sweep none \
	--targets 100 --systems "${systems#,},$model+sphere=true,$model+delaunay=true" --output "$out" "$@"
