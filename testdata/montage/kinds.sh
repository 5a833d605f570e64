#!/bin/sh
# Makes kinds.jpg: simulated clouds of all kinds, beside real ones of ../shared/data
# whose licences allow it where that folder is there. Needs `make` first.
set -eu
cd "$(dirname "$0")/../.."
real=../shared/data/train
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
testdata/scanner/kinds.sh "$folder" 1 2 90000
testdata/scanner/kinds.sh "$folder" 1 4 90000 ellipse forest town village

list=
draw() { # NAME FILE TITLE PANEL OPTIONS…
	name=$1 file=$2 title=$3 panel=$4
	shift 4
	build/pdal superpoint render --panels "$panel" --title "$title" --width 640 "$@" "$file" "$folder/$name.png" \
		2>/dev/null
	list="$list $folder/$name.png"
}
draw_real() { # NAME FILE TITLE PANEL, where the file is there
	name=$1 file=$real/$2
	shift 2
	if [ -f "$file" ]; then draw "$name" "$file" "$@"; fi
}
open_room() { # a room without its ceiling
	build/pdal translate "$folder/$1.las" "$folder/$1_open.las" range --filters.range.limits="Classification![20:20]"
}
open_room sim_home_2
open_room sim_handheld_2

draw 1 "$folder/sim_spinning_2.las" "spinning, street" truth --splat 1.5
draw 2 "$folder/sim_mobile_2.las" "mobile, street" truth
draw 3 "$folder/sim_facade_2.las" "tripod, façade" truth --tilt 15 --azimuth 5
draw 4 "$folder/sim_table_2.las" "depth camera, table" truth --tilt 65 --azimuth 0
draw 5 "$folder/sim_handheld_2_open.las" "handheld, home" truth --tilt 50
draw 6 "$folder/sim_village_4.las" "aerial, village" class
draw 7 "$folder/sim_home_2_open.las" "tripod, home" truth --tilt 50
draw_real 8 navvis_room1_gt_fine.laz "real: NavVis, an office" truth --tilt 50
draw 9 "$folder/sim_city_2.las" "aerial, sparse city" elevation
draw_real 10 isprs_samp12.laz "real: ISPRS filter test" elevation
draw 11 "$folder/sim_town_4.las" "aerial, town" class
draw_real 12 ahn_amsterdam_2386_9702.laz "real: AHN, Amsterdam" class
draw 13 "$folder/sim_ellipse_4.las" "ellipse, village" class
draw_real 14 lidarhd_77050_627755.laz "real: IGN LiDAR HD" class
draw 15 "$folder/sim_forest_4.las" "aerial, forest" class
draw_real 16 ign_689400_6735450_crop_2_water.laz "real: IGN LiDAR HD" class
draw 17 "$folder/sim_trees_2.las" "aerial, trees alone" truth
draw_real 18 ahn4_trees_hard_patch_12.laz "real: AHN4, trees by hand" truth
# shellcheck disable=SC2086
go run ./testdata/montage testdata/montage/kinds.jpg 2 360 $list
