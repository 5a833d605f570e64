package cutpursuit

import (
	"superpoint/partition/arithmetic"
	"superpoint/partition/arrays"
)

const (
	meansRounds = 5    // of k-means per start, as in the authors' code
	meansSample = 4096 // members at most that k-means looks at
)

// means finds two values for the component by k-means with two centres, and
// keeps the best of several starts. It looks at an even sample of large
// components. It returns false if all values are equal.
func (s *splitter) means(random *generator, starts int) bool {
	d := s.graph.Dim
	for _, f := range []*[]float64{&s.pair.a, &s.pair.b, &s.trial.a, &s.trial.b} {
		*f = arrays.Resized(*f, d)
	}
	stride := (s.n + meansSample - 1) / meansSample
	best, found := 0., false
	for range starts {
		if !s.start(random, stride) {
			break
		}
		var cost float64
		for range meansRounds {
			cost = s.round(stride)
		}
		if !found || cost < best {
			best, found = cost, true
			copy(s.pair.a, s.trial.a)
			copy(s.pair.b, s.trial.b)
		}
	}
	return found
}

// start draws a member, and a second one with a probability in proportion to
// its squared distance from the first (k-means++, Arthur and Vassilvitskii
// 2007). It returns false if no member differs from the first.
func (s *splitter) start(random *generator, stride int) bool {
	samples := (s.n + stride - 1) / stride
	first := s.value(int(random.uniform()*float64(samples)) * stride)
	for k, y := range first {
		s.trial.a[k] = float64(y)
	}
	var total float64
	for i := 0; i < s.n; i += stride {
		total += float64(s.size[i]) * arithmetic.SquaredDistance(s.value(i), s.trial.a)
	}
	if total == 0 {
		return false
	}
	left := random.uniform() * total
	for i := 0; i < s.n; i += stride {
		w := float64(s.size[i]) * arithmetic.SquaredDistance(s.value(i), s.trial.a)
		if w == 0 {
			continue
		}
		for k, y := range s.value(i) {
			s.trial.b[k] = float64(y)
		}
		if left -= w; left < 0 {
			break
		}
	}
	return true
}

// round moves the two values to the means of what is nearest to them and
// returns the cost before.
func (s *splitter) round(stride int) float64 {
	d := s.graph.Dim
	s.sums = append(s.sums[:0], make([]float64, 2*d)...)
	sum := [2][]float64{s.sums[:d], s.sums[d:]}
	var count [2]float64
	var cost float64
	for i := 0; i < s.n; i += stride {
		y, n := s.value(i), float64(s.size[i])
		da, db := arithmetic.SquaredDistance(y, s.trial.a), arithmetic.SquaredDistance(y, s.trial.b)
		k := 0
		if db < da {
			k, da = 1, db
		}
		cost += n * da
		count[k] += n
		for j, v := range y {
			sum[k][j] += n * float64(v)
		}
	}
	for k, f := range [][]float64{s.trial.a, s.trial.b} {
		if count[k] == 0 {
			continue
		}
		s.fit(f, sum[k], count[k])
	}
	return cost
}

// generator is splitmix64 (Steele, Lea and Flood 2014): any seed gives a good
// sequence at once.
type generator uint64

func (g *generator) uniform() float64 {
	*g += 0x9e3779b97f4a7c15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}
