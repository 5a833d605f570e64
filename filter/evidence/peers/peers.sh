#!/bin/sh
# Measures rivals from PyPI, on labelled clouds, and keeps their cells:
#
#   filter/evidence/peers/peers.sh FOLDER [FILE...]     default: ../shared/data/val/*.la[sz]
#
# Rivals write their segments into copies of the files, and superpoint compare measures
# them as it does ours. What is in FOLDER is kept, so an interrupted run continues. SYSTEMS
# names the rivals ("cp ez"), SETTINGS some of settings.py ("plain,metre"), THREADS how
# many threads they get. Python's packages take 5 GB, most of it what torch brings.
set -eu
folder=${1:?folder} && shift
cd "$(dirname "$0")/../../.."
test $# -gt 0 || set -- ../shared/data/val/*.la[sz]
mkdir -p "$folder"
python=$folder/venv/bin/python
test -x "$python" || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q -r filter/evidence/peers/requirements.txt
for file in "$@"; do
	copy=$folder/$(basename "$file")
	# shellcheck disable=SC2086 # systems are words
	test -e "$copy.systems" || {
		"$python" filter/evidence/peers/peers.py "$file" "$copy" ${SYSTEMS:-cp ez} ${SETTINGS:+--settings "$SETTINGS"} \
			--threads "${THREADS:-1}" >"$copy.part"
		mv "$copy.part" "$copy.systems"
	}
	build/pdal superpoint compare --rules pipelines/report.yaml --adjacency_knn 5 --picture 0 --sweep none \
		--systems "$(cat "$copy.systems")" --output "$folder/$(basename "$file").cells" "$copy"
done
go run ./filter/evidence keep peers "$folder"/*.cells/results.csv
go run ./filter/evidence -page
