// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"embed"

	"superpoint/partition/gpu"
)

//go:embed lpe.cu lpe.ptx
var files embed.FS

// kernels embed.
var kernels = gpu.NewModule("lpe", files)
