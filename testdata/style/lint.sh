#!/bin/sh
# What `make lint` says of C++, shell and Python; each tool is named, and every one
# is run. They come from PyPI, pinned in requirements.txt, into build/lint.
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

plugins=$(git ls-files 'filter/pdal/*.cpp' 'filter/pdal/*.hpp')
scripts=$(git ls-files '*.sh' .ci/run)
texts=$(git ls-files | grep -E '\.(md|go|c|h|cpp|hpp|cu|py|sh|yaml|json|txt)$')
# Misspellings that tests write, and identifiers that look like some.
words=aeriel,argumen,atleast,bale,clasification,debians,failer,nam,nd,oint,plantext,segmentin,trian,ue,wronly
# shellcheck disable=SC2086 # no name has a space
{
	run clang-format "$tools/clang-format" --dry-run --Werror $plugins
	run shellcheck "$tools/shellcheck" --severity=warning $scripts
	run ruff "$tools/ruff" check --quiet .
	run codespell "$tools/codespell" --ignore-words-list "$words" $texts
}
exit $failed
