#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints the SHA-256 of the results of 28 runs: commands, clouds and options.
#
#   testdata/runs.sh [pdal] >after.txt && diff testdata/runs.txt after.txt     # all, as `make check` does
#   testdata/runs.sh build/pdal 05 14 survey table                             # these, and what they need
#
# The runs are those named below: 01 to 18, survey, map, objects, outline, table, graph, mesh, eval, render. `make test`
# compares some of them (filter/pdaltest, TestRuns).
#
# A move of code may change none of them. Clouds are compared by their points, as text; tables, vectors and pictures by
# their bytes. The clouds are simulated, so a change of testdata/scenes or testdata/scan changes all rows. A commit that
# changes a row on purpose writes testdata/runs.txt again and says why.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
pdal=$(realpath "${1:-$top/build/pdal}")
[ $# = 0 ] || shift
chosen=" $* "
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$top" && go build -o "$folder/scanner" ./testdata/scanner)
cd "$folder"

wanted() { # succeeds if a run is chosen
	case $chosen in "  " | *" $1 "*) return 0 ;; esac
	return 1
}
cloud() { # name of a simulated cloud, which is made once
	[ ! -e "$1" ] || return 0
	case $1 in
	village.las) set -- "$1" village aerial 60000 ;;
	room.las) set -- "$1" room terrestrial 40000 ;;
	street.las) set -- "$1" street spinning 30000 ;;
	forest.las) set -- "$1" forest ellipse 40000 ;;
	esac
	./scanner -points "$4" -seed 7 -scene "$2" -mode "$3" -o "$1" 2>>log
}
sum() { sha256sum | cut -c 1-16; }
# columns prints a table with its columns by name, and the flags of a point in one number: PDAL before 2.6 has them in
# ClassFlags, later ones in four dimensions, and the order of dimensions is PDAL's own.
columns() {
	awk -F , '
	NR == 1 {
		gsub(/"/, "")
		for (i = 1; i <= NF; i++) column[$i] = i
		flags = split("Synthetic KeyPoint Withheld Overlap", flag, " ")
		for (name in column) {
			if (name !~ /^(ClassFlags|Synthetic|KeyPoint|Withheld|Overlap)$/) {
				for (k = names++; k > 0 && sorted[k] > name; k--) sorted[k + 1] = sorted[k]
				sorted[k + 1] = name
			}
		}
		for (k = 1; k <= names; k++) printf "%s,", sorted[k]
		print "flags"
		next
	}
	{
		for (k = 1; k <= names; k++) printf "%s,", $column[sorted[k]]
		value = "ClassFlags" in column ? $column["ClassFlags"] : 0
		for (k = 1; k <= flags; k++) if (flag[k] in column) value += 2 ^ (k - 1) * $column[flag[k]]
		print value + 0
	}'
}
points() { # the values of all points of clouds, in their order
	for file; do
		"$pdal" translate "$file" points.txt --writers.text.precision=9 && columns <points.txt
	done | sum
}
row() { printf '%s %s\n' "$1" "$2"; }
sp() { "$pdal" superpoint "$@" >>log 2>&1 || { tail -3 log >&2; exit 1; }; }
made() { # name, input, options: a segmented cloud
	name=$1 input=$2
	shift 2
	cloud "$input"
	[ -e "$name.laz" ] || sp segment "$@" "$input" "$name.laz"
}
segment() { # as made; prints the row of a chosen run
	wanted "$1" || return 0
	made "$@"
	name=$1 input=$2
	shift 2
	row "segment $input $*" "$(points "$name.laz")"
}

segment 01 village.las
segment 02 village.las --threads 1
segment 03 village.las --target_size 50
segment 04 village.las --regularization 3 --color true
segment 05 village.las --method geom-graph
segment 06 village.las --method vccs
segment 07 village.las --method lin
segment 08 village.las --method ssp-cluster --model paper
segment 09 village.las --model geometric
segment 10 village.las --solver cut-pursuit
segment 11 village.las --delaunay true --target_size 200
segment 12 village.las --classes aerial --class_change all
segment 13 village.las --vote Classification
segment 14 village.las --where "Z < 240"
segment 15 room.las
segment 16 street.las
segment 17 forest.las --spatial_weight 0.1
segment 18 street.las --model any --edge_decay 1
if wanted survey; then
	cloud village.las
	cat >halves.json <<'JSON'
["village.las", {"type": "filters.divider", "mode": "partition", "count": 2},
 {"type": "writers.las", "filename": "half_#.laz", "forward": "all", "minor_version": 4}]
JSON
	"$pdal" pipeline halves.json
	sp survey plan --output survey --tile 60 half_1.laz half_2.laz
	sp survey run survey
	row survey "$(points survey/out/*.laz)"
fi
classified() { made 12 village.las --classes aerial --class_change all; }
if wanted map; then
	classified
	sp map 12.laz map
	row map "$(points map/points/*.laz)"
	row map.png "$(sum <map/map.png)"
fi
if wanted objects; then
	classified
	sp objects 12.laz objects.geojson
	row objects "$(sum <objects.geojson)"
fi
for run in outline.geojson table.csv graph.csv mesh.stl; do
	command=${run%.*}
	wanted "$command" || continue
	made 01 village.las
	sp "$command" 01.laz "$run"
	row "$command" "$(sum <"$run")"
done
if wanted eval; then
	cloud village.las
	sp eval --truth Classification --target_size 50,200 --format csv --output eval.csv village.las
	row eval "$(cut -d , -f 1-12 eval.csv | sum)" # the last column is the time
fi
if wanted render; then
	made 01 village.las
	sp render --panels superpoint,boundaries 01.laz picture.png
	row render "$(sum <picture.png)"
fi
