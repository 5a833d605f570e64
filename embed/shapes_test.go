package embed

import (
	"math"
	"slices"
	"testing"

	"superpoint/partition/parallel"
)

// The fast kernel against its plain Go twin. Normals have no sign that counts.
func TestShapesAgainstPlain(t *testing.T) {
	for _, n := range []int{2, 3, 7, 26, 4001} {
		in := cloud(t, n, [3]float64{})
		s, err := NewInputs(parallel.Run{Threads: 2}, everything(), in)
		if err != nil {
			t.Fatal(n, err)
		}
		places := s.shapePlaces()
		fast := slices.Clone(s.table)
		s.plainShapes(&places, 0, n)
		for k, place := range places {
			for i := range n {
				for a := range 3 {
					at := i*s.width + int(place) + a
					if a > 0 && k != normal {
						break
					}
					x, y := float64(fast[at]), float64(s.table[at])
					if k == normal {
						x, y = math.Abs(x), math.Abs(y)
					}
					if math.IsNaN(x) || math.Abs(x-y) > 2e-6 {
						t.Errorf("%d points, point %d: %s %g, plain %g", n, i, shapeColumns[k], x, y)
					}
				}
			}
		}
	}
}

func BenchmarkShapes(b *testing.B) {
	s, err := NewInputs(parallel.Run{}, everything(), cloud(b, 100_000, [3]float64{}))
	if err != nil {
		b.Fatal(err)
	}
	places := s.shapePlaces()
	for name, f := range map[string]func(*shapePlaces, int, int){"fast": s.shapes, "plain": s.plainShapes} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f(&places, 0, s.Len())
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(s.Len()), "ns/point")
		})
	}
}
