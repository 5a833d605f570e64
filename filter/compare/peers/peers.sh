#!/bin/sh
# Measures rivals from PyPI, and PDAL's filters.supervoxel, beside superpoint:
#
#   filter/compare/peers/peers.sh FOLDER FILE.las...     rivals and our default model; FOLDER has cells.md, seconds.md
#   filter/compare/peers/peers.sh check                  whether the rivals run, on a made cloud
#
# Rivals write their segments into copies of the files, and superpoint compare
# measures them as it does ours. SYSTEMS names the rivals ("cp ez sv"), PEERS_PDAL
# a pdal of 2.9 or newer for sv (else sv is left out), PEERS_VENV where Python's
# packages go (out/peers-venv; 5 GB with ez, most of it what torch brings), THREADS
# how many threads all get (1), RULES what labels mean (pipelines/report.yaml),
# SETTINGS some of settings.py ("plain,metre"; else all), OURS what of ours is
# measured beside them (ssp; OURS= is for a search of the rivals' settings).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
venv=${PEERS_VENV:-$root/out/peers-venv}
systems=${SYSTEMS:-"cp ez${PEERS_PDAL:+ sv}"}
ours=${OURS-ssp}
python="$venv/bin/python"

prepare() {
	test -x "$python" || python3 -m venv "$venv" || return 1
	case " $systems " in
	*" ez "*) "$venv/bin/pip" install -q -r "$here/requirements.txt" ;;
	*) grep -v '^torch' "$here/requirements.txt" | "$venv/bin/pip" install -q -r /dev/stdin ;;
	esac
}

if [ "${1:-}" = check ]; then
	prepare || { echo "skipped: PyPI's packages cannot be had here"; exit 0; }
	# shellcheck disable=SC2086
	exec "$python" "$here/check.py" $systems
fi
folder=${1:?folder} && shift
prepare
mkdir -p "$folder/files"
folder=$(cd "$folder" && pwd)
for file in "$@"; do
	copy="$folder/files/$(basename "$file")"
	# shellcheck disable=SC2086
	test -e "$copy" || {
		"$python" "$here/peers.py" "$file" "$copy" $systems ${SETTINGS:+--settings "$SETTINGS"} \
			--pdal "${PEERS_PDAL:-pdal}" --threads "${THREADS:-1}" --times "$folder/times.csv"
		test -z "$ours" || "$python" "$here/cells.py" ours "$root/build/pdal" "${THREADS:-1}" "$file" >>"$folder/times.csv"
	}
	rivals=$("$python" "$here/cells.py" names "$copy")
	"$root/build/pdal" superpoint compare --rules "${RULES:-$root/pipelines/report.yaml}" --threads "${THREADS:-1}" \
		--adjacency_knn 5 --picture 0 --sweep none --systems "${ours:+$ours,}$rivals" \
		--output "$folder/$(basename "$file" .las)" "$copy"
done
"$python" "$here/cells.py" seconds "$folder" >"$folder/seconds.md"
test -n "$ours" || exit 0
(cd "$root" && go run ./filter/compare/evidence peers "$folder"/*/results.csv) >"$folder/cells.md"
cat "$folder/cells.md"
