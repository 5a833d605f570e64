//go:build !nvidia || !cgo

// SPDX-License-Identifier: BSD-3-Clause

package gpu

func open(int) (GPU, error) { return nil, errWithout }
