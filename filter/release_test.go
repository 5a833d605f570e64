//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"context"
	"errors"
	"testing"

	"superpoint/embed"
	"superpoint/embed/cuda/emulator"
	"superpoint/embed/lpe"
	"superpoint/filter/device"
	"superpoint/filter/method"
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// emulated is a GPU on the CPU that counts its memory.
type emulated struct{ gpu.Meter }

func (*emulated) Name() string { return "emulator" }
func (*emulated) Number() int  { return 0 }
func (*emulated) Close()       {}

// Launch refuses to embed points whose positions have no address: the emulator would end the process.
func (e *emulated) Launch(kernel gpu.Kernel, blocks, threads, shared int, arguments ...uint64) error {
	if kernel.Name == "lpe_embed" && arguments[0] == 0 {
		return errors.New("the positions are not on the GPU")
	}
	return e.Meter.Launch(kernel, blocks, threads, shared, arguments...)
}

// everywhere is a region without a border.
type everywhere struct{}

func (everywhere) Clear(_, _ float64) float64  { return 1e9 }
func (everywhere) Square(_, _, _ float64) bool { return true }

// TestDeviceMemoryOfATile: as of a view.
func TestDeviceMemoryOfATile(t *testing.T) {
	f := mustFilter(t, `{"model":"geometric"}`)
	g := &emulated{gpu.Meter{Backend: new(emulator.Backend)}}
	f.device = device.On(g, f.log)
	view, _ := roof(600, 3)
	core := make([]bool, view.Len())
	for i := range core {
		core[i] = true
	}
	tile := must.Get(f.Embed(steps.Run{}, view, Frame{Measured: method.Measured{Spacing: .3},
		Points: view.Len(), Core: core,
		Region: everywhere{}}))(t)
	must.Equal(t, tile.Cloud.Len(), view.Len(), "points")
	must.Hold(t, g.Peak > 0, "the GPU was not used: nothing is tested")
	must.Equal(t, g.Used, 0, "bytes that are left on the GPU")
}

// TestEmbeddedAfterRelease: a cloud whose memory on the GPU was released is uploaded again to be embedded
// again: the embedding is the CPU's, and a second release leaves and frees nothing.
func TestEmbeddedAfterRelease(t *testing.T) {
	g := &emulated{gpu.Meter{Backend: new(emulator.Backend)}}
	d := device.On(g, func(int, string) {})
	view, _ := roof(100, 3)
	cloud := must.Get(neighbor.New(view.X, view.Y, view.Z, parallel.Run{}))(t)
	lists := must.Get(d.Nearest(parallel.Run{}, cloud, 20))(t)
	must.Hold(t, g.Used > 0, "the GPU was not used: nothing is tested")
	model := must.Get(embed.Auto([]string{"X", "Y", "Z"}))(t)
	onCPU := must.Get(lpe.New(model))(t)
	in := &embed.Input{Cloud: cloud, Neighbors: lists, Spacing: cloud.Spacing(lists)}
	want := must.Get(onCPU.Embed(parallel.Run{}, in))(t)
	for range 2 {
		before := g.Launches
		got := must.Get(d.Embed(parallel.Run{}, onCPU, in))(t)
		must.Hold(t, g.Launches > before, "the GPU embedded nothing: nothing is tested")
		must.Equal(t, got, want, "embedding on the GPU")
		must.Equal(t, g.Used, 0, "bytes that are left on the GPU")
		d.Release()
		must.Equal(t, g.Used, 0, "bytes that are left on the GPU after another release")
	}
}

// TestDeviceMemoryIsReleased: a view leaves no memory on the GPU, also with a model that does not use the GPU
// after the search for neighbors, and also if the view fails.
func TestDeviceMemoryIsReleased(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		name    string
		options string
		run     steps.Run
		fails   string
	}{
		{name: "geometric model", options: `{"model":"geometric"}`},
		{name: "method without a model", options: `{"method":"vccs"}`},
		{name: "cancelled after the search", options: `{"model":"geometric"}`, fails: "canceled",
			run: steps.Run{Context: cancelled, Step: func(step string, _ float64) {
				if step != steps.Neighbors {
					cancel()
				}
			}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustFilter(t, c.options)
			g := &emulated{gpu.Meter{Backend: new(emulator.Backend)}}
			f.device = device.On(g, f.log)
			view, _ := roof(600, 3)
			_, err := f.Segment(c.run, view)
			must.Says(t, err, c.fails, "segmentation")
			must.Hold(t, g.Peak > 0, "the GPU was not used: nothing is tested")
			must.Equal(t, g.Used, 0, "bytes that are left on the GPU")
		})
	}
}
