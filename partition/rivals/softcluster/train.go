// SPDX-License-Identifier: BSD-3-Clause

package softcluster

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// Objective is the training loss of SSP-cluster: the reconstruction loss of the
// objects plus the compactness loss (Jampani et al., section 4.2).
type Objective struct {
	Size       float64 `yaml:"size"`       // mean points per cube, from which R is computed for each cloud
	Embedding  float64 `yaml:"embedding"`  // γ
	Spatial    float64 `yaml:"spatial"`    // κ
	Iterations int     `yaml:"iterations"` // T: 5 in training, as Jampani et al.
	// weight of the compactness loss, with distances in R; 1e-5 as Jampani et al.
	Compactness float64 `yaml:"compactness"`
}

// Validate returns an error that names the first field out of range, or nil.
func (o *Objective) Validate() error {
	for _, check := range []struct {
		ok    bool
		field string
		value any
		rule  string
	}{
		{o.Size >= 2 && o.Size <= 1e6, "size", o.Size, "must be 2 to a million points; 100 is usual"},
		{o.Embedding > 0 && o.Embedding < 1e6, "embedding", o.Embedding, "must be above 0; 3 is usual"},
		{o.Spatial >= 0 && o.Spatial < 1e6, "spatial", o.Spatial, "must be 0 or more; 1 is usual"},
		{o.Iterations >= 1 && o.Iterations <= 100, "iterations", o.Iterations,
			"must be 1 to 100; 5 is usual"},
		{o.Compactness >= 0 && o.Compactness < 1e6, "compactness", o.Compactness,
			"must be 0 or more; 1e-5 is usual"},
	} {
		if !check.ok {
			return fmt.Errorf("clusters: %s is %v; it %s", check.field, check.value, check.rule)
		}
	}
	return nil
}

// resolution returns the seed resolution in metres at which a cloud has cubes of
// Size points on average.
func (o *Objective) resolution(c *neighbor.Cloud) (float64, error) {
	want := supervoxel.Wanted(c.Len(), o.Size)
	low, high := c.XYZ[0], c.XYZ[0]
	for _, p := range c.XYZ {
		for a, v := range p {
			low[a], high[a] = min(low[a], v), max(high[a], v)
		}
	}
	extent := 0.0
	for a := range low {
		extent = max(extent, float64(high[a])-float64(low[a]))
	}
	resolution, _, err := supervoxel.Search(want, max(extent, 1)*c.Unit/math.Sqrt(float64(want)),
		supervoxel.Cubes(c))
	return resolution, err
}

// Value returns the loss of a cloud, and adds weight times its gradient by the
// embedding to gradient. embedding and gradient have points × dim values. label is
// the object of each point, in [0, labels), or negative for none.
func Value[T Number](run parallel.Run, o *Objective, c *neighbor.Cloud, embedding []T, dim int, label []int32,
	labels int, weight float64, gradient []T) (loss float64, err error) {
	defer parallel.Catch(&err)
	r, err := o.resolution(c)
	if err != nil {
		return 0, err
	}
	layout, err := newLayout(run, c, r)
	if err != nil {
		return 0, err
	}
	features := featuresOf(run, c, embedding, dim, r, o.Embedding, o.Spatial)
	a := associate(run, layout, features, dim+3, o.Iterations, true)
	gradQ := make([]T, layout.Associations())
	loss, err = reconstruction(run, layout, a.Q, label, labels, weight, gradQ)
	if err != nil {
		return 0, err
	}
	if o.Compactness > 0 {
		far, err := compactness(run, layout, a.Q, featuresOf[T](run, c, nil, 0, r, 0, 1), 3,
			weight*o.Compactness, gradQ)
		if err != nil {
			return 0, err
		}
		loss += o.Compactness * far
	}
	byFeature := a.backward(run, gradQ)
	for i := range c.Len() {
		for k := range dim {
			gradient[i*dim+k] += T(o.Embedding) * byFeature[i*(dim+3)+k]
		}
	}
	return loss, nil
}

// backward returns the gradient of a loss by the features, given its gradient by
// Q. It differentiates all iterations, which a stores, and the initial centres.
func (a *association[T]) backward(run parallel.Run, gradQ []T) []T {
	l, dim := a.layout, a.dim
	grad := make([]T, len(a.features))
	gq := append([]T(nil), gradQ...)
	var gs []T // gradient by S after iteration t
	for t := len(a.q) - 1; t >= 0; t-- {
		if gs != nil {
			clear(gq)
			a.meansBackward(run, t, gs, gq, grad)
		}
		before := a.associationsBackward(run, t, gq, grad)
		for d, sum := range a.mass[t] {
			if gs != nil && sum == 0 { // this centre was not changed
				for k := range dim {
					before[d*dim+k] += gs[d*dim+k]
				}
			}
		}
		gs = before
	}
	l.centres(run, func(c int) {
		w := 1 / T(len(l.of(c)))
		for _, p := range l.of(c) {
			for k, g := range gs[c*dim : (c+1)*dim] {
				grad[int(p)*dim+k] += w * g
			}
		}
	})
	return grad
}

// meansBackward differentiates S_c = Σ_p q_pc F_p / Σ_p q_pc of iteration t. gs is
// the gradient by S; the gradients by the associations and by the features are
// added to gq and grad.
func (a *association[T]) meansBackward(run parallel.Run, t int, gs, gq, grad []T) {
	dim := a.dim
	q := a.q[t]
	s := a.s[t+1]
	mass := a.mass[t]
	a.layout.points(run, func(p int, near []uint32, row int) {
		f, g := a.features[p*dim:(p+1)*dim], grad[p*dim:(p+1)*dim]
		for i, c := range near {
			if mass[c] == 0 {
				continue
			}
			w := 1 / mass[c]
			center, gc := s[int(c)*dim:(int(c)+1)*dim], gs[int(c)*dim:(int(c)+1)*dim]
			var dot T
			for k := range f {
				dot += gc[k] * (f[k] - center[k])
				g[k] += q[row+i] * w * gc[k]
			}
			gq[row+i] += dot * w
		}
	})
}

// associationsBackward differentiates the softmax of iteration t. gq is the
// gradient by its associations and is overwritten by that by the squared
// distances. The gradient by the features is added to grad, that by the centres
// before the iteration is returned.
func (a *association[T]) associationsBackward(run parallel.Run, t int, gq, grad []T) []T {
	l := a.layout
	dim := a.dim
	q := a.q[t]
	s := a.s[t]
	l.points(run, func(p int, near []uint32, row int) {
		f, g := a.features[p*dim:(p+1)*dim], grad[p*dim:(p+1)*dim]
		var mean T
		for i := range near {
			mean += q[row+i] * gq[row+i]
		}
		for i, c := range near {
			d := -q[row+i] * (gq[row+i] - mean)
			gq[row+i] = d
			center := s[int(c)*dim : (int(c)+1)*dim]
			for k := range f {
				g[k] += 2 * d * (f[k] - center[k])
			}
		}
	})
	before := make([]T, len(s))
	l.centres(run, func(c int) {
		center, out := s[c*dim:(c+1)*dim], before[c*dim:(c+1)*dim]
		l.around(c, func(p, at int) {
			for k, v := range a.features[p*dim : (p+1)*dim] {
				out[k] -= 2 * gq[at] * (v - center[k])
			}
		})
	})
	return before
}
