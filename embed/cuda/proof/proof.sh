#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests and times the GPU code on this machine's GPU: proof.sh [STEP...]
#
# Copy the folder that make gpu-proof builds to a machine with an NVIDIA driver; neither Go nor PDAL is needed there.
# Every step is a process with a time limit, because a process cannot continue after an error of the GPU; its output is
# appended to RESULTS (default: results.txt in this folder), and a failure does not prevent the next step:
#
#   driver     the driver, memory and clocks
#   filter     the complete filter on simulated surveys of MILLIONS of points (1,10), CPU against GPU, with
#              one thread, four, 16 and so on
#   parity     the kernels with the CPU, byte by byte: the tests of their packages
#   sanitizer  parity on small clouds under compute-sanitizer
#
# The exit code is 0 if all steps passed, 1 if one failed or could not be run, 2 without a
# GPU. LIMIT=290 is the time of a step in seconds; SHORT=1 uses small clouds.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
[ -x "$folder/sums-check" ] || { echo "$folder has no programs; run make gpu-proof where the sources are" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
results=${RESULTS:-$folder/results.txt} failed=0 short=${SHORT:+-test.short}
export SUPERPOINT_SIZES="${MILLIONS:-1,10}"
export LD_LIBRARY_PATH="${EMULATED:+$EMULATED:}${LD_LIBRARY_PATH:-}"
printf '\ngpu-proof of %s, %s, %s\n' "$(cat "$folder/commit")" "$(date -u '+%Y-%m-%d %H:%M')" \
	"$(nproc) cores of $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" >>"$results"

# step NAME COMMAND...: runs the command and notes the outcome.
step() {
	name=$1 begun=$(date +%s) outcome=ok
	shift
	timeout "${LIMIT:-290}" "$@" >"$log" 2>&1 || outcome="FAILED ($?)" failed=1
	sed -n -e 's/^ *[a-z_]*_test.go:[0-9]*: /  /p' -e '/ERROR SUMMARY\|Invalid\|^ *--- FAIL\|^panic/p' "$log" >>"$results"
	if grep -q 'not run, no GPU' "$log"; then
		sed -n 's/.*not run, no GPU: /no GPU: /p' "$log" | head -1
		exit 2
	fi
	printf '%-40s %s, %s s\n' "$name" "$outcome" $(($(date +%s) - begun)) | tee -a "$results"
}

[ $# -gt 0 ] || set -- driver filter parity sanitizer
for wanted; do
	case $wanted in
	driver)
		query=name,driver_version,memory.total,memory.free,clocks.max.sm,clocks.max.memory,compute_cap
		[ -n "${EMULATED:-}" ] || ! command -v nvidia-smi >/dev/null || step driver sh -c \
			'found=$(nvidia-smi --format=csv,noheader --query-gpu="$0") && echo "$found" >>"$1"' "$query" "$results"
		;;
	filter) step filter "$folder/filter-check" -test.v -test.timeout 60m -test.run '^TestGPUFilter$' ;;
	parity)
		for kernels in sums neighbors embedding; do
			step "$wanted, $kernels" "$folder/$kernels-check" -test.v -test.timeout 20m -test.run '^TestDevice' $short
		done
		;;
	sanitizer)
		[ -z "${EMULATED:-}" ] || continue # there is nothing to look into
		carried=$folder/wheels/nvidia/cuda_sanitizer_api
		sanitizer=$(command -v compute-sanitizer || echo "$carried/bin/compute-sanitizer --injection-path $carried/lib")
		for tool in memcheck racecheck initcheck synccheck; do # initcheck has to see memory that nothing wrote
			SUPERPOINT_POISON=on options=
			if [ "$tool" = initcheck ]; then # reads of kernels: copies include rows that only the CPU fills
				SUPERPOINT_POISON=off options='--check-api-memory-access no'
			fi
			export SUPERPOINT_POISON
			for kernels in sums neighbors embedding; do
				# shellcheck disable=SC2086 # the command and its options
				step "sanitizer, $tool, $kernels" $sanitizer --tool "$tool" $options --error-exitcode 9 \
					"$folder/$kernels-check" -test.v -test.short -test.run '^TestDevice'
			done
		done
		;;
	*) echo "there is no step $wanted" >&2 && exit 1 ;;
	esac
done
echo "all of it: $results"
exit $failed
