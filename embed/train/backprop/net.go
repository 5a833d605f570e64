// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"fmt"
	"math"
	"math/rand/v2"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Batch is the input of one step: the channels of points, as embed.Inputs
// gathers them.
type Batch[T Real] struct {
	Points int
	Set    []T // points × neighbours × neighbour channels
	Point  []T // points × point channels
}

// Net is the network of a card, with one batch's state between Forward and
// Backward. It must not be used from several goroutines at once.
type Net[T Real] struct {
	card       *embed.Card
	kernels    kernels[T]
	parameters int
	st, lpe    *setLayers[T]
	stFC, fc   *denseLayers[T]

	batch       *Batch[T]
	omega       []T // points × 4: Ω, row major
	transformed []T // Set with the horizontal offsets multiplied by Ω
	input       []T // of the last chain: the maximum, then the point channels
	length      []T // by which embeddings were divided: ‖·‖, or 1 off the sphere
	out         []T // points × m
}

// New returns the network of a card in float32, on the fastest kernels the
// machine has.
func New(card *embed.Card) (*Net[float32], error) {
	n, err := build[float32](card, plain[float32]{})
	if err != nil {
		return nil, err
	}
	if k := fastKernels(n.shapes()...); k != nil {
		n.kernels = k
	}
	return n, nil
}

// NewPlain returns the network of a card in plain Go.
func NewPlain[T Real](card *embed.Card) (*Net[T], error) {
	return build[T](card, plain[T]{})
}

func build[T Real](card *embed.Card, k kernels[T]) (*Net[T], error) {
	if err := card.Validate(); err != nil {
		return nil, err
	}
	n := &Net[T]{card: card, kernels: k}
	layers := card.Layers()
	if card.Transforms() {
		var err error
		if n.st, err = n.set(layers.STConv); err != nil {
			return nil, err
		}
		n.stFC = n.dense(layers.STFC, 1)
	}
	var err error
	if n.lpe, err = n.set(layers.LPEConv); err != nil {
		return nil, err
	}
	n.fc = n.dense(layers.LPEFC, 1)
	return n, nil
}

func (n *Net[T]) shapes() []*setShape {
	if n.st == nil {
		return []*setShape{&n.lpe.shape}
	}
	return []*setShape{&n.st.shape, &n.lpe.shape}
}

func (n *Net[T]) layer(l embed.Layer) layer[T] {
	at := n.parameters
	n.parameters += l.Parameters()
	return layer[T]{Layer: l, at: at, eps: n.card.Network.Epsilon}
}

func (n *Net[T]) set(layers []embed.Layer) (*setLayers[T], error) {
	if len(layers) != 2 {
		return nil, fmt.Errorf("network with %d layers per neighbour; training handles 2, as the paper has",
			len(layers))
	}
	k := n.card.Inputs.Neighbors
	chain := n.dense(layers, k)
	return &setLayers[T]{
		shape: setShape{k, layers[0].In, layers[0].Out, layers[1].Out},
		chain: chain, hidden: &chain.layers[0], second: &chain.layers[1],
	}, nil
}

func (n *Net[T]) dense(layers []embed.Layer, rows int) *denseLayers[T] {
	u := &denseLayers[T]{rows: rows}
	for _, l := range layers {
		u.layers = append(u.layers, n.layer(l))
	}
	return u
}

// Parameters returns the number of trained values, the length of the vectors
// that Forward and Backward take.
func (n *Net[T]) Parameters() int { return n.parameters }

// Dim returns the length m of an embedding.
func (n *Net[T]) Dim() int { return n.card.Dim() }

// layers returns every layer in storage order.
func (n *Net[T]) layers() []*layer[T] {
	chains := []*denseLayers[T]{n.lpe.chain, n.fc}
	if n.st != nil {
		chains = []*denseLayers[T]{n.st.chain, n.stFC, n.lpe.chain, n.fc}
	}
	var all []*layer[T]
	for _, u := range chains {
		for i := range u.layers {
			all = append(all, &u.layers[i])
		}
	}
	return all
}

// Initial returns parameters to start from: weights uniform in ±√(3/in) times the gain
// of the activation that follows (He et al. 2015), biases 0, γ 1, β 0. The spatial
// transform's last layer starts at 0, so that Ω starts as the identity.
func (n *Net[T]) Initial(rng *rand.Rand) []T {
	params := make([]T, n.parameters)
	for _, l := range n.layers() {
		p := l.part(params)
		gain := 1.0
		if l.Norm {
			gain = math.Sqrt2
		}
		limit := gain * math.Sqrt(3/float64(l.In))
		for i := range p.weight {
			p.weight[i] = T((2*rng.Float64() - 1) * limit)
		}
		for i := range p.gamma {
			p.gamma[i] = 1
		}
	}
	if n.stFC != nil {
		clear(n.stFC.layers[len(n.stFC.layers)-1].part(params).weight)
	}
	return params
}

// Forward returns the embedding of a batch, points × m, valid until the next
// call.
func (n *Net[T]) Forward(run parallel.Run, params []T, b *Batch[T]) (out []T, err error) {
	defer parallel.Catch(&err)
	n.batch = b
	set := b.Set
	if n.st != nil {
		n.transform(run, params)
		set = n.transformed
	}
	n.lpe.forward(run, n.kernels, b.Points, set, params)
	n.join(run)
	z := n.fc.forward(run, n.kernels, b.Points, n.input, params)
	m := n.Dim()
	width := wide(n.Dim())
	n.out = arrays.Resized(n.out, b.Points*m)
	n.length = arrays.Resized(n.length, b.Points)
	sphere := n.card.Network.OnSphere()
	run.Each(b.Points, denseBlock, func(i int) {
		row := z[i*width : i*width+m]
		length := T(1)
		if sphere {
			length = max(T(math.Sqrt(float64(dot(row, row)))), shortest)
		}
		n.length[i] = length
		for c, v := range row {
			n.out[i*m+c] = v / length
		}
	})
	return n.out, nil
}

