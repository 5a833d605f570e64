#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares the bits of every step, and the ids of a simulated village, between the
# machines that this system can run or emulate: make parity
#
# Machines: this processor with C (every kernel it can run) and in plain Go; on amd64
# also Go for GOAMD64=v3, and arm64 with C (NEON) and in plain Go, under qemu
# (Debian: qemu-user, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross); the CUDA
# kernels in the emulator. Missing tools are listed, and their machines not run.
set -u
cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0
say() { printf '%-34s %s\n' "$1" "$2"; }

# machine NAME RUN ENVIRONMENT...: builds three tests and runs them by RUN.
machine() {
	name=$1 run=$2
	shift 2
	result=ok
	for package in partition/base/arithmetic embed embed/lpe filter; do
		binary=$work/$(echo "$name $package" | tr ' /' '__')
		if ! env "$@" go test -c -gcflags=all=-d=fmahash=qn -o "$binary" "./$package" >"$work/log" 2>&1; then
			grep -v '^#' "$work/log" | head -5
			result="not built: $package"
			break
		fi
		tests='Bits|FMA|Fused|Plain|Steps|ToTheBit|EveryKernelGives'
		if ! (cd "$package" && SUPERPOINT_PARITY=$work/$name $run "$binary" -test.run "$tests" -test.short) \
			>"$work/log" 2>&1; then
			grep -E '_test.go' "$work/log" | grep -v ' log [0-9]' | head -5
			result="differs: $package"
		fi
	done
	if [ "$result" = ok ] && [ -f "$work/first" ] && ! cmp -s "$work/first" "$work/$name"; then
		diff "$work/first" "$work/$name" | head -5
		result='differs: ids or embeddings of the village'
	fi
	[ -f "$work/first" ] || cp "$work/$name" "$work/first"
	[ "$result" = ok ] || failed=1
	ran=$((ran + 1))
	say "$name" "$result"
}

arch=$(go env GOARCH)
machine "$arch with C" '' CGO_ENABLED=1
machine "$arch plain Go" '' CGO_ENABLED=0
if [ "$arch" = amd64 ]; then
	machine 'amd64 plain Go, GOAMD64=v3' '' CGO_ENABLED=0 GOAMD64=v3
	if command -v qemu-aarch64 >/dev/null; then
		if command -v aarch64-linux-gnu-gcc >/dev/null; then
			machine 'arm64 with C (NEON), qemu' 'qemu-aarch64 -L /usr/aarch64-linux-gnu' \
				GOARCH=arm64 CGO_ENABLED=1 CC=aarch64-linux-gnu-gcc
		else
			say 'arm64 with C (NEON), qemu' 'not run: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
		fi
		machine 'arm64 plain Go, qemu' qemu-aarch64 GOARCH=arm64 CGO_ENABLED=0
	else
		say arm64 'not run: apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
	fi
fi

# The CUDA kernels' own code under AddressSanitizer and UBSan, blocks and threads
# in three random orders.
export CGO_CFLAGS='-O1 -g -fsanitize=undefined -fno-sanitize-recover=undefined' CGO_LDFLAGS=-fsanitize=undefined
for package in partition/gpu partition/neighbor embed/lpe; do
	if ! go test -asan -c -o "$work/sanitized" "./$package" >"$work/log" 2>&1; then
		say "CUDA, emulator, $package" 'not run: no AddressSanitizer for Go here'
		tail -2 "$work/log"
		continue
	fi
	for seed in 1 2 $(($(date +%s) % 100000)); do
		if (cd "$package" && SUPERPOINT_SEED=$seed "$work/sanitized" -test.run '^TestDevice') \
			>"$work/log" 2>&1; then
			say "CUDA, emulator, $package" "ok, order $seed, ASan and UBSan"
		else
			grep -E '_test.go|ERROR|runtime error' "$work/log" | head -5
			say "CUDA, emulator, $package" "differs, order $seed"
			failed=1
		fi
	done
done
echo "$ran machines, the same bits on all: $([ $failed = 0 ] && echo yes || echo no)"
exit $failed
