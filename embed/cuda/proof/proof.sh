#!/bin/sh
# Proves the GPU part on this machine's GPU: proof.sh
#
# Carry the folder that make gpu-proof builds to a machine with an NVIDIA driver;
# neither Go nor PDAL is needed there. Steps: parity with the CPU, bit by bit where
# that is promised, on clouds of three fresh seeds; compute-sanitizer; the network
# in PyTorch and EZ-SP's merge on the same data, if python3 has torch; the speed of
# every operation and kernel; the whole filter on simulated surveys, CPU against
# GPU. Tables come last. It ends with 0 when all was done and passed, 1 when
# something failed, 2 without a GPU, 3 when what was done passed but some was not
# done. RUNS="1 2 3" names the seeds, MILLIONS=1,10,20 the surveys in millions of
# points, PYTHON a Python with torch; SHORT=1 takes small clouds.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
check=$folder/cuda-check
[ -x "$check" ] || { echo "$check is missing; run make gpu-proof where the sources are" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log tables=$work/tables outcomes=$work/outcomes
: >"$tables"
: >"$outcomes"
failed=0 undone=0
short=${SHORT:+-test.short}
python=${PYTHON:-python3}

# step NAME COMMAND...: runs it, keeps its tables, and notes the outcome.
step() {
	name=$1
	shift
	echo "$name ..."
	begun=$(date +%s)
	if LD_LIBRARY_PATH=${EMULATED:+$EMULATED:}${LD_LIBRARY_PATH:-} "$@" >"$log" 2>&1; then
		outcome=ok
	else
		outcome=FAILED failed=1
		grep -E '^--- FAIL|^panic|^={9}|Error|differ|DIFFERS|_test.go' "$log" | tail -20
	fi
	if grep -q 'not run, no GPU' "$log"; then
		sed -n 's/.*not run, no GPU: /no GPU: /p' "$log" | head -1
		echo "Nothing was proved."
		exit 2
	fi
	{
		echo "$name"
		sed -n 's/^ *[a-z_]*_test.go:[0-9]*: /  /p; s/^\(twin\|rival\): /  /p; /^=*.*Invalid/p; /ERROR SUMMARY/p' "$log"
		echo
	} >>"$tables"
	printf '%-40s %s, %d s\n' "$name" "$outcome" $(($(date +%s) - begun)) >>"$outcomes"
}

# missing NAME WHY: notes what could not be done.
missing() {
	undone=1
	printf '%-40s NOT DONE: %s\n' "$1" "$2" >>"$outcomes"
}

now=$(date +%s)
for seed in ${RUNS:-$((now % 1000)) $((now % 1000 + 1)) $((now % 1000 + 2))}; do
	step "parity, seed $seed" env SUPERPOINT_SEED="$seed" "$check" -test.v -test.run '^TestGPUParity$' $short
done

carried=$folder/wheels/nvidia/cuda_sanitizer_api
sanitizer=$(command -v compute-sanitizer || ls "$carried/bin/compute-sanitizer" 2>/dev/null)
for tool in memcheck racecheck initcheck synccheck; do
	if [ -n "${EMULATED:-}" ]; then
		missing "compute-sanitizer $tool" 'an emulated GPU has nothing to look into'
	elif [ -z "$sanitizer" ]; then
		missing "compute-sanitizer $tool" 'it is not there, neither on the PATH nor in wheels/'
	else
		case $sanitizer in "$carried"/*) set -- --injection-path "$carried/lib" ;; *) set -- ;; esac
		step "compute-sanitizer $tool" "$sanitizer" "$@" --tool "$tool" --error-exitcode 9 \
			"$check" -test.v -test.short -test.run '^TestGPUParity$'
	fi
done

mkdir "$work/twin"
step 'case for PyTorch' env SUPERPOINT_TWIN="$work/twin" "$check" -test.v -test.run '^TestGPUTwinCase$' $short
seen=$("$python" -c 'import torch; print(torch.cuda.is_available())' 2>/dev/null)
if [ "$seen" = True ] || [ "$seen${EMULATED:+here}" = Falsehere ]; then
	step "the network in PyTorch" "$python" "$folder/twin.py" "$work/twin"
	if [ -d "$folder/wheels/torch_graph_components" ]; then
		step "EZ-SP's merge" env PYTHONPATH="$folder/wheels:${PYTHONPATH:-}" "$python" "$folder/rival.py" "$work/twin"
	else
		missing "EZ-SP's merge" 'torch-graph-components is not in wheels/'
	fi
else
	why="$python has no torch"
	[ -z "$seen" ] || why="torch of $python finds no GPU"
	missing "the network in PyTorch" "$why"
	missing "EZ-SP's merge" "$why"
fi
rm -rf "$work/twin"

step speed "$check" -test.v -test.timeout 20m -test.run '^TestGPUSpeed$' $short
step 'the whole filter' env SUPERPOINT_SIZES="${MILLIONS:-1,10,20}" \
	"$folder/filter-check" -test.v -test.timeout 60m -test.run '^TestGPUFilter$'

echo
echo "gpu-proof, $(date -u +%Y-%m-%d), $(uname -m), $(getconf _NPROCESSORS_ONLN) processors"
cat "$tables" "$outcomes"
[ $failed = 0 ] || exit 1
[ $undone = 0 ] || exit 3
