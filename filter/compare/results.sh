#!/bin/sh
# Remakes the tables of RESULTS.md: `ssp` with its defaults and its rivals on the
# clouds of val, on simulated scans and on the clouds of test, into report/val,
# report/simulated and report/test. Sets named as arguments are measured; of the
# others the tables of the last time are kept there. An interrupted run goes on. The
# cells go to filter/compare/cells/, of which the tables by kind are made.
set -eu
cd "$(dirname "$0")/../.."
page=filter/compare/RESULTS.md
rivals=geom-graph,geom-graph+adjacency_knn=5,geom-graph+adjacency_knn=5+spatial_weight=0.2
export SYSTEMS=ssp,$rivals,vccs,vccs+normal_importance=0.4,lin SWEEP=none PICTURE=0

test $# -gt 0 || set -- val simulated test
for set in "$@"; do
	case $set in
	simulated) ONLY=simulated OUT=report/$set pipelines/report.sh ;;
	*) ONLY=data DATA=../shared/data/$set OUT=report/$set pipelines/report.sh ;;
	esac
done

# tables prints the page with what is between the marks made anew.
tables() {
	sed '/<!-- tables -->/q' $page
	echo
	echo '| clouds | cells won | OOA | F | mean lead OOA, F | worst lead OOA, F | OOA behind by more than 0.003 |'
	echo '|---|---|---|---|---|---|---|'
	for set in test simulated val; do
		sed -n "s/^| ssp |/| $set |/p" report/$set/cells.md
	done
	for set in test simulated val; do
		printf '\n## Every cell: %s, the worst first\n' $set
		sed '1,/^## /d; s/^\(| [^|]* | \)\(lidarhd_[0-9]*_627760\|ahn3_cropped_2\) /\1\2† /' report/$set/cells.md
	done
	echo
	sed -n '/<!-- end of tables -->/,$p' $page
}
new=$(mktemp)
trap 'rm -f "$new"' EXIT
tables >"$new"
cat "$new" >$page
for set in val simulated test; do
	go run ./filter/compare/evidence keep $set report/$set/results.csv
done
go run ./filter/compare/evidence # the tables by kind, of the cells
