//go:build !cgo || !(amd64 || arm64)

package lpe

func fastKernels() []string { return nil }

func fastKernel(string) kernel { return kernel{} }
