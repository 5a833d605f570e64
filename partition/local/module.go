package local

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed coarsen.cu coarsen.ptx refine.cu refine.ptx
var files embed.FS

// The modules of coarsening and of boundary refinement.
var (
	kernels = device.NewModule("coarsen", files)
	moving  = device.NewModule("refine", files)
)
