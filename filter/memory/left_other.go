//go:build !linux

// SPDX-License-Identifier: BSD-3-Clause

package memory

// limits and Peak are not implemented on this system.
func limits() []limit { return nil }
func Peak() int64     { return 0 }
