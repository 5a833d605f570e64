//go:build nvidia && cgo

// SPDX-License-Identifier: BSD-3-Clause

package gpu

// #cgo LDFLAGS: -lcuda -ldl
// #include <cuda.h>
// CUresult superpoint_cuda_status(void);
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"
)

// oldest is the compute capability that PTX is compiled for.
const oldest = 70

// gpu is a GPU accessed through gorgonia.org/cu, in the device's primary context, which it
// shares with other users of CUDA in this process (PyTorch, for example). The current context
// is a property of a thread: every call sets this one and then restores the caller's.
type gpu struct {
	number   int
	name     string
	device   cu.Device
	context  cu.CUContext
	module   map[*Module]cu.Module
	function map[Kernel]cu.Function
	resident int  // threads that the GPU can hold at once
	local    int  // bytes of local memory that its kernels take when they run
	sync     bool // wait after each kernel, so that its errors name it
}

// syncVariable is the environment variable that makes every kernel wait for its end.
const syncVariable = "SUPERPOINT_CUDA_SYNC"

func open(number int) (GPU, error) {
	if status := C.superpoint_cuda_status(); status != C.CUDA_SUCCESS {
		return nil, fmt.Errorf("the NVIDIA driver does not start (CUDA error %d); see what nvidia-smi says",
			int(status))
	}
	d, err := cu.GetDevice(number)
	if err != nil {
		return nil, explain("finding GPU %d", err, number)
	}
	g := &gpu{number: number, device: d, module: map[*Module]cu.Module{}, function: map[Kernel]cu.Function{},
		sync: os.Getenv(syncVariable) != ""}
	if g.name, err = d.Name(); err != nil {
		return nil, explain("asking GPU %d for its name", err, number)
	}
	major, minor, err := d.ComputeCapability()
	if err != nil {
		return nil, explain("asking GPU %d what it can do", err, number)
	}
	if 10*major+minor < oldest {
		return nil, fmt.Errorf("%s has compute capability %d.%d; 7.0 (Volta, 2017) or newer is needed",
			g.name, major, minor)
	}
	processors, err := d.Attribute(cu.MultiprocessorCount)
	if err == nil {
		var threads int
		threads, err = d.Attribute(cu.MaxThreadsPerMultiprocessor)
		g.resident = processors * threads
	}
	if err != nil {
		return nil, explain("asking %s for its size", err, g.name)
	}
	if g.context, err = d.RetainPrimaryCtx(); err != nil {
		return nil, explain("opening %s", err, g.name)
	}
	// The driver can compile if it compiles a small module.
	if err = g.within(func() error { return g.load(scanning) }); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// load passes a module to the driver, which compiles it for the GPU and caches the result.
// It needs the GPU's context.
func (g *gpu) load(m *Module) (err error) {
	if _, there := g.module[m]; there {
		return nil
	}
	text, err := m.PTX()
	if err != nil {
		return err
	}
	if g.module[m], err = cu.LoadData(text); err != nil {
		delete(g.module, m)
		return explain(
			"compiling the kernels of %s.ptx for %s (a driver of CUDA 11.8 or newer, 520 or higher, is "+
				"needed)",
			err, m.Name, g.name)
	}
	return nil
}

// kernel returns a kernel, and loads its module if it is the first of the module. The driver
// allocates local memory for all threads that the GPU can run at once.
func (g *gpu) kernel(k Kernel) (f cu.Function, err error) {
	if f, there := g.function[k]; there {
		return f, nil
	}
	return f, g.within(func() error {
		if err = g.load(k.Module); err != nil {
			return err
		}
		if f, err = g.module[k.Module].Function(k.Name); err != nil {
			return explain("finding kernel %s", err, k.Name)
		}
		local, err := f.Attribute(cu.LocalSizeBytes)
		if err != nil {
			return explain("asking for the size of kernel %s", err, k.Name)
		}
		g.local = max(g.local, local*g.resident)
		g.function[k] = f
		return nil
	})
}

func (g *gpu) Name() string { return g.name }
func (g *gpu) Number() int  { return g.number }

// Close implements GPU.
func (g *gpu) Close() {
	_ = g.do(func() error {
		for _, m := range g.module {
			_ = m.Unload()
		}
		return nil
	}, "closing %s", g.name)
	_ = g.device.ReleasePrimaryCtx()
}

// do is within, with errors that describe the operation.
func (g *gpu) do(f func() error, doing string, values ...any) error {
	if err := g.within(f); err != nil {
		return explain(doing, err, values...)
	}
	return nil
}

// within calls f on a thread whose current context is this GPU's.
func (g *gpu) within(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := cu.CurrentContext()
	if err == nil {
		err = cu.SetCurrentContext(g.context)
	}
	if err == nil {
		err = f()
		if restored := cu.SetCurrentContext(before); err == nil {
			err = restored
		}
	}
	return err
}

// explain returns an error with the operation, the driver's error and a remedy.
func explain(doing string, err error, values ...any) error {
	what := fmt.Sprintf(doing, values...)
	switch err {
	case error(cu.OutOfMemory):
		return fmt.Errorf("%s: %w; use a smaller view (filters.splitter) or device=cpu", what, ErrMemory)
	case error(cu.NoDevice), error(cu.InvalidDevice), error(cu.NotInitialized), error(cu.Deinitialized):
		return fmt.Errorf("%s: the GPU is not there (%v); see what nvidia-smi says, or use device=cpu", what,
			err)
	}
	return fmt.Errorf("%s: CUDA says %v; see what nvidia-smi says, or use device=cpu", what, err)
}

// Alloc implements Backend.
func (g *gpu) Alloc(bytes int) (Pointer, error) {
	var p cu.DevicePtr
	err := g.do(func() (err error) {
		p, err = cu.MemAlloc(int64(bytes))
		return err
	}, "allocating %d bytes on %s", bytes, g.name)
	return Pointer(p), err
}

// Free implements Backend.
func (g *gpu) Free(p Pointer) {
	if p != 0 {
		_ = g.do(func() error { return cu.MemFree(cu.DevicePtr(p)) }, "freeing memory of %s", g.name)
	}
}

// Memory implements Backend: the free memory minus the local memory of kernels, which the
// driver allocates when they first run.
func (g *gpu) Memory() int {
	var free int64
	_ = g.do(func() (err error) {
		free, _, err = cu.MemInfo()
		return err
	}, "asking %s for its memory", g.name)
	return max(0, int(free)-g.local)
}

// Upload implements Backend.
func (g *gpu) Upload(to Pointer, from []byte) error {
	if len(from) == 0 {
		return nil
	}
	return g.do(func() error {
		return cu.MemcpyHtoD(cu.DevicePtr(to), unsafe.Pointer(&from[0]),
			int64(len(from)))
	},
		"copying %d bytes to %s", len(from), g.name)
}

// Download implements Backend. It returns errors of kernels launched before, too.
func (g *gpu) Download(to []byte, from Pointer) error {
	if len(to) == 0 {
		return nil
	}
	return g.do(func() error {
		return cu.MemcpyDtoH(unsafe.Pointer(&to[0]), cu.DevicePtr(from),
			int64(len(to)))
	},
		"running kernels and copying %d bytes from %s", len(to), g.name)
}

// Fill implements Backend.
func (g *gpu) Fill(p Pointer, value byte, bytes int) error {
	return g.do(func() error { return cu.MemsetD8(cu.DevicePtr(p), value, int64(bytes)) },
		"filling %d bytes of %s",
		bytes, g.name)
}

// Launch implements Backend.
func (g *gpu) Launch(kernel Kernel, blocks, threads, shared int, arguments ...uint64) error {
	list := make([]unsafe.Pointer, len(arguments))
	for i := range arguments {
		list[i] = unsafe.Pointer(&arguments[i])
	}
	f, err := g.kernel(kernel)
	if err != nil {
		return err
	}
	return g.do(func() error {
		if err := f.Launch(blocks, 1, 1, threads, 1, 1, shared, cu.NoStream, list); err != nil || !g.sync {
			return err
		}
		return cu.Synchronize()
	}, "starting kernel %s on %s", kernel.Name, g.name)
}
