/* The part of the CUDA driver's C interface that gorgonia.org/cu v0.9.6 uses:
 * names, values and layouts of the stable driver ABI (CUDA 11, x86-64 and
 * arm64). With this file and forward.c the CUDA library builds on a machine
 * without a CUDA toolkit, with any toolkit, and runs with any driver: every
 * call is forwarded to the libcuda.so.1 that is found at run time.
 */
#ifndef SUPERPOINT_CUDA_H
#define SUPERPOINT_CUDA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define CUDA_VERSION 11080
#define CUDA_CB
#define CU_TRSF_READ_AS_INTEGER 1
#define CU_TRSF_NORMALIZED_COORDINATES 2

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef uint32_t cuuint32_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUlinkState_st *CUlinkState;
typedef void (*CUhostFn)(void *);
typedef size_t (*CUoccupancyB2DSize)(int);
typedef struct { char bytes[16]; } CUuuid;

typedef enum {
	CU_TR_ADDRESS_MODE_WRAP = 0,
	CU_TR_ADDRESS_MODE_CLAMP = 1,
	CU_TR_ADDRESS_MODE_MIRROR = 2,
	CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;

typedef enum {
	CU_AD_FORMAT_UNSIGNED_INT8 = 1,
	CU_AD_FORMAT_UNSIGNED_INT16 = 2,
	CU_AD_FORMAT_UNSIGNED_INT32 = 3,
	CU_AD_FORMAT_SIGNED_INT8 = 8,
	CU_AD_FORMAT_SIGNED_INT16 = 9,
	CU_AD_FORMAT_SIGNED_INT32 = 10,
	CU_AD_FORMAT_HALF = 16,
	CU_AD_FORMAT_FLOAT = 32
} CUarray_format;

typedef enum {
	CU_CTX_SCHED_AUTO = 0,
	CU_CTX_SCHED_SPIN = 1,
	CU_CTX_SCHED_YIELD = 2,
	CU_CTX_SCHED_BLOCKING_SYNC = 4,
	CU_CTX_SCHED_MASK = 7,
	CU_CTX_MAP_HOST = 8,
	CU_CTX_LMEM_RESIZE_TO_MAX = 16,
	CU_CTX_FLAGS_MASK = 31
} CUctx_flags;

typedef enum {
	CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1,
	CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED = 2,
	CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3
} CUdevice_P2PAttribute;

typedef enum {
	CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
	CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
	CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
	CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
	CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
	CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
	CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
	CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
	CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
	CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
	CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
	CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
	CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
	CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
	CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
	CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
	CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
	CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
	CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
	CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
	CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
	CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
	CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
	CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
	CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
	CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
	CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
	CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
	CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
	CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
	CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
	CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43,
	CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH = 45,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT = 46,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE = 47,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE = 48,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE = 49,
	CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
	CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH = 52,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH = 53,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS = 54,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS = 62,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT = 64,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH = 66,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH = 67,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS = 68,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH = 70,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT = 71,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH = 72,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH = 73,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT = 74,
	CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
	CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH = 77,
	CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
	CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = 79,
	CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = 80,
	CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
	CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
	CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
	CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD = 84,
	CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID = 85,
	CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED = 86,
	CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87,
	CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
	CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
	CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
	CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91
} CUdevice_attribute;

typedef enum {
	CU_EVENT_DEFAULT = 0,
	CU_EVENT_BLOCKING_SYNC = 1,
	CU_EVENT_DISABLE_TIMING = 2,
	CU_EVENT_INTERPROCESS = 4
} CUevent_flags;

typedef enum {
	CU_TR_FILTER_MODE_POINT = 0,
	CU_TR_FILTER_MODE_LINEAR = 1
} CUfilter_mode;

typedef enum {
	CU_FUNC_CACHE_PREFER_NONE = 0,
	CU_FUNC_CACHE_PREFER_SHARED = 1,
	CU_FUNC_CACHE_PREFER_L1 = 2,
	CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;

typedef enum {
	CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
	CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
	CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
	CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
	CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
	CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
	CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
	CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7
} CUfunction_attribute;

typedef enum {
	CU_JIT_INPUT_CUBIN = 0,
	CU_JIT_INPUT_PTX = 1,
	CU_JIT_INPUT_FATBINARY = 2,
	CU_JIT_INPUT_OBJECT = 3,
	CU_JIT_INPUT_LIBRARY = 4
} CUjitInputType;

typedef enum {
	CU_JIT_CACHE_OPTION_NONE = 0,
	CU_JIT_CACHE_OPTION_CG = 1,
	CU_JIT_CACHE_OPTION_CA = 2
} CUjit_cacheMode;

typedef enum {
	CU_PREFER_PTX = 0,
	CU_PREFER_BINARY = 1
} CUjit_fallback;

typedef enum {
	CU_JIT_MAX_REGISTERS = 0,
	CU_JIT_THREADS_PER_BLOCK = 1,
	CU_JIT_WALL_TIME = 2,
	CU_JIT_INFO_LOG_BUFFER = 3,
	CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
	CU_JIT_ERROR_LOG_BUFFER = 5,
	CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
	CU_JIT_OPTIMIZATION_LEVEL = 7,
	CU_JIT_TARGET_FROM_CUCONTEXT = 8,
	CU_JIT_TARGET = 9,
	CU_JIT_FALLBACK_STRATEGY = 10,
	CU_JIT_GENERATE_DEBUG_INFO = 11,
	CU_JIT_LOG_VERBOSE = 12,
	CU_JIT_GENERATE_LINE_INFO = 13,
	CU_JIT_CACHE_MODE = 14
} CUjit_option;

typedef enum {
	CU_TARGET_COMPUTE_20 = 20,
	CU_TARGET_COMPUTE_21 = 21,
	CU_TARGET_COMPUTE_30 = 30,
	CU_TARGET_COMPUTE_32 = 32,
	CU_TARGET_COMPUTE_35 = 35,
	CU_TARGET_COMPUTE_37 = 37,
	CU_TARGET_COMPUTE_50 = 50,
	CU_TARGET_COMPUTE_52 = 52,
	CU_TARGET_COMPUTE_53 = 53,
	CU_TARGET_COMPUTE_60 = 60,
	CU_TARGET_COMPUTE_61 = 61,
	CU_TARGET_COMPUTE_62 = 62
} CUjit_target;

typedef enum {
	CU_LIMIT_STACK_SIZE = 0,
	CU_LIMIT_PRINTF_FIFO_SIZE = 1,
	CU_LIMIT_MALLOC_HEAP_SIZE = 2,
	CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
	CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4
} CUlimit;

typedef enum {
	CU_MEM_ATTACH_GLOBAL = 1,
	CU_MEM_ATTACH_HOST = 2,
	CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;

typedef enum {
	CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
	CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
	CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
	CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
	CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
	CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;

typedef enum {
	CU_MEMORYTYPE_HOST = 1,
	CU_MEMORYTYPE_DEVICE = 2,
	CU_MEMORYTYPE_ARRAY = 3,
	CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

typedef enum {
	CU_OCCUPANCY_DEFAULT = 0,
	CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 1
} CUoccupancy_flags;

typedef enum {
	CU_POINTER_ATTRIBUTE_CONTEXT = 1,
	CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
	CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
	CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
	CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
	CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
	CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
	CU_POINTER_ATTRIBUTE_IS_MANAGED = 8
} CUpointer_attribute;

typedef enum {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_NOT_INITIALIZED = 3,
	CUDA_ERROR_DEINITIALIZED = 4,
	CUDA_ERROR_PROFILER_DISABLED = 5,
	CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
	CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,
	CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,
	CUDA_ERROR_NO_DEVICE = 100,
	CUDA_ERROR_INVALID_DEVICE = 101,
	CUDA_ERROR_INVALID_IMAGE = 200,
	CUDA_ERROR_INVALID_CONTEXT = 201,
	CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
	CUDA_ERROR_MAP_FAILED = 205,
	CUDA_ERROR_UNMAP_FAILED = 206,
	CUDA_ERROR_ARRAY_IS_MAPPED = 207,
	CUDA_ERROR_ALREADY_MAPPED = 208,
	CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
	CUDA_ERROR_ALREADY_ACQUIRED = 210,
	CUDA_ERROR_NOT_MAPPED = 211,
	CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
	CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,
	CUDA_ERROR_ECC_UNCORRECTABLE = 214,
	CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
	CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
	CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
	CUDA_ERROR_INVALID_PTX = 218,
	CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
	CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
	CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
	CUDA_ERROR_INVALID_SOURCE = 300,
	CUDA_ERROR_FILE_NOT_FOUND = 301,
	CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
	CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
	CUDA_ERROR_OPERATING_SYSTEM = 304,
	CUDA_ERROR_INVALID_HANDLE = 400,
	CUDA_ERROR_ILLEGAL_STATE = 401,
	CUDA_ERROR_NOT_FOUND = 500,
	CUDA_ERROR_NOT_READY = 600,
	CUDA_ERROR_ILLEGAL_ADDRESS = 700,
	CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
	CUDA_ERROR_LAUNCH_TIMEOUT = 702,
	CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
	CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
	CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
	CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
	CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
	CUDA_ERROR_ASSERT = 710,
	CUDA_ERROR_TOO_MANY_PEERS = 711,
	CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
	CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
	CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
	CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
	CUDA_ERROR_MISALIGNED_ADDRESS = 716,
	CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
	CUDA_ERROR_INVALID_PC = 718,
	CUDA_ERROR_LAUNCH_FAILED = 719,
	CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
	CUDA_ERROR_NOT_PERMITTED = 800,
	CUDA_ERROR_NOT_SUPPORTED = 801,
	CUDA_ERROR_SYSTEM_NOT_READY = 802,
	CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
	CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
	CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
	CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
	CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
	CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
	CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
	CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
	CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
	CUDA_ERROR_CAPTURED_EVENT = 907,
	CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
	CUDA_ERROR_TIMEOUT = 909,
	CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
	CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef enum {
	CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0,
	CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1,
	CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
} CUsharedconfig;

typedef enum {
	CU_STREAM_DEFAULT = 0,
	CU_STREAM_NON_BLOCKING = 1
} CUstream_flags;

typedef struct {
	CUfunction func;
	unsigned int gridDimX, gridDimY, gridDimZ;
	unsigned int blockDimX, blockDimY, blockDimZ;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct {
	CUdeviceptr dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct {
	CUhostFn fn;
	void *userData;
} CUDA_HOST_NODE_PARAMS;

typedef struct {
	size_t srcXInBytes, srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

/* A 3D copy's two ends differ from the copy between contexts only in the name
 * of one pointer. */
#define SUPERPOINT_MEMCPY3D(name, source, target) \
	typedef struct { \
		size_t srcXInBytes, srcY, srcZ, srcLOD; \
		CUmemorytype srcMemoryType; \
		const void *srcHost; \
		CUdeviceptr srcDevice; \
		CUarray srcArray; \
		source; \
		size_t srcPitch, srcHeight; \
		size_t dstXInBytes, dstY, dstZ, dstLOD; \
		CUmemorytype dstMemoryType; \
		void *dstHost; \
		CUdeviceptr dstDevice; \
		CUarray dstArray; \
		target; \
		size_t dstPitch, dstHeight; \
		size_t WidthInBytes, Height, Depth; \
	} name
SUPERPOINT_MEMCPY3D(CUDA_MEMCPY3D, void *reserved0, void *reserved1);
SUPERPOINT_MEMCPY3D(CUDA_MEMCPY3D_PEER, CUcontext srcContext, CUcontext dstContext);

typedef struct {
	size_t Width, Height;
	CUarray_format Format;
	unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

/* The driver keeps old entry points beside their successors. */
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3

/* The entry points but cuInit, X(name, parameters) each: declared here, and found in the
 * driver by forward.c. */
#define CUDA_ENTRY_POINTS(X) \
	X(cuArray3DCreate_v2, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *)) \
	X(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray)) \
	X(cuArrayCreate_v2, (CUarray *, const CUDA_ARRAY_DESCRIPTOR *)) \
	X(cuArrayDestroy, (CUarray)) \
	X(cuArrayGetDescriptor_v2, (CUDA_ARRAY_DESCRIPTOR *, CUarray)) \
	X(cuCtxCreate_v2, (CUcontext *, unsigned int, CUdevice)) \
	X(cuCtxDestroy_v2, (CUcontext)) \
	X(cuCtxDisablePeerAccess, (CUcontext)) \
	X(cuCtxEnablePeerAccess, (CUcontext, unsigned int)) \
	X(cuCtxGetApiVersion, (CUcontext, unsigned int *)) \
	X(cuCtxGetCacheConfig, (CUfunc_cache *)) \
	X(cuCtxGetCurrent, (CUcontext *)) \
	X(cuCtxGetDevice, (CUdevice *)) \
	X(cuCtxGetFlags, (unsigned int *)) \
	X(cuCtxGetLimit, (size_t *, CUlimit)) \
	X(cuCtxGetSharedMemConfig, (CUsharedconfig *)) \
	X(cuCtxGetStreamPriorityRange, (int *, int *)) \
	X(cuCtxPopCurrent_v2, (CUcontext *)) \
	X(cuCtxPushCurrent_v2, (CUcontext)) \
	X(cuCtxResetPersistingL2Cache, (void)) \
	X(cuCtxSetCacheConfig, (CUfunc_cache)) \
	X(cuCtxSetCurrent, (CUcontext)) \
	X(cuCtxSetLimit, (CUlimit, size_t)) \
	X(cuCtxSetSharedMemConfig, (CUsharedconfig)) \
	X(cuCtxSynchronize, (void)) \
	X(cuDeviceCanAccessPeer, (int *, CUdevice, CUdevice)) \
	X(cuDeviceGet, (CUdevice *, int)) \
	X(cuDeviceGetAttribute, (int *, CUdevice_attribute, CUdevice)) \
	X(cuDeviceGetCount, (int *)) \
	X(cuDeviceGetName, (char *, int, CUdevice)) \
	X(cuDeviceGetP2PAttribute, (int *, CUdevice_P2PAttribute, CUdevice, CUdevice)) \
	X(cuDeviceGetUuid, (CUuuid *, CUdevice)) \
	X(cuDevicePrimaryCtxGetState, (CUdevice, unsigned int *, int *)) \
	X(cuDevicePrimaryCtxRelease_v2, (CUdevice)) \
	X(cuDevicePrimaryCtxReset_v2, (CUdevice)) \
	X(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice)) \
	X(cuDevicePrimaryCtxSetFlags_v2, (CUdevice, unsigned int)) \
	X(cuDeviceTotalMem_v2, (size_t *, CUdevice)) \
	X(cuDriverGetVersion, (int *)) \
	X(cuEventCreate, (CUevent *, unsigned int)) \
	X(cuEventDestroy_v2, (CUevent)) \
	X(cuEventElapsedTime, (float *, CUevent, CUevent)) \
	X(cuEventQuery, (CUevent)) \
	X(cuEventRecord, (CUevent, CUstream)) \
	X(cuEventSynchronize, (CUevent)) \
	X(cuFuncGetAttribute, (int *, CUfunction_attribute, CUfunction)) \
	X(cuFuncSetCacheConfig, (CUfunction, CUfunc_cache)) \
	X(cuFuncSetSharedMemConfig, (CUfunction, CUsharedconfig)) \
	X(cuGraphAddChildGraphNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph)) \
	X(cuGraphAddDependencies, (CUgraph, const CUgraphNode *, const CUgraphNode *, size_t)) \
	X(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t)) \
	X(cuGraphAddHostNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_HOST_NODE_PARAMS *)) \
	X(cuGraphAddKernelNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *)) \
	X(cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext)) \
	X(cuGraphAddMemsetNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, \
		const CUDA_MEMSET_NODE_PARAMS *, CUcontext)) \
	X(cuGraphClone, (CUgraph *, CUgraph)) \
	X(cuGraphCreate, (CUgraph *, unsigned int)) \
	X(cuGraphDestroy, (CUgraph)) \
	X(cuGraphDestroyNode, (CUgraphNode)) \
	X(cuGraphExecDestroy, (CUgraphExec)) \
	X(cuGraphGetEdges, (CUgraph, CUgraphNode *, CUgraphNode *, size_t *)) \
	X(cuLaunchKernel, (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, \
		unsigned int, unsigned int, CUstream, void **, void **)) \
	X(cuLinkAddData_v2, (CUlinkState, CUjitInputType, void *, size_t, const char *, unsigned int, \
		CUjit_option *, void **)) \
	X(cuLinkAddFile_v2, (CUlinkState, CUjitInputType, const char *, unsigned int, CUjit_option *, void **)) \
	X(cuLinkComplete, (CUlinkState, void **, size_t *)) \
	X(cuLinkCreate_v2, (unsigned int, CUjit_option *, void **, CUlinkState *)) \
	X(cuLinkDestroy, (CUlinkState)) \
	X(cuMemAdvise, (CUdeviceptr, size_t, CUmem_advise, CUdevice)) \
	X(cuMemAlloc_v2, (CUdeviceptr *, size_t)) \
	X(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned int)) \
	X(cuMemAllocPitch_v2, (CUdeviceptr *, size_t *, size_t, size_t, unsigned int)) \
	X(cuMemFree_v2, (CUdeviceptr)) \
	X(cuMemFreeHost, (void *)) \
	X(cuMemHostAlloc, (void **, size_t, unsigned int)) \
	X(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr)) \
	X(cuMemGetInfo_v2, (size_t *, size_t *)) \
	X(cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream)) \
	X(cuMemcpy, (CUdeviceptr, CUdeviceptr, size_t)) \
	X(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *)) \
	X(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *, CUstream)) \
	X(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *)) \
	X(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *)) \
	X(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *, CUstream)) \
	X(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *)) \
	X(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *, CUstream)) \
	X(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
	X(cuMemcpyAtoA_v2, (CUarray, size_t, CUarray, size_t, size_t)) \
	X(cuMemcpyAtoD_v2, (CUdeviceptr, CUarray, size_t, size_t)) \
	X(cuMemcpyAtoH_v2, (void *, CUarray, size_t, size_t)) \
	X(cuMemcpyAtoHAsync_v2, (void *, CUarray, size_t, size_t, CUstream)) \
	X(cuMemcpyDtoA_v2, (CUarray, size_t, CUdeviceptr, size_t)) \
	X(cuMemcpyDtoD_v2, (CUdeviceptr, CUdeviceptr, size_t)) \
	X(cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
	X(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t)) \
	X(cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream)) \
	X(cuMemcpyHtoA_v2, (CUarray, size_t, const void *, size_t)) \
	X(cuMemcpyHtoAAsync_v2, (CUarray, size_t, const void *, size_t, CUstream)) \
	X(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t)) \
	X(cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void *, size_t, CUstream)) \
	X(cuMemcpyPeer, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t)) \
	X(cuMemcpyPeerAsync, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream)) \
	X(cuMemsetD16_v2, (CUdeviceptr, short unsigned int, size_t)) \
	X(cuMemsetD16Async, (CUdeviceptr, short unsigned int, size_t, CUstream)) \
	X(cuMemsetD2D16_v2, (CUdeviceptr, size_t, short unsigned int, size_t, size_t)) \
	X(cuMemsetD2D16Async, (CUdeviceptr, size_t, short unsigned int, size_t, size_t, CUstream)) \
	X(cuMemsetD2D32_v2, (CUdeviceptr, size_t, unsigned int, size_t, size_t)) \
	X(cuMemsetD2D32Async, (CUdeviceptr, size_t, unsigned int, size_t, size_t, CUstream)) \
	X(cuMemsetD2D8_v2, (CUdeviceptr, size_t, unsigned char, size_t, size_t)) \
	X(cuMemsetD2D8Async, (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream)) \
	X(cuMemsetD32_v2, (CUdeviceptr, unsigned int, size_t)) \
	X(cuMemsetD32Async, (CUdeviceptr, unsigned int, size_t, CUstream)) \
	X(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t)) \
	X(cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream)) \
	X(cuModuleGetFunction, (CUfunction *, CUmodule, const char *)) \
	X(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, CUmodule, const char *)) \
	X(cuModuleGetSurfRef, (CUsurfref *, CUmodule, const char *)) \
	X(cuModuleGetTexRef, (CUtexref *, CUmodule, const char *)) \
	X(cuModuleLoad, (CUmodule *, const char *)) \
	X(cuModuleLoadData, (CUmodule *, const void *)) \
	X(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned int, CUjit_option *, void **)) \
	X(cuModuleLoadFatBinary, (CUmodule *, const void *)) \
	X(cuModuleUnload, (CUmodule)) \
	X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t)) \
	X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (int *, CUfunction, int, size_t, unsigned int)) \
	X(cuOccupancyMaxPotentialBlockSize, (int *, int *, CUfunction, CUoccupancyB2DSize, size_t, int)) \
	X(cuPointerGetAttribute, (void *, CUpointer_attribute, CUdeviceptr)) \
	X(cuPointerSetAttribute, (const void *, CUpointer_attribute, CUdeviceptr)) \
	X(cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned int)) \
	X(cuStreamCreate, (CUstream *, unsigned int)) \
	X(cuStreamCreateWithPriority, (CUstream *, unsigned int, int)) \
	X(cuStreamDestroy_v2, (CUstream)) \
	X(cuStreamGetFlags, (CUstream, unsigned int *)) \
	X(cuStreamGetPriority, (CUstream, int *)) \
	X(cuStreamQuery, (CUstream)) \
	X(cuStreamSynchronize, (CUstream)) \
	X(cuStreamWaitEvent, (CUstream, CUevent, unsigned int)) \
	X(cuStreamWaitValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned int)) \
	X(cuStreamWriteValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned int)) \
	X(cuSurfRefGetArray, (CUarray *, CUsurfref)) \
	X(cuSurfRefSetArray, (CUsurfref, CUarray, unsigned int)) \
	X(cuTexRefGetAddress_v2, (CUdeviceptr *, CUtexref)) \
	X(cuTexRefGetAddressMode, (CUaddress_mode *, CUtexref, int)) \
	X(cuTexRefGetArray, (CUarray *, CUtexref)) \
	X(cuTexRefGetBorderColor, (float *, CUtexref)) \
	X(cuTexRefGetFilterMode, (CUfilter_mode *, CUtexref)) \
	X(cuTexRefGetFlags, (unsigned int *, CUtexref)) \
	X(cuTexRefGetFormat, (CUarray_format *, int *, CUtexref)) \
	X(cuTexRefGetMaxAnisotropy, (int *, CUtexref)) \
	X(cuTexRefSetAddress_v2, (size_t *, CUtexref, CUdeviceptr, size_t)) \
	X(cuTexRefSetAddress2D_v3, (CUtexref, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t)) \
	X(cuTexRefSetAddressMode, (CUtexref, int, CUaddress_mode)) \
	X(cuTexRefSetArray, (CUtexref, CUarray, unsigned int)) \
	X(cuTexRefSetBorderColor, (CUtexref, float *)) \
	X(cuTexRefSetFilterMode, (CUtexref, CUfilter_mode)) \
	X(cuTexRefSetFlags, (CUtexref, unsigned int)) \
	X(cuTexRefSetFormat, (CUtexref, CUarray_format, int)) \
	X(cuTexRefSetMaxAnisotropy, (CUtexref, unsigned int)) \
	X(cuTexRefSetMipmapFilterMode, (CUtexref, CUfilter_mode)) \
	X(cuTexRefSetMipmapLevelBias, (CUtexref, float)) \
	X(cuTexRefSetMipmapLevelClamp, (CUtexref, float, float))
#define X(name, parameters) CUresult name parameters;
CUDA_ENTRY_POINTS(X)
#undef X
CUresult cuInit(unsigned int);

#endif
