#!/bin/sh
# Superpoints of every LAS and LAZ of a folder: folder.sh IN OUT [pdal options]
#
#   pipelines/folder.sh tiles superpoints --filters.superpoint.target_size=100
#
# Files whose output is there are left out, so that an interrupted run goes on.
# An output has its name only when it is whole. PDAL names the pdal to use.
set -eu
if [ $# -lt 2 ]; then sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
in=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
pdal=${PDAL:-$here/../build/pdal}
command -v "$pdal" >/dev/null || pdal=pdal
mkdir -p "$out"
failed=0
for file in "$in"/*.la[sz] "$in"/*.LA[SZ]; do
	[ -e "$file" ] || continue
	name=$(basename "$file")
	[ ! -e "$out/$name" ] || continue
	part=$out/.part-$name # the ending must stay: it says LAS or LAZ
	if "$pdal" pipeline "$here/first.json" --readers.las.filename="$file" --writers.las.filename="$part" "$@"; then
		mv "$part" "$out/$name"
		echo "$out/$name"
	else
		rm -f "$part"
		echo "$file: failed" >&2
		failed=1
	fi
done
exit $failed
