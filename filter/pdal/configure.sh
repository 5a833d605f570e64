#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Configures the build unless that is done: configure.sh BUILD
#
# CMake's cache holds full paths. Where they are of another folder, as in a
# checkout that was moved or copied, or of a PDAL that is gone or has become
# another version, it starts again; Go's libraries, which are still right, stay.
set -eu
cd "$(dirname "$0")/../.."
build=$1
say() { echo "superpoint: $*" >&2; }
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
features() { echo "$(cached PDAL_INCLUDE)/pdal/pdal_features.hpp"; } # PDAL's version and what it was built with

if [ -e "$build/CMakeCache.txt" ]; then
	home=$(cached CMAKE_HOME_DIRECTORY) pdal=$(cached PDAL_PROGRAM)
	[ -n "$pdal" ] || pdal=$(cached PDAL_ROOT)/usr/bin/pdal
	if [ "$(cd "$home" 2>/dev/null && pwd -P)" != "$(pwd -P)" ]; then
		say "$build was made in $home; this checkout is $PWD: building again"
	elif [ ! -x "$pdal" ]; then
		say "$build was made for $pdal, which is gone: building again"
	elif [ -e "$build/pdal_features.hpp" ] && ! cmp -s "$build/pdal_features.hpp" "$(features)"; then
		say "$build was made for another version of PDAL: building again"
	elif [ -e "$build/Makefile" ]; then
		exit 0
	fi
	rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles" "$build/Makefile" "$build/cmake_install.cmake" "$build/pdal"
else
	say "the first build takes a few minutes; it fetches Go modules, and cmake and PDAL if they are missing (up to 60 MB)"
fi
filter/pdal/need-cmake.sh
mkdir -p "$build"
root=$(filter/pdal/find-pdal.sh)
if [ "$root" = system ]; then root=; fi
cmake -S . -B "$build" -G "Unix Makefiles" -DPDAL_ROOT="$root" >"$build/configure.log" 2>&1 ||
	{ cat "$build/configure.log" >&2; exit 1; }
cp "$(features)" "$build/"
