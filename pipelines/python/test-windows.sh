#!/bin/sh
# The wheel for Windows, built and run on this machine: test-windows.sh
#
# Python for Windows runs it under wine; ids and embeddings of a simulated village
# must be those of this machine's wheel, bit by bit. Python is that of
# JavaCPP's presets on Maven Central; numpy is the last whose Windows build runs in
# wine 8. Needs wine, mvn, unzip and gcc-mingw-w64-x86-64-posix.
set -eu
cd "$(dirname "$0")/../.."
say() { echo "test-windows: $*" >&2; }
cc=x86_64-w64-mingw32-gcc-posix
for tool in go $cc wine mvn unzip; do
	command -v $tool >/dev/null || { say "$tool is missing"; exit 1; }
done
checkout=$PWD
tools=$PWD/build/wheel/venv/bin
work=$PWD/build/wheel/windows
mkdir -p "$work"
pipelines/python/wheel.sh >/dev/null
SUPERPOINT_TARGET=windows-x86_64 pipelines/python/wheel.sh

if [ ! -e "$work/python/python.exe" ]; then
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
		numpy==1.26.4 "$@"
}
install "$work/site-linux" "$(newest x86_64)"
install "$work/site-windows" --platform win_amd64 --python-version 3.11 "$(newest win_amd64)"

[ -e "$work/village.laz" ] ||
	go run ./testdata/scanner -scene village -mode aerial -points 20000 -seed 1 -o "$work/village.laz"
"$tools/python" -c 'import laspy, numpy, sys
las = laspy.read(sys.argv[1])
numpy.save(sys.argv[2], numpy.column_stack([las.x, las.y, las.z]))' "$work/village.laz" "$work/village.npy"

cp pipelines/python/tests/bits.py "$work/"
cd "$work"
. "$checkout/filter/pdal/packages/wine.sh"
wine winecfg -v win10 >>wine.log 2>&1
PYTHONPATH=site-linux "$tools/python" bits.py village.npy >linux.txt
: | PYTHONPATH=site-windows wine python/python.exe bits.py village.npy 2>/dev/null | tr -d '\r' >windows.txt
cat windows.txt
tail -n +2 linux.txt >linux.bits
tail -n +2 windows.txt | diff linux.bits -
[ "$(head -n 1 windows.txt | cut -d ' ' -f 1)" = AMD64 ]
say "ok: the same bits as $(head -n 1 linux.txt)"
