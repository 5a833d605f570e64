#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs every fuzz target of the repository, one after another, for a given time
# each, and prints a line a target: seconds, executions, inputs that reached new
# code. What fails is left in the package's testdata/fuzz, where go test finds it
# from then on.
#
#   testdata/fuzz.sh           a minute each
#   testdata/fuzz.sh 5m        five minutes each
#   testdata/fuzz.sh 5m WKT    targets whose name contains WKT
cd "$(dirname "$0")/.." || exit 1
time=${1:-1m} name=${2:-} failed=0
log=$(mktemp) && trap 'rm -f "$log"' EXIT

printf '%-40s %10s %12s %8s\n' target seconds executions new
for target in $(grep -rho --include='*_test.go' "^func Fuzz[A-Za-z0-9]*${name}[A-Za-z0-9]*" . | sed 's/func //' |
	sort -u); do
	folder=$(dirname "$(grep -rl --include='*_test.go' "^func $target(" .)")
	begin=$(date +%s)
	# Shortening inputs takes a minute each by default: 20 tries do.
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x -parallel 1 "$folder" >"$log" 2>&1 || {
		failed=1
		cat "$log"
	}
	sed -n 's/.*elapsed: .* execs: \([0-9]*\).* new interesting: \([0-9]*\).*/\1 \2/p' "$log" | tail -1 | {
		read -r executions new
		printf '%-40s %10s %12s %8s\n' "$folder $target" $(($(date +%s) - begin)) "$executions" "$new"
	}
done
exit $failed
