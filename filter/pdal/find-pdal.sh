#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Finds PDAL with its headers, or gets it: find-pdal.sh
#
# Prints "system" if pdal is on the PATH (also after installing it), or the
# private folder it was unpacked into. In this order: SUPERPOINT_PDAL_ROOT, the
# PDAL that is there (conda, pdal-config, /usr), the distribution's package,
# Debian 11's package in a private folder that all clones share.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
say() { echo "superpoint: $*" >&2; }

if [ -n "${SUPERPOINT_PDAL_ROOT:-}" ]; then
	[ -x "$SUPERPOINT_PDAL_ROOT/usr/bin/pdal" ] ||
		{ say "SUPERPOINT_PDAL_ROOT=$SUPERPOINT_PDAL_ROOT has no usr/bin/pdal"; exit 1; }
	echo "$SUPERPOINT_PDAL_ROOT"
	exit 0
fi

headers() {
	for prefix in "${CONDA_PREFIX:-}" "$(pdal-config --prefix 2>/dev/null || true)" /usr /usr/local; do
		if [ -n "$prefix" ] && [ -e "$prefix/include/pdal/pdal_features.hpp" ]; then return 0; fi
	done
	pkg-config --exists pdal 2>/dev/null
}
present() { command -v pdal >/dev/null && headers; }
packaged() {
	command -v apt-cache >/dev/null || return 1
	for p in pdal libpdal-dev; do
		apt-cache policy $p 2>/dev/null | grep -q 'Candidate: [0-9]' || return 1
	done
}

if present; then
	echo system
	exit 0
fi

cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/superpoint
if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then cache=$(cd "$here/../.." && pwd)/build; fi
private=$cache/pdal-2.2
if [ -e "$private/.complete" ]; then
	echo "$private"
	exit 0
fi

# A new container has no package lists yet.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! packaged &&
	[ -z "$(ls /var/lib/apt/lists/*Packages* 2>/dev/null)" ]; then
	apt-get -qq update >&2 || say "apt-get update failed; continuing without"
fi
if packaged; then
	if [ "$(id -u)" != 0 ]; then
		say "PDAL and its headers are missing. Run this, then make again:"
		say "  sudo apt-get install -y pdal libpdal-dev cmake"
		exit 1
	fi
	say "installing the distribution's pdal and libpdal-dev"
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends pdal libpdal-dev >&2
	present || { say "the packages pdal and libpdal-dev are installed, but pdal or its headers are not found"; exit 1; }
	echo system
	exit 0
fi

if [ "$(. /etc/os-release 2>/dev/null; echo "${ID:-}")" != debian ]; then
	say "PDAL 2.2 or newer and its headers are missing, and this system has no package of it. Run this, then make again:"
	say "  conda install -c conda-forge pdal"
	exit 1
fi
"$here/fetch-pdal.sh" "$private"
echo "$private"
