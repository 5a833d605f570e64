#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds in conda's environment: PDAL is the one in $PREFIX.
set -eu
export CGO_ENABLED=1 CGO_CFLAGS="-O2" CONDA_PREFIX="$PREFIX" PATH="$PREFIX/bin:$PATH"
cmake -S . -B build -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Release \
	-DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
cmake --build build --parallel "${CPU_COUNT:-1}"
cmake --install build
