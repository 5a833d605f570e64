#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures a built-in model on labelled clouds and puts the figures, and those of
# the hand-crafted features, into its card, as `pdal superpoint eval` prints them:
#
#   embed/train/recipes/publish.sh aerial ../shared/data/val/isprs_*.laz
#
# pipelines/report.yaml says what the labels of the clouds mean. Build again after it.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
model=$1
shift
exec "$root/build/pdal" superpoint eval --model "$model" --target_size 100 --rules "$root/pipelines/report.yaml" \
	--card "$root/embed/models/$model.safetensors" "$@"
