#!/bin/sh
# make test-cluster: installs its dependencies from Debian (as root), then runs Dask
# and SLURM on this machine. POINTS=40000000 TILES=64: the large survey.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
packages=
/usr/bin/python3 -c 'import distributed' 2>/dev/null || packages=python3-distributed
command -v slurmctld >/dev/null && command -v slurmd >/dev/null || packages="$packages slurm-wlm"
command -v munged >/dev/null || packages="$packages munge"
if [ -n "$packages" ]; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "Needed on Debian or Ubuntu; run this, then make test-cluster again:"
		echo "  sudo apt-get install -y --no-install-recommends $packages"
		exit 1
	fi
	apt-get -qq update
	# no service is started: the test runs its own daemons
	printf '#!/bin/sh\nexit 101\n' >/tmp/policy-rc.$$ && chmod +x /tmp/policy-rc.$$
	had=; [ ! -e /usr/sbin/policy-rc.d ] || had=yes
	[ -n "$had" ] || cp /tmp/policy-rc.$$ /usr/sbin/policy-rc.d
	status=0
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages || status=$?
	[ -n "$had" ] || rm -f /usr/sbin/policy-rc.d
	rm -f /tmp/policy-rc.$$
	[ $status = 0 ] || exit $status
fi
exec /usr/bin/python3 "$here/test.py" "$@"
