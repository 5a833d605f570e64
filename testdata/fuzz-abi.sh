#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the C boundary, guided by coverage of the Go code behind it, with
# libFuzzer and the address sanitizer (clang with its runtime libraries).
#
#   testdata/fuzz-abi.sh            a minute
#   testdata/fuzz-abi.sh 600        ten minutes; further arguments go to libFuzzer
#
# What fails is left in build/fuzz-abi; run it again with its name as argument of
# build/fuzz-abi/fuzz.
cd "$(dirname "$0")/.." || exit 1
time=${1:-60}
[ $# -gt 0 ] && shift
clang=${CLANG:-$(command -v clang || command -v clang-14)}
folder=build/fuzz-abi
mkdir -p $folder/corpus
set -e
go build -buildmode=c-archive -tags libfuzzer -gcflags=superpoint/...=-d=libfuzzer -o $folder/superpoint.a ./cexport
"$clang" -g -O1 -Wall -Werror -fsanitize=fuzzer,address -Icexport -o $folder/fuzz \
	filter/pdaltest/testdata/abi_fuzz.c $folder/superpoint.a -lm -lpthread -ldl
ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} $folder/fuzz -artifact_prefix=$folder/ -max_total_time="$time" \
	-max_len=4096 -len_control=0 -timeout=60 -print_final_stats=1 "$@" $folder/corpus
