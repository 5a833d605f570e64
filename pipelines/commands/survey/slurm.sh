# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Submits a survey to SLURM: an array of jobs for each step, which begins when the step before has ended. Arguments are
# options for all of them, such as --partition=main. Nodes need the folder under the same path, and pdal, or the program
# in the environment variable PDAL. MAX_ARRAY is MaxArraySize of slurm.conf; a task of a longer array runs several
# units.
# Logs are in the folder log. If a job fails, fix the cause that its log names and run this script again: finished
# units are kept.
folder=${folder:?}
largest=${MAX_ARRAY:-1000}
mkdir -p "$folder/log"

# submit STEP UNITS MEGABYTES [options]: submits the units of a step and prints the number of the job.
submit() {
	local step=$1 units=$2 megabytes=$3
	shift 3
	local each=$(((units + largest - 1) / largest))
	local last=$(((units + each - 1) / each - 1))
	local job
	job=$(
		STEP=$step UNITS=$units EACH=$each FOLDER=$folder PDAL=${PDAL:-pdal} \
			sbatch --parsable --export=ALL --job-name="superpoint-$step" --array="0-$last" --mem="${megabytes}M" \
			--ntasks=1 --requeue --kill-on-invalid-dep=yes \
			--open-mode=append --output="${folder//%/%%}/log/$step-%a.txt" "$@" <<'task'
#!/bin/bash
first=$((SLURM_ARRAY_TASK_ID * EACH))
status=0
for ((n = first; n < first + EACH && n < UNITS; n++)); do
	"$PDAL" superpoint survey run --threads "${SLURM_CPUS_PER_TASK:-1}" "$FOLDER" "$STEP" "$n" || status=1
done
exit "$status"
task
	)
	echo "${job%%;*}"
}

