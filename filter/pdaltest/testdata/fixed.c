// SPDX-License-Identifier: BSD-3-Clause
/* A library that gives every point the same ID, or fails with -DFAIL, or with -DVERSION has nothing but its version.
 * With -DCOUNT it prints at its end how many handles were opened and closed. */
#include <superpoint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef VERSION
int32_t sp_abi_version(void) { return VERSION; }
#else
int32_t sp_abi_version(void) { return SP_ABI_VERSION; }

static int opened, closed;

uint64_t sp_open(int32_t count, const char *const *options, const sp_host *host, char **error) { return ++opened; }
void sp_close(uint64_t handle) { ++closed; }

#ifdef COUNT
__attribute__((destructor)) static void report(void)
{
    fprintf(stderr, "handles: %d opened, %d closed\n", opened, closed);
}
#endif

void sp_free(char *text) { free(text); }

char *sp_describe(uint64_t handle, const char *available, const sp_host *host, char **error)
{
    return strdup("output SuperpointID uint32\n");
}

int32_t sp_segment(uint64_t handle, const sp_cloud *cloud, const sp_host *host, char **error)
{
#ifdef FAIL
    *error = strdup("internal error: made for a test");
    return 0;
#else
    return 1;
#endif
}

int32_t sp_output(uint64_t handle, const char *name, double *values, uint64_t count, char **error)
{
    for (uint64_t i = 0; i < count; ++i) values[i] = ID;
    return 1;
}

char *sp_metadata(uint64_t handle, char **error) { return strdup("a [1, {\"b\": \"}\"}]\nc null\n"); }
int32_t sp_command(int32_t count, const char *const *arguments, const sp_host *host, char **printed, char **error)
{
    return 1;
}
#endif
