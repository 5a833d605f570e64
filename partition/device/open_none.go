//go:build !nvidia || !cgo

package device

func open(int) (GPU, error) { return nil, errWithout }
