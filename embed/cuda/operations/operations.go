// SPDX-License-Identifier: BSD-3-Clause

// Package operations is the table of the operations that run on several kinds of machines,
// and of the clouds they are tested on. Tests iterate over it for plain Go, SIMD, the
// emulator and the GPU, so that a new operation or cloud is one line. The reference is plain Go;
// results must be equal byte for byte.
package operations

import (
	"maps"
	"slices"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
)

// Operation is one operation of the table.
type Operation struct {
	Name   string
	Embeds bool // it computes embeddings
	// Do runs it on a backend, or on the CPU if m is nil, and returns the bytes of the result.
	Do func(m gpu.Backend, s *Scene) ([]byte, error)
}

// pieceBytes is the number of bytes per point of a backend whose memory is so small that
// operations need several launches.
const pieceBytes = 106

// All returns the table.
func All() []Operation {
	list := []Operation{{"neighbors", false, neighbors}}
	for _, name := range slices.Sorted(maps.Keys(cards)) {
		list = append(list, Operation{"embedding, " + name, true, func(m gpu.Backend, s *Scene) ([]byte, error) {
			return embedding(m, s, name)
		}})
	}
	return list
}

// run is that of the reference and of host code: all threads, no progress.
var run parallel.Run

// neighbors finds the 20 nearest points of every point.
func neighbors(m gpu.Backend, s *Scene) ([]byte, error) {
	var nearest interface {
		Nearest(k int, run parallel.Run) (*neighbor.Lists, error)
	} = s.Input.Cloud
	if m != nil {
		c, err := neighbor.Upload(m, s.Input.Cloud)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		nearest = c
	}
	lists, err := nearest.Nearest(20, run)
	if err != nil {
		return nil, err
	}
	return gpu.Bytes(lists.Index), nil
}

// cards are the tested networks: the paper's, one with wide layers, and one with every kind
// of channel. The tests of embed/lpe have other shapes.
var cards = map[string]func(c *embed.Card){
	"paper": func(*embed.Card) {},
	"wide":  func(c *embed.Card) { c.Network.LPE.Conv = []int{32, 128} },
	"every channel": func(c *embed.Card) {
		c.Inputs.Neighbor = append(c.Inputs.Neighbor, "rise", "normal_turn", "d_planarity", "log_radius")
		c.Inputs.Point = append(c.Inputs.Point, "centroid_offset", "height_range", "linearity")
	},
}

// embedding embeds a scene with a network of random weights.
func embedding(m gpu.Backend, s *Scene, name string) ([]byte, error) {
	card := embed.PaperCard()
	cards[name](card)
	network, err := embed.NewModel(card)
	if err == nil {
		err = network.RandomizeIntegers(11)
	}
	if err != nil {
		return nil, err
	}
	var by embed.Embedder
	if m == nil {
		by, err = lpe.New(network)
	} else {
		by, err = lpe.NewGPU(m, network)
	}
	if err != nil {
		return nil, err
	}
	values, err := by.Embed(run, s.Input)
	return gpu.Bytes(values), err
}
