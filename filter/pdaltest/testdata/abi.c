/* A library with another ABI version, or, with -DVERSION=SP_ABI_VERSION, one
 * that has nothing but its version. */
#include <superpoint.h>

#ifndef VERSION
#define VERSION 4711
#endif

int32_t sp_abi_version(void) { return VERSION; }
