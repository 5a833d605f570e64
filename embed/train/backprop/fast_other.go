//go:build !(amd64 && cgo)

// SPDX-License-Identifier: BSD-3-Clause

package backprop

// fastest returns plain: only amd64 has a faster gemm.
func fastest() gemm[float32] { return plain }
