#!/bin/sh
# Builds the .deb in a clean Debian that has a pdal package, installs it in
# another one, uses it there and removes it: test-deb.sh [SUITE]
#
# Needs root, debootstrap and a Debian mirror; 1.5 GB under build/deb-test, which
# stays for the next run. The Go of this machine is used, for it is one folder.
# KEEP=1 builds what has changed in the system of the last run: two minutes, not ten.
# Mounts are made in a namespace of their own and go with the script.
set -eu
cd "$(dirname "$0")/../../.."
suite=${1:-bullseye} # the last Debian with a pdal package
mirror=${MIRROR:-http://deb.debian.org/debian}
work=${WORK:-$PWD/build/deb-test}
say() { echo "test-deb: $*" >&2; }

if [ -z "${TEST_DEB_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { say "needs root, for chroot"; exit 1; }
	for tool in debootstrap unshare go git; do
		command -v $tool >/dev/null || { say "$tool is missing"; exit 1; }
	done
	TEST_DEB_INSIDE=1 exec unshare -m --propagation private "$0" "$@"
fi

# clean NAME: an untouched minimal system in $work/NAME.
clean() {
	if [ ! -e "$work/base-$suite/etc/debian_version" ]; then
		say "making a minimal $suite"
		mkdir -p "$work"
		debootstrap --variant=minbase "$suite" "$work/base-$suite.part" "$mirror" >"$work/debootstrap.log" 2>&1 ||
			{ tail "$work/debootstrap.log" >&2; exit 1; }
		mv "$work/base-$suite.part" "$work/base-$suite"
	fi
	rm -rf "${work:?}/$1"
	cp -a "$work/base-$suite" "$work/$1"
	mount -t proc proc "$work/$1/proc"
}

# inside NAME COMMAND: a shell command in a system.
inside() {
	root=$work/$1
	shift
	chroot "$root" env -i HOME=/root PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive GOPROXY=off GOTOOLCHAIN=local sh -euc "$*"
}

mkdir -p "$work"
: >"$work/go.mod" # the systems have Go's sources, which are no packages of this checkout

say "building the package"
if [ -n "${KEEP:-}" ] && [ -e "$work/builder/src/build" ]; then
	mount -t proc proc "$work/builder/proc"
	rm -f "$work"/builder/src/build/*.deb "$work"/builder/src/build/*.tar.gz
else
	clean builder
fi
mkdir -p "$work/builder/src" "$work/builder/usr/local/go" "$work/builder/root/go/pkg/mod" \
	"$work/builder/root/.cache/go-build"
mount --bind "$(go env GOROOT)" "$work/builder/usr/local/go"
go mod download
mount --bind "$(go env GOMODCACHE)" "$work/builder/root/go/pkg/mod"
mount --bind "$(go env GOCACHE)" "$work/builder/root/.cache/go-build" # knows which compiler made what
find "$work/builder/src" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} + # files that are no more
git ls-files -z --cached --others --exclude-standard |
	xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
	tar -c --null -T - | tar -x -C "$work/builder/src"
inside builder "apt-get -qq update && apt-get -qq install -y --no-install-recommends \
	gcc g++ make cmake dpkg-dev file ca-certificates pdal libpdal-dev >~/apt.log 2>&1 || { tail ~/apt.log >&2; exit 1; }"
inside builder "cd /src && make package >~/make.log 2>&1 || { tail -n 40 ~/make.log >&2; exit 1; }
	ls -l build/*.deb build/*.tar.gz"

say "installing it in a clean system, with nothing but what it depends on"
clean user
cp "$work"/builder/src/build/*.deb "$work/user/root/"
cp "$work"/builder/src/build/*.deb "$work"/builder/src/build/*.tar.gz "$work/"
inside user "apt-get -qq update && apt-get -qq install -y --no-install-recommends ~/*.deb >~/apt.log 2>&1 ||
	{ tail ~/apt.log >&2; exit 1; }
	dpkg -s pdal-superpoint | grep -E '^(Status|Version|Depends)'
	pdal --version
	pdal --drivers | grep filters.superpoint
	pdal --options filters.superpoint | grep -A 1 target_size
	pdal superpoint --version
	ls -1 /usr/share/doc/pdal-superpoint"

say "links of the installed pages"
inside user 'cd /usr/share/doc/pdal-superpoint
	find . -name "*.md" | while read -r page; do
		grep -o "](\([^):#]*\)" "$page" | cut -c3- | grep -v "^http" | while read -r link; do
			[ -e "$(dirname "$page")/$link" ] || { echo "$page links to $link, which is not installed"; exit 1; }
		done
	done'

say "a pipeline, and the text of a wrong option"
cat >"$work/user/root/pipeline.json" <<'PIPELINE'
[
	{ "type": "readers.faux", "mode": "uniform", "bounds": "([0,20],[0,20],[0,3])", "count": 5000 },
	{ "type": "filters.superpoint", "target_size": 50 },
	{ "type": "writers.las", "filename": "out.las", "minor_version": 4, "extra_dims": "all" }
]
PIPELINE
inside user "cd
	pdal pipeline pipeline.json
	pdal info --dimensions SuperpointID --stats out.las | grep -E 'maximum|minimum'
	! pdal pipeline pipeline.json --filters.superpoint.knn=99"

say "removing it"
inside user "dpkg -r pdal-superpoint
	! pdal --drivers | grep superpoint
	! ls /usr/lib/*superpoint* /usr/share/doc/pdal-superpoint 2>/dev/null"
say "ok"
