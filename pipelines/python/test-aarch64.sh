#!/bin/sh
# The wheel for Linux on aarch64, built and run on this machine: test-aarch64.sh
#
# Debian's Python for arm64 runs it under qemu; ids and embeddings of a simulated
# village must be those of this machine's wheel, bit by bit. Needs root,
# debootstrap and qemu-user; It keeps 0.4 GB in build/wheel/aarch64 for the next run.
set -eu
cd "$(dirname "$0")/../.."
say() { echo "test-aarch64: $*" >&2; }
for tool in debootstrap qemu-aarch64 go; do
	command -v $tool >/dev/null || PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { say "$tool is missing"; exit 1; }
done
pipelines/python/wheel.sh >/dev/null
SUPERPOINT_TARGET=linux-aarch64 pipelines/python/wheel.sh
tools=$PWD/build/wheel/venv/bin
work=$PWD/build/wheel/aarch64
mkdir -p "$work"

root=$work/bookworm
if [ ! -e "$root/usr/bin/python3.11" ]; then
	rm -rf "$root" "$root.part"
	debootstrap --foreign --arch=arm64 --variant=minbase --include=python3 bookworm "$root.part" \
		"${MIRROR:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 ||
		{ tail "$work/debootstrap.log" >&2; exit 1; }
	for package in "$root.part"/var/cache/apt/archives/*.deb; do # not installed: that would run programs of arm64
		dpkg -x "$package" "$root.part"
	done
	mv "$root.part" "$root"
fi

newest() { ls -t build/wheel/superpoint-*_"$1".whl | head -n 1; }
install() { # install FOLDER PIP'S OPTIONS...
	folder=$1
	shift
	rm -rf "$folder"
	"$tools/python" -m pip install -q --disable-pip-version-check --target "$folder" --only-binary :all: --no-deps \
		"$(grep '^numpy==' pipelines/python/tests/requirements.txt)" "$@"
}
install "$work/site-x86_64" "$(newest x86_64)"
install "$work/site-aarch64" --platform manylinux_2_28_aarch64 --python-version 3.11 "$(newest aarch64)"

[ -e "$work/village.laz" ] ||
	go run ./testdata/scanner -scene village -mode aerial -points 20000 -seed 1 -o "$work/village.laz"
"$tools/python" -c 'import laspy, numpy, sys
las = laspy.read(sys.argv[1])
numpy.save(sys.argv[2], numpy.column_stack([las.x, las.y, las.z]))' "$work/village.laz" "$work/village.npy"

PYTHONPATH=$work/site-x86_64 "$tools/python" pipelines/python/tests/bits.py "$work/village.npy" >"$work/x86_64.txt"
QEMU_LD_PREFIX=$root PYTHONHOME=$root/usr PYTHONPATH=$work/site-aarch64 \
	qemu-aarch64 "$root/usr/bin/python3.11" pipelines/python/tests/bits.py "$work/village.npy" >"$work/aarch64.txt"
cat "$work/aarch64.txt"
tail -n +2 "$work/x86_64.txt" >"$work/x86_64.bits"
tail -n +2 "$work/aarch64.txt" | diff "$work/x86_64.bits" -
[ "$(head -n 1 "$work/aarch64.txt" | cut -d ' ' -f 1)" = aarch64 ]
say "ok: the same bits as $(head -n 1 "$work/x86_64.txt")"
