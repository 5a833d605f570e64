//go:build !cgo || (!amd64 && !arm64)

// SPDX-License-Identifier: BSD-3-Clause

// Package emulator runs the CUDA kernels on the CPU; it needs cgo.
package emulator
