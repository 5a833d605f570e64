#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares superpoint with its defaults on sets of labelled clouds, and keeps the cells and a row of readings.csv:
#
#   pipelines/evidence/measure.sh val second     # of this build
#   pipelines/evidence/measure.sh -rivals val    # and of its rivals: hours
#
# Needs `make plugin`. What is interrupted continues in report/evidence. DATA: the folder with val/, test/ and test2/.
set -eu
systems=ssp
if [ "${1:-}" = -rivals ]; then
	shift
	# Settings that won on validation; clouds without colours have none of the last.
	nearest=geom-graph+adjacency_knn=5
	systems=ssp,geom-graph,$nearest,$nearest+spatial_weight=0.2,vccs,vccs+normal_importance=0.4,lin
	systems=$systems,vccs+color_importance=0.2,vccs+color_importance=1,vccs+color_importance=3
fi
cd "$(dirname "$0")/../.."
data=${DATA:-../shared/data} cells=pipelines/evidence/cells scratch=report/evidence
build=$(sha256sum build/libsuperpoint.so | cut -c 1-12)
mkdir -p $scratch
commit=$(git describe --always --dirty --exclude '*')
for set; do
	seed=
	case $set in
	val) folder=$data/val ;;
	second) folder=$data/test ;;
	third) folder=$data/test2 ;;
	simulated) seed=2001 ;;
	fresh) seed=4001 ;;
	*) echo "measure.sh: no set $set; choose of val, second, third, simulated and fresh" >&2 && exit 1 ;;
	esac
	if [ -n "$seed" ]; then
		folder=$scratch/sim_$seed
		if [ ! -d "$folder" ]; then
			testdata/scanner/kinds.sh "$folder.part" 1 "$seed" 60000
			mv "$folder.part" "$folder"
		fi
	fi
	began=$(date +%s)
	build/pdal superpoint compare --systems "$systems" --rules pipelines/report.yaml --targets 50,100,200,400 \
		--adjacency_knn 5 --output "$scratch/$set-$build" "$folder"/*.la[sz]
	go run ./pipelines/evidence keep "$set" "$scratch/$set-$build/results.csv"
	model=$(sed -n 2p "$scratch/$set-$build/results.csv" | cut -d , -f 4)
	{ # a row a build; the seconds are few if the run continued
		head -n 1 $cells/readings.csv
		{
			sed 1d $cells/readings.csv | grep -v "^$set,[^,]*,[^,]*,$build," || true
			echo "$set,$(date -u +%F),$commit,$build,$model,$(($(date +%s) - began))"
		} | sort -s -t , -k 1,1
	} >$cells/readings.csv.new
	mv $cells/readings.csv.new $cells/readings.csv
done
