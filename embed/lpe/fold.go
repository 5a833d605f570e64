package lpe

import (
	"math"
	"unsafe"

	"superpoint/embed"
	"superpoint/embed/layout"
)

// lane is what output widths are padded to: the floats of the widest register.
const lane = 16

// tile is what the rows of a set are padded to: kernels handle five rows at a
// time.
const tile = 5

// batch is the number of points whose channels and activations a kernel holds
// at once; they stay in the second-level cache.
const batch = 120

// kernel embeds the points lo to hi−1; out holds net.dim values for each,
// scratch is the worker's own.
type kernel func(net *network, inputs *embed.Inputs, lo, hi int, out, scratch []float32)

// network is a model's network with normalisation folded in, laid out for the
// kernels.
type network struct {
	neighbors int // k
	rows      int // k padded to a multiple of tile
	channels  int // per neighbour
	points    int // channels per point
	dim       int // m
	omega     [4]int
	st, lpe   pointNet
	weights   []float32      // all layers' weights and biases, 64-byte aligned
	layout    layout.Network // the same facts for C
}

// pointNet is an embed.PointNet with its weights.
type pointNet struct{ conv, fc []layer }

// layer is y = W x + b, then a ReLU if relu. weight is in × wide: row i holds
// what input i contributes to every output, padded with zeros.
type layer struct {
	in, out, wide int
	weight, bias  []float32
	relu          bool
	at            int // of weight in network.weights; bias follows it
}

// fold prepares a model's network.
func fold(m *embed.Model) (*network, error) {
	c := m.Card
	if err := c.Validate(); err != nil {
		return nil, err
	}
	n := &network{
		neighbors: c.Inputs.Neighbors, rows: pad(c.Inputs.Neighbors, tile),
		channels: len(c.Inputs.Neighbor), points: len(c.Inputs.Point), dim: c.Dim(),
	}
	for k := range n.omega {
		n.omega[k] = c.OmegaAt(k)
	}
	l := c.Layers()
	total := 0
	shape := func(layers []embed.Layer, gap int) []layer {
		list := make([]layer, len(layers))
		for i, s := range layers {
			in := s.In
			if i == 0 {
				in += gap
			} else {
				in = list[i-1].wide
			}
			list[i] = layer{in: in, out: s.Out, wide: pad(s.Out, lane), relu: s.Norm, at: total}
			total += (in + 1) * list[i].wide
		}
		return list
	}
	gap := func(conv []layer) int {
		if len(conv) == 0 {
			return 0
		}
		return conv[len(conv)-1].wide - conv[len(conv)-1].out
	}
	n.st.conv = shape(l.STConv, 0)
	n.st.fc = shape(l.STFC, gap(n.st.conv))
	n.lpe.conv = shape(l.LPEConv, 0)
	n.lpe.fc = shape(l.LPEFC, gap(n.lpe.conv))
	n.weights = aligned(total)
	for i, s := range l.All() {
		n.layers()[i].fill(n.weights, m.Weights(s), c.Network.Epsilon, n.pooled(i))
	}
	n.layout = n.describe()
	return n, nil
}

// layers returns every layer in the order of embed.Layers.All.
func (n *network) layers() []*layer {
	var all []*layer
	for _, part := range [][]layer{n.st.conv, n.st.fc, n.lpe.conv, n.lpe.fc} {
		for i := range part {
			all = append(all, &part[i])
		}
	}
	return all
}

// pooled returns how many of layer i's inputs come from a layer before it; the
// others are point channels, which follow the padding of those.
func (n *network) pooled(i int) int {
	all := n.layers()
	if i == 0 || i == len(n.st.conv)+len(n.st.fc) {
		return all[i].in // a first convolution: everything is input, nothing is padded
	}
	return all[i-1].out
}

// fill folds the normalisation into the weights: W' = s W, b' = s (b − mean) +
// beta with s = gamma/√(variance + ε).
func (l *layer) fill(all []float32, w embed.Weights, epsilon float64, pooled int) {
	l.weight = all[l.at : l.at+l.in*l.wide]
	l.bias = all[l.at+l.in*l.wide : l.at+(l.in+1)*l.wide]
	skip := l.in - w.In // padding rows between the pooled inputs and the point channels
	for o := range w.Out {
		scale, shift := 1.0, float64(w.Bias[o])
		if w.Norm {
			scale = float64(w.Gamma[o]) / math.Sqrt(float64(w.Variance[o])+epsilon)
			shift = scale*(float64(w.Bias[o])-float64(w.Mean[o])) + float64(w.Beta[o])
		}
		l.bias[o] = float32(shift)
		for i := range w.In {
			row := i
			if i >= pooled {
				row += skip
			}
			l.weight[row*l.wide+o] = float32(scale * float64(w.Weight[o*w.In+i]))
		}
	}
}

// describe lays the network out for C.
func (n *network) describe() layout.Network {
	l := layout.Network{
		Rows: int32(n.rows), Channels: int32(n.channels), Points: int32(n.points), Dim: int32(n.dim),
		STConv: part(n.st.conv), STFC: part(n.st.fc), LPEConv: part(n.lpe.conv), LPEFC: part(n.lpe.fc),
	}
	for k, o := range n.omega {
		l.Omega[k] = int32(o)
	}
	return l
}

func part(layers []layer) layout.Part {
	p := layout.Part{Count: int32(len(layers))}
	for i, l := range layers {
		p.Layer[i] = layout.Layer{In: int32(l.in), Wide: int32(l.wide), At: int32(l.at)}
		if l.relu {
			p.Layer[i].Relu = 1
		}
	}
	return p
}

// widest returns the largest number of values a row of activations has, padded.
func (n *network) widest() int {
	w := lane
	for _, l := range n.layers() {
		w = max(w, l.wide, pad(l.in, lane))
	}
	return w
}

// scratch returns the floats a worker needs: a batch's inputs, then for the
// kernel three buffers of activations and a set's first weights.
func (n *network) scratch() int {
	rows := max(batch, n.rows) + 2*tile
	return batch*(n.rows*n.channels+n.points) + lane + 3*rows*n.widest() + n.channels*n.widest()
}

// split divides a worker's scratch.
func (n *network) split(scratch []float32) (set, point, rest []float32) {
	a := batch * n.rows * n.channels
	b := a + batch*n.points
	return scratch[:a], scratch[a:b], scratch[b:]
}

func pad(n, to int) int { return (n + to - 1) / to * to }

// aligned returns n floats that begin at a multiple of 64 bytes.
func aligned(n int) []float32 {
	b := make([]float32, n+lane)
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % 64 / 4)
	return b[skip : skip+n : skip+n]
}
