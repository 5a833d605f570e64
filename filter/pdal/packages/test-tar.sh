#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The .tar.gz in clean systems: test-tar.sh ROOT
#
# ROOT is the folder of a system that has a PDAL of its own, gcc, g++, make and
# cmake, such as a Debian 13 with PDAL 2.10 under /usr/local. Two layers are put
# over it, so that ROOT stays as it is: the package is built in one and unpacked
# under PDAL's prefix in the other, which has no checkout and no Go. There a
# pipeline, the commands and a wrong option are run, and removing is tried.
#
# Needs root, for overlay mounts and chroot.
set -eu
cd "$(dirname "$0")/../../.."
. filter/pdal/packages/system.sh
lower=${1:-}
[ -x "$lower/bin/sh" ] || { say "$lower is no system: it has no bin/sh"; exit 1; }
own_mounts "" "$@"
work=$PWD/build/tar-test
mkdir -p "$work"
umount "$work" 2>/dev/null || true
mount -t tmpfs -o size=3g tmpfs "$work" # an overlay's upper layer cannot be another overlay
trap 'umount -R "$work" 2>/dev/null || true' EXIT
builder=$work/builder user=$work/user

layer() { # layer ROOT: a system over the given one
	mkdir -p "$1" "$1.upper" "$1.work"
	mount -t overlay overlay -o "lowerdir=$lower,upperdir=$1.upper,workdir=$1.work" "$1"
	mount -t proc proc "$1/proc"
	mount --bind /dev "$1/dev"
}

layer "$builder"
with_go "$builder"
copy_checkout "$builder/src"
say "building in $(inside "$builder" '. /etc/os-release; echo "$PRETTY_NAME"')"
inside "$builder" "cd /src && make package >/tmp/make.log 2>&1 || { tail -n 40 /tmp/make.log >&2; exit 1; }
	ls -l build/*.tar.gz"

say "unpacking it under PDAL's prefix"
layer "$user"
rm -rf "$user/srv"/* "$user/src"
cp "$builder"/src/build/*.tar.gz "$user/tmp/superpoint.tar.gz"
inside "$user" '! pdal --drivers | grep superpoint
	tar -xzf /tmp/superpoint.tar.gz --strip-components=1 -C "$(pdal-config --prefix)"'

say "a pipeline, a command, and the text of a wrong option"
try_plugin "$user"

say "removing it"
inside "$user" 'prefix=$(pdal-config --prefix)
	tar -tzf /tmp/superpoint.tar.gz | sed "s,^[^/]*/,$prefix/," | grep -v "/$" | xargs -d "\n" rm
	! pdal --drivers | grep superpoint'
say "ok"
