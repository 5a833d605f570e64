package partition

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed contrast.cu contrast.ptx
var files embed.FS

// kernels weigh edges.
var kernels = device.NewModule("contrast", files)
