// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"embed"

	"superpoint/partition/gpu"
)

//go:embed lpe.cu lpe.ptx
var files embed.FS

// kernels is the module of the network on a GPU: its source, which the emulator reads, and its PTX.
var kernels = gpu.NewModule("lpe", files)
