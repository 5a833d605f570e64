#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles the kernels to PTX beside them: go generate ./embed/cuda/ptx
# Compares with the existing files, byte for byte, and changes nothing: make ptx
#
# Needed only after a change of a kernel; builds and tests never call it. Uses nvcc of the PATH: the files are of 11.8,
# which is Debian 12's package nvidia-cuda-toolkit (non-free), with g++-11. PTX is for compute_70; drivers compile it
# for sm_70 (Volta, 2017) and everything newer. Every file begins with a hash of its source and its headers,
# which a test compares. registers.txt has the registers of each kernel on three GPUs
# according to ptxas; a test fails for kernels that spill.
set -eu
room=embed/cuda/ptx
cd "$(dirname "$0")/../../.."
made=.
if [ "${1:-}" = compare ]; then
	made=$(mktemp -d)
	trap 'rm -rf "$made"' EXIT
fi
say() { echo "superpoint: $*" >&2; }

command -v nvcc >/dev/null && command -v ptxas >/dev/null ||
	{ say "nvcc is missing; install a CUDA toolkit (11 or 12), put nvcc on the PATH, and run it again"; exit 1; }
# nvcc orders some moves by addresses of its own memory; at fixed ones it makes the
# same file every time.
fixed=$(command -v setarch >/dev/null && echo "setarch -R" || true)

sources=$(find embed partition -name '*.cu' | LC_ALL=C sort)
for source in $sources; do
	name=${source%.cu}
	folder=$(dirname "$source")
	mkdir -p "$made/$folder"
	# without fused products and sums: the bits of the CPU
	$fixed nvcc -ptx -arch=compute_70 -O3 -fmad=false "$source" -o "$made/$name.ptx.new"
	{
		# shellcheck disable=SC2046 # no name of a header has a space
		echo "// sources: $(cat $(sed -n "s#^.include \"\(.*\)\"\$#$folder/\1#p" "$source") "$source" | sha256sum |
			cut -d' ' -f1)"
		grep -v '^//' "$made/$name.ptx.new"
	} >"$made/$name.ptx"
	rm "$made/$name.ptx.new"
	say "$name.ptx, $(wc -c <"$made/$name.ptx") bytes"
done

mkdir -p "$made/$room"
texts() { for source in $sources; do echo "$made/${source%.cu}.ptx"; done; }
{
	# shellcheck disable=SC2046 # nor has one of a PTX file
	echo "# $(cat $(texts) | sha256sum | cut -d' ' -f1)"
	echo "# kernel, GPU, registers a thread, bytes spilled (stored and loaded), bytes of local memory, blocks of 128"
	echo "# threads on a multiprocessor of 65,536 registers and 2,048 threads"
	for gpu in sm_70 sm_80 sm_90; do
		for ptx in $(texts); do
			ptxas -v -arch=$gpu "$ptx" -o /dev/null 2>&1 | awk -v gpu=$gpu -v q="'" '
				/Compiling entry/ { split($0, part, q); kernel = part[2] }
				/spill stores/ { frame = $1; spilled = $5 + $9 }
				/Used/ { blocks = int(64 / int(($5 + 7) / 8))
					print kernel, gpu, $5, spilled, frame, blocks < 16 ? blocks : 16 }'
		done
	done
} >"$made/$room/registers.new"
mv "$made/$room/registers.new" "$made/$room/registers.txt"
most=$(grep -v '^#' "$made/$room/registers.txt" | cut -d' ' -f3 | sort -n | tail -1)
say "registers.txt, at most $most registers a thread"
if [ "$made" != . ]; then
	count=0
	for file in $(texts) "$made/$room/registers.txt"; do
		cmp "$file" "${file#"$made"/}" || { say "${file#"$made"/} is not what nvcc makes of the sources"; exit 1; }
		count=$((count + 1))
	done
	say "$count files, every byte the same"
fi
