#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the .deb in a clean Debian that has a pdal package, installs it in
# another one, uses it there and removes it: test-deb.sh [SUITE]
#
# Needs root, debootstrap and a Debian mirror; 1.5 GB under build/deb-test, which
# stays for the next run. KEEP=1 builds what has changed in the system of the last
# run: two minutes, not ten.
set -eu
cd "$(dirname "$0")/../../.."
. filter/pdal/packages/system.sh
own_mounts debootstrap "$@"
suite=${1:-bullseye} # the last Debian with a pdal package
work=${WORK:-$PWD/build/deb-test}
builder=$work/builder user=$work/user
mkdir -p "$work"
: >"$work/go.mod" # the systems have Go's sources, which are no packages of this checkout

say "building the package"
if [ -n "${KEEP:-}" ] && [ -e "$builder/src/build" ]; then
	mount -t proc proc "$builder/proc"
	rm -f "$builder"/src/build/*.deb "$builder"/src/build/*.tar.gz
else
	clean "$suite" builder
fi
with_go "$builder"
copy_checkout "$builder/src"
inside "$builder" "apt-get -qq update && apt-get -qq install -y --no-install-recommends \
	gcc g++ make cmake dpkg-dev file ca-certificates pdal libpdal-dev >~/apt.log 2>&1 || { tail ~/apt.log >&2; exit 1; }"
inside "$builder" "cd /src && make package >~/make.log 2>&1 || { tail -n 40 ~/make.log >&2; exit 1; }
	ls -l build/*.deb build/*.tar.gz"

say "installing it in a clean system, with nothing but what it depends on"
clean "$suite" user
cp "$builder"/src/build/*.deb "$user/root/"
cp "$builder"/src/build/*.deb "$builder"/src/build/*.tar.gz "$work/"
inside "$user" "apt-get -qq update && apt-get -qq install -y --no-install-recommends ~/*.deb >~/apt.log 2>&1 ||
	{ tail ~/apt.log >&2; exit 1; }
	dpkg -s pdal-superpoint | grep -E '^(Status|Version|Depends)'
	ls -1 /usr/share/doc/pdal-superpoint"

say "links of the installed pages"
inside "$user" 'cd /usr/share/doc/pdal-superpoint
	find . -name "*.md" | while read -r page; do
		grep -o "](\([^):#]*\)" "$page" | cut -c3- | grep -v "^http" | while read -r link; do
			[ -e "$(dirname "$page")/$link" ] || { echo "$page links to $link, which is not installed"; exit 1; }
		done
	done'

say "a pipeline, a command, and the text of a wrong option"
try_plugin "$user"

say "removing it"
inside "$user" "dpkg -r pdal-superpoint
	! pdal --drivers | grep superpoint
	! ls /usr/lib/*superpoint* /usr/share/doc/pdal-superpoint 2>/dev/null"
say "ok"
