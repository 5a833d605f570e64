package merge

import (
	"embed"

	"superpoint/partition/device"
)

//go:embed merge.cu merge.ptx
var files embed.FS

// kernels are those of the rounds.
var kernels = device.NewModule("merge", files)
