#!/bin/sh
# Superpoints of every LAS and LAZ of a folder: folder.sh IN OUT [options]
#
#   pipelines/folder.sh tiles superpoints --target_size 100
#
# The same as `pdal superpoint segment IN OUT`. PDAL names the pdal to use.
set -eu
if [ $# -lt 2 ]; then sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
in=$1 out=${2%/}/
shift 2
pdal=${PDAL:-$(dirname "$0")/../build/pdal}
command -v "$pdal" >/dev/null || pdal=pdal
case $in in -*) in=./$in ;; esac
case $out in -*) out=./$out ;; esac
exec "$pdal" superpoint segment "$@" "$in" "$out"
