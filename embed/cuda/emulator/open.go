//go:build !nvidia && cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package emulator

import (
	"testing"

	"superpoint/partition/gpu"
)

// Large reports whether tests of kernels have clouds of millions of points, which take several launches.
const Large = false

// Open returns the backend of tests of kernels: an emulator or, with the build tag nvidia, a GPU.
func Open(testing.TB) *gpu.Meter { return &gpu.Meter{Backend: new(Backend)} }
