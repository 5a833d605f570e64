package arithmetic

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestSquaredDistance(t *testing.T) {
	if d := SquaredDistance([]float32{1, 2, 0.1}, []float64{4, -2, 0.1}); d < 25 || d > 25+1e-15 {
		t.Errorf("in float64: %v", d) // float32's 0.1 is not float64's
	}
	if d := SquaredDistance([]float32{1, 2, 0.1}, []float32{4, -2, 0.1, 9}); d != 25 {
		t.Errorf("in float32: %v", d)
	}
	if d := SquaredDistance[float32, float64](nil, nil); d != 0 {
		t.Errorf("of nothing: %v", d)
	}
}

func ExampleSquaredDistance() {
	fmt.Println(SquaredDistance([]float32{1, 2}, []float64{4, 6}))
	// Output: 25
}

func BenchmarkSquaredDistance(b *testing.B) {
	const n, dim = 1 << 10, 7
	random := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float32, n*dim), make([]float64, dim)
	for i := range x {
		x[i] = random.Float32()
	}
	var sum float64
	for b.Loop() {
		for i := range n {
			sum += SquaredDistance(x[i*dim:(i+1)*dim], y)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/distance")
	_ = sum
}

func TestFloorDiv(t *testing.T) {
	for _, c := range [][3]int64{{7, 3, 2}, {-7, 3, -3}, {-6, 3, -2}, {0, 5, 0}, {-1, 5, -1}, {5, 5, 1}} {
		if q := FloorDiv(c[0], c[1]); q != c[2] {
			t.Errorf("%d/%d is %d, want %d", c[0], c[1], q, c[2])
		}
	}
}
