#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints the SHA-256 of the results of 28 runs: commands, clouds and options.
#
#   testdata/runs.sh [pdal] >after.txt && diff testdata/runs.txt after.txt
#
# A move of code may change none of them. Clouds are compared by their points, as text; tables, vectors and pictures by
# their bytes. The clouds are simulated, so a change of testdata/scenes or testdata/scan changes all rows. A commit that
# changes a row on purpose writes testdata/runs.txt again and says why.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
pdal=${1:-$top/build/pdal}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$top" && go build -o "$folder/scanner" ./testdata/scanner)
cd "$folder"
scan() { ./scanner -points "$3" -seed 7 -scene "$1" -mode "$2" -o "$4" 2>>log; }
scan village aerial 60000 village.las
scan room terrestrial 40000 room.las
scan street spinning 30000 street.las
scan forest ellipse 40000 forest.las
cat >halves.json <<'JSON'
["village.las", {"type": "filters.divider", "mode": "partition", "count": 2},
 {"type": "writers.las", "filename": "half_#.laz", "forward": "all", "minor_version": 4}]
JSON
"$pdal" pipeline halves.json

sum() { sha256sum | cut -c 1-16; }
points() { # the values of all points of clouds, in their order
	for cloud; do
		"$pdal" translate "$cloud" points.txt --writers.text.precision=9 && cat points.txt
	done | sum
}
row() { printf '%s %s\n' "$1" "$2"; }
sp() { "$pdal" superpoint "$@" >>log 2>&1 || { tail -3 log >&2; exit 1; }; }
segment() { # name, input, options
	name=$1 input=$2
	shift 2
	sp segment "$@" "$input" "$name.laz"
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
sp survey plan --output survey --tile 60 half_1.laz half_2.laz && sp survey run survey
row survey "$(points survey/out/*.laz)"
sp map 12.laz map && row map "$(points map/points/*.laz)"
row map.png "$(sum <map/map.png)"
sp objects 12.laz objects.geojson && row objects "$(sum <objects.geojson)"
sp outline 01.laz outline.geojson && row outline "$(sum <outline.geojson)"
sp table 01.laz table.csv && row table "$(sum <table.csv)"
sp graph 01.laz graph.csv && row graph "$(sum <graph.csv)"
sp mesh 01.laz mesh.stl && row mesh "$(sum <mesh.stl)"
sp eval --truth Classification --target_size 50,200 --format csv --output eval.csv village.las &&
	row eval "$(cut -d , -f 1-12 eval.csv | sum)" # the last column is the time
sp render --panels superpoint,boundaries 01.laz picture.png && row render "$(sum <picture.png)"
