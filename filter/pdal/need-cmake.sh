#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes sure cmake is there: as root through apt, else one command to run.
set -eu
command -v cmake >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "superpoint: installing cmake" >&2
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq install -y --no-install-recommends cmake >&2 2>/dev/null || {
		apt-get -qq update >&2
		apt-get -qq install -y --no-install-recommends cmake >&2
	}
	exit 0
fi
echo "superpoint: cmake is missing. Run this, then make again:" >&2
if command -v apt-get >/dev/null; then
	echo "  sudo apt-get install -y cmake" >&2
else
	echo "  conda install -c conda-forge cmake" >&2
fi
exit 1
