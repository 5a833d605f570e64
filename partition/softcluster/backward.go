package softcluster

import (
	"fmt"

	"superpoint/partition/parallel"
)

// Backward returns the gradient of a loss by the features, given its gradient by
// Q. It goes through every iteration and the centres it started from.
func (a *Association[T]) Backward(run parallel.Run, gradQ []T) ([]T, error) {
	if len(gradQ) != len(a.Q) || len(a.q) == 0 {
		return nil, fmt.Errorf("softcluster: gradient of %d associations, want %d of a result of Associate", len(gradQ),
			len(a.Q))
	}
	run = run.Quiet()
	l, dim := a.layout, a.dim
	grad := make([]T, len(a.features))
	gq := append([]T(nil), gradQ...)
	var gs []T // gradient by S after iteration t
	for t := len(a.q) - 1; t >= 0; t-- {
		if gs != nil {
			clear(gq)
			if err := a.unmove(run, t, gs, gq, grad); err != nil {
				return nil, err
			}
		}
		before, err := a.unsoften(run, t, gq, grad)
		if err != nil {
			return nil, err
		}
		for d, sum := range a.mass[t] {
			if gs != nil && sum == 0 { // this centre stayed
				for k := range dim {
					before[d*dim+k] += gs[d*dim+k]
				}
			}
		}
		gs = before
	}
	err := l.centres(run, func(c int) {
		w := 1 / T(len(l.of(c)))
		for _, p := range l.of(c) {
			for k, g := range gs[c*dim : (c+1)*dim] {
				grad[int(p)*dim+k] += w * g
			}
		}
	})
	return grad, err
}

// unmove takes the gradient by the centres after iteration t to its associations
// and to the features: S_c = Σ q F / Σ q.
func (a *Association[T]) unmove(run parallel.Run, t int, gs, gq, grad []T) error {
	dim, q, s, mass := a.dim, a.q[t], a.s[t+1], a.mass[t]
	return a.layout.points(run, func(p int, near []uint32, row int) {
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

// unsoften takes the gradient by the associations of iteration t to the features
// and to the centres before it, which it returns. gq is overwritten by the
// gradient by the squared distances.
func (a *Association[T]) unsoften(run parallel.Run, t int, gq, grad []T) ([]T, error) {
	l, dim, q, s := a.layout, a.dim, a.q[t], a.s[t]
	err := l.points(run, func(p int, near []uint32, row int) {
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
	if err != nil {
		return nil, err
	}
	before := make([]T, len(s))
	err = l.centres(run, func(c int) {
		center, out := s[c*dim:(c+1)*dim], before[c*dim:(c+1)*dim]
		l.around(c, func(p, at int) {
			for k, v := range a.features[p*dim : (p+1)*dim] {
				out[k] -= 2 * gq[at] * (v - center[k])
			}
		})
	})
	return before, err
}
