/* A stand-in for libcuda.so.1 that the CUDA library is linked with: at load it
 * looks for the real driver and fills a table with its entry points, and every
 * call jumps through that table. Without a driver, or with one too old to have
 * an entry point, the call returns CUDA_ERROR_NOT_INITIALIZED instead of
 * keeping the library from loading.
 *
 * gorgonia.org/cu ends the process when cuInit fails. Here cuInit therefore
 * always answers success; what the driver said is in superpoint_cuda_status.
 */
#include <dlfcn.h>

#include "cuda.h"
#include "symbols.h"

enum { INDEX_BEFORE_FIRST = -1,
#define X(name) INDEX_##name,
	CUDA_SYMBOLS(X)
#undef X
	SYMBOLS };

__attribute__((visibility("hidden"))) void *superpoint_cuda_table[SYMBOLS];

static CUresult absent(void) { return CUDA_ERROR_NOT_INITIALIZED; }

static CUresult (*driver_init)(unsigned int);

__attribute__((constructor)) static void load(void)
{
	static const char *const names[SYMBOLS] = {
#define X(name) #name,
		CUDA_SYMBOLS(X)
#undef X
	};
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
	for (int i = 0; i < SYMBOLS; i++) {
		void *entry = driver ? dlsym(driver, names[i]) : 0;
		superpoint_cuda_table[i] = entry ? entry : (void *)absent;
	}
	if (driver)
		*(void **)&driver_init = dlsym(driver, "cuInit");
}

/* The driver's own answer to cuInit; CUDA_ERROR_NO_DEVICE without a driver. */
CUresult superpoint_cuda_status(void)
{
	static int asked;
	static CUresult status = CUDA_ERROR_NO_DEVICE;
	if (!asked && driver_init)
		status = driver_init(0);
	asked = 1;
	return status;
}

CUresult cuInit(unsigned int flags)
{
	(void)flags;
	superpoint_cuda_status();
	return CUDA_SUCCESS;
}

/* One jump an entry point, arguments untouched. The assembler keeps the place
 * in the table as a number of its own, counted in the order of CUDA_SYMBOLS. */
__asm__(".text\n.set superpoint_cuda_place, 0\n");

#if defined(__x86_64__)
#define X(name) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n" \
		"\tjmp *(superpoint_cuda_table + superpoint_cuda_place)(%rip)\n" \
		".set superpoint_cuda_place, superpoint_cuda_place + 8\n");
#elif defined(__aarch64__)
#define X(name) \
	__asm__(".globl " #name "\n.type " #name ", %function\n" #name ":\n" \
		"\tadrp x16, superpoint_cuda_table\n" \
		"\tadd x16, x16, :lo12:superpoint_cuda_table\n" \
		"\tldr x16, [x16, #superpoint_cuda_place]\n" \
		"\tbr x16\n" \
		".set superpoint_cuda_place, superpoint_cuda_place + 8\n");
#else
#error "the CUDA library needs x86-64 or arm64"
#endif
CUDA_SYMBOLS(X)
