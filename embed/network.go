// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
	"slices"

	"superpoint/embed/modelfile"
)

// Layer is one linear layer with its normalisation and activation. Its tensors
// are Name + ".weight" (Out × In, row major), ".bias" (Out) and, if Norm,
// ".gamma", ".beta", ".mean" and ".variance" (Out each). The layer computes
//
//	y = relu(gamma · (W x + b − mean)/√(variance + ε) + beta)   if Norm
//	y = W x + b                                                 if not
//
// With Groups, mean and variance are not tensors but those of W x + b over a group of Out/Groups channels
// and, before the maximum, all neighbours of the point.
type Layer struct {
	Name    string // such as lpe.conv.0
	In, Out int
	Norm    bool // normalisation and ReLU follow; false only for the last layer of a PointNet
	Groups  int  // of channels; 0: batch normalisation
}

// Batch reports whether batch normalisation follows, whose mean and variance are stored.
func (l Layer) Batch() bool { return l.Norm && l.Groups == 0 }

// Parameters returns the number of trained values: weights, biases and the
// normalisation's gamma and beta. Running statistics are not trained and do
// not count; so counted, the paper's network has its 13,816.
func (l Layer) Parameters() int {
	n := l.Out * (l.In + 1)
	if l.Norm {
		n += 2 * l.Out
	}
	return n
}

// Layers holds the layers of a whole network in the order they are applied and
// stored.
type Layers struct {
	STConv, STFC, LPEConv, LPEFC []Layer
}

// All returns every layer in storage order.
func (l *Layers) All() []Layer {
	var all []Layer
	for _, part := range [][]Layer{l.STConv, l.STFC, l.LPEConv, l.LPEFC} {
		all = append(all, part...)
	}
	return all
}

// Layers returns the layers of the card's network. The spatial transform reads
// the 2 normalised horizontal offsets; the embedder's first layer after the
// maximum reads the maximum followed by the point channels.
func (c *Card) Layers() *Layers {
	n := &c.Network
	l := &Layers{}
	if len(n.ST.FC) > 0 {
		l.STConv = n.chain("st.conv", 2, n.ST.Conv, true)
		l.STFC = n.chain("st.fc", last(n.ST.Conv), n.ST.FC, false)
	}
	l.LPEConv = n.chain("lpe.conv", len(c.Inputs.Neighbor), n.LPE.Conv, true)
	l.LPEFC = n.chain("lpe.fc", last(n.LPE.Conv)+len(c.Inputs.Point), n.LPE.FC, false)
	return l
}

func (n *Network) chain(name string, in int, widths []int, normLast bool) []Layer {
	layers := make([]Layer, len(widths))
	for i, w := range widths {
		layers[i] = Layer{fmt.Sprintf("%s.%d", name, i), in, w, normLast || i < len(widths)-1, n.Groups}
		in = w
	}
	return layers
}

// Parameters returns the number of trained values of the card's network.
func (c *Card) Parameters() int {
	n := 0
	for _, l := range c.Layers().All() {
		n += l.Parameters()
	}
	return n
}

// Dim returns the length m of an embedding.
func (c *Card) Dim() int { return last(c.Network.LPE.FC) }

// Transforms reports whether the network has a spatial transform.
func (c *Card) Transforms() bool { return len(c.Network.ST.FC) > 0 }

// tensors returns every tensor of the model in storage order: the float network's, then
// the integer network's if there is one.
func (c *Card) tensors() []modelfile.Tensor {
	ts := c.floats()
	if c.Integer != nil {
		for _, w := range c.IntegerLayers() {
			ts = append(ts, w.tensors()...)
		}
	}
	return ts
}

// floats returns the float network's tensors.
func (c *Card) floats() []modelfile.Tensor {
	var ts []modelfile.Tensor
	for _, l := range c.Layers().All() {
		ts = append(ts, modelfile.Tensor{Name: l.Name + ".weight", Shape: []int{l.Out, l.In}},
			modelfile.Tensor{Name: l.Name + ".bias", Shape: []int{l.Out}})
		parts := []string{".gamma", ".beta", ".mean", ".variance"}
		switch {
		case !l.Norm:
			continue
		case !l.Batch():
			parts = parts[:2]
		}
		for _, part := range parts {
			ts = append(ts, modelfile.Tensor{Name: l.Name + part, Shape: []int{l.Out}})
		}
	}
	return ts
}

// OnSphere reports whether embeddings are scaled to length 1.
func (n *Network) OnSphere() bool { return n.Sphere == nil || *n.Sphere }

// InFloats reports whether embeddings are computed in floats, because the integer network has neither group
// normalisation nor embeddings off the sphere.
func (n *Network) InFloats() bool { return n.Groups > 0 || !n.OnSphere() }

func last(widths []int) int { return widths[len(widths)-1] }

func (n *Network) validate() error {
	switch {
	case n.Norm != NormBatch && n.Norm != NormGroup:
		return &CardError{"network.norm", n.Norm, "must be batch or group"}
	case (n.Groups != 0) != (n.Norm == NormGroup) || n.Groups < 0:
		return &CardError{"network.norm_groups", n.Groups,
			"must be above 0 with norm: group, and left out with batch; " +
				"the paper has 4"}
	case n.Order != "linear-norm-relu":
		return &CardError{"network.order", n.Order, "must be linear-norm-relu"}
	case !(n.Epsilon >= 1e-8 && n.Epsilon <= 1):
		return &CardError{"network.norm_epsilon", n.Epsilon, "must be between 1e-8 and 1; usual is 1e-5"}
	}
	if len(n.ST.Conv)+len(n.ST.FC) > 0 {
		if err := n.ST.validate("network.st", n.Groups); err != nil {
			return err
		}
		if last(n.ST.FC) != 4 {
			return &CardError{"network.st.fc", n.ST.FC, "must end with 4, the 2 × 2 matrix"}
		}
	}
	if err := n.LPE.validate("network.lpe", n.Groups); err != nil {
		return err
	}
	if m := last(n.LPE.FC); m < 2 || m > 64 {
		return &CardError{"network.lpe.fc", n.LPE.FC,
			"must end with the embedding's length, 2 to 64; the paper has 4"}
	}
	return nil
}

func (u *PointNet) validate(field string, groups int) error {
	for _, part := range []struct {
		name   string
		widths []int
	}{{".conv", u.Conv}, {".fc", u.FC}} {
		if len(part.widths) < 2 || len(part.widths) > maxLayers {
			return &CardError{field + part.name, part.widths,
				fmt.Sprintf("must list 2 to %d layer widths", maxLayers)}
		}
		for _, w := range part.widths {
			if w < 1 || w > maxWidth {
				return &CardError{field + part.name, part.widths,
					fmt.Sprintf("every width must be 1 to %d", maxWidth)}
			}
		}
	}
	for _, w := range slices.Concat(u.Conv, u.FC[:len(u.FC)-1]) {
		if groups > 0 && w%groups != 0 {
			return &CardError{"network.norm_groups", groups,
				fmt.Sprintf("must divide every normalised width, also %d", w)}
		}
	}
	return nil
}
