#!/bin/sh
# submit.sh QUEUE PLAN.json: seven jobs of AWS Batch, each after the one before.
# The job definition comes first: replace IMAGE and FILE_SYSTEM in
# job-definition.json, then aws batch register-job-definition --cli-input-json
set -eu
[ $# = 2 ] || { sed -n '2,4p' "$0"; exit 2; }
case $1 in *[!A-Za-z0-9_:/-]*) echo "submit.sh: $1 is no name of a queue" >&2; exit 2 ;; esac
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "submit.sh: python3 is needed to read the plan; install it" >&2; exit 1; }
sources=$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["sources"]))' "$2")
tiles=$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["tiles"]))' "$2")
previous=
for unit in cut embed run join refine stitch finish; do
	# an array has at least two jobs: a single one is submitted without
	text=$(sed "s|QUEUE|$1|; s|\"SOURCES\"|$sources|; s|\"TILES\"|$tiles|; s|[A-Z]*_JOB|$previous|
		s|\"arrayProperties\": {\"size\": 1},||" "$here/$unit.json")
	case $text in *arrayProperties*) ;; *) text=$(echo "$text" | sed 's|$AWS_BATCH_JOB_ARRAY_INDEX|0|') ;; esac
	previous=$(${AWS:-aws} batch submit-job --cli-input-json "$text" --query jobId --output text)
	echo "$unit $previous"
done
