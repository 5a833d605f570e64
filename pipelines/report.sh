#!/bin/sh
# make report: every method on the labelled clouds of DATA and on simulated scans of
# every kind, into OUT: results.csv, summary.md and
# figure.svg. What is there already is kept, so an interrupted run continues.
# ONLY=simulated or ONLY=data leaves the other out.
set -eu
cd "$(dirname "$0")/.."
pdal=$PWD/build/pdal
data=${DATA:-../shared/data/val}
out=${OUT:-report}
only=${ONLY:-}
mkdir -p report "$out"

# Simulated scans of every kind, with a seed that no training has seen.
seed=2001
set --
if [ "$only" != data ]; then
	if ! ls report/sim_*_$seed.las >/dev/null 2>&1; then
		testdata/scanner/kinds.sh report/part 1 $seed 60000 >&2
		mv report/part/*.las report/ && rmdir report/part
	fi
	set -- report/sim_*_$seed.las
fi
if [ "$only" != simulated ]; then
	if [ -d "$data" ]; then
		for file in "$data"/*.la[sz]; do
			set -- "$@" "$file"
		done
	else
		echo "report: $data is not there; the report has the simulated scenes only (DATA=folder names labelled clouds)" >&2
	fi
fi
# Settings of the rivals that won cells of val; the best of them counts.
rivals=geom-graph,geom-graph+adjacency_knn=5,geom-graph+adjacency_knn=5+spatial_weight=0.2
rivals=$rivals,vccs,vccs+normal_importance=0.4,lin
"$pdal" superpoint compare --rules pipelines/report.yaml --adjacency_knn 5 \
	--systems "${SYSTEMS:-ssp,ssp-cluster,$rivals}" --sweep "${SWEEP:-0.2,0.35,0.6,1,1.7,3,6}" --output "$out" "$@"
