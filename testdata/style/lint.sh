#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `make lint` says of C++, shell, Python, and names in pages and scripts; each check is named, and every one is
# run. Tools come from PyPI, pinned in requirements.txt, into build/lint.
set -eu
cd "$(dirname "$0")/../.."
wanted=testdata/style/requirements.txt tools=build/lint/bin
if ! cmp -s "$wanted" build/lint/requirements.txt; then
	rm -rf build/lint
	python3 -m venv build/lint
	"$tools/pip" install -q --disable-pip-version-check -r "$wanted"
	cp "$wanted" build/lint/
fi
failed=0
run() {
	name=$1
	shift
	if "$@"; then echo "lint: $name: nothing"; else failed=1; fi
}

# Not what is compiled for GPUs: the PTX states the hash of its sources.
formatted=$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp' ':!partition/gpu/device.h' ':!embed/layout/layout.h')
scripts=$(git ls-files '*.sh' .ci/run)
builds=$(git ls-files '*.cmake' '*Makefile' '*CMakeLists.txt' '*Dockerfile')
sources=$(git ls-files '*.c' '*.h' '*.cu' '*.cpp' '*.hpp' '*.sh' '*.py' '*.in' ':!*.md.in') # but rows of Markdown
texts=$(git ls-files | grep -E '\.(md|go|c|h|cpp|hpp|cu|py|sh|yaml|json|txt)$')
# Misspellings that tests write, and identifiers that look like some.
words=aeriel,argumen,atleast,bale,clasification,debians,failer,lod,nam,nd,oint,plantext,pont,segmentin,trian,ue,wronly
# short: no line has more than 120 characters.
short() {
	! awk 'length > 120 { print FILENAME ":" FNR ": " length " characters; at most 120" }' "$@" | grep .
}
# cited: tests that pages name exist; a name before … is a prefix.
cited() {
	tests=$(git grep -hoE '^func (Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*' -- '*.go' | cut -c6-)
	git grep -hoE '\b(Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*…?' -- '*.md' | sort -u | while read -r name; do
		case $name in *…) pattern="^${name%…}" ;; *) pattern="^$name\$" ;; esac
		echo "$tests" | grep -q "$pattern" || echo "$name, which a page names, does not exist"
	done | { ! grep .; }
}
# paths: files of the repository that scripts name exist.
paths() {
	cut -d'#' -f1 -- "$@" |
		grep -oE '(^|[^[:alnum:]_/.$}-])(cexport|embed|filter|partition|pipelines|testdata)/[[:alnum:]_./-]*[[:alnum:]_]' |
		sed 's/^[^a-z]//' | sort -u | while read -r path; do
		[ -e "$path" ] || echo "$path, which a script names, does not exist"
	done | { ! grep .; }
}
# licensed: every source states its licence.
licensed() {
	! git grep -L SPDX-License-Identifier -- '*.go' '*.c' '*.h' '*.cu' '*.cpp' '*.hpp' '*.py' '*.sh' | grep .
}
# shellcheck disable=SC2086 # no name has a space
{
	run length short $sources $builds
	run tests cited
	run licences licensed
	run paths paths $scripts $builds
	run clang-format "$tools/clang-format" --dry-run --Werror $formatted
	run shellcheck "$tools/shellcheck" --severity=warning $scripts
	run ruff "$tools/ruff" check --quiet .
	run codespell "$tools/codespell" --ignore-words-list "$words" $texts
}
exit $failed
