// SPDX-License-Identifier: BSD-3-Clause
/* Finds the number of GPUs by NVIDIA's driver, without linking to it. Used by the
 * plugin, which opens the CUDA library only if there is a GPU, and by Go for
 * error messages. For C and C++.
 */
#ifndef SUPERPOINT_PROBE_H
#define SUPERPOINT_PROBE_H

enum { PROBE_NO_DRIVER = -1 };

#ifndef __linux__ /* the CUDA library is built on Linux only */
static inline int superpoint_probe(int *status)
{
    *status = PROBE_NO_DRIVER;
    return 0;
}
#else

#include <dlfcn.h>

/* Returns the number of GPUs and sets *status to 0, to the driver's error, or to
 * PROBE_NO_DRIVER. The driver stays loaded: it cannot be unloaded safely. */
static inline int superpoint_probe(int *status)
{
    typedef int (*init_function)(unsigned int);
    typedef int (*count_function)(int *);
    int count = 0;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    init_function init = driver ? (init_function)dlsym(driver, "cuInit") : 0;
    count_function devices = driver ? (count_function)dlsym(driver, "cuDeviceGetCount") : 0;
    *status = PROBE_NO_DRIVER;
    if (!init || !devices)
        return 0;
    *status = init(0);
    if (*status == 0)
        *status = devices(&count);
    return *status == 0 ? count : 0;
}

#endif
#endif
