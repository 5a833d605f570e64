#!/bin/sh
# Runs parity and speed of the CUDA kernels on this machine's GPU: gpu-check.sh
#
# Carry this script and cuda-check (make gpu-check builds it beside) to a machine
# with an NVIDIA driver; nothing else is needed there. Ends with 0 without a GPU.
# PEAK_TFLOPS and PEAK_TBYTES set the GPU's peaks (default: H100 SXM, 67 and 3.35).
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
binary=${1:-$folder/cuda-check}
[ -x "$binary" ] || { echo "$binary is missing; run make gpu-check where the sources are" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "gpu-check, $(date -u +%Y-%m-%d), $(uname -m)"
status=0
"$binary" -test.v -test.timeout 7m -test.run '^TestGPU' >"$log" 2>&1 || status=$?
sed -n 's/^ *[a-z]*_test.go:[0-9]*: //p; /^--- /p; /^panic/p' "$log"
if grep -q 'not run, no GPU' "$log"; then
	echo "No GPU was used: nothing above was measured."
fi
exit $status
