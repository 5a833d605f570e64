#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Links the plugin into a QGIS profile and enables it: install.sh [PROFILE]
#
# PROFILE is the name of the profile, `default` if left out. QGIS_CUSTOM_CONFIG_PATH
# is used as by QGIS. Undo it with: install.sh --remove [PROFILE]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
remove=
if [ "${1:-}" = --remove ]; then remove=1; shift; fi
if [ -n "${QGIS_CUSTOM_CONFIG_PATH:-}" ]; then
	config=$QGIS_CUSTOM_CONFIG_PATH
elif [ "$(uname)" = Darwin ]; then
	config=$HOME/Library/Application\ Support/QGIS/QGIS3
else
	config=${XDG_DATA_HOME:-$HOME/.local/share}/QGIS/QGIS3
fi
profile=$config/profiles/${1:-default}
plugin=$profile/python/plugins/superpoint
settings=$profile/QGIS/QGIS3.ini

if [ -L "$plugin" ]; then rm "$plugin"; fi
if [ -e "$plugin" ]; then
	echo "superpoint: $plugin exists and is no link; remove it first" >&2
	exit 1
fi
if [ -n "$remove" ]; then
	if [ -e "$settings" ]; then sed -i.before '/^superpoint=true$/d' "$settings" && rm "$settings.before"; fi
	echo "superpoint: removed from $profile"
	exit 0
fi
mkdir -p "$(dirname "$plugin")" "$(dirname "$settings")"
ln -s "$here/superpoint" "$plugin"
touch "$settings"
if ! grep -q '^superpoint=true$' "$settings"; then
	if grep -q '^\[PythonPlugins\]$' "$settings"; then
		awk '{ print } /^\[PythonPlugins\]$/ { print "superpoint=true" }' "$settings" >"$settings.new"
		mv "$settings.new" "$settings"
	else
		printf '\n[PythonPlugins]\nsuperpoint=true\n' >>"$settings"
	fi
fi
echo "superpoint: linked into $profile; (re)start QGIS and open Processing > Toolbox > Superpoint"
