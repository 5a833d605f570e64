//go:build nvidia && cgo

package gpu

// #include <cuda.h>
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"gorgonia.org/cu"
)

// downloadBytes is the size of each pinned buffer: large enough for the bus's
// full speed, small enough to stay in the CPU's cache.
const downloadBytes = 8 << 20

// downloader copies results to the host while the GPU runs kernels: a separate stream fills
// two pinned buffers in turn, from which a goroutine copies to the destination. Pinning the
// destination instead would take longer than the copies.
type downloader struct {
	mutex  sync.Mutex // held by the copy that has the buffers
	stream cu.Stream
	buffer [2][]byte
	full   [2]cu.Event
}

func newDownloader() (*downloader, error) {
	c := &downloader{}
	stream, err := cu.MakeStream(cu.NonBlocking)
	if err != nil {
		return nil, err
	}
	c.stream = stream
	for i := range c.buffer {
		if c.buffer[i], err = pinned(downloadBytes); err != nil {
			c.close()
			return nil, err
		}
		if c.full[i], err = cu.MakeEvent(cu.BlockingSyncEvent | cu.DisableTiming); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// pinned returns page-locked memory of the host, which GPUs access directly. It needs a
// current context.
func pinned(bytes int) ([]byte, error) {
	var p unsafe.Pointer
	if status := C.cuMemHostAlloc(&p, C.size_t(bytes), 0); status != C.CUDA_SUCCESS {
		return nil, fmt.Errorf("no pinned memory (CUDA error %d)", int(status))
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// unpin frees pinned memory.
func unpin(memory []byte) {
	if memory != nil {
		C.cuMemFreeHost(unsafe.Pointer(&memory[0]))
	}
}

func (c *downloader) close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for i, b := range c.buffer {
		if c.full[i] != (cu.Event{}) {
			_ = cu.DestroyEvent(&c.full[i])
		}
		unpin(b)
	}
	_ = c.stream.Destroy()
}

// fetch copies from the GPU after the event ready.
func (c *downloader) fetch(to []byte, from cu.DevicePtr, ready cu.Event) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := c.stream.Wait(ready, 0); err != nil {
		return err
	}
	begin := func(at int) error {
		b := at / downloadBytes % 2
		n := min(downloadBytes, len(to)-at)
		if err := cu.MemcpyDtoHAsync(unsafe.Pointer(&c.buffer[b][0]), from+cu.DevicePtr(at), int64(n), c.stream); err != nil {
			return err
		}
		return c.full[b].Record(c.stream)
	}
	if err := begin(0); err != nil {
		return err
	}
	for at := 0; at < len(to); at += downloadBytes {
		if next := at + downloadBytes; next < len(to) {
			if err := begin(next); err != nil {
				return err
			}
		}
		b := at / downloadBytes % 2
		if err := c.full[b].Synchronize(); err != nil {
			return err
		}
		copy(to[at:], c.buffer[b])
	}
	return nil
}

// Later implements Copier. Without pinned memory it copies at once.
func (g *gpu) Later(to []byte, from Pointer) (wait func() error, err error) {
	wait = func() error { return nil }
	if len(to) == 0 {
		return wait, nil
	}
	if g.downloader == nil && !g.unpinned {
		_ = g.do(func() (err error) {
			g.downloader, err = newDownloader()
			return err
		}, "pinning memory for %s", g.name)
		g.unpinned = g.downloader == nil
	}
	if g.unpinned {
		return wait, g.Download(to, from)
	}
	var ready cu.Event
	err = g.do(func() (err error) {
		if ready, err = cu.MakeEvent(cu.DisableTiming); err != nil {
			return err
		}
		return ready.Record(cu.NoStream)
	}, "running kernels on %s", g.name)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("copying from %s: %v", g.name, p)
			}
		}()
		done <- g.do(func() error {
			defer cu.DestroyEvent(&ready)
			return g.downloader.fetch(to, cu.DevicePtr(from), ready)
		}, "running kernels and copying %d bytes from %s", len(to), g.name)
	}()
	return func() error { return <-done }, nil
}
