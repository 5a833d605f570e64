package lpe

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed lpe.cu lpe.ptx
var files embed.FS

// kernels embed.
var kernels = device.NewModule("lpe", files)
