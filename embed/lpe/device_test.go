//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package lpe_test

import (
	"errors"
	"testing"

	"superpoint/embed"
	"superpoint/embed/cuda/emulator"
	"superpoint/embed/lpe"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// TestDeviceEmbeddings compares the bits of the fused kernel with the CPU's.
func TestDeviceEmbeddings(t *testing.T) {
	models := map[string]*embed.Model{}
	for name, card := range lpe.Cards() {
		switch name {
		case "odd widths":
			card.Network.ST = embed.PointNet{Conv: []int{5, 21}, FC: []int{9, 4}}
			card.Network.LPE = embed.PointNet{Conv: []int{17, 33}, FC: []int{128, 60, 3}}
		case "every channel":
			card.Network.LPE.Conv = []int{24, 40}
		}
		models[name] = must.Get(embed.NewModel(card))(t)
		must.OK(t, models[name].RandomizeIntegers(11))
	}
	for _, name := range embed.Builtins() {
		models["built-in "+name] = must.Get(embed.Builtin(name))(t)
	}
	sizes := []int{2, 9, 127, 128, 300}
	if emulator.Large && !testing.Short() {
		sizes = append(sizes, 100_003, 1<<20+4099)
	}
	backend := emulator.Open(t)
	for _, n := range sizes {
		in := lpe.Mountain(t, n, [3]float64{})
		for name, m := range models {
			e := must.Get(lpe.NewGPU(backend, m))(t)
			got := must.Get(e.Embed(parallel.Run{}, in))(t)
			twin := must.Get(lpe.New(m))(t)
			want := must.Get(twin.Embed(parallel.Run{}, in))(t)
			must.Equal(t, got, want, "%s, %d points", name, n)
			must.Equal(t, backend.Used, 0, "%s, %d points: backend.Used", name, n)
		}
	}
}

// TestDeviceEmbeddingInBlocks: several launches give the same bits as one, with and without positions and
// lists of the search on the backend.
func TestDeviceEmbeddingInBlocks(t *testing.T) {
	card := lpe.Cards()["paper"]
	m := must.Get(embed.NewModel(card))(t)
	must.OK(t, m.RandomizeIntegers(11))
	backend, in := emulator.Open(t), lpe.Mountain(t, 1500, [3]float64{})
	e := must.Get(lpe.NewGPU(backend, m))(t)
	want := must.Get(e.Embed(parallel.Run{}, in))(t)
	c := must.Get(neighbor.Upload(backend, in.Cloud))(t)
	defer c.Close()
	in.Neighbors = must.Get(c.Nearest(20, parallel.Run{}))(t)
	for _, size := range []int{200, 2000} {
		e.SetBlock(size)
		for _, cloud := range []*neighbor.Resident{nil, c} {
			e.Use(cloud)
			must.Equal(t, must.Get(e.Embed(parallel.Run{}, in))(t), want,
				"embeddings in blocks of %d points, on the backend %v", size, cloud != nil)
		}
	}
	for call := 1; call < 10; call++ {
		backend := &emulator.Backend{Fail: func(c int) error {
			if c == call {
				return gpu.ErrMemory
			}
			return nil
		}}
		e := must.Get(lpe.NewGPU(backend, m))(t)
		_, err := e.Embed(parallel.Run{}, in)
		must.Hold(t, errors.Is(err, gpu.ErrMemory),
			"call %d runs out of memory: error %v, want gpu.ErrMemory", call, err)
		must.Equal(t, backend.Used(), 0, "call %d runs out of memory: bytes not freed", call)
	}
}

func TestDeviceRefusesNetworks(t *testing.T) {
	for _, change := range []func(c *embed.Card){
		func(c *embed.Card) { c.Network.LPE.Conv = []int{64, 64} },
		func(c *embed.Card) { c.Network.LPE.FC = []int{200, 4} },
		func(c *embed.Card) { c.Network.ST.Conv = []int{16, 16, 16} },
		func(c *embed.Card) { c.Network.LPE.FC = []int{128, 128, 4} },
	} {
		c := embed.PaperCard()
		change(c)
		m := must.Get(embed.NewModel(c))(t)
		must.OK(t, m.RandomizeIntegers(3))
		must.Fail(lpe.NewGPU(new(emulator.Backend), m))(t, "device=cpu")
		m.Card.Integer = nil
		must.Fail(lpe.NewGPU(new(emulator.Backend), m))(t, "train it again")
	}
}
