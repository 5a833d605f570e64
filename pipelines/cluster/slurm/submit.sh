#!/bin/bash
# Superpoints of a planned survey on SLURM: submit.sh FOLDER [sbatch options]
#
#   pdal superpoint survey plan --output FOLDER survey/*.laz
#   pipelines/cluster/slurm/submit.sh FOLDER --partition=main --mem-per-cpu=6G --cpus-per-task=2
#
# One job a step of `pdal superpoint survey run`, most of them arrays, each after the one
# before. PDAL: the pdal of the nodes (default: pdal).
# MAX_ARRAY: longest array of the cluster (default 1000); with more tiles, a task
# computes several. Prints the number of the last job. After a failure, fix the cause
# that the log in FOLDER/log names, and submit again.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'; exit 2; }
folder=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/log"
command -v python3 >/dev/null || { echo "submit.sh: python3 is needed to read the plan; install it" >&2; exit 1; }
count='import json,sys; p=json.load(open(sys.argv[1])); print(*(len(p[k]) for k in ("sources", "tiles", "results")))'
read -r sources tiles results < <(python3 -c "$count" "$folder/plan.json")

# job STEP COUNT [sbatch options]: prints the job's number
job() {
	local step=$1 count=$2 max=${MAX_ARRAY:-1000}
	shift 2
	local per=$(((count + max - 1) / max))
	# through the environment, as a folder's name may have commas; % has a meaning in --output
	STEP=$step COUNT=$count PER=$per FOLDER=$folder PDAL=${PDAL:-pdal} \
		sbatch --parsable --array=0-$(((count + per - 1) / per - 1)) --output="${folder//%/%%}/log/$step-%a.txt" \
		--export=ALL "$@" "$here/unit.sbatch"
}

cut=$(job cut "$sources" "$@")
# if a source fails, the tiles of others are still computed; the units of its tiles name it
last=$(job embed "$tiles" --dependency=afterany:"$cut" "$@")
for step in "coarsen $tiles" "merge 1" "refine $tiles" "number 1" "label $tiles" "write $results" "index 1"; do
	# shellcheck disable=SC2086
	last=$(job $step --dependency=afterok:"$last" --kill-on-invalid-dep=yes "$@")
done
echo "$last"
