package operations

import (
	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/partition/device"
)

// cards are the networks that are embedded with: the paper's; one with wide layers; one
// with every kind of channel. Those of other shapes are in the tests of embed/lpe.
var cards = map[string]func(c *embed.Card){
	"paper": func(*embed.Card) {},
	"wide":  func(c *embed.Card) { c.Network.LPE.Conv = []int{32, 128} },
	"every channel": func(c *embed.Card) {
		c.Inputs.Neighbor = append(c.Inputs.Neighbor, "rise", "normal_turn", "d_planarity", "log_radius")
		c.Inputs.Point = append(c.Inputs.Point, "centroid_offset", "height_range", "linearity")
	},
}

// model returns a network with random weights.
func model(name string) (*embed.Model, error) {
	c := embed.PaperCard()
	cards[name](c)
	m, err := embed.NewModel(c)
	if err == nil {
		err = m.RandomizeIntegers(11)
	}
	return m, err
}

// embedding embeds a scene with a network.
func embedding(name string) func(m device.Machine, s *Scene) (Result, error) {
	return func(m device.Machine, s *Scene) (Result, error) {
		network, err := model(name)
		if err != nil {
			return Result{}, err
		}
		var by embed.Embedder
		if m == nil {
			by, err = lpe.New(network)
		} else {
			by, err = lpe.NewDevice(m, network)
		}
		if err != nil {
			return Result{}, err
		}
		values, err := by.Embed(run, s.Input)
		return Result{Values: values}, err
	}
}
