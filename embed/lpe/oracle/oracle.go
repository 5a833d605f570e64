// Package oracle computes embeddings in float64, directly by the equations, as a
// reference for the tests of all kernels of package lpe and of the GPU.
package oracle

import (
	"math"

	"superpoint/embed"
)

// Embed computes one point's embedding by the float network: layer by layer, with a
// separate normalisation, neighbour by neighbour. set is k × c and point p values, as
// embed.Inputs.Gather computes them; neither is changed.
func Embed(m *embed.Model, set, point []float32) []float64 {
	c, layers := m.Card, m.Card.Layers()
	channels := len(c.Inputs.Neighbor)
	rows := make([][]float64, len(set)/channels)
	for r := range rows {
		rows[r] = widen(set[r*channels : (r+1)*channels])
	}
	x := widen(point)
	if c.Transforms() {
		xy := make([][]float64, len(rows))
		for r := range rows {
			xy[r] = rows[r][:2:2]
		}
		o := chain(m, layers.STFC, maximum(m, layers.STConv, xy))
		o[0]++
		o[3]++
		for k := range o {
			if at := c.OmegaAt(k); at >= 0 {
				x[at] = o[k]
			}
		}
		for _, row := range rows {
			row[0], row[1] = row[0]*o[0]+row[1]*o[2], row[0]*o[1]+row[1]*o[3]
		}
	}
	e := chain(m, layers.LPEFC, append(maximum(m, layers.LPEConv, rows), x...))
	var square float64
	for _, v := range e {
		square += v * v
	}
	for i := range e {
		e[i] /= math.Sqrt(square)
	}
	return e
}

func maximum(m *embed.Model, conv []embed.Layer, rows [][]float64) []float64 {
	var most []float64
	for _, row := range rows {
		y := chain(m, conv, row)
		if most == nil {
			most = y
		}
		for i := range most {
			most[i] = max(most[i], y[i])
		}
	}
	return most
}

func chain(m *embed.Model, layers []embed.Layer, x []float64) []float64 {
	for _, l := range layers {
		x = layer(m.Weights(l), x, m.Card.Network.Epsilon)
	}
	return x
}

func layer(w embed.Weights, x []float64, epsilon float64) []float64 {
	y := make([]float64, w.Out)
	for o := range y {
		y[o] = float64(w.Bias[o])
		for i, v := range x {
			y[o] += float64(w.Weight[o*w.In+i]) * v
		}
		if w.Norm {
			deviation := math.Sqrt(float64(w.Variance[o]) + epsilon)
			y[o] = max(0, float64(w.Gamma[o])*(y[o]-float64(w.Mean[o]))/deviation+float64(w.Beta[o]))
		}
	}
	return y
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
