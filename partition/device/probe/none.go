//go:build !cgo || !linux

// Package probe asks NVIDIA's driver what GPUs there are; it needs cgo on Linux.
package probe

import "errors"

// GPUs returns how many GPUs the driver has, or why there are none.
func GPUs() (int, error) { return 0, errors.New("GPUs are only used on Linux, by builds with cgo") }
