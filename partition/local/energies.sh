#!/bin/sh
# Prints the energy of two solvers on clouds at λ̃ 0.3, 1, 3 and 10, and their
# ratio: partition/local/energies.sh multilevel local FILE…
pdal=${SUPERPOINT_PDAL:-build/pdal}
before=$1 after=$2
shift 2
metadata=$(mktemp)
trap 'rm -f "$metadata"' EXIT

energy() { # FILE SOLVER STRENGTH
	"$pdal" translate "$1" unused -w writers.null --filter superpoint --filters.superpoint.solver="$2" \
		--filters.superpoint.regularization="$3" --metadata "$metadata" 2>/dev/null || exit 1
	sed -n 's/.*"energy": *\([0-9.e+-]*\).*/\1/p' "$metadata"
}

echo "| cloud | λ̃ | $before | $after | ratio |"
echo "|---|---|---|---|---|"
for file; do
	for strength in 0.3 1 3 10; do
		a=$(energy "$file" "$before" $strength) b=$(energy "$file" "$after" $strength)
		echo "$(basename "$file") $strength $a $b" |
			awk '{printf "| %s | %s | %.1f | %.1f | %.4f |\n", $1, $2, $3, $4, $4 / $3}'
	done
done
