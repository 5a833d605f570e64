// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
)

// Layer is one linear layer with its normalisation and activation. Its tensors
// are Name + ".weight" (Out × In, row major), ".bias" (Out) and, if Norm,
// ".gamma", ".beta", ".mean" and ".variance" (Out each). The layer computes
//
//	y = relu(gamma · (W x + b − mean)/√(variance + ε) + beta)   if Norm
//	y = W x + b                                                 if not
//
// With Groups, mean and variance are not tensors: they are computed from W x + b over a group of
// Out/Groups channels and, before the maximum, all neighbours of the point.
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
//
// (In + 1)·Out for weights and biases, and 2·Out for gamma and beta.
func (l Layer) Parameters() int {
	n := l.Out * (l.In + 1)
	if l.Norm {
		n += 2 * l.Out
	}
	return n
}

// Layers holds the layers of a whole network in the order they are applied and
// stored.
//
// Each part is in the order of its layers: ST the spatial transform, LPE the embedder; Conv applied to each
// neighbor, FC to the maximum.
type Layers struct {
	STConv, STFC, LPEConv, LPEFC []Layer
}

// All returns every layer in storage order.
//
// The order of tensors in a file and of the checksum follows from it (tensors).
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
//
// Widths follow one another: the input of the first fully connected layer is the width of the last
// convolution, and, for the embedder, the number of point channels in addition.
func (c *Card) Layers() *Layers {
	n := &c.Network
	l := &Layers{}
	// A network without a transform reads positions unchanged (Ω = I).
	if len(n.ST.FC) > 0 {
		l.STConv = n.chain("st.conv", 2, n.ST.Conv, true)
		l.STFC = n.chain("st.fc", last(n.ST.Conv), n.ST.FC, false)
	}
	l.LPEConv = n.chain("lpe.conv", len(c.Inputs.Neighbor), n.LPE.Conv, true)
	l.LPEFC = n.chain("lpe.fc", last(n.LPE.Conv)+len(c.Inputs.Point), n.LPE.FC, false)
	return l
}

// The input of a layer is the output of the one before. With normLast all layers have a norm; without, all
// but the last.
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
//
// A transform without layers after the maximum would have no output: FC decides.
func (c *Card) Transforms() bool { return len(c.Network.ST.FC) > 0 }

// OnSphere reports whether embeddings are scaled to length 1.
func (n *Network) OnSphere() bool { return n.Sphere == nil || *n.Sphere }

// InFloats reports whether embeddings are computed in floats, because the integer network has neither group
// normalisation nor embeddings off the sphere.
func (n *Network) InFloats() bool { return n.Groups > 0 || !n.OnSphere() }

func last(widths []int) int { return widths[len(widths)-1] }
