package backprop

import (
	"math/rand/v2"

	"superpoint/embed"
)

// What the tests of the machines' networks share with those of the processor's.

func Small() *embed.Card { return small() }

func Normal[T Real](rng *rand.Rand, n int) []T { return random[T](rng, n) }

func Random[T Real](rng *rand.Rand, c *embed.Card, points int) *Batch[T] {
	return batch[T](rng, c, points)
}

func Shaken(n *Net[float64], rng *rand.Rand) []float64 { return shaken(n, rng) }

func Convert[T Real](x []float64) []T { return convert[T](x) }

func Dot(a, b []float64) float64 { return dot(a, b) }

// Moments are the statistics of every layer that is normalised.
func (n *Net[T]) Moments() (means, variances [][]float64) {
	for _, l := range n.layers() {
		if l.Norm {
			means, variances = append(means, l.mean), append(variances, l.variance)
		}
	}
	return means, variances
}
