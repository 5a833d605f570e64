#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Simulated clouds of every kind, for training and for checking:
#
#   testdata/scanner/kinds.sh FOLDER COUNT SEED [POINTS] [KIND...]
#
# writes FOLDER/sim_KIND_SEED.las for COUNT seeds from SEED on, with about POINTS
# points each (default 120000). Other seeds give other worlds: keep some apart,
# such as 1000 and up, for clouds that training has not seen. Density, distance
# of scan lines and outliers change with the seed. Kinds are by default all but
# workshop and those for classes, which are scans from the air: land and shore, as sparse as
# surveys, without and with water; hill and cliff, with high relief; dense; sparse; dry, ten
# kinds of level land at 0.3 to 20 points a square metre; rock, coasts, quarries, gorges and scree;
# oldtown, narrow lanes, courts, churches and squares with trees.
set -eu
folder=${1:?folder} count=${2:?count} seed=${3:?first seed} points=${4:-120000}
shift $(($# < 4 ? $# : 4))
test $# -gt 0 || set -- spinning mobile facade forest trees table room home handheld city town village ellipse field
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/../.."
scanner=$(mktemp)
trap 'rm -f "$scanner"' EXIT
go build -o "$scanner" ./testdata/scanner

for kind in "$@"; do
	s=$seed
	while [ "$s" -lt $((seed + count)) ]; do
		density=$((8 << s % 4))                    # 8, 16, 32, 64 points a square metre
		lines="-stretch $((1 + s / 4 % 3 * 4))"    # scan lines 1, 5, 9 times as far apart as points along them
		air="-density $density $lines"
		road=street
		case $((s % 8)) in 1) road=construction ;; 3) road=village ;; 5) road=forest ;; 7) road=field ;; esac
		case $kind in
		spinning) what="-scene $road -mode spinning" ;;
		mobile) what="-scene $road -mode mobile -reach $((20 + s % 3 * 15))" ;;
		facade) what="-scene facade -mode terrestrial -reach $((20 + s % 4 * 10))" ;;
		forest) what="-scene forest -mode $([ $((s % 2)) = 0 ] && echo aerial || echo ellipse) $air" ;;
		trees) what="-scene forest -mode aerial -keep 4,5 -density $((density + 30)) $lines" ;;
		table) what="-scene table -mode camera" ;;
		room) what="-scene room -mode terrestrial" ;;
		home) what="-scene home -mode terrestrial" ;;
		workshop) what="-scene workshop -mode $([ $((s % 2)) = 0 ] && echo terrestrial || echo handheld)" ;;
		handheld) what="-scene $([ $((s % 3)) = 0 ] && echo room || echo home) -mode handheld" ;;
		city) what="-scene street -mode aerial -density $((1 + s % 3)) -noise $((1 + s / 3 % 4)) $lines" ;;
		town) what="-scene $([ $((s % 4)) = 1 ] && echo construction || echo street) -mode aerial $air" ;;
		village) what="-scene village -mode aerial $air" ;;
		ellipse) what="-scene village -mode ellipse $air" ;;
		field) what="-scene field -mode ellipse $air" ;;
		land | shore)
			case $((s % 4)) in 0) road=village ;; 1) road=street ;; 2) road=field ;; 3) road=forest ;; esac
			what="-scene $road -mode $([ $((s % 3)) = 0 ] && echo ellipse || echo aerial)"
			what="$what -water=$([ $kind = shore ] && echo true || echo false) -density $((1 << s % 5)) $lines"
			;;
		dry)
			density=$(echo .3 .5 1 2 4 8 14 20 | cut -d' ' -f $((s / 10 % 8 + 1)))
			what="-scene dry -mode $([ $((s % 3)) = 0 ] && echo ellipse || echo aerial) -density $density $lines"
			;;
		oldtown)
			what="-scene oldtown -mode $([ $((s % 3)) = 0 ] && echo ellipse || echo aerial)"
			what="$what -density $((1 << s / 4 % 4)) $lines"
			;;
		rock)
			what="-scene rock -mode $([ $((s % 3)) = 0 ] && echo ellipse || echo aerial)"
			what="$what -density $((2 << s / 4 % 4)) $lines"
			;;
		hill | cliff | dense | sparse)
			case $((s % 4)) in 0) road=village ;; 1) road=forest ;; 2) road=field ;; 3) road=street ;; esac
			mode=aerial
			[ "$kind" = sparse ] || [ $((s % 3)) != 0 ] || mode=ellipse
			what="-scene $road -mode $mode"
			case $kind in
			hill) what="$what -relief $((2 + s % 7)) -density $((1 << s % 5)) $lines" ;;
			cliff) what="$what -relief $((5 + s % 5 * 5)) -water -density $((1 << s % 5)) $lines" ;;
			dense) what="$what -density $((32 << s % 2)) $lines" ;;
			sparse)
				case $((s / 4 % 4)) in 0) density=.5 ;; 1) density=.25 ;; 2) density=.12 ;; 3) density=.06 ;; esac
				what="$what -relief $((1 + s % 5)) -water=$([ $((s % 3)) = 0 ] && echo true || echo false) -density $density"
				;;
			esac
			;;
		*) echo "unknown kind $kind" >&2 && exit 1 ;;
		esac
		n=$points
		case $kind in
		table | city | trees | land | shore | hill | cliff | dense | sparse | dry | rock | oldtown) n=$((points / 2)) ;;
		esac
		rain=$((1 + s % 5 / 4 * 30)) # every fifth seed has 1 outlier in 1,000
		# shellcheck disable=SC2086
		"$scanner" $what -points "$n" -seed "$s" -rain "$rain" -o "$folder/sim_${kind}_$s.las"
		s=$((s + 1))
	done
done
