#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Leave one kind of scan out: short trainings by any.yaml's recipe, from scratch,
# one with the files of all kinds and one without those of each kind named:
#
#   embed/train/recipes/leave-one-out.sh OUT 'TRAINING-FILES' rooms facades trees vehicles
#
# then compare them on clouds of the kind that was left out, with
# pdal superpoint compare --systems ssp:OUT/all.safetensors,ssp:OUT/rooms.safetensors,…
# EPOCHS and STEPS say how long (default 10 of 24 steps of 40,000 points). The last
# weights are taken: no file is there to choose an epoch by. THREADS is 1. What is
# there already is kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pdal=${PDAL:-$here/../../../build/pdal}
out=$1 files=$2
shift 2
mkdir -p "$out"
epochs=${EPOCHS:-10} steps=${STEPS:-24}

# of KIND prints the patterns of its groups.
of() {
	case $1 in
	all) ;;
	rooms) echo mosd_ navvis_ sim_room_ sim_home_ sim_handheld_ sim_table_ ;;
	facades) echo sim_facade_ ;;
	trees) echo ahn4_treemask_ ahn4_trees_ sim_forest_ sim_trees_ ;;
	vehicles) echo sim_spinning_ sim_mobile_ ;;
	*) echo "unknown kind $1" >&2 && exit 1 ;;
	esac
}

for kind in all "$@"; do
	[ ! -e "$out/$kind.safetensors" ] || continue
	groups=$(of "$kind")
	optimise="epochs: $epochs, steps: $steps, rate: 0.01, decay: 0.7, decay_at: ["
	for tenth in 4 5 6 7 8 9; do optimise="$optimise$((epochs * tenth / 10)), "; done
	sed "s/^name: .*/name: all-but-$kind/; s/^optimise: .*/optimise: {${optimise%, }], clip: 1, average: 0.98}/" \
		"$here/any.yaml" >"$out/$kind.yaml"
	for group in $groups; do
		grep -q "match: \"$group\*\"" "$out/$kind.yaml" || { echo "no group $group in any.yaml" >&2 && exit 1; }
		sed -i "s/\(match: \"$group\*\", share: \)[0-9.]*/\10/" "$out/$kind.yaml"
	done
	"$pdal" superpoint train --recipe "$out/$kind.yaml" --output "$out/$kind.part" --seed 1 --threads "${THREADS:-1}" \
		--input "$files"
	mv "$out/$kind.part" "$out/$kind.safetensors"
done
