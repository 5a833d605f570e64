#!/bin/sh
# make test-wheel: installs the wheel into an empty virtual environment and tests
# it there: types, doctests, tests beside this file, and ids against those of the stage.
# Arguments go to pytest.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
tools=$root/build/wheel/venv
work=$root/build/wheel/test
wheel=$(ls -t build/wheel/superpoint-*-manylinux_*_"$(uname -m)".whl | head -n 1)
rm -rf "$work"
mkdir -p "$work"

# Empty: numpy comes because the wheel asks for it.
"$tools/bin/python" -m venv "$work/empty"
"$work/empty/bin/python" -m pip install -q --disable-pip-version-check "$wheel"
"$work/empty/bin/python" -c 'import numpy, superpoint
s = superpoint.segment(numpy.random.default_rng(1).random((1000, 3)))
print("empty environment:", s.metadata["points"], "points,", len(s), "superpoints, superpoint", superpoint.__version__)'
[ "$("$work/empty/bin/python" -m pip list --format=freeze | grep -vc '^\(pip\|setuptools\|numpy\|superpoint\)==')" = 0 ]

"$tools/bin/python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$wheel"
scan=$root/build/wheel/scan.laz
[ -e "$scan" ] || go run ./testdata/scanner -scene village -mode aerial -points 60000 -seed 1 -o "$scan"
(cd pipelines/python && "$tools/bin/python" -m mypy)
cd "$work"
SUPERPOINT_PDAL="$root/build/pdal" SUPERPOINT_SCAN="$scan" "$tools/bin/python" -m pytest -q -p no:cacheprovider \
	-c "$root/pipelines/python/pyproject.toml" --rootdir "$work" --import-mode=importlib --doctest-modules \
	--pyargs superpoint "$root/pipelines/python/tests" "$@"
