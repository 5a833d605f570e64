#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make release: builds what a release has into out/release, and tries each part: the archive, the .deb, the wheel, the
# QGIS plugin, the bills of materials, the licences, and the hashes of all. Nothing is uploaded. Run make check before.
#
# REPOSITORY=https://… EMAIL=name@host: the addresses of the QGIS plugin, which plugins.qgis.org asks for
# REHEARSE=1: also of a checkout with changes, and without a section of CHANGELOG.md
#
# The .deb needs root and debootstrap (test-deb.sh); without them it is named as missing, and the exit code is 1.
set -eu
cd "$(dirname "$0")/../../.."
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' filter/software.go)
out=$PWD/out/release
say() { echo "release: $*"; }
fail() { say "$*" >&2 && exit 1; }

if [ -z "${REHEARSE:-}" ]; then
	[ -z "$(git status --porcelain)" ] || fail "the checkout has changes; commit them first"
	grep -qx "## $version" CHANGELOG.md || fail "CHANGELOG.md has no section \"## $version\""
	! grep -qx "## Unreleased" CHANGELOG.md || fail "CHANGELOG.md has changes that are not of $version"
fi
# The content that git sees. Parts that were built before and after a change are not of one commit.
content() {
	git rev-parse HEAD
	git diff HEAD | sha256sum
}

before=$(content)
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pdal=$PWD/build/pdal
go run ./testdata/scanner -scene village -mode aerial -points 20000 -seed 1 -o "$work/scan.laz" >"$work/scan.log" 2>&1

# ids FILE: writes position and id of each point of a result.
ids() {
	"$pdal" translate "$1" "$1.txt" --writers.text.order=X,Y,Z,SuperpointID:0 --writers.text.keep_unspecified=false
}

say "the archive"
rm -f build/superpoint-*.tar.gz
make package >"$work/package.log" 2>&1 || { tail "$work/package.log" >&2; exit 1; }
cp build/superpoint-"$version"-pdal*.tar.gz "$out/"
mkdir "$work/archive"
tar -xzf "$out"/superpoint-"$version"-pdal*.tar.gz --strip-components=1 -C "$work/archive"
licences=$(find "$work/archive" -path '*/pdal-superpoint/copyright')
grep -q '^==== Go: LICENSE$' "$licences" || fail "the archive has no licences of what it is linked of"
plugin=$(find "$work/archive" -name 'libpdal_plugin_filter_superpoint.so')
"$pdal" superpoint segment "$work/scan.laz" "$work/build.laz" >/dev/null
SUPERPOINT_PLUGINS=$(dirname "$plugin") "$pdal" superpoint segment "$work/scan.laz" "$work/archive.laz" >/dev/null
ids "$work/build.laz"
ids "$work/archive.laz"
cmp "$work/build.laz.txt" "$work/archive.laz.txt" || fail "the plugin of the archive computes other ids"
cp "$licences" "$out/LICENCES"

say "the wheel"
rm -f build/wheel/superpoint-*.whl
make wheel >"$work/wheel.log" 2>&1 || { tail "$work/wheel.log" >&2; exit 1; }
cp build/wheel/superpoint-"$version"-*.whl "$out/"
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q --disable-pip-version-check "$out"/superpoint-*.whl
"$work/venv/bin/python" - "$version" "$licences" <<'end'
import importlib.metadata
import sys

import numpy
import superpoint

version, licences = sys.argv[1:]
assert superpoint.__version__ == importlib.metadata.version("superpoint") == version, superpoint.__version__
assert superpoint.segment(numpy.random.default_rng(1).random((1000, 3))).ids.min() == 1
texts = {f.name: f.locate().read_bytes() for f in importlib.metadata.files("superpoint") if "licenses" in f.parts}
assert texts["LICENCES"] == open(licences, "rb").read(), "the wheel has other licences than the archive"
end

say "the QGIS plugin"
zip=$out/superpoint-qgis-$version.zip
if [ -n "${REPOSITORY:-}" ] && [ -n "${EMAIL:-}" ]; then
	pipelines/qgis/publish.sh "$REPOSITORY" "$EMAIL" >/dev/null
	mv "out/superpoint-qgis-$version.zip" "$zip"
else
	say "REPOSITORY and EMAIL are not set: plugins.qgis.org will refuse the addresses in $zip"
	mkdir "$work/qgis"
	git ls-files -z pipelines/qgis/superpoint | xargs -0 tar -c | tar -x -C "$work/qgis" --strip-components=2
	(cd "$work/qgis" && python3 -m zipfile -c "$zip" superpoint)
fi
mkdir "$work/plugin"
python3 -m zipfile -e "$zip" "$work/plugin"
grep -qx "version=$version" "$work/plugin/superpoint/metadata.txt" || fail "the QGIS plugin has another version"
[ -s "$work/plugin/superpoint/LICENSE" ] || fail "the QGIS plugin has no licence"
python3 -m compileall -q "$work/plugin" || fail "the QGIS plugin does not compile"

say "bills of materials"
make sbom >"$work/sbom.log" 2>&1 || { tail "$work/sbom.log" >&2; exit 1; }
cp build/libsuperpoint*.cdx.json "$out/"
for bill in "$out"/*.cdx.json; do
	library=build/$(basename "$bill" .cdx.json).so
	go version -m "$library" | awk '$1 == "dep" { print $2 " " $3 }' >"$work/linked"
	python3 - "$bill" "$version" "$work/linked" "$out/LICENCES" <<'end'
import json
import sys

path, version, linked, licences = sys.argv[1:]
bill = json.load(open(path, encoding="utf-8"))
named = {component["name"] + " " + component["version"] for component in bill["components"]}
modules = set(open(linked, encoding="utf-8").read().splitlines())
texts = open(licences, encoding="utf-8").read()
assert bill["bomFormat"] == "CycloneDX", path
assert bill["metadata"]["component"]["version"] == "v" + version, f"{path}: {bill['metadata']['component']}"
assert len(modules) > 10, f"{path}: {modules}"
assert {name for name in named if not name.startswith("std ")} == modules, f"{path}: {named ^ modules}"
missing = [module for module in modules if f"\n==== {module}: " not in texts]
assert not missing, f"{licences} has no licence of {missing}"
end
done

missing=0
say "the .deb"
if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then
	rm -f build/deb-test/*.deb
	filter/pdal/packages/test-deb.sh >build/deb.log 2>&1 || { tail build/deb.log >&2; exit 1; }
	cp build/deb-test/pdal-superpoint_"$version"-*.deb "$out/"
	dpkg-deb --fsys-tarfile "$out"/*.deb | tar -xO ./usr/share/doc/pdal-superpoint/copyright |
		cmp - "$out/LICENCES" || fail "the .deb has other licences than the archive"
else
	missing=1
	say "NOT BUILT: it needs root and debootstrap"
fi

[ "$(content)" = "$before" ] || fail "the checkout has changed since the release was begun; build it again"
(cd "$out" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" . && sha256sum --quiet -c SHA256SUMS)
say "$version, commit $(git rev-parse --short HEAD):"
ls -l "$out"
exit $missing
