package backprop

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed dense.cu dense.ptx set.cu set.ptx
var files embed.FS

// The kernels of layers on points, and of those on sets of neighbours.
var (
	denseKernels = device.NewModule("dense", files)
	setKernels   = device.NewModule("set", files)
)
