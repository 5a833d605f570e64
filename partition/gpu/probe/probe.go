//go:build cgo && linux

// SPDX-License-Identifier: BSD-3-Clause

// Package probe finds the number of NVIDIA GPUs. It loads the driver at run time, and
// needs it neither at build time nor at load time.
package probe

// #cgo LDFLAGS: -ldl
// #include "probe.h"
import "C"

import "fmt"

// GPUs returns the number of GPUs, or an error with the reason why there are none.
func GPUs() (int, error) {
	var status C.int
	count := C.superpoint_probe(&status)
	return int(count), explain(int(count), int(status))
}

// explain returns the error of a probe's status, or nil.
func explain(count, status int) error {
	switch {
	case status == C.PROBE_NO_DRIVER:
		return fmt.Errorf("no NVIDIA driver was found (libcuda.so.1)")
	case status == 100 || status == 0 && count == 0:
		return fmt.Errorf("the NVIDIA driver finds no GPU")
	case status == 803 || status == 35:
		return fmt.Errorf(
			"the NVIDIA driver's parts do not fit together (CUDA error %d); restart the machine or install "+
				"the driver again", status)
	case status != 0:
		return fmt.Errorf("the NVIDIA driver does not start (CUDA error %d); see what nvidia-smi says",
			status)
	}
	return nil
}
