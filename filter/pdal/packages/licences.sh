#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# licences.sh FILE: writes the licences of everything that the libraries are linked of, this project's, those of each
# module and Go's, as their authors ask of whoever hands out programs, and those of the data that the built-in models
# learned from. Packages and the Python wheel carry the file.
# Fails if a module has none. It is no go-licenses, which asks the network for every module in every build, and leaves
# out Go's own licence.
set -eu
exec >"${1:?file}"
go=${GO:-go}
cd "$(dirname "$0")/../../.."
tab=$(printf '\t')
root=$("$go" env GOROOT)
modules=$("$go" list -deps -tags train,nvidia -f "{{with .Module}}{{.Path}} {{.Version}}$tab{{.Dir}}{{end}}" ./cexport)
[ ! -e "$root/LICENSE" ] || modules="$modules
Go$tab$root" # a distribution's Go has it elsewhere

# Prints a text in UTF-8; one of them (FreeType's) is in Latin 1.
utf8() {
	from=UTF-8
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || from=LATIN1
	iconv -f "$from" -t UTF-8 "$1" | tr -d '\r'
}

printf '==== DATA\n\n%s\n\n' "$(cat embed/models/DATA.txt)"
echo "$modules" | LC_ALL=C sort -u | while IFS=$tab read -r module folder; do
	[ -n "$module" ] || continue # Go's own packages
	texts=$(find "$folder" -mindepth 1 -maxdepth 1 \( -iname 'licen[cs]e*' -o -iname 'copying*' \
		-o -iname 'notice*' -o -iname 'patents*' \) -exec find {} -maxdepth 1 -type f \; | LC_ALL=C sort)
	[ -n "$texts" ] || { echo "licences: $module has no licence in $folder; add its file's name here" >&2 && exit 1; }
	echo "$texts" | while read -r text; do
		printf '==== %s: %s\n\n%s\n\n' "${module% }" "$(basename "$text")" "$(utf8 "$text")"
	done
done
