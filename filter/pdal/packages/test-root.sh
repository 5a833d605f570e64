#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs make's targets in another system, as a new user of it would:
# test-root.sh ROOT [TARGET...]
#
#   sudo make test-root ROOT=/folder                          demo, test, test-qgis
#   sudo make test-root ROOT=/folder TARGETS="demo test"
#
# ROOT is the folder of a Debian or Ubuntu with gcc, g++ and make (debootstrap
# makes one), and with a PDAL if not the one that `make` finds there is wanted. The
# checkout is copied into it, under a path with a space, an apostrophe and an
# accent. What make installs there stays. KEEP=1 keeps the last run's build, too. A
# line a target says how it went; the exit code is 1 if one failed.
set -eu
cd "$(dirname "$0")/../../.."
. filter/pdal/packages/system.sh
root=${1:-}
[ -n "$root" ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -x "$root/bin/sh" ] || { say "$root is no system: it has no bin/sh (make one: debootstrap trixie $root)"; exit 1; }

own_mounts "" "$@"
system=$(cd "$root" && pwd)
shift
[ $# -gt 0 ] || set -- demo test test-qgis

folder="/srv/l'été 1/superpoint"
logs=$PWD/build/test-root
mkdir -p "$logs" "$system/proc" "$system/dev" "$system/sys"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
mount --rbind /sys "$system/sys"
with_go "$system"

[ -n "${KEEP:-}" ] || rm -rf "$system${folder%/*}"
copy_checkout "$system$folder"

# there COMMAND: a command in the copied checkout, as root.
there() {
	enter "$system" sh -euc 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"
}

there sh -c '. /etc/os-release
	version=$(pdal --version 2>/dev/null | grep -o "[0-9]*\.[0-9]*\.[0-9]*" || echo none yet)
	echo "$PRETTY_NAME, PDAL $version, $(go version)"'
failed=0
for target; do
	started=$(date +%s)
	if there make "$target" >"$logs/$target.log" 2>&1 </dev/null; then outcome=passed; else outcome=FAILED failed=1; fi
	echo "make $target: $outcome, $(($(date +%s) - started)) s, $logs/$target.log"
done
exit $failed
