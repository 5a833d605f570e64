#!/bin/sh
# Prints the bill of materials of built libraries as CycloneDX 1.5: the Go modules
# that the linker put into them, with versions and hashes, and the Go release.
#
#   filter/sbom.sh build/libsuperpoint.so >sbom.json
[ $# -gt 0 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
go version -m "$@" | awk '
function component(name, version, hash) {
	purl = "pkg:golang/" name "@" version
	if (seen[purl]++) return
	printf "%s\n    {\"type\": \"library\", \"bom-ref\": \"%s\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"%s\"", comma, purl, name, version, purl
	if (hash != "") printf ", \"properties\": [{\"name\": \"go.sum\", \"value\": \"%s\"}]", hash
	printf "}"
	comma = ","
}
BEGIN { printf "{\"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.5\", \"version\": 1,\n  \"metadata\": {\"component\": {\"type\": \"library\", \"name\": \"superpoint\"}},\n  \"components\": [" }
/^[^\t]/ { sub(/^go/, "", $NF); component("std", $NF, "") }
$1 == "dep" || $1 == "=>" { component($2, $3, $4) }
END { print "\n  ]}" }'
