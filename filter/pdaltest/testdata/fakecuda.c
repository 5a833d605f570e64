// SPDX-License-Identifier: BSD-3-Clause
// A stand-in for NVIDIA's driver, libcuda.so.1, for tests: it runs kernels with the
// emulator of embed/cuda/emulator, on the CPU. The environment determines its answers:
// FAKE_CUDA_INIT (answer of cuInit), FAKE_CUDA_DEVICES, FAKE_CUDA_MEMORY (bytes;
// allocations beyond it fail), FAKE_CUDA_LOST (number of the kernel start from which
// everything fails), FAKE_CUDA_TRACE (a file that is made when cuInit is called),
// FAKE_CUDA_SMALL (number of a GPU with a hundredth of the memory), FAKE_CUDA_CONTEXTS
// (a file that takes how often the primary context was set and the caller's restored,
// when it is released), FAKE_CUDA_WRONG (a kernel whose results are wrong).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "emulator.h"

static size_t used;
static int launches;
static const char *const device_name = "Emulated GPU";

static long long setting(const char *name, long long otherwise)
{
    const char *text = getenv(name);
    return text ? atoll(text) : otherwise;
}

static int lost(void) { return launches >= setting("FAKE_CUDA_LOST", 1LL << 40); }

CUresult cuInit(unsigned int flags)
{
    const char *trace = getenv("FAKE_CUDA_TRACE");
    if (trace)
        fclose(fopen(trace, "w"));
    return (CUresult)(setting("FAKE_CUDA_INIT", 0) + flags);
}

CUresult cuDeviceGetCount(int *count)
{
    *count = (int)setting("FAKE_CUDA_DEVICES", 1);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int number)
{
    *device = number;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    snprintf(name, size, "%s %d", device_name, device);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    (void)device;
    *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? (int)setting("FAKE_CUDA_CAPABILITY", 9) : 0;
    return CUDA_SUCCESS;
}

/* The context that the caller's threads had before; the context of a device is used instead. */
static const char caller;
static const char primary[16];
static __thread CUcontext current = (CUcontext)&caller;
static int entered, restored;

CUresult cuDriverGetVersion(int *version)
{
    *version = 12040;
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = (CUcontext)&primary[device];
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    const char *path = getenv("FAKE_CUDA_CONTEXTS");
    FILE *file = path ? fopen(path, "w") : 0;
    (void)device;
    if (file) {
        fprintf(file, "%d %d", entered, restored);
        fclose(file);
    }
    return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context)
{
    if (context == (CUcontext)&caller)
        __sync_fetch_and_add(&restored, 1);
    else if (current == (CUcontext)&caller)
        __sync_fetch_and_add(&entered, 1);
    current = context;
    return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module)
{
    (void)module;
    return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
    (void)which, (void)function;
    *value = 0;
    return CUDA_SUCCESS;
}

static size_t memory(void)
{
    size_t all = (size_t)setting("FAKE_CUDA_MEMORY", 1LL << 32);
    return current == (CUcontext)&primary[setting("FAKE_CUDA_SMALL", 15)] ? all / 100 : all;
}
CUresult cuCtxSynchronize(void) { return lost() ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS; }
CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    *module = (CUmodule)device_name;
    return strstr(image, ".target sm_70") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    (void)module;
    *function = (CUfunction)strdup(name);
    return CUDA_SUCCESS;
}
CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    *total = memory();
    *free_bytes = *total > used ? *total - used : 0;
    return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes)
{
    if (used + bytes > memory())
        return CUDA_ERROR_OUT_OF_MEMORY;
    size_t *block = malloc(bytes + 16);
    *block = bytes;
    used += bytes;
    memset(block + 2, 0xff, bytes);
    *p = (CUdeviceptr)(block + 2);
    return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr p)
{
    used -= ((size_t *)p)[-2];
    free((size_t *)p - 2);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    memcpy((void *)to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    if (lost())
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    memcpy(to, (const void *)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemsetD8_v2(CUdeviceptr p, unsigned char value, size_t bytes)
{
    memset((void *)p, value, bytes);
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                        unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **arguments,
                        void **extra)
{
    (void)stream, (void)extra;
    if (gy * gz * by * bz != 1)
        return CUDA_ERROR_INVALID_VALUE;
    launches++;
    const char *wrong = getenv("FAKE_CUDA_WRONG");
    if (wrong && strcmp(wrong, (const char *)function) == 0)
        return CUDA_SUCCESS;
    return emulator_run((const char *)function, gx, bx, shared, arguments) ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
}
