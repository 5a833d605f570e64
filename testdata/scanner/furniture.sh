#!/bin/sh
# Fetches the furniture of Sweet Home 3D as Debian packs it (sweethome3d-furniture,
# 120 MB, 820 models under CC0 and CC-BY: see copyright in the folder) and leaves
# the libraries in FOLDER, by default out/furniture, which git ignores:
#
#   testdata/scanner/furniture.sh [FOLDER]
#   go run ./testdata/scanner -scene home -furniture out/furniture -o home.las
#
# A model trained on it names it in its card.
set -eu
cd "$(dirname "$0")/../.."
folder=${1:-out/furniture}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download sweethome3d-furniture
dpkg -x sweethome3d-furniture_*.deb .
cp usr/share/sweethome3d/furniture/*.sh3f usr/share/doc/sweethome3d-furniture/copyright "$folder/"
ls -l "$folder"
