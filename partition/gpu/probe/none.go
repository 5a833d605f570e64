//go:build !cgo || !linux

// SPDX-License-Identifier: BSD-3-Clause

// Package probe finds the number of NVIDIA GPUs; it needs cgo on Linux.
package probe

import "errors"

// GPUs returns the number of GPUs, or an error with the reason why there are none.
func GPUs() (int, error) { return 0, errors.New("GPUs are only used on Linux, by builds with cgo") }
