#!/bin/sh
# Runs the steps of the Dockerfile in clean Debian systems, without a container
# engine: test-docker.sh. FROM is a minimal system made by debootstrap, RUN and
# ENV are what they say, COPY copies; golang:1.26 is the Go of this machine.
#
# Needs root, debootstrap and a Debian mirror, as test-deb.sh, whose minimal
# system it takes if it is there. Mounts go with the script.
set -eu
cd "$(dirname "$0")/../../.."
work=${WORK:-$PWD/build/deb-test}
say() { echo "test-docker: $*" >&2; }

if [ -z "${TEST_DOCKER_INSIDE:-}" ]; then
	[ "$(id -u)" = 0 ] || { say "needs root, for chroot"; exit 1; }
	for tool in debootstrap unshare go git; do
		command -v $tool >/dev/null || { say "$tool is missing"; exit 1; }
	done
	TEST_DOCKER_INSIDE=1 exec unshare -m --propagation private "$0" "$@"
fi

mkdir -p "$work"
: >"$work/go.mod" # the systems have Go's sources, which are no packages of this checkout

image='' base='' environment='' folder=/
begin() { # begin IMAGE NAME
	image=$2 environment='' folder=/
	case $1 in
	golang:*)
		rm -rf "${work:?}/$2"
		mkdir -p "$work/$2/usr/local/go"
		mount --bind "$(go env GOROOT)" "$work/$2/usr/local/go"
		return
		;;
	debian:*) ;;
	*) say "no image $1 here"; exit 1 ;;
	esac
	suite=${1#debian:}
	if [ ! -e "$work/base-$suite/etc/debian_version" ]; then
		mkdir -p "$work"
		debootstrap --variant=minbase "$suite" "$work/base-$suite.part" "${MIRROR:-http://deb.debian.org/debian}" \
			>"$work/debootstrap.log" 2>&1
		mv "$work/base-$suite.part" "$work/base-$suite"
	fi
	rm -rf "${work:?}/$2"
	cp -a "$work/base-$suite" "$work/$2"
	mount -t proc proc "$work/$2/proc"
	mkdir -p "$work/$2/root/go/pkg/mod" # modules that this machine has need not be fetched again
	mount --bind "$(go env GOMODCACHE)" "$work/$2/root/go/pkg/mod"
	mkdir -p "$work/$2/root/.cache/go-build" # knows which compiler made what
	mount --bind "$(go env GOCACHE)" "$work/$2/root/.cache/go-build"
}
run() {
	chroot "$work/$image" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 $environment \
		sh -ec "cd $folder; $*" >"$work/$image.log" 2>&1 || { tail -n 40 "$work/$image.log" >&2; say "failed: $*"; exit 1; }
}
copy() { # copy [--from=STAGE] FROM TO
	case $1 in
	--from=*)
		mkdir -p "$work/$image$3"
		# shellcheck disable=SC2086 # the pattern is the Dockerfile's
		cp -a "$work/docker-${1#--from=}"$2 "$work/$image${3%/go}/"
		;;
	*)
		mkdir -p "$work/$image$2"
		git ls-files -z --cached --others --exclude-standard |
			xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
			tar -c --null -T - | tar -x -C "$work/$image$2"
		;;
	esac
}

number=0
# shellcheck disable=SC2162 # without -r, so that a line that ends in \ continues, as in a Dockerfile
while read word rest; do
	[ -z "$word" ] || [ "${word#\#}" != "$word" ] && continue
	say "$word $rest"
	case $word in
	ARG) base=${rest#BASE=} ;;
	FROM)
		number=$((number + 1))
		name=${rest##* AS } from=${rest%% AS *}
		[ "$name" != "$rest" ] || name=$number
		[ "$from" != '${BASE}' ] || from=$base
		begin "$from" "docker-$name"
		;;
	RUN) run "$rest" ;;
	ENV) environment=$rest ;;
	WORKDIR) folder=$rest; mkdir -p "$work/$image$folder" ;;
	COPY) copy $rest ;;
	ENTRYPOINT) [ "$rest" = '["pdal"]' ] || { say "entry point $rest"; exit 1; } ;;
	*) say "unknown step $word"; exit 1 ;;
	esac
done <filter/pdal/packages/Dockerfile
run "pdal superpoint --version"
cat "$work/$image.log"
say "ok"
