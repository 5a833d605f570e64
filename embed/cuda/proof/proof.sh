#!/bin/sh
# Tests and times the GPU code on this machine's GPU: proof.sh
#
# Copy the folder that make gpu-proof builds to a machine with an NVIDIA driver;
# neither Go nor PDAL is needed there. Every step is a process with a time limit; its
# output is appended to RESULTS (default: results.txt in this folder) when it ends, and a
# failure does not prevent the next step. Steps, in this order; STEPS="driver filter"
# TIME=290 runs some of them, in less than five minutes:
#
#   driver     the driver, memory and clocks
#   filter     the complete filter on simulated surveys of 1 and 10 million points, CPU against GPU
#   speed      every operation and kernel, each operation in a process of its own
#   parity     with the CPU, byte by byte, on clouds of one fresh seed, a process each
#   large      the complete filter on 20 million points
#   sanitizer  compute-sanitizer; or one of memcheck, racecheck, initcheck and synccheck
#   seeds      parity, two more seeds, and on the second GPU
#
# The exit code is 0 if all steps passed, 1 if one failed, 2 without a GPU, 3 if no step
# failed but one could not be run. RUNS="1 2 3" sets the seeds, MILLIONS=1,10 and LARGE=20
# the surveys in millions of points, LIMIT=290 the seconds of a step, TIME=3600 those of all;
# SHORT=1 uses small clouds.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
check=$folder/cuda-check
[ -x "$check" ] || { echo "$check is missing; run make gpu-proof where the sources are" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log results=${RESULTS:-$folder/results.txt} outcomes=$work/outcomes
: >"$outcomes"
failed=0 undone=0 proved=0 end=$(($(date +%s) + ${TIME:-3600}))
short=${SHORT:+-test.short}
{
	echo
	echo "gpu-proof, $(date -u '+%Y-%m-%d %H:%M'), $(uname -m), $(getconf _NPROCESSORS_ONLN) processors"
} >>"$results"

# wanted STEP: whether STEPS names it, or names none.
wanted() {
	case " ${STEPS:-$1} " in *" $1 "*) return 0 ;; esac
	return 1
}

# note NAME OUTCOME: into the list of outcomes and the results.
note() { printf '%-40s %s\n' "$1" "$2" | tee -a "$outcomes" >>"$results"; }

# step NAME COMMAND...: runs the command, stores its output, and notes the outcome.
step() {
	name=$1
	shift
	begun=$(date +%s) status=0
	limit=$((end - begun < ${LIMIT:-290} ? end - begun : ${LIMIT:-290}))
	if [ "$limit" -lt 5 ]; then
		missing "$name" "no time was left"
		return
	fi
	echo "$name ..."
	LD_LIBRARY_PATH=${EMULATED:+$EMULATED:}${LD_LIBRARY_PATH:-} timeout "$limit" "$@" >"$log" 2>&1 || status=$?
	seconds=$(($(date +%s) - begun))
	{
		echo "$name"
		sed -n -e 's/^ *[a-z_]*_test.go:[0-9]*: /  /p; s/^driver: /  /p' -e '/^=*.*Invalid/p' \
			-e '/ERROR SUMMARY/p' "$log"
	} >>"$results"
	if grep -q 'not run, no GPU' "$log"; then
		sed -n 's/.*not run, no GPU: /no GPU: /p' "$log" | head -1
		[ "$proved" = 1 ] || { echo "Nothing was proved." && exit 2; }
		status=2
	fi
	case $status in
	0) proved=1 && note "$name" "ok, $seconds s" ;;
	124) failed=1; note "$name" "STOPPED after $limit s" ;;
	*)
		failed=1
		note "$name" "FAILED, $seconds s"
		grep -E '^--- FAIL|^ *--- FAIL|^panic|^={9}|Error|differ|DIFFERS|_test.go' "$log" | tail -20 | tee -a "$results"
		;;
	esac
}

# missing NAME WHY: notes what could not be done.
missing() {
	undone=1
	note "$1" "NOT DONE: $2"
}

survey() { # NAME MILLIONS
	step "$1" env SUPERPOINT_SIZES="$2" "$folder/filter-check" -test.v -test.timeout 60m -test.run '^TestGPUFilter$'
}

if wanted driver; then
	if command -v nvidia-smi >/dev/null; then
		step driver sh -c 'nvidia-smi --format=csv,noheader --query-gpu=name,driver_version,memory.total,memory.free,\
clocks.max.sm,clocks.max.memory,compute_cap | sed "s/^/driver: /"'
	else
		missing driver 'there is no nvidia-smi'
	fi
fi
now=$(date +%s)
set -f
seeds=${RUNS:-$((now % 1000)) $((now % 1000 + 1)) $((now % 1000 + 2))}
first=${seeds%% *} others=
[ "$seeds" = "$first" ] || others=${seeds#* }
parity() { step "parity, seed $1" env SUPERPOINT_SEED="$1" "$check" -test.v -test.run '^TestGPUParity$' $short; }

if wanted filter; then
	for size in $(echo "${MILLIONS:-1,10}" | tr , ' '); do survey "the whole filter, $size million points" "$size"; done
fi
if wanted speed; then step speed "$check" -test.v -test.timeout 20m -test.run '^TestGPUSpeed$' $short; fi
if wanted parity; then parity "$first"; fi
if wanted large; then survey "the whole filter, ${LARGE:-20} million points" "${LARGE:-20}"; fi

carried=$folder/wheels/nvidia/cuda_sanitizer_api
sanitizer=$(command -v compute-sanitizer || ls "$carried/bin/compute-sanitizer" 2>/dev/null)
for tool in memcheck racecheck initcheck synccheck; do
	if ! wanted sanitizer && ! wanted "$tool"; then
		continue
	elif [ -n "${EMULATED:-}" ]; then
		missing "compute-sanitizer $tool" 'an emulated GPU has nothing to look into'
	elif [ -z "$sanitizer" ]; then
		missing "compute-sanitizer $tool" 'it is not there, neither on the PATH nor in wheels/'
	else
		case $sanitizer in "$carried"/*) set -- --injection-path "$carried/lib" ;; *) set -- ;; esac
		# in one process; initcheck has to see memory that nothing wrote
		poison=$([ "$tool" = initcheck ] && echo off || echo on)
		step "compute-sanitizer $tool" env SUPERPOINT_ALONE=1 SUPERPOINT_POISON="$poison" "$sanitizer" "$@" \
			--tool "$tool" --error-exitcode 9 "$check" -test.v -test.short -test.run '^TestGPUParity$'
	fi
done
if wanted seeds; then
	for seed in $others; do parity "$seed"; done
	if [ -n "${EMULATED:-}" ] || [ "$(nvidia-smi --list-gpus 2>/dev/null | wc -l)" -gt 1 ]; then
		step 'parity, second GPU' env SUPERPOINT_GPU=cuda:1 "$check" -test.v -test.short -test.run '^TestGPUParity$'
	else
		note 'parity, second GPU' 'there is one GPU'
	fi
fi

echo
cat "$outcomes"
echo "all of it: $results"
[ $failed = 0 ] || exit 1
[ $undone = 0 ] || exit 3
