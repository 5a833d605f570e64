#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make test-wheel: installs the wheel into an empty virtual environment and tests
# it there: types, doctests, tests beside this file, ids against the stage's,
# and the example, whose picture is build/wheel/test/walk.jpg.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
tools=$root/build/wheel/venv
work=$root/build/wheel/test
wheel=$root/$(ls -t build/wheel/superpoint-*-manylinux_*_"$(uname -m)".whl | head -n 1)
rm -rf "$work"
mkdir -p "$work"

scan=$root/build/wheel/scan.laz
[ -e "$scan" ] || go run ./testdata/scanner -scene village -mode aerial -points 60000 -seed 1 -o "$scan"

# Empty: numpy is installed because the wheel requires it.
"$tools/bin/python" -m venv "$work/empty"
"$work/empty/bin/python" -m pip install -q --disable-pip-version-check "$wheel"
"$work/empty/bin/python" -c 'import numpy, superpoint
print("empty environment:", superpoint.segment(numpy.random.default_rng(1).random((1000, 3))), superpoint.__version__)'
[ "$("$work/empty/bin/python" -m pip list --format=freeze | grep -vc '^\(pip\|setuptools\|numpy\|superpoint\)==')" = 0 ]

if ! cmp -s pipelines/python/tests/requirements.txt "$tools/tests.txt"; then
	echo "superpoint: fetching the packages for the tests of the wheel from PyPI (0.2 GB, once)" >&2
	"$tools/bin/python" -m pip install -q --disable-pip-version-check -r pipelines/python/tests/requirements.txt
	cp pipelines/python/tests/requirements.txt "$tools/tests.txt"
fi
"$tools/bin/python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$wheel"
(cd pipelines/python && "$tools/bin/python" -m mypy)

# The example, from tiles to a picture: real tiles if they exist, else a simulated one.
data=$root/../shared/data
set -- "$data/train/lidarhd_77050_627755.laz" "$data/train/ign_689150_6735450_crop_1.laz" "$data/val/ahn3_cropped_2.laz"
[ -e "$3" ] || set -- "$scan" "$scan"
cd "$work"
"$tools/bin/python" "$root/pipelines/python/examples/walk.py" walk.jpg "$@" 2>walk.log || { tail walk.log >&2; exit 1; }
[ -s walk.jpg ]

SUPERPOINT_PDAL="$root/build/pdal" SUPERPOINT_SCAN="$scan" "$tools/bin/python" -m pytest -q -p no:cacheprovider \
	-c "$root/pipelines/python/pyproject.toml" --rootdir "$work" --import-mode=importlib --doctest-modules \
	--pyargs superpoint "$root/pipelines/python/tests"
