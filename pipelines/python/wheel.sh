#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make wheel: the Python package with its library, build/wheel/superpoint-….whl.
#
# SUPERPOINT_TARGET=linux-aarch64 or windows-x86_64 builds for another system.
# The pinned tools are installed into build/wheel/venv only.
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
venv=build/wheel/venv
"$python" -c 'import ensurepip, venv' 2>/dev/null || {
	echo "superpoint: $python has no venv, which building the wheel needs. Run this, then try again:" >&2
	echo "  sudo apt-get install -y python3-venv" >&2
	exit 1
}
if ! cmp -s pipelines/python/requirements.txt "$venv/requirements.txt"; then
	echo "superpoint: fetching the tools that build the wheel from PyPI (0.1 GB, once)" >&2
	rm -rf "$venv"
	"$python" -m venv "$venv"
	"$venv/bin/python" -m pip install -q --disable-pip-version-check -r pipelines/python/requirements.txt
	cp pipelines/python/requirements.txt "$venv/"
fi
mkdir -p build/wheel/new
rm -f build/wheel/new/*.whl
"$venv/bin/python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w build/wheel/new \
	./pipelines/python
mv build/wheel/new/*.whl build/wheel/
case ${SUPERPOINT_TARGET:-linux-} in
linux-*) # the library must not need a newer glibc than the name of the wheel has
	tag=$("$venv/bin/python" -m auditwheel show "$(ls -t build/wheel/*.whl | head -n 1)" | tr -d '\n' |
		grep -o '"manylinux_2_[0-9]*' | head -n 1)
	[ "${tag##*_}" -le 28 ] ||
		{ echo "superpoint: the library needs glibc 2.${tag##*_}, the wheel says 2.28" >&2; exit 1; } ;;
esac
ls -l build/wheel/*.whl
