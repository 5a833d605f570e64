package reduced

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed contract.cu contract.ptx
var files embed.FS

// kernels contract edges.
var kernels = device.NewModule("contract", files)
