// SPDX-License-Identifier: BSD-3-Clause
// The functions of the emulator, see emulator.go.
#include <stdint.h>

enum { EMULATOR_INVALID = 1, EMULATOR_DIVIDED = 2 };

// Runs a kernel; values are its arguments, 8 bytes each; the order of blocks and
// threads follows from seed.
int emulator_launch(const char *name, uint32_t blocks, uint32_t threads, uint32_t shared, uint64_t *values, int count,
                    uint64_t seed);

// The same with the addresses of the arguments, as in cuLaunchKernel.
int emulator_run(const char *name, uint32_t blocks, uint32_t threads, uint32_t shared, void **arguments);
