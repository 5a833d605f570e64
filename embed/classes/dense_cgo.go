//go:build cgo && amd64

// SPDX-License-Identifier: BSD-3-Clause

package classes

// #cgo CFLAGS: -O3 -std=c11
// #include "dense.h"
import "C"

import (
	"unsafe"

	"superpoint/partition/base/arithmetic"
)

// dense sets y to Wᵀx + b; W is len(x) × len(y), row major.
var dense = func() func(y, x, weight, bias []float32) {
	if !arithmetic.Wide() || C.classes_dense_runs() == 0 {
		return plainDense
	}
	return wideDense
}()

func wideDense(y, x, weight, bias []float32) {
	_, _ = weight[:len(x)*len(y)], bias[:len(y)]
	C.classes_dense(floats(y), C.int64_t(len(y)), floats(x), C.int64_t(len(x)), floats(weight), floats(bias))
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
