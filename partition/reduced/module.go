package reduced

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed contract.cu contract.ptx
var files embed.FS

// kernels is the module that contracts edges.
var kernels = device.NewModule("contract", files)
