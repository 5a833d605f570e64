package operations

import (
	"math/rand/v2"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/embed/train/backprop"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
)

// cards are the networks that are embedded with: the paper's; one for the other
// kernel, which is for wide layers; one with every kind of channel. Those of other
// shapes are in the tests of embed/device.
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
		m.Randomize(11)
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
		return widen(values), err
	}
}

// most is the number of points of a training step.
const most = 40_000

// forward is the embedding of a training step.
func forward(m device.Machine, s *Scene) (Result, error) {
	values, _, err := step(m, s)
	return widen(values), err
}

func backward(m device.Machine, s *Scene) (Result, error) {
	_, gradient, err := step(m, s)
	return widen(gradient), err
}

// trainer is the paper's network on the processor or on a machine.
type trainer interface {
	Forward(run parallel.Run, params []float32, b *backprop.Batch[float32]) ([]float32, error)
	Backward(run parallel.Run, params, direction, gradient []float32) error
}

func step(m device.Machine, s *Scene) (values, gradient []float32, err error) {
	card := embed.PaperCard()
	net, err := backprop.New(card)
	if err != nil {
		return nil, nil, err
	}
	by := trainer(net)
	if m != nil {
		d, err := backprop.NewDevice(m, card)
		if err != nil {
			return nil, nil, err
		}
		defer d.Close()
		by = d
	}
	b, err := batch(card, s.Input, min(s.Points, most))
	if err != nil {
		return nil, nil, err
	}
	random := rand.New(rand.NewPCG(5+s.Seed, uint64(b.Points)))
	params, direction := net.Initial(random), make([]float32, b.Points*card.Dim())
	for i := range params {
		params[i] += float32(.3 * random.NormFloat64())
	}
	for i := range direction {
		direction[i] = float32(random.NormFloat64())
	}
	if values, err = by.Forward(run, params, b); err != nil {
		return nil, nil, err
	}
	gradient = make([]float32, len(params))
	return values, gradient, by.Backward(run, params, direction, gradient)
}

// batch is the channels of the first points of a cloud.
func batch(card *embed.Card, in *embed.Input, points int) (*backprop.Batch[float32], error) {
	inputs, err := embed.NewInputs(run, card, in)
	if err != nil {
		return nil, err
	}
	list := make([]uint32, points)
	for i := range list {
		list[i] = uint32(i)
	}
	b := &backprop.Batch[float32]{Points: points, Set: make([]float32, points*inputs.Neighbors*inputs.NeighborChannels),
		Point: make([]float32, points*inputs.PointChannels)}
	inputs.GatherBatch(list, b.Set, b.Point)
	return b, nil
}
