package local

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed coarsen.cu coarsen.ptx refine.cu refine.ptx
var files embed.FS

// The kernels of coarsening, and of the moves of points.
var (
	kernels = device.NewModule("coarsen", files)
	moving  = device.NewModule("refine", files)
)
