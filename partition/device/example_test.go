//go:build cgo && (amd64 || arm64)

package device_test

import (
	"fmt"

	"superpoint/embed/cuda/emulator"
	"superpoint/partition/device"
)

// Numbers go to a machine, a kernel sums what is before each, and they come back.
func ExampleTask() {
	numbers := []uint32{3, 1, 4, 1, 5}
	t := device.Task{Machine: new(emulator.Machine)}
	there := t.Upload(device.Bytes(numbers))
	t.Scan(there, len(numbers))
	t.Download(device.Bytes(numbers), there)
	fmt.Println(t.End(), numbers)
	// Output: <nil> [0 3 4 8 9]
}
