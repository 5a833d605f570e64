package neighbor

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed nearest.cu nearest.ptx
var files embed.FS

// kernels are those of the search.
var kernels = device.NewModule("nearest", files)
