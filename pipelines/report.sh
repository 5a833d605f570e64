#!/bin/sh
# make report: every method on the labelled clouds of DATA and on two simulated
# scenes, into report/: results.csv, summary.md, figure.svg, figure.png and
# report.html. What is there already is kept, so an interrupted run goes on.
set -eu
cd "$(dirname "$0")/.."
pdal=$PWD/build/pdal
data=${DATA:-../shared/data/val}
mkdir -p report

# scene NAME SCANNER-OPTIONS...
scene() {
	file=report/$1.las
	shift
	[ -e "$file" ] || { go run ./testdata/scanner "$@" -o "$file.part.las" && mv "$file.part.las" "$file"; } >&2
}
scene sim_village -scene village -points 200000 -density 10 -seed 11
scene sim_room -scene room -points 200000 -seed 12

set -- report/sim_village.las report/sim_room.las
if [ -d "$data" ]; then
	for file in "$data"/*.la[sz]; do
		set -- "$@" "$file"
	done
else
	echo "report: $data is not there; the report has the simulated scenes only (DATA=folder names labelled clouds)" >&2
fi
"$pdal" superpoint compare --rules pipelines/report.yaml --adjacency_knn 5 --picture "${PICTURE:-100}" \
	--systems ssp,ssp-cluster,geom-graph,vccs,lin --sweep "${SWEEP:-0.2,0.35,0.6,1,1.7,3,6}" --output report "$@"
