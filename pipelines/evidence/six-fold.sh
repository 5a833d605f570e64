#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The paper's experiment for whoever has the data: six trainings, each without one part,
# which is then measured; and the six parts as one table:
#
#   pipelines/evidence/six-fold.sh s3dis  FOLDER OUT     # FOLDER/Area_1/*.laz to Area_6, objects in PointSourceId
#   pipelines/evidence/six-fold.sh vkitti FOLDER OUT     # FOLDER/01/*.laz to 06
#
# with the classes of the authors in Classification, 1 to 13, 0 for none. What is there already is kept.
# PARTS, RECIPE, SYSTEMS and TARGETS change what is done; LOSSES, by default "cross-partition seal", are the weights of
# the trainings.
set -eu
kind=${1:?s3dis or vkitti} folder=${2:?folder} out=${3:?folder for results}
root=$(cd "$(dirname "$0")/../.." && pwd)
pdal=${PDAL:-$root/build/pdal}
case $kind in
s3dis) parts=${PARTS:-Area_1 Area_2 Area_3 Area_4 Area_5 Area_6} voxel=0.03 objects=PointSourceId ;;
vkitti) parts=${PARTS:-01 02 03 04 05 06} voxel=0.05 objects= ;;
*) echo "six-fold: $kind is neither s3dis nor vkitti" >&2 && exit 1 ;;
esac
recipe=${RECIPE:-$root/embed/train/recipes/$kind.yaml}
mkdir -p "$out"
out=$(cd "$out" && pwd)
for part in $parts; do
	systems=
	for loss in ${LOSSES:-cross-partition seal}; do
		model=$out/$kind-$loss-without-$part
		if [ ! -e "$model.safetensors" ]; then
			inputs=
			for other in $parts; do
				[ "$other" = "$part" ] || inputs="$inputs,$folder/$other/*.la[sz]"
			done
			sed "s/weights: cross-partition/weights: $loss/" "$recipe" >"$model.yaml"
			"$pdal" superpoint train --recipe "$model.yaml" --output "$model.part" --input "${inputs#,}"
			mv "$model.part" "$model.safetensors"
		fi
		ln -sf "$(basename "$model.safetensors")" "$out/$kind-$loss.safetensors" # one name in the tables of all parts
		systems=$systems,ssp:$out/$kind-$loss.safetensors
	done
	# shellcheck disable=SC2086
	"$pdal" superpoint compare --systems "${SYSTEMS:-${systems#,},geom-graph,geom-graph+adjacency_knn=5,vccs,lin}" \
		${objects:+--instances $objects} --voxel $voxel --sweep none --targets "${TARGETS:-50,100,200,400}" \
		--output "$out/$part" "$kind=$folder/$part"
done
set --
for part in $parts; do
	set -- "$@" "$out/$part/results.csv"
done
cd "$root" && go run ./pipelines/evidence sum "$@"
