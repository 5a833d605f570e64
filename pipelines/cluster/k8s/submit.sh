#!/bin/sh
# submit.sh IMAGE CLAIM PLAN.json: the seven jobs, one after the other, with kubectl.
set -eu
[ $# = 3 ] || { sed -n 2p "$0"; exit 2; }
case $1 in *[!A-Za-z0-9._:/@-]*) echo "submit.sh: $1 is no name of an image" >&2; exit 2 ;; esac
case $2 in *[!A-Za-z0-9.-]*) echo "submit.sh: $2 is no name of a claim" >&2; exit 2 ;; esac
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "submit.sh: python3 is needed to read the plan; install it" >&2; exit 1; }
sources=$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["sources"]))' "$3")
tiles=$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["tiles"]))' "$3")
for unit in cut embed run join refine stitch finish; do
	sed "s|IMAGE\$|$1|; s|CLAIM}|$2}|; s|: SOURCES|: $sources|; s|: TILES|: $tiles|" "$here/$unit.yaml" |
		${KUBECTL:-kubectl} apply -f -
	${KUBECTL:-kubectl} wait --for=condition=complete --timeout=-1s job/superpoint-$unit
done
