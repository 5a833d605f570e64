package device

import (
	"io/fs"
	"strings"
)

// Module holds the kernels of one file, NAME.cu, compiled to PTX for compute_70,
// which NVIDIA's driver compiles for the GPU that it finds. Who owns the kernels
// makes it, once; a machine compiles it when the first of its kernels is launched.
// embed/cuda/ptx makes the PTX.
type Module struct {
	Name  string
	files fs.FS
}

// NewModule returns the module of a file, which is among files beside its source.
// With the source, Go compiles the package again when that changes, and with it the
// emulator, which reads the source.
func NewModule(name string, files fs.FS) *Module { return &Module{name, files} }

// PTX returns its text.
func (m *Module) PTX() (string, error) {
	text, err := fs.ReadFile(m.files, m.Name+".ptx")
	return string(text), err
}

// Kernel names one of its kernels.
func (m *Module) Kernel(name string) Kernel { return Kernel{m, name} }

// There tells whether a kernel of that name is in the text.
func (k Kernel) There() bool {
	text, err := k.Module.PTX()
	return err == nil && strings.Contains(text, ".entry "+k.Name+"(")
}

// Kernel is one of a module.
type Kernel struct {
	Module *Module
	Name   string
}
