//go:build cgo && (amd64 || arm64)

package lpe

// #include "integer_kernels.h"
import "C"

import (
	"slices"
	"unsafe"

	"superpoint/embed"
)

// fastIntegers returns the kernel in C of a name.
func fastIntegers(name string) integerKernel {
	kernel := C.int(slices.Index(kernelNames, name))
	return integerKernel{
		rows: func(n *integers, inputs *embed.Inputs, lo, hi int, rows []int16) {
			in, table := inputs.Table()
			C.lpe_integer_rows(kernel, n.c(), n.numbers(), floats(table), C.int(in.Width), C.int64_t(lo), C.int64_t(hi),
				(*C.int16_t)(&rows[0]))
		},
		scratch: func(n *integers) int { return int(C.lpe_integer_scratch(n.c(), C.long(n.widest()))) },
		embed: func(n *integers, inputs *embed.Inputs, rows []int16, lo, hi int, out, scratch []float32) {
			g, ok := inputs.Gathering(inputs.Neighbors)
			if !ok {
				plainIntegerEmbed(n, inputs, rows, lo, hi, out, scratch)
				return
			}
			C.lpe_integers(kernel, n.c(), n.numbers(), (*C.struct_inputs)(unsafe.Pointer(g.Inputs)), C.float(g.Unit),
				(*C.int32_t)(unsafe.Pointer(&g.XYZ[0])), C.int64_t(len(g.XYZ)), (*C.uint32_t)(unsafe.Pointer(&g.Index[0])),
				(*C.int16_t)(&rows[0]), C.int64_t(lo), C.int64_t(hi), floats(out), (*C.uint8_t)(unsafe.Pointer(&scratch[0])),
				C.long(n.widest()))
		},
	}
}

func (n *integers) c() *C.struct_integers { return (*C.struct_integers)(unsafe.Pointer(&n.layout)) }

func (n *integers) numbers() *C.uint8_t { return (*C.uint8_t)(&n.packed[0]) }
