//go:build !nvidia || !cgo

package cuda

func open(int) (GPU, error) { return nil, errWithout }
