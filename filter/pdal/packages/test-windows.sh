#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library on Windows, as far as this machine can show it: test-windows.sh
#
# Compiles libsuperpoint.dll and a small host (boundary.c) with mingw-w64, runs it
# under wine, and compares ids, embedding and the files that
# commands write with those of Linux, byte by byte. What is printed is the log.
#
# Needs wine and gcc-mingw-w64-x86-64-posix, and the build of `make plugin`.
set -eu
cd "$(dirname "$0")/../../.."
say() { echo "test-windows: $*"; }
cc=x86_64-w64-mingw32-gcc-posix
for tool in go gcc $cc wine; do
	command -v $tool >/dev/null || {
		say "$tool is missing; as root: apt-get install wine wine64 gcc-mingw-w64-x86-64-posix" >&2
		exit 1
	}
done
work=build/windows
rm -rf "$work/on-linux" "$work/on-windows"
mkdir -p "$work/on-linux" "$work/on-windows"

# gcc does not align the stack to 32 bytes on Windows, as aligned moves of AVX want.
say "$($cc --version | head -n 1), $(wine --version)"
GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=$cc CGO_CFLAGS="-O2 -Wa,-muse-unaligned-vector-move" \
	go build -buildmode=c-shared -trimpath -buildvcs=false "-ldflags=-s -w" -o "$work/libsuperpoint.dll" ./cexport
rm -f "$work/libsuperpoint.h"
warn='-Wall -Wextra -Werror -O2'
boundary=filter/pdal/packages/boundary.c
$cc $warn -static-libgcc -Icexport -o "$work/boundary.exe" $boundary "$work/libsuperpoint.dll"
gcc $warn -Icexport -o "$work/boundary" $boundary build/libsuperpoint.so "-Wl,-rpath,$PWD/build"
needs=$(x86_64-w64-mingw32-objdump -p "$work/libsuperpoint.dll" | sed -n 's/.*DLL Name://p' | tr '\n' ' ')
say "$(ls -l "$work/libsuperpoint.dll" | awk '{print $5}') bytes; needs$needs"

cd "$work"
. ../../filter/pdal/packages/wine.sh

say "on Linux"
./boundary on-linux >on-linux.log || { cat on-linux.log; exit 1; }
tail -n 1 on-linux.log
say "on Windows (wine)"
wine ./boundary.exe on-windows 2>/dev/null | tr -d '\r' | tee on-windows.log
[ "$(tail -n 1 on-windows.log)" = "all well" ]
diff -r on-linux on-windows # temporary folders would show, too
sed 's/on-windows/on-linux/g' on-windows.log | diff - on-linux.log
say "equal byte by byte:"
(cd on-windows && ls)
say "ok"
