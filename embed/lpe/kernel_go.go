//go:build !cgo || !(amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package lpe

// fastKernels returns no names: without cgo, and on other processors, plain Go is the only kernel (Kernels).
func fastKernels() []string { return nil }

// fastKernel is never called here: NewKernel refuses names that Kernels does not list.
func fastKernel(string) kernel { return kernel{} }
