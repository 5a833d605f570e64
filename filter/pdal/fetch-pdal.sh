#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Unpacks Debian 11's PDAL 2.2 into a private folder: fetch-pdal.sh ROOT
#
# Debian 12 and 13 have no pdal package, and Debian 11's, mixed with the newer
# system libraries, loads two PROJ libraries and crashes at exit. So the whole
# closure of the package is unpacked beside the system, which stays untouched;
# only libc, libgcc and libstdc++ are the system's. No root is needed. The mirror
# is the one in the host's own apt sources; packages are checked against the
# host's Debian archive keyring.
set -eu

root=$1
suite=bullseye
arch=$(dpkg --print-architecture)
say() { echo "superpoint: $*" >&2; }
die() { say "$*"; exit 1; }

command -v apt-get >/dev/null && command -v dpkg >/dev/null ||
	die "no PDAL here and no apt to fetch it with; install PDAL 2.2 or newer with its headers" \
		"(for example: conda install -c conda-forge pdal), then run make again"
mkdir -p "$(dirname "$root")"

# One fetch at a time: clones built side by side share the folder.
exec 9>"$root.lock"
command -v flock >/dev/null && flock 9
if [ -e "$root/.complete" ]; then exit 0; fi

work=$(mktemp -d "$root.work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
: >"$work/status"

# The host's mirror of its own release also carries the older one; the archive
# keeps releases for ever.
codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
mirrors="$(apt-get update --print-uris 2>/dev/null |
	sed -n "s#^'\\(.*\\)/dists/$codename/InRelease'.*#\\1#p" | sort -u) http://archive.debian.org/debian"

keyring=
for k in /usr/share/keyrings/debian-archive-$suite-stable.gpg /usr/share/keyrings/debian-archive-keyring.gpg; do
	if [ -z "$keyring" ] && [ -e "$k" ]; then keyring=$k; fi
done
[ -n "$keyring" ] ||
	die "no Debian archive keyring under /usr/share/keyrings; install it with: apt-get install debian-archive-keyring"

private_apt() {
	apt-get -qq -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
		-o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/sources.list" \
		-o Dir::Etc::sourceparts=- -o Dir::Etc::preferences=- -o Dir::Etc::preferencesparts=- \
		-o APT::Sandbox::User="$(id -un)" -o APT::Architecture="$arch" \
		-o Acquire::Check-Valid-Until=false -o APT::Install-Recommends=false "$@"
}

found=
for mirror in $mirrors; do
	echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/sources.list"
	if private_apt update >"$work/log" 2>&1 && private_apt --print-uris install pdal >"$work/closure" 2>>"$work/log"; then
		found=$mirror
		break
	fi
done
if [ -z "$found" ]; then
	cat "$work/log" >&2
	die "no mirror offers Debian $suite; install PDAL 2.2 or newer with its headers by hand, then run make again"
fi

# The system's C and C++ runtime and everything that only a whole system needs stay out.
base='libc6|libc-bin|libgcc-s1|gcc-.*-base|libstdc\+\+6|libcrypt1|dpkg|tar|perl.*|libperl.*|libpam.*'
base="$base|systemd.*|libsystemd.*|dbus.*|passwd|adduser|mount|debconf|init-system-helpers|coreutils|login|base-.*"
base="$base|bash|util-linux|e2fsprogs|libdevmapper.*|dmsetup|ucf|sensible-utils|mysql-common|default-.*"
base="$base|mariadb-common|fonts-.*|odbcinst|lsb-base|install-info|libselinux1|libsemanage.*|libsepol1|libaudit.*"
base="^($base|libcap-ng0)\$"
sed -n "s#^'[^']*' \\([^_ ]*\\)_.*#\\1#p" "$work/closure" | grep -Ev "$base" >"$work/names"
echo libpdal-dev >>"$work/names" # headers only: its own dependencies are not needed

say "fetching PDAL 2.2 of Debian $suite and $(wc -l <"$work/names") libraries (60 MB, once) into $root"
# shellcheck disable=SC2046 # one word each
(cd "$work/debs" && private_apt download $(cat "$work/names") >"$work/log" 2>&1) ||
	{ cat "$work/log" >&2; die "the download from $found failed; run make again"; }
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
rm -rf "$work/root/usr/share/doc" "$work/root/usr/share/man" "$work/root/usr/share/locale"
: >"$work/root/.complete"
rm -rf "$root"
mv "$work/root" "$root"
