//go:build cgo && amd64

package embed

// #include "climb.h"
import "C"

import "unsafe"

// The kernel reads paths as C structs.
var _ [unsafe.Sizeof(path{})]struct{} = [unsafe.Sizeof(C.struct_path{})]struct{}{}

// walk takes one step in the rows lo to hi−1.
func walk(paths []path, at, next []place, lo, hi int) {
	C.embed_climb((*C.struct_path)(unsafe.Pointer(&paths[0])), (*[4]C.float)(unsafe.Pointer(&at[0])),
		(*[4]C.float)(unsafe.Pointer(&next[0])), C.int64_t(lo), C.int64_t(hi))
}