// shortest is the smallest length that a vector is divided by.
const shortest = 1e-12

// transform computes Ω of every point and the transformed offsets.
func (n *Net[T]) transform(run parallel.Run, params []T) {
	b := n.batch
	k := n.lpe.shape.k
	s := n.lpe.shape.s
	flat := make([]T, b.Points*k*2)
	for i := range b.Points * k {
		flat[2*i], flat[2*i+1] = b.Set[i*s], b.Set[i*s+1]
	}
	n.transformed = arrays.Resized(n.transformed, len(b.Set))
	n.st.forward(run, n.kernels, b.Points, flat, params)
	z := n.stFC.forward(run, n.kernels, b.Points, padded(n.st.out, n.st.shape.c2), params)
	n.st.flat = flat
	n.omega = arrays.Resized(n.omega, 4*b.Points)
	run.Each(b.Points, denseBlock, func(i int) {
		o := n.omega[4*i : 4*i+4]
		copy(o, z[i*wide(4):])
		o[0]++
		o[3]++
		for j := i * k * s; j < (i+1)*k*s; j += s {
			copy(n.transformed[j:j+s], b.Set[j:j+s])
			x, y := b.Set[j], b.Set[j+1]
			n.transformed[j] = x*o[0] + y*o[2]
			n.transformed[j+1] = x*o[1] + y*o[3]
		}
	})
}

// padded returns rows of width wide(c); x itself if it has this width.
func padded[T Real](x []T, c int) []T {
	if wide(c) == c {
		return x
	}
	rows := len(x) / c
	y := make([]T, rows*wide(c))
	for i := range rows {
		copy(y[i*wide(c):], x[i*c:(i+1)*c])
	}
	return y
}

// join writes the maximum and the point channels side by side.
func (n *Net[T]) join(run parallel.Run) {
	b := n.batch
	c2 := n.lpe.shape.c2
	p := len(n.card.Inputs.Point)
	width := wide(c2 + p)
	n.input = arrays.Resized(n.input, b.Points*width)
	run.Each(b.Points, denseBlock, func(i int) {
		row := n.input[i*width : (i+1)*width]
		clear(row)
		copy(row, n.lpe.out[i*c2:(i+1)*c2])
		copy(row[c2:], b.Point[i*p:(i+1)*p])
		for e := range 4 {
			if at := n.card.OmegaAt(e); at >= 0 && n.st != nil {
				row[c2+at] = n.omega[4*i+e]
			}
		}
	})
}

// Backward writes the gradient of the parameters, given the gradient at the
// embedding that Forward has just returned.
func (n *Net[T]) Backward(run parallel.Run, params, embedding, grad []T) (err error) {
	defer parallel.Catch(&err)
	clear(grad)
	b := n.batch
	m := n.Dim()
	width := wide(n.Dim())
	g := make([]T, b.Points*width)
	for i := range b.Points {
		e, d := n.out[i*m:(i+1)*m], embedding[i*m:(i+1)*m]
		along := T(0)
		if n.card.Network.OnSphere() {
			along = dot(e, d)
		}
		for c := range m {
			g[i*width+c] = (d[c] - along*e[c]) / n.length[i]
		}
	}
	back := n.fc.backward(run, n.kernels, b.Points, params, grad, g)
	c2 := n.lpe.shape.c2
	wideIn := wide(c2 + len(n.card.Inputs.Point))
	set := make([]T, b.Points*c2)
	for i := range b.Points {
		copy(set[i*c2:(i+1)*c2], back[i*wideIn:])
	}
	if n.st == nil {
		n.lpe.backward(run, n.kernels, b.Points, b.Set, params, grad, set, nil, 0, nil)
		return nil
	}
	omega := make([]T, 4*b.Points)
	n.lpe.backward(run, n.kernels, b.Points, n.transformed, params, grad, set, b.Set, n.lpe.shape.s, omega)
	n.transformBackward(run, params, grad, omega, back, wideIn)
	return nil
}

// transformBackward carries the gradient at Ω through the spatial transform.
func (n *Net[T]) transformBackward(run parallel.Run, params, grad, omega, back []T, wideIn int) {
	b, c2 := n.batch, n.lpe.shape.c2
	g := make([]T, b.Points*wide(4))
	for i := range b.Points {
		for e := range 4 {
			v := omega[4*i+e]
			if at := n.card.OmegaAt(e); at >= 0 {
				v += back[i*wideIn+c2+at]
			}
			g[i*wide(4)+e] = v
		}
	}
	back = n.stFC.backward(run, n.kernels, b.Points, params, grad, g)
	if c := n.st.shape.c2; wide(c) != c {
		for i := range b.Points {
			copy(back[i*c:(i+1)*c], back[i*wide(c):i*wide(c)+c])
		}
		back = back[:b.Points*c]
	}
	n.st.backward(run, n.kernels, b.Points, n.st.flat, params, grad, back, nil, 0, nil)
}
