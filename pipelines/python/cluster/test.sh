#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make test-cluster: surveys on Dask, and on SLURM if its daemons are installed and may be started, with the wheel in a
# virtual environment. What is skipped is listed, with the reason.
set -eu
cd "$(dirname "$0")/../../.."
root=$PWD here=$root/pipelines/python/cluster tools=$root/build/cluster/venv
python=${PYTHON:-python3}
"$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || {
	echo "superpoint: $python has no venv, or is older than 3.10, which Dask needs; name another one with PYTHON=" >&2
	exit 1
}
if ! cmp -s "$here/requirements.txt" "$tools/requirements.txt"; then
	echo "superpoint: fetching Dask for the test of clusters from PyPI (0.1 GB, once)" >&2
	rm -rf "$tools"
	"$python" -m venv "$tools"
	"$tools/bin/python" -m pip install -q --disable-pip-version-check -r "$here/requirements.txt"
	cp "$here/requirements.txt" "$tools/"
fi
wheel=$root/$(ls -t build/wheel/superpoint-*-manylinux_*_"$(uname -m)".whl | head -n 1)
"$tools/bin/python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$wheel"
scan=$root/build/wheel/scan.laz
[ -e "$scan" ] || go run ./testdata/scanner -scene village -mode aerial -points 60000 -seed 1 -o "$scan"
work=$root/build/cluster/test
rm -rf "$work"
mkdir -p "$work"
cd "$work"
SUPERPOINT_PDAL="$root/build/pdal" SUPERPOINT_SCAN="$scan" "$tools/bin/python" -m pytest -q -rs -p no:cacheprovider \
	--basetemp "$work/tmp" --rootdir "$here" "$here" "$@"
