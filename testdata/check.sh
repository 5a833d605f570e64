#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make check: all that has to pass before a release. Each part prints one line with its outcome and time; a part whose
# tools are missing is named as not run. Then make test. ROOT=/folder: a Debian 13 with the newest PDAL.
set -u
cd "$(dirname "$0")/.." || exit
mkdir -p build/check
failed=0
part() { # name, command
	name=$1
	shift
	started=$(date +%s)
	if "$@" >"build/check/$name.log" 2>&1 </dev/null; then outcome=passed; else outcome=FAILED failed=1; fi
	echo "$name: $outcome, $(($(date +%s) - started)) s, build/check/$name.log"
}
without() { echo "$1: NOT RUN, $2"; }

if python3 -c 'import ensurepip' 2>/dev/null; then
	part lint make lint
	part wheel make wheel
	part test-wheel make test-wheel
	part test-cluster make test-cluster
	grep '^SKIPPED' build/check/test-cluster.log
else
	without "lint, wheel, test-wheel, test-cluster" "python3 has no venv"
fi
if command -v qgis_process >/dev/null; then
	part test-qgis make test-qgis
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
part race make race
SUPERPOINT_TILES=all make test || failed=1
exit $failed
