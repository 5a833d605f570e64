#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make check: all that has to pass before a release. Each part prints one line with its outcome and time, and its log
# stays in build/check; of a part that fails the end of the log follows. A part whose tools are missing is named as not
# run. build/check/report.md has the outcomes as a table, for CHANGELOG.md. ROOT=/folder: a Debian 13 with the newest
# PDAL.
set -u
cd "$(dirname "$0")/.." || exit
mkdir -p build/check
report=build/check/report.md
failed=
begun=$(date +%s)
{
	echo "\`make check\` of $(git describe --always --dirty --exclude '*' 2>/dev/null), $(build/pdal --version |
		grep -o 'pdal [0-9.]*'), $(getconf _NPROCESSORS_ONLN) processors:"
	echo
	echo "| part | outcome | seconds |"
	echo "|---|---|---:|"
} >$report
part() { # name, command
	name=$1
	shift
	started=$(date +%s)
	if "$@" >"build/check/$name.log" 2>&1 </dev/null; then outcome=passed; else outcome=FAILED failed="$failed $name"; fi
	took=$(($(date +%s) - started))
	echo "$name: $outcome, $took s, build/check/$name.log"
	echo "| $name | $outcome | $took |" >>$report
	[ $outcome = passed ] || tail -n 20 "build/check/$name.log" | sed 's/^/    /'
}
without() { # name, reason
	echo "$1: NOT RUN, $2"
	echo "| $1 | not run: $2 | |" >>$report
}

# The wheel is built once: its tests are the scripts behind make test-wheel and make test-cluster.
if python3 -c 'import ensurepip' 2>/dev/null; then
	part lint make lint
	part wheel make wheel
	part test-wheel pipelines/python/test.sh
	part test-cluster pipelines/python/cluster/test.sh
	grep '^SKIPPED' build/check/test-cluster.log
else
	without "lint, wheel, test-wheel, test-cluster" "python3 has no venv"
fi
if command -v qgis_process >/dev/null; then
	part test-qgis pipelines/qgis/test.sh
else
	without test-qgis "QGIS is not installed"
fi
if [ -n "${ROOT:-}" ]; then
	part test-root make test-root
else
	without test-root "ROOT names no system with the newest PDAL"
fi
part runs sh -c 'testdata/runs.sh build/pdal >build/check/runs.txt && diff testdata/runs.txt build/check/runs.txt'
part pictures pipelines/pictures/check.sh
part parity make parity
part package make package
part sbom make sbom
part race make race
if command -v "${CLANG:-clang}" >/dev/null || command -v clang-14 >/dev/null; then
	part fuzz-abi testdata/fuzz-abi.sh 60
else
	without fuzz-abi "clang is not installed"
fi
part test env SUPERPOINT_STARTS=real SUPERPOINT_TILES=all make test
sed -n '/^=== Skipped/,$p' build/check/test.log

echo "all: $(($(date +%s) - begun)) s, $report"
echo "| all | ${failed:+failed:}${failed:- passed} | $(($(date +%s) - begun)) |" >>$report
[ -z "$failed" ] || { echo "make check: FAILED:$failed"; exit 1; }
