# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# For scripts to source in a folder of theirs, with say and cc: a Windows of wine in
# the folder prefix, with what Go takes for granted.
WINEPREFIX=$PWD/prefix WINEARCH=win64 WINEDEBUG=-all
export WINEPREFIX WINEARCH WINEDEBUG
wine cmd /c ver >wine.log 2>&1 || { tail wine.log >&2; exit 1; }
system=$WINEPREFIX/drive_c/windows/system32
# Every Windows since 8 has it, wine as of 8.13; Go takes random numbers from it.
if [ ! -e "$system/bcryptprimitives.dll" ]; then
	say "this wine has no bcryptprimitives.dll; it gets one that asks advapi32"
	printf '%s\n' '#include <windows.h>' 'BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);' \
		'__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T n) { return SystemFunction036(to, (ULONG)n); }' \
		>random.c
	$cc -shared -o "$system/bcryptprimitives.dll" random.c -ladvapi32
fi
