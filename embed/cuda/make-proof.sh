#!/bin/sh
# Builds the folder of gpu-proof.sh and runs it: make gpu-proof
#
# REHEARSE=1 make gpu-proof runs it on the emulator in place of a driver.
set -eu
cd "$(dirname "$0")/../.."
folder=$(cd "$BUILD" && pwd)/gpu-proof
mkdir -p "$folder"
cmake --build "$BUILD" --target cuda_forward >/dev/null
CGO_CFLAGS="-O2 \"-I$PWD/embed/cuda/driver\"" CGO_LDFLAGS="\"-L$(cd "$BUILD" && pwd)/driver\" -ldl" \
	go test -c -trimpath -ldflags='-s -w' -tags nvidia -o "$folder/cuda-check" ./embed/cuda
cp embed/cuda/gpu-proof.sh "$folder"
echo "$folder: $(du -sm "$folder" | cut -f1) MB to carry to a machine with a GPU"
if [ -n "${REHEARSE:-}" ]; then
	fake=$(mktemp -d)
	trap 'rm -rf "$fake"' EXIT
	gcc -shared -fPIC -O2 -std=c11 -D_GNU_SOURCE -Iembed/cuda/driver -Iembed/cuda/emulator -o "$fake/libcuda.so.1" \
		filter/pdaltest/testdata/fakecuda.c embed/cuda/emulator/emulator.c -lm
	LD_LIBRARY_PATH=$fake SHORT=1 RUNS=${RUNS:-1} "$folder/gpu-proof.sh"
else
	"$folder/gpu-proof.sh"
fi
