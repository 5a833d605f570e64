//go:build !cgo || !amd64

// SPDX-License-Identifier: BSD-3-Clause

package classes

// dense sets y to Wᵀx + b; W is len(x) × len(y), row major.
func dense(y, x, weight, bias []float32) { plainDense(y, x, weight, bias) }
