// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"embed"

	"superpoint/partition/gpu"
)

//go:embed nearest.cu nearest.ptx
var files embed.FS

// kernels is the module of the search.
var kernels = gpu.NewModule("nearest", files)
