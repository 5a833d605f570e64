//go:build !nvidia || !cgo

package gpu

func open(int) (GPU, error) { return nil, errWithout }
