#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the steps of the Dockerfile in clean Debian systems, without a container
# engine: test-docker.sh. FROM is a minimal system made by debootstrap, RUN and
# ENV are what they say, COPY copies; golang:1.26 is the Go of this machine.
#
# Needs root, debootstrap and a Debian mirror, as test-deb.sh, whose minimal
# system it takes if it is there.
set -eu
cd "$(dirname "$0")/../../.."
. filter/pdal/packages/system.sh
own_mounts debootstrap "$@"
work=${WORK:-$PWD/build/deb-test}
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
	clean "${1#debian:}" "$2"
	with_caches "$work/$2" # modules that this machine has need not be fetched again
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
		copy_checkout "$work/$image$2"
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
