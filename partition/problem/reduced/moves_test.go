// SPDX-License-Identifier: BSD-3-Clause

package reduced_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/partition/problem/reduced"
	"superpoint/testdata/must"
)

// TestRiseAndFallEqualLoss compares the change by a move with Loss of merging the two components.
func TestRiseAndFallEqualLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 150 {
		const dim = 5
		g := &reduced.Components{Dim: dim, Size: []float32{3, 11}, Mean: make([]float32, 2*dim)}
		for k := range g.Mean {
			g.Mean[k] = random.Float32() - 0.5
		}
		mean, joined := make([]float64, dim), make([]float64, dim)
		for k := range mean {
			mean[k] = float64(g.Mean[dim+k])
			joined[k] = (3*float64(g.Mean[k]) + 11*mean[k]) / 14
		}
		loss, y := float64(g.Loss(0, 1)), g.Mean[:dim]
		rise, fall := reduced.Rise(y, mean, 3, 11), reduced.Fall(y, joined, 3, 14)
		must.Hold(t, math.Abs(rise-loss) <= 1e-5*loss,
			"rise: got %v, want %v within %v", rise, loss, 1e-5*loss)
		must.Hold(t, math.Abs(fall-loss) <= 1e-5*loss,
			"fall: got %v, want %v within %v", fall, loss, 1e-5*loss)
	}
}

func ExampleRise() {
	fmt.Println(reduced.Rise([]float32{1}, []float64{4}, 1, 2)) // 1·2/(1+2)·(1−4)²
	// Output: 6
}
