// SPDX-License-Identifier: BSD-3-Clause

// Package reference computes embeddings in float64, directly by the equations: for models that have no
// integer network by their kind, and in tests of the others.
package reference

import (
	"math"

	"superpoint/embed"
)

// Embed computes one point's embedding by the float network: layer by layer, with a
// separate normalisation, neighbour by neighbour. set is k × c and point p values, as
// embed.Inputs.Gather computes them; neither is changed.
func Embed(m *embed.Model, set, point []float32) []float64 {
	c := m.Card
	layers := m.Card.Layers()
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
		o := chain(m, layers.STFC, [][]float64{maximum(m, layers.STConv, xy)})[0]
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
	e := chain(m, layers.LPEFC, [][]float64{append(maximum(m, layers.LPEConv, rows), x...)})[0]
	if c.Network.OnSphere() {
		project(e)
	}
	return e
}

// project scales e to length 1. The zero vector becomes the first axis.
func project(e []float64) {
	var square float64
	for _, v := range e {
		square += v * v
	}
	if !(square > 0) {
		e[0], square = 1, 1
	}
	for i := range e {
		e[i] /= math.Sqrt(square)
	}
}

func maximum(m *embed.Model, conv []embed.Layer, rows [][]float64) []float64 {
	rows = chain(m, conv, rows)
	most := rows[0]
	for _, y := range rows[1:] {
		for i := range most {
			most[i] = max(most[i], y[i])
		}
	}
	return most
}

// chain applies layers to the rows of one point: its neighbours, or the point itself.
func chain(m *embed.Model, layers []embed.Layer, rows [][]float64) [][]float64 {
	for _, l := range layers {
		rows = layer(m.Weights(l), rows, m.Card.Network.Epsilon)
	}
	return rows
}

func layer(w embed.Weights, rows [][]float64, epsilon float64) [][]float64 {
	all := make([][]float64, len(rows))
	for r, x := range rows {
		y := make([]float64, w.Out)
		for o := range y {
			y[o] = float64(w.Bias[o])
			for i, v := range x {
				y[o] += float64(w.Weight[o*w.In+i]) * v
			}
		}
		all[r] = y
	}
	if !w.Norm {
		return all
	}
	var mean, variance float64
	for o := range w.Out {
		if w.Batch() {
			mean, variance = float64(w.Mean[o]), float64(w.Variance[o])
		} else if size := w.Out / w.Groups; o%size == 0 {
			mean, variance = moments(all, o, o+size)
		}
		deviation := math.Sqrt(variance + epsilon)
		for _, y := range all {
			y[o] = max(0, float64(w.Gamma[o])*(y[o]-mean)/deviation+float64(w.Beta[o]))
		}
	}
	return all
}

// moments returns mean and variance of the columns lo to hi−1 of rows.
func moments(rows [][]float64, lo, hi int) (mean, variance float64) {
	count := float64(len(rows) * (hi - lo))
	for _, y := range rows {
		for _, v := range y[lo:hi] {
			mean += v / count
		}
	}
	for _, y := range rows {
		for _, v := range y[lo:hi] {
			variance += (v - mean) * (v - mean) / count
		}
	}
	return mean, variance
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
