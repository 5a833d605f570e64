package filter

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randIndex returns the adjusted Rand index of two partitions (Hubert and Arabie
// 1985, doi:10.1007/BF01908075).
func randIndex(a, b []uint32) float64 {
	both, one, other := map[[2]uint32]float64{}, map[uint32]float64{}, map[uint32]float64{}
	for i := range a {
		both[[2]uint32{a[i], b[i]}]++
		one[a[i]]++
		other[b[i]]++
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	var together, inA, inB float64
	for _, n := range both {
		together += pairs(n)
	}
	for _, n := range one {
		inA += pairs(n)
	}
	for _, n := range other {
		inB += pairs(n)
	}
	chance := inA * inB / pairs(float64(len(a)))
	return (together - chance) / ((inA+inB)/2 - chance)
}

// moved returns the view with other X and Y.
func moved(v *View, to func(x, y float64) (float64, float64)) *View {
	w := &View{Reference: v.Reference, Z: v.Z}
	for i := range v.X {
		x, y := to(v.X[i], v.Y[i])
		w.X, w.Y = append(w.X, x), append(w.Y, y)
	}
	return w
}

// TestQuarterTurn turns a cloud by 90°, by which hand-crafted features stay what
// they are. Solvers are heuristics that go through the points in tree order, so
// that the partition may change, but no more than by a millimetre of noise. A
// learned embedding is only about the same after a turn.
func TestQuarterTurn(t *testing.T) {
	view, _ := roof(6000, 14)
	r := rand.New(rand.NewPCG(2, 3))
	segment := func(v *View) *Segmentation { return mustSegment(t, mustFilter(t, `{"model":"geometric"}`), v) }
	first := segment(view)
	turned := segment(moved(view, func(x, y float64) (float64, float64) { return -y, x }))
	noisy := segment(moved(view, func(x, y float64) (float64, float64) {
		return x + 0.001*r.NormFloat64(), y + 0.001*r.NormFloat64()
	}))
	turn, noise := randIndex(first.ID, turned.ID), randIndex(first.ID, noisy.ID)
	t.Logf("adjusted Rand index %.3f after a turn, %.3f after a millimetre of noise", turn, noise)
	if turn < noise-0.1 {
		t.Errorf("adjusted Rand index %.3f after a turn, %.3f after a millimetre of noise", turn, noise)
	}
	off := 0
	a, b := first.Embedding(), turned.Embedding()
	for i := range view.Len() {
		for k := range first.Dim {
			if math.Abs(float64(a[i*first.Dim+k]-b[i*first.Dim+k])) > 1e-3 {
				off++
				break
			}
		}
	}
	if off > view.Len()/50 {
		t.Errorf("the features of %d points of %d change by a turn", off, view.Len())
	}
}
