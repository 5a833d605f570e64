//go:build cgo

// SPDX-License-Identifier: BSD-3-Clause

package classes

// #cgo CFLAGS: -O3 -std=c11
// #include "dense.h"
import "C"

// dense sets y to Wᵀx + b; W is len(x) × len(y), row major.
func dense(y, x, weight, bias []float32) {
	copy(y, bias)
	C.dense((*C.float)(&y[0]), C.int64_t(len(y)), (*C.float)(&x[0]), C.int64_t(len(x)),
		(*C.float)(&weight[:len(x)*len(y)][0]))
}
