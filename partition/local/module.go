package local

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed coarsen.cu coarsen.ptx
var files embed.FS

// kernels are those of coarsening.
var kernels = device.NewModule("coarsen", files)
