//go:build !cgo || (!amd64 && !arm64)

// Package emulator runs the CUDA kernels on the CPU; it needs cgo.
package emulator
