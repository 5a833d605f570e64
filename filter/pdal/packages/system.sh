# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Functions of the scripts beside this file that try the packages in other systems. They need root, for chroot; mounts
# are made in a namespace of their own and go with the script. The Go of this machine is used, for it is one folder.

say() { echo "$(basename "$0" .sh): $*" >&2; }

# own_mounts "TOOL..." ARGUMENT...: starts the script again in its own namespace of mounts, if it is not in one.
own_mounts() {
	tools=$1
	shift
	[ -z "${OWN_MOUNTS:-}" ] || return 0
	[ "$(id -u)" = 0 ] || { say "needs root, for chroot"; exit 1; }
	for tool in unshare go git $tools; do
		command -v "$tool" >/dev/null || { say "$tool is missing"; exit 1; }
	done
	OWN_MOUNTS=1 exec unshare -m --propagation private "$0" "$@"
}

# clean SUITE ROOT: an untouched minimal Debian in $work/ROOT. The first of a suite is kept beside it.
# shellcheck disable=SC2154 # work is a folder of the script
clean() {
	minimal=$work/base-$1
	if [ ! -e "$minimal/etc/debian_version" ]; then
		say "making a minimal $1"
		mkdir -p "$work"
		debootstrap --variant=minbase "$1" "$minimal.part" "${MIRROR:-http://deb.debian.org/debian}" \
			>"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log" >&2; exit 1; }
		mv "$minimal.part" "$minimal"
	fi
	rm -rf "${work:?}/$2"
	cp -a "$minimal" "$work/$2"
	mount -t proc proc "$work/$2/proc"
}

# with_go ROOT: Go, the modules and the build cache of this machine, which knows which compiler made what.
with_go() {
	mkdir -p "$1/usr/local/go" "$1/root/go/pkg/mod" "$1/root/.cache/go-build"
	mount --bind "$(go env GOROOT)" "$1/usr/local/go"
	go mod download
	mount --bind "$(go env GOMODCACHE)" "$1/root/go/pkg/mod"
	mount --bind "$(go env GOCACHE)" "$1/root/.cache/go-build"
}

# copy_checkout FOLDER: the files of the checkout, but build and out, which stay as they are there.
copy_checkout() {
	mkdir -p "$1"
	find "$1" -mindepth 1 -maxdepth 1 ! -name build ! -name out -exec rm -rf {} + # files that are no more
	git ls-files -z --cached --others --exclude-standard |
		xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
		tar -c --null -T - | tar -x -C "$1"
}

# enter ROOT COMMAND ARGUMENT...: a command in a system.
enter() {
	root=$1
	shift
	chroot "$root" env -i HOME=/root PATH=/usr/local/go/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive GOPROXY=off GOTOOLCHAIN=local "$@"
}

# inside ROOT TEXT: a shell command in a system.
inside() { enter "$1" sh -euc "$2"; }

# try_plugin ROOT: lists the plugin, runs a pipeline and a command, and gives a wrong option.
try_plugin() {
	cat >"$1/tmp/pipeline.json" <<'PIPELINE'
[
	{ "type": "readers.faux", "mode": "uniform", "bounds": "([0,20],[0,20],[0,3])", "count": 5000 },
	{ "type": "filters.superpoint", "target_size": 50 },
	{ "type": "writers.las", "filename": "out.las", "minor_version": 4, "extra_dims": "all" }
]
PIPELINE
	inside "$1" 'cd /tmp
		pdal --version | grep -o "pdal [0-9.]*"
		pdal --drivers | grep filters.superpoint
		pdal --options filters.superpoint | grep -A 1 target_size
		pdal superpoint version
		pdal pipeline pipeline.json
		pdal info --dimensions SuperpointID --stats out.las | grep -E "maximum|minimum"
		pdal superpoint table out.las out.csv && head -n 2 out.csv
		! pdal pipeline pipeline.json --filters.superpoint.knn=99'
}
