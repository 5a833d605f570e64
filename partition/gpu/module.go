// SPDX-License-Identifier: BSD-3-Clause

package gpu

import (
	"io/fs"
	"strings"
)

// Module holds the kernels of one file, NAME.cu, compiled to PTX for compute_70,
// which NVIDIA's driver compiles for the GPU that it finds. Who owns the kernels
// makes it, once; a backend compiles it when the first of its kernels is launched.
// embed/cuda/ptx makes the PTX.
type Module struct {
	Name  string
	files fs.FS
}

// NewModule returns the module of a file, which is among files beside its source.
// With the source, Go compiles the package again when that changes, and with it the
// emulator, which reads the source.
func NewModule(name string, files fs.FS) *Module {
	return &Module{name, files}
}

// PTX returns the module's PTX.
func (m *Module) PTX() (string, error) {
	text, err := fs.ReadFile(m.files, m.Name+".ptx")
	return string(text), err
}

// Kernel returns the kernel of that name, which need not exist.
func (m *Module) Kernel(name string) Kernel { return Kernel{m, name} }

// There reports whether the module's PTX has the kernel.
func (k Kernel) There() bool {
	text, err := k.Module.PTX()
	return err == nil && strings.Contains(text, ".entry "+k.Name+"(")
}

// Kernel identifies a kernel of a module.
type Kernel struct {
	Module *Module
	Name   string
}
