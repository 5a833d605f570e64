package neighbor

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed nearest.cu nearest.ptx
var files embed.FS

// kernels is the module of the search.
var kernels = device.NewModule("nearest", files)
