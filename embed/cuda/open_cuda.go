//go:build nvidia && cgo

package cuda

// #cgo LDFLAGS: -lcuda -ldl
// #include <cuda.h>
// CUresult superpoint_cuda_status(void);
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"gorgonia.org/cu"

	"superpoint/embed/cuda/kernels"
	device "superpoint/partition/cuda"
)

// oldest is the compute capability that PTX is compiled for.
const oldest = 70

// gpu drives one GPU through gorgonia.org/cu. Contexts belong to threads, so
// every call names it first.
type gpu struct {
	number   int
	name     string
	context  cu.CUContext
	function map[string]cu.Function
	courier  *courier // or nil, if there was no copy yet or unpinned
	unpinned bool     // there is no pinned memory
}

func open(number int) (GPU, error) {
	if status := C.superpoint_cuda_status(); status != C.CUDA_SUCCESS {
		return nil, fmt.Errorf("the NVIDIA driver does not start (CUDA error %d); see what nvidia-smi says", int(status))
	}
	d, err := cu.GetDevice(number)
	if err != nil {
		return nil, explain("finding GPU %d", err, number)
	}
	g := &gpu{number: number, function: map[string]cu.Function{}}
	if g.name, err = d.Name(); err != nil {
		return nil, explain("asking GPU %d for its name", err, number)
	}
	major, minor, err := d.ComputeCapability()
	if err != nil {
		return nil, explain("asking GPU %d what it can do", err, number)
	}
	if 10*major+minor < oldest {
		return nil, fmt.Errorf("%s has compute capability %d.%d; 7.0 (Volta, 2017) or newer is needed", g.name, major, minor)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if g.context, err = d.MakeContext(cu.SchedBlockingSync); err != nil {
		return nil, explain("opening %s", err, g.name)
	}
	if err := g.load(first); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// first is a small module that is compiled at opening, to see whether the driver can.
const first = "scan"

// load hands the kernels of a module to the driver, which compiles them for the GPU
// and keeps the result for the next time. It needs the GPU's context.
func (g *gpu) load(module string) error {
	text, err := kernels.PTX(module)
	if err != nil {
		return err
	}
	m, err := cu.LoadData(text)
	if err != nil {
		return explain("compiling the kernels of %s.ptx for %s (a driver of CUDA 11.8 or newer, 520 or higher, is needed)",
			err, module, g.name)
	}
	for _, name := range kernels.Names()[module] {
		if g.function[name], err = m.Function(name); err != nil {
			return explain("finding kernel %s", err, name)
		}
	}
	return nil
}

// kernel returns a kernel, whose module is compiled when the first of its kernels is
// asked for: the filter needs none of training's.
func (g *gpu) kernel(name string) (f cu.Function, err error) {
	if f, there := g.function[name]; there {
		return f, nil
	}
	for module, names := range kernels.Names() {
		if !slices.Contains(names, name) {
			continue
		}
		if closed := g.do(func() error { err = g.load(module); return nil }, "opening %s", g.name); closed != nil {
			return f, closed
		}
		return g.function[name], err
	}
	return f, fmt.Errorf("there is no kernel %q", name)
}

func (g *gpu) Name() string { return g.name }
func (g *gpu) Number() int  { return g.number }

// Close implements GPU.
func (g *gpu) Close() {
	_ = g.do(func() error {
		if g.courier != nil {
			g.courier.close()
			g.courier = nil
		}
		return nil
	}, "closing %s", g.name)
	_ = g.context.Destroy()
}

// do runs f on a thread whose context is this GPU's.
func (g *gpu) do(f func() error, doing string, values ...any) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cu.SetCurrentContext(g.context)
	if err == nil {
		err = f()
	}
	if err != nil {
		return explain(doing, err, values...)
	}
	return nil
}

// explain turns the driver's error into one that says what was being done and
// what to do.
func explain(doing string, err error, values ...any) error {
	what := fmt.Sprintf(doing, values...)
	switch err {
	case error(cu.OutOfMemory):
		return fmt.Errorf("%s: %w; use a smaller view (filters.splitter) or device=cpu", what, device.ErrMemory)
	case error(cu.NoDevice), error(cu.InvalidDevice), error(cu.NotInitialized), error(cu.Deinitialized):
		return fmt.Errorf("%s: the GPU is not there (%v); see what nvidia-smi says, or use device=cpu", what, err)
	}
	return fmt.Errorf("%s: CUDA says %v; see what nvidia-smi says, or use device=cpu", what, err)
}

// Alloc implements cuda.Machine.
func (g *gpu) Alloc(bytes int) (device.Pointer, error) {
	var p cu.DevicePtr
	err := g.do(func() (err error) {
		p, err = cu.MemAlloc(int64(bytes))
		return err
	}, "allocating %d bytes on %s", bytes, g.name)
	return device.Pointer(p), err
}

// Free implements cuda.Machine.
func (g *gpu) Free(p device.Pointer) {
	if p != 0 {
		_ = g.do(func() error { return cu.MemFree(cu.DevicePtr(p)) }, "freeing memory of %s", g.name)
	}
}

// Memory implements cuda.Machine.
func (g *gpu) Memory() int {
	var free int64
	_ = g.do(func() (err error) {
		free, _, err = cu.MemInfo()
		return err
	}, "asking %s for its memory", g.name)
	return int(free)
}

// Upload implements cuda.Machine.
func (g *gpu) Upload(to device.Pointer, from []byte) error {
	if len(from) == 0 {
		return nil
	}
	return g.do(func() error { return cu.MemcpyHtoD(cu.DevicePtr(to), unsafe.Pointer(&from[0]), int64(len(from))) },
		"copying %d bytes to %s", len(from), g.name)
}

// Download implements cuda.Machine; failures of kernels before it show here.
func (g *gpu) Download(to []byte, from device.Pointer) error {
	if len(to) == 0 {
		return nil
	}
	return g.do(func() error { return cu.MemcpyDtoH(unsafe.Pointer(&to[0]), cu.DevicePtr(from), int64(len(to))) },
		"running kernels and copying %d bytes from %s", len(to), g.name)
}

// Fill implements cuda.Machine.
func (g *gpu) Fill(p device.Pointer, value byte, bytes int) error {
	return g.do(func() error { return cu.MemsetD8(cu.DevicePtr(p), value, int64(bytes)) }, "filling %d bytes of %s",
		bytes, g.name)
}

// Launch implements cuda.Machine.
func (g *gpu) Launch(kernel string, blocks, threads, shared int, arguments ...uint64) error {
	list := make([]unsafe.Pointer, len(arguments))
	for i := range arguments {
		list[i] = unsafe.Pointer(&arguments[i])
	}
	f, err := g.kernel(kernel)
	if err != nil {
		return err
	}
	return g.do(func() error {
		return f.Launch(blocks, 1, 1, threads, 1, 1, shared, cu.NoStream, list)
	}, "starting kernel %s on %s", kernel, g.name)
}
