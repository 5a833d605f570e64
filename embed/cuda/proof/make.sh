#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the folder of proof.sh and runs it: make gpu-proof
#
# REHEARSE=1 make gpu-proof runs it on the emulator in place of a driver, on small clouds.
set -eu
cd "$(dirname "$0")/../../.."
build=$(cd "$BUILD" && pwd)
folder=$build/gpu-proof
mkdir -p "$folder/wheels"
cmake --build "$build" --target cuda_forward >/dev/null
for check in sums=./partition/gpu neighbors=./partition/neighbor embedding=./embed/lpe filter=./filter/device; do
	CGO_CFLAGS="-O2 \"-I$build/driver\"" CGO_LDFLAGS="\"-L$build/driver\" -ldl" \
		go test -c -trimpath -ldflags='-s -w' -tags nvidia -o "$folder/${check%%=*}-check" "${check#*=}"
done
cp embed/cuda/proof/proof.sh "$folder"
git rev-parse --short=8 HEAD >"$folder/commit" 2>/dev/null || echo "a copy without git" >"$folder/commit"
if ! cmp -s embed/cuda/proof/requirements.txt "$folder/wheels/requirements.txt"; then
	fetched=$(mktemp -d)
	if python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$fetched" \
		--requirement embed/cuda/proof/requirements.txt >&2; then
		for wheel in "$fetched"/*.whl; do python3 -m zipfile -e "$wheel" "$folder/wheels"; done
		chmod +x "$folder"/wheels/nvidia/cuda_sanitizer_api/bin/*
		cp embed/cuda/proof/requirements.txt "$folder/wheels"
	else
		echo "gpu-proof: without compute-sanitizer, which pip did not fetch" >&2
	fi
	rm -rf "$fetched"
fi
size=$(du -sm "$folder" | cut -f1)
echo "$folder: $size MiB to carry to a machine with a GPU"
[ "$size" -lt 64 ] || { echo "gpu-proof: $folder takes $size MiB; less than 64 can be carried" >&2; exit 1; }
if [ -z "${REHEARSE:-}" ]; then
	exec "$folder/proof.sh"
fi
fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
gcc -shared -fPIC -O2 -std=c11 -D_GNU_SOURCE -I"$build/driver" -Iembed/cuda/emulator -o "$fake/libcuda.so.1" \
	filter/pdaltest/testdata/fakecuda.c embed/cuda/emulator/emulator.c -lm
EMULATED=$fake FAKE_CUDA_DEVICES=2 SHORT=1 MILLIONS=${MILLIONS:-0.003} RESULTS=${RESULTS:-$fake/results} \
	"$folder/proof.sh"
echo "gpu-proof: rehearsed; nothing here was measured on a GPU"
