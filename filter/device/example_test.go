package device_test

import (
	"fmt"

	"superpoint/filter/device"
)

// The CPU, asked for by name; another device that is not there is an error.
func ExampleNew() {
	d := device.New("cpu", func(int, string) {})
	defer d.Close()
	fmt.Println(d.Open(), d.Name(nil))
	// Output: <nil> cpu
}
