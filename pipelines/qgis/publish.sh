#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Packs the QGIS plugin for the plugin repository, with the addresses of the
# publisher: publish.sh REPOSITORY EMAIL [AUTHOR], for example
#
#   pipelines/qgis/publish.sh "$(git remote get-url origin)" name@host "Name"
#
# Writes out/superpoint-qgis-VERSION.zip. The checkout is not changed.
set -eu
cd "$(dirname "$0")"
[ $# -ge 2 ] || { sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
repository=${1%.git} email=$2 author=${3:-the superpoint authors}
case $repository in https://*) ;; *) echo "publish.sh: $repository is no https:// address" >&2; exit 1 ;; esac
case $email in *@*) ;; *) echo "publish.sh: $email is no e-mail address" >&2; exit 1 ;; esac
command -v python3 >/dev/null || { echo "publish.sh: needs python3" >&2; exit 1; }

out=$PWD/../../out
mkdir -p "$out"
out=$(cd "$out" && pwd)
version=$(sed -n 's/^version=//p' superpoint/metadata.txt)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r superpoint "$work/superpoint"
find "$work" -name __pycache__ -prune -exec rm -rf {} +
escape() { printf '%s' "$1" | sed 's/[\\&#]/\\&/g'; }
sed -i -e "s#^repository=.*#repository=$(escape "$repository")#" -e "s#^homepage=.*#homepage=$(escape "$repository")#" \
	-e "s#^tracker=.*#tracker=$(escape "$repository")/issues#" \
	-e "s#^email=.*#email=$(escape "$email")#" -e "s#^author=.*#author=$(escape "$author")#" \
	"$work/superpoint/metadata.txt"
zip=$out/superpoint-qgis-$version.zip
rm -f "$zip"
cd "$work"
python3 -m zipfile -c "$zip" superpoint
echo "$zip"
