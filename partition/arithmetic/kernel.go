package arithmetic

import (
	"os"
	"strings"
)

// KernelVariable names the environment variable that chooses the kernels: go,
// avx2, avx512 or neon. Without it the fastest are taken. It is for tests
// and for the search of faults; results are the same.
const KernelVariable = "SUPERPOINT_KERNEL"

// PlainKernel is the value of KernelVariable for no kernels in C.
const PlainKernel = "go"

// Kernel returns the kernels that are asked for, or "" for the fastest.
func Kernel() string { return os.Getenv(KernelVariable) }

// Plain tells whether kernels in C are ruled out.
func Plain() bool { return Kernel() == PlainKernel }

// Wide tells whether kernels for AVX2 may be taken.
func Wide() bool { return Kernel() == "" || strings.HasPrefix(Kernel(), "avx") }
