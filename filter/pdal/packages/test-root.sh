#!/bin/sh
# Runs make's targets in another system, as a new user of it would:
# test-root.sh ROOT [TARGET...]
#
#   sudo make test-root ROOT=/folder                          demo, test, test-qgis, test-cluster
#   sudo make test-root ROOT=/folder TARGETS="demo test"
#
# ROOT is the folder of a Debian or Ubuntu with gcc, g++ and make (debootstrap
# makes one), and with a PDAL if not the one that `make` finds there is wanted. The
# checkout is copied into it, under a path with a space, an apostrophe and an
# accent; the Go of this machine is used, for it is one folder. What make installs
# there stays. KEEP=1 keeps the last run's build, too. A line a target says how it
# went; the exit code is 1 if one failed. Mounts are made in a namespace of their
# own and go with the script.
set -eu
cd "$(dirname "$0")/../../.."
say() { echo "test-root: $*" >&2; }
root=${1:-}
[ -n "$root" ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -x "$root/bin/sh" ] || { say "$root is no system: it has no bin/sh (make one: debootstrap trixie $root)"; exit 1; }

if [ -z "${TEST_ROOT_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { say "needs root, for chroot"; exit 1; }
	for tool in unshare go git; do
		command -v $tool >/dev/null || { say "$tool is missing"; exit 1; }
	done
	TEST_ROOT_INSIDE=1 exec unshare -m --propagation private "$0" "$@"
fi
root=$(cd "$root" && pwd)
shift
[ $# -gt 0 ] || set -- demo test test-qgis test-cluster

folder="/srv/l'été 1/superpoint"
logs=$PWD/build/test-root
mkdir -p "$logs" "$root/usr/local/go" "$root/root/go/pkg/mod" "$root/proc" "$root/dev" "$root/sys"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount --bind "$(go env GOROOT)" "$root/usr/local/go"
go mod download
mount --bind "$(go env GOMODCACHE)" "$root/root/go/pkg/mod"

[ -n "${KEEP:-}" ] || rm -rf "$root${folder%/*}"
mkdir -p "$root$folder"
find "$root$folder" -mindepth 1 -maxdepth 1 ! -name build ! -name out -exec rm -rf {} + # files that are no more
git ls-files -z --cached --others --exclude-standard |
	xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
	tar -c --null -T - | tar -x -C "$root$folder"

# inside COMMAND: a shell command in the copied checkout, as root.
inside() {
	chroot "$root" env -i HOME=/root PATH=/usr/local/go/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive GOPROXY=off GOTOOLCHAIN=local ${POINTS:+"POINTS=$POINTS"} ${TILES:+"TILES=$TILES"} \
		sh -euc 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"
}

inside sh -c '. /etc/os-release
	version=$(pdal --version 2>/dev/null | grep -o "[0-9]*\.[0-9]*\.[0-9]*" || echo none yet)
	echo "$PRETTY_NAME, PDAL $version, $(go version)"'
failed=0
for target; do
	started=$(date +%s)
	if inside make "$target" >"$logs/$target.log" 2>&1 </dev/null; then outcome=passed; else outcome=FAILED failed=1; fi
	echo "make $target: $outcome, $(($(date +%s) - started)) s, $logs/$target.log"
done
exit $failed
