#!/bin/sh
# Proves the CUDA kernels on this machine's GPU: gpu-proof.sh
#
# Carry the folder that make gpu-proof builds to a machine with an NVIDIA driver;
# nothing else is needed there. Parity with the CPU, bit by bit where that is
# promised, on clouds of three fresh seeds; NVIDIA's compute-sanitizer, if it is
# on the PATH; then the speed of every operation and kernel. Tables come last.
# Ends with an error without a GPU, and when anything differs. RUNS="1 2 3" names
# the seeds; SHORT=1 leaves out large clouds and speed, as for an emulated GPU.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
check=$folder/cuda-check
[ -x "$check" ] || { echo "$check is missing; run make gpu-proof where the sources are" >&2; exit 1; }
log=$(mktemp)
table=$(mktemp)
trap 'rm -f "$log" "$table"' EXIT
failed=0
now=$(date +%s)
short=${SHORT:+-test.short}

# step NAME COMMAND...: runs it, shows what it found, and notes the outcome.
step() {
	name=$1
	shift
	begun=$(date +%s)
	if "$@" >"$log" 2>&1; then outcome=ok; else outcome=FAILED failed=1; fi
	if grep -q 'not run, no GPU' "$log"; then
		sed -n 's/.*not run, no GPU: /no GPU: /p' "$log" | head -1
		echo "Nothing was proved."
		exit 2
	fi
	sed -n 's/^ *[a-z]*_test.go:[0-9]*: //p; /^--- FAIL/p; /^panic/p; /^=*.*Invalid/p; /ERROR SUMMARY/p' "$log"
	printf '%-44s %s, %d s\n' "$name" "$outcome" $(($(date +%s) - begun)) >>"$table"
}

echo "gpu-proof, $(date -u +%Y-%m-%d), $(uname -m)"
for seed in ${RUNS:-$((now % 1000)) $((now % 1000 + 1)) $((now % 1000 + 2))}; do
	step "parity, seed $seed" env SUPERPOINT_SEED="$seed" "$check" -test.v -test.run '^TestGPU(Parity|Training)$' $short
done
if command -v compute-sanitizer >/dev/null; then
	for tool in memcheck racecheck initcheck synccheck; do
		step "compute-sanitizer $tool" compute-sanitizer --tool "$tool" --error-exitcode 9 \
			"$check" -test.v -test.short -test.run '^TestGPU(Parity|Training)$'
	done
else
	echo "compute-sanitizer: not on the PATH, not run" >>"$table"
fi
[ -n "$short" ] || step speed "$check" -test.v -test.timeout 9m -test.run '^TestGPUSpeed$'
echo
cat "$table"
exit $failed
