#!/bin/sh
# Measures rivals by their authors' programs, on labelled clouds, and keeps their cells:
#
#   pipelines/evidence/peers/peers.sh FOLDER [FILE...]     default: ../shared/data/val/*.la[sz]
#
# Rivals write their segments into copies of the files, and superpoint compare measures
# them as it does ours. What is in FOLDER is kept, so an interrupted run continues; other
# SYSTEMS need another FOLDER. SYSTEMS names the rivals ("cp ez pcl yblin pdal"), SETTINGS
# some of settings.py or programs.py ("plain,metre"), THREADS how many threads cp and ez
# get. The packages of cp and ez take 5 GB, most of it what torch brings. pcl needs g++
# and Debian's libpcl-dev and pkg-config; yblin needs g++, and the authors' source: cloned
# from GitHub, if it is not in FOLDER/yblin-source; pdal needs PDAL 2.10, named by
# SUPERVOXEL_PDAL, which may be another one than the plugin's.
set -eu
folder=${1:?folder} && shift
cd "$(dirname "$0")/../../.."
test $# -gt 0 || set -- ../shared/data/val/*.la[sz]
systems=${SYSTEMS:-cp ez pcl yblin}
here=pipelines/evidence/peers
mkdir -p "$folder"
python=$folder/venv/bin/python
test -x "$python" || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q -r $here/requirements.txt
case " $systems " in *" cp "* | *" ez "*) "$folder/venv/bin/pip" install -q -r $here/solvers.txt ;; esac
case " $systems " in
*" pcl "*)
	pcl=$(pkg-config --cflags --libs pcl_segmentation pcl_octree pcl_kdtree pcl_search pcl_common)
	# shellcheck disable=SC2086 # flags are words
	g++ -O3 -DNDEBUG -std=c++17 partition/vccs/_pcl/pcl_vccs.cpp -o "$folder/pcl_vccs" $pcl
	;;
esac
case " $systems " in
*" yblin "*)
	source=$folder/yblin-source
	test -d "$source" || git clone -q https://github.com/yblin/Supervoxel-for-3D-point-clouds "$source"
	g++ -O3 -DNDEBUG -std=c++17 "-I$source" $here/yblin.cpp -o "$folder/yblin"
	;;
esac
case " $systems " in *" pdal "*) ln -sf "$(command -v "${SUPERVOXEL_PDAL:-pdal}")" "$folder/pdal" ;; esac
for file in "$@"; do
	copy=$folder/$(basename "$file")
	# shellcheck disable=SC2086 # systems are words
	test -e "$copy.systems" || {
		"$python" $here/peers.py "$file" "$copy" $systems ${SETTINGS:+--settings "$SETTINGS"} \
			--threads "${THREADS:-1}" --programs "$folder" >"$copy.part"
		mv "$copy.part" "$copy.systems"
	}
	build/pdal superpoint compare --rules pipelines/report.yaml --adjacency_knn 5 --picture 0 --sweep none \
		--systems "$(cat "$copy.systems")" --output "$folder/$(basename "$file").cells" "$copy"
done
go run ./pipelines/evidence keep peers "$folder"/*.cells/results.csv
go run ./pipelines/evidence -page
