package contrastive

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed loss.cu loss.ptx
var files embed.FS

// kernels are those of the loss and its gradient.
var kernels = device.NewModule("loss", files)
