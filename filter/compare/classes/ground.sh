#!/bin/sh
# Ground by PDAL's SMRF, to measure beside the classes of superpoints:
#
#   filter/compare/classes/ground.sh TILE.laz…
#   SMRF=out/classes/smrf filter/compare/classes/measure.sh
#
# The files' own classes are put away first, which the filter may not see; echoes of
# number 0, which it refuses, become first and only ones. csf.py writes CSF's ground.
set -eu
cd "$(dirname "$0")/../../.."
work=out/classes/smrf
mkdir -p "$work"
for tile in "$@"; do
	build/pdal pipeline --stdin <<-END
		["$tile",
		 {"type": "filters.assign", "assignment": "Classification[:]=1"},
		 {"type": "filters.assign", "assignment": "NumberOfReturns[0:0]=1"},
		 {"type": "filters.assign", "assignment": "ReturnNumber[0:0]=1"},
		 {"type": "filters.smrf"},
		 "$work/$(basename "$tile" .laz).las"]
	END
done
