#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The wheel for another system, built and run on this machine: test-other.sh aarch64|windows
#
# Ids, embeddings and outlines of a simulated village must equal the results of this machine's wheel, bit by bit.
# aarch64: Debian's Python for arm64 under qemu; needs root, debootstrap and qemu-user, and keeps 0.4 GB in
# build/wheel/aarch64 for the next run. windows: the Python of JavaCPP's presets on Maven Central under wine, with the
# last numpy whose Windows build runs in wine 8; needs wine, mvn, unzip and gcc-mingw-w64-x86-64-posix.
set -eu
cd "$(dirname "$0")/../.."
kind=${1:-}
say() { echo "test-other $kind: $*" >&2; }
case $kind in
aarch64)
	needed="go debootstrap qemu-aarch64" target=linux-aarch64 platform=manylinux_2_28_aarch64 machine=aarch64
	numpy=$(grep '^numpy==' pipelines/python/tests/requirements.txt)
	;;
windows)
	needed="go x86_64-w64-mingw32-gcc-posix wine mvn unzip" target=windows-x86_64 platform=win_amd64 machine=AMD64
	numpy=numpy==1.26.4
	;;
*) say "name aarch64 or windows" && exit 2 ;;
esac
PATH=$PATH:/usr/sbin
for tool in $needed; do
	command -v "$tool" >/dev/null || { say "$tool is missing"; exit 1; }
done
tools=$PWD/build/wheel/venv/bin work=$PWD/build/wheel/$kind
mkdir -p "$work"
pipelines/python/wheel.sh >/dev/null
SUPERPOINT_TARGET=$target pipelines/python/wheel.sh

if [ $kind = aarch64 ] && [ ! -e "$work/bookworm/usr/bin/python3.11" ]; then
	rm -rf "$work/bookworm" "$work/bookworm.part"
	debootstrap --foreign --arch=arm64 --variant=minbase --include=python3 bookworm "$work/bookworm.part" \
		"${MIRROR:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 ||
		{ tail "$work/debootstrap.log" >&2; exit 1; }
	for package in "$work"/bookworm.part/var/cache/apt/archives/*.deb; do # not installed: that would run programs of arm64
		dpkg -x "$package" "$work/bookworm.part"
	done
	mv "$work/bookworm.part" "$work/bookworm"
elif [ $kind = windows ] && [ ! -e "$work/python/python.exe" ]; then
	mvn -q -B dependency:copy -Dartifact=org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64 \
		-DoutputDirectory="$work" >"$work/mvn.log" 2>&1 || { tail "$work/mvn.log" >&2; exit 1; }
	rm -rf "$work/org"
	unzip -q -o "$work"/cpython-*.jar 'org/bytedeco/cpython/windows-x86_64/*' -d "$work"
	mv "$work/org/bytedeco/cpython/windows-x86_64" "$work/python"
fi

newest() { ls -t build/wheel/superpoint-*"$1".whl | head -n 1; }
install() { # install FOLDER PIP'S ARGUMENTS...
	folder=$1
	shift
	rm -rf "$folder"
	"$tools/python" -m pip install -q --disable-pip-version-check --target "$folder" --only-binary :all: --no-deps \
		"$numpy" "$@"
}
install "$work/site-here" "$(newest x86_64)"
install "$work/site-there" --platform "$platform" --python-version 3.11 "$(newest "$platform")"

[ -e "$work/village.laz" ] ||
	go run ./testdata/scanner -scene village -mode aerial -points 20000 -seed 1 -o "$work/village.laz"
"$tools/python" -c 'import laspy, numpy, sys
las = laspy.read(sys.argv[1])
numpy.save(sys.argv[2], numpy.column_stack([las.x, las.y, las.z]))' "$work/village.laz" "$work/village.npy"

cp pipelines/python/tests/bits.py "$work/"
cd "$work"
PYTHONPATH=site-here "$tools/python" bits.py village.npy >here.txt
if [ $kind = aarch64 ]; then
	QEMU_LD_PREFIX=$work/bookworm PYTHONHOME=$work/bookworm/usr PYTHONPATH=site-there \
		qemu-aarch64 bookworm/usr/bin/python3.11 bits.py village.npy >there.txt
else
	export WINEPREFIX="$PWD/prefix" WINEARCH=win64 WINEDEBUG=-all
	wine winecfg -v win10 >wine.log 2>&1 || { tail wine.log >&2; exit 1; }
	random=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
	if [ ! -e "$random" ]; then # every Windows since 8 has it, wine as of 8.13; Go takes random numbers from it
		printf '%s\n' '#include <windows.h>' 'BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);' \
			'__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T n) { return SystemFunction036(to, (ULONG)n); }' \
			>random.c
		x86_64-w64-mingw32-gcc-posix -shared -o "$random" random.c -ladvapi32
	fi
	: | PYTHONPATH=site-there wine python/python.exe bits.py village.npy 2>/dev/null | tr -d '\r' >there.txt
fi
cat there.txt
tail -n +2 here.txt >here.bits
tail -n +2 there.txt | diff here.bits -
[ "$(head -n 1 there.txt | cut -d ' ' -f 1)" = $machine ]
say "ok: the same bits as $(head -n 1 here.txt)"
