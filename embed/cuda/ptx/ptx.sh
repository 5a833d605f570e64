#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles the kernels to PTX beside them: go generate ./embed/cuda/ptx
# Compares with the existing files, byte for byte, and changes nothing: make ptx
#
# Needed only after a change of a kernel; builds and tests never call it. Uses nvcc
# 11 or 12 of the PATH, or else unpacks Debian's nvidia-cuda-toolkit (non-free,
# 11.8) with g++-11 into a private folder: 1.6 GB, nothing is installed, no root
# needed. PTX is for compute_70; drivers compile it for sm_70 (Volta, 2017) and
# everything newer. Every file begins with a hash of its source and its headers,
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

cache=${XDG_CACHE_HOME:-$HOME/.cache}/superpoint/cuda-11.8
unpack() {
	command -v apt-get >/dev/null && [ "$(. /etc/os-release; echo "$ID")" = debian ] ||
		{ say "nvcc is missing; install a CUDA toolkit (11 or 12), put nvcc on the PATH, and run go generate again"
		exit 1; }
	work=$(mktemp -d "$cache.work.XXXXXX")
	trap 'rm -rf "$work"; [ "$made" = . ] || rm -rf "$made"' EXIT
	mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
	: >"$work/status"
	codename=$(. /etc/os-release; echo "$VERSION_CODENAME")
	mirror=$(apt-get update --print-uris 2>/dev/null | sed -n "s#^'\\(.*\\)/dists/$codename/InRelease'.*#\\1#p" | head -1)
	key=/usr/share/keyrings/debian-archive-keyring.gpg
	echo "deb [signed-by=$key] $mirror $codename main contrib non-free" >"$work/sources.list"
	private_apt() {
		apt-get -qq -o Dir::State="$work/state" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
			-o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User="$(id -un)" "$@"
	}
	private_apt update >&2
	say "fetching Debian's CUDA 11.8 (1.6 GB, once) into $cache"
	(cd "$work/debs" && private_apt download nvidia-cuda-toolkit nvidia-cuda-dev \
		g++-11 gcc-11 cpp-11 gcc-11-base libgcc-11-dev libstdc++-11-dev >&2)
	for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
	rm -rf "$cache"
	mv "$work/root" "$cache"
	find "$cache" -name nvcc.profile | while read -r profile; do
		rm "$profile" # a link into /etc, or the file there
		cat >"$profile" <<-END
			TOP = $cache/usr
			NVVMIR_LIBRARY_DIR = $cache/usr/lib/nvidia-cuda-toolkit/libdevice
			INCLUDES += "-I$cache/usr/include"
		END
	done
}
# nvcc orders some moves by addresses of its own memory; at fixed ones it makes the
# same file every time.
fixed=$(command -v setarch >/dev/null && echo "setarch -R" || true)
if command -v nvcc >/dev/null; then
	compile() { $fixed nvcc "$@"; }
	assemble() { ptxas "$@"; }
else
	mkdir -p "$(dirname "$cache")"
	[ -d "$cache/usr" ] || unpack
	bin=$cache/usr/lib/nvidia-cuda-toolkit/bin
	compile() {
		PATH="$bin:$cache/usr/bin:$PATH" LD_LIBRARY_PATH="$cache/usr/lib/x86_64-linux-gnu" \
			$fixed "$bin/nvcc" -ccbin "$cache/usr/bin/g++-11" -I"$cache/usr/include" "$@"
	}
	assemble() { "$cache/usr/bin/ptxas" "$@"; }
fi

sources=$(find embed partition -name '*.cu' | LC_ALL=C sort)
for source in $sources; do
	name=${source%.cu}
	folder=$(dirname "$source")
	mkdir -p "$made/$folder"
	# without fused products and sums: the bits of the CPU
	compile -ptx -arch=compute_70 -O3 -fmad=false "$source" -o "$made/$name.ptx.new"
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
			assemble -v -arch=$gpu "$ptx" -o /dev/null 2>&1 | awk -v gpu=$gpu -v q="'" '
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
