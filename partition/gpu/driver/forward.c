// SPDX-License-Identifier: BSD-3-Clause
/* A stand-in for libcuda.so.1 that the CUDA library is linked with. Nothing
 * happens at load; the first call of superpoint_cuda_status looks for the real
 * driver, starts it and fills a table with its entry points, and every call jumps
 * through that table. Without a driver, or with one too old to have an entry
 * point, the call returns CUDA_ERROR_NOT_INITIALIZED instead of keeping the
 * library from loading.
 *
 * gorgonia.org/cu calls cuInit when it is loaded and ends the process when that
 * fails. Here cuInit therefore does nothing and answers success.
 */
#include <dlfcn.h>
#include <pthread.h>

#include "cuda.h"

enum {
#define X(name) INDEX_##name,
    CUDA_ENTRY_POINTS(X)
#undef X
        SYMBOLS
};

#define TEXT(name) #name /* after macros, so that it is the driver's name */

__attribute__((visibility("hidden"))) void *superpoint_cuda_table[SYMBOLS];

static CUresult absent(void) { return CUDA_ERROR_NOT_INITIALIZED; }

__attribute__((constructor)) static void clear(void)
{
    for (int i = 0; i < SYMBOLS; i++) superpoint_cuda_table[i] = (void *)absent;
}

static CUresult status = CUDA_ERROR_NO_DEVICE;

static void start(void)
{
    static const char *const names[SYMBOLS] = {
#define X(name) TEXT(name),
        CUDA_ENTRY_POINTS(X)
#undef X
    };
    CUresult (*init)(unsigned int) = 0;
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver)
        return;
    for (int i = 0; i < SYMBOLS; i++) {
        void *entry = dlsym(driver, names[i]);
        if (entry)
            superpoint_cuda_table[i] = entry;
    }
    *(void **)&init = dlsym(driver, "cuInit");
    if (init)
        status = init(0);
}

/* The driver's own answer to cuInit; CUDA_ERROR_NO_DEVICE without a driver. */
CUresult superpoint_cuda_status(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    return status;
}

CUresult cuInit(unsigned int flags)
{
    (void)flags;
    return CUDA_SUCCESS;
}

/* One jump an entry point, arguments untouched. The assembler keeps the place
 * in the table as a number of its own, counted in the order of CUDA_ENTRY_POINTS. */
__asm__(".text\n.set superpoint_cuda_place, 0\n");

#if defined(__x86_64__)
#define X(name) \
    __asm__(".globl " TEXT(name) "\n.type " TEXT(name) ", @function\n" TEXT( \
        name) ":\n" \
              "\tjmp *(superpoint_cuda_table + superpoint_cuda_place)(%rip)\n" \
              ".set superpoint_cuda_place, superpoint_cuda_place + 8\n");
#elif defined(__aarch64__)
#define X(name) \
    __asm__(".globl " TEXT(name) "\n.type " TEXT(name) ", %function\n" TEXT( \
        name) ":\n" \
              "\tadrp x16, superpoint_cuda_table\n" \
              "\tadd x16, x16, :lo12:superpoint_cuda_table\n" \
              "\tldr x16, [x16, #superpoint_cuda_place]\n" \
              "\tbr x16\n" \
              ".set superpoint_cuda_place, superpoint_cuda_place + 8\n");
#else
#error "the CUDA library needs x86-64 or arm64"
#endif
CUDA_ENTRY_POINTS(X)
