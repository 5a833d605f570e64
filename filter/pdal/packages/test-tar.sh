#!/bin/sh
# The .tar.gz in clean systems: test-tar.sh ROOT
#
# ROOT is the folder of a system that has a PDAL of its own, gcc, g++, make and
# cmake, such as a Debian 13 with PDAL 2.10 under /usr/local. Two layers are put
# over it, so that ROOT stays as it is: the package is built in one and unpacked
# under PDAL's prefix in the other, which has no checkout and no Go. There a
# pipeline, the commands and a wrong option are run, and removing is tried.
#
# Needs root, for overlay mounts and chroot; mounts go with the script.
set -eu
cd "$(dirname "$0")/../../.."
say() { echo "test-tar: $*" >&2; }
root=${1:-}
[ -x "$root/bin/sh" ] || { say "$root is no system: it has no bin/sh"; exit 1; }
if [ -z "${TEST_TAR_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { say "needs root, for chroot"; exit 1; }
	TEST_TAR_INSIDE=1 exec unshare -m --propagation private "$0" "$@"
fi
work=$PWD/build/tar-test
mkdir -p "$work"
umount "$work" 2>/dev/null || true
mount -t tmpfs -o size=3g tmpfs "$work" # an overlay's upper layer cannot be another overlay
trap 'umount -R "$work" 2>/dev/null || true' EXIT

layer() { # layer NAME: a system over ROOT
	mkdir -p "$work/$1" "$work/$1.upper" "$work/$1.work"
	mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/$1.upper,workdir=$work/$1.work" "$work/$1"
	mount -t proc proc "$work/$1/proc"
	mount --bind /dev "$work/$1/dev"
}
inside() { # inside NAME COMMAND
	system=$work/$1
	shift
	chroot "$system" env -i HOME=/root PATH=/usr/local/go/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		GOPROXY=off GOTOOLCHAIN=local sh -euc "$*"
}

layer builder
mkdir -p "$work/builder/src" "$work/builder/usr/local/go" "$work/builder/root/go/pkg/mod"
mount --bind "$(go env GOROOT)" "$work/builder/usr/local/go"
go mod download
mount --bind "$(go env GOMODCACHE)" "$work/builder/root/go/pkg/mod"
mkdir -p "$work/builder/root/.cache/go-build" # knows which compiler made what
mount --bind "$(go env GOCACHE)" "$work/builder/root/.cache/go-build"
git ls-files -z --cached --others --exclude-standard |
	xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
	tar -c --null -T - | tar -x -C "$work/builder/src"
say "building in $(inside builder '. /etc/os-release; echo "$PRETTY_NAME"')"
inside builder "cd /src && make package >/tmp/make.log 2>&1 || { tail -n 40 /tmp/make.log >&2; exit 1; }
	ls -l build/*.tar.gz"

say "unpacking it under PDAL's prefix"
layer user
rm -rf "$work/user/srv"/* "$work/user/src"
cp "$work"/builder/src/build/*.tar.gz "$work/user/tmp/superpoint.tar.gz"
inside user 'pdal --version | grep -o "pdal [0-9.]*"
	! pdal --drivers | grep superpoint
	prefix=$(pdal-config --prefix)
	tar -xzf /tmp/superpoint.tar.gz --strip-components=1 -C "$prefix"
	pdal --drivers | grep filters.superpoint
	pdal --options filters.superpoint | grep -A 1 target_size
	pdal superpoint --version'

say "a pipeline, a command, and the text of a wrong option"
cat >"$work/user/tmp/pipeline.json" <<'PIPELINE'
[
	{ "type": "readers.faux", "mode": "uniform", "bounds": "([0,20],[0,20],[0,3])", "count": 5000 },
	{ "type": "filters.superpoint", "target_size": 50 },
	{ "type": "writers.las", "filename": "out.las", "minor_version": 4, "extra_dims": "all" }
]
PIPELINE
inside user 'cd /tmp
	pdal pipeline pipeline.json
	pdal info --dimensions SuperpointID --stats out.las | grep -E "maximum|minimum"
	pdal superpoint table out.las out.csv && head -n 2 out.csv
	! pdal pipeline pipeline.json --filters.superpoint.knn=99'

say "removing it"
inside user 'prefix=$(pdal-config --prefix)
	tar -tzf /tmp/superpoint.tar.gz | sed "s,^[^/]*/,$prefix/," | grep -v "/$" | xargs -d "\n" rm
	! pdal --drivers | grep superpoint'
say "ok"
