#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make test-qgis: the Processing provider in a real QGIS without a window.
#
# Installs Debian's or Ubuntu's QGIS if it is missing (as root; otherwise prints the
# command), and uses a QGIS profile of its own under out/qgis.
# Arguments name the tests to run, for example test_inside.Inside.test_model; none: "".
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
out=$root/out/qgis

if ! command -v qgis_process >/dev/null; then
	packages="qgis python3-qgis qgis-providers pyflakes3"
	if ! command -v apt-get >/dev/null; then
		echo "superpoint: QGIS 3.22 or newer is missing; install it, for example from https://qgis.org, then try again" >&2
		exit 1
	fi
	if [ "$(id -u)" != 0 ]; then
		echo "superpoint: QGIS is missing. Run this, then try again:" >&2
		echo "  sudo apt-get install -y --no-install-recommends $packages" >&2
		exit 1
	fi
	echo "superpoint: installing $packages (about 0.9 GB, some minutes)" >&2
	[ -n "$(ls /var/lib/apt/lists/*Packages* 2>/dev/null)" ] || apt-get -qq update >&2
	log=${TMPDIR:-/tmp}/superpoint-qgis.log
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages >"$log" 2>&1 ||
		{ tail -n 20 "$log" >&2; exit 1; }
fi

# The wrapper of Debian's 3.22 starts the .bin beside it by a wrong path when it is found on the PATH.
QGIS_PROCESS=$(command -v qgis_process)
if [ -x "$QGIS_PROCESS.bin" ]; then QGIS_PROCESS=$QGIS_PROCESS.bin; fi
# The first Python on the PATH may not have QGIS's module.
python=
for p in python3 /usr/bin/python3; do
	if "$p" -c 'import qgis.core, numpy' 2>/dev/null; then python=$p; break; fi
done
[ -n "$python" ] || { echo "superpoint: no python3 has the qgis module; install python3-qgis" >&2; exit 1; }

mkdir -p "$out"
cloud=$out/village.laz
[ -e "$cloud" ] || go run ./testdata/scanner -scene village -mode aerial -points 200000 -seed 1 -o "$cloud"

profile=$out/profile
rm -rf "$profile"
mkdir -p "$out/runtime"
chmod 700 "$out/runtime"
export QT_QPA_PLATFORM=offscreen QGIS_CUSTOM_CONFIG_PATH="$profile" XDG_RUNTIME_DIR="$out/runtime"
export PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore::DeprecationWarning
export SUPERPOINT_PDAL="$root/build/pdal" SUPERPOINT_TEST_OUT="$out" SUPERPOINT_TEST_CLOUD="$cloud" QGIS_PROCESS

pipelines/qgis/install.sh >/dev/null
cd pipelines/qgis
if "$python" -m pyflakes --version >/dev/null 2>&1; then
	"$python" -m pyflakes superpoint/*.py test/*.py
fi
cd test
[ $# -gt 0 ] || set -- test_files test_layout test_run test_inside test_labels
for t; do
	echo "$t"
	"$python" -m unittest -q "$t"
done
echo "pictures of the styled layer: out/qgis/superpoint.png, out/qgis/embedding.png"
