// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// batch is what one step reads.
type batch struct {
	x              []float32 // superpoints × inputs of the first layer
	touching, near []int     // superpoints × Fan, rows of the batch
	target         []float32 // superpoints × sets: shares times weight
}

func newBatch(n, inputs, sets int) *batch {
	return &batch{make([]float32, n*inputs), make([]int, n*classes.Fan), make([]int, n*classes.Fan),
		make([]float32, n*sets)}
}

// fill takes parts of samples until the batch is full.
func (t *trainer) fill(b *batch, r *rand.Rand) {
	clear(b.target)
	var total float32
	for from := 0; from < t.Batch; {
		s := t.samples[t.pick(r)]
		rows := t.part(s, r, min(t.Part, t.Batch-from))
		total += t.place(b, s, rows, from, r)
		from += len(rows)
	}
	for i := range b.target {
		b.target[i] /= max(total, 1)
	}
}

// pick chooses a sample, in proportion to its weight and the root of its superpoints.
func (t *trainer) pick(r *rand.Rand) int {
	at, _ := slices.BinarySearch(t.cumulative, r.Float64()*t.cumulative[len(t.cumulative)-1])
	return min(at, len(t.samples)-1)
}

// part returns the superpoints nearest in plan to one of a sample.
func (t *trainer) part(s *classes.Sample, r *rand.Rand, most int) []int32 {
	n := s.Features.Len()
	centre := s.Features.Place[r.IntN(n)]
	distance := make([]float64, n)
	rows := make([]int32, n)
	for k, p := range s.Features.Place {
		dx, dy := p[0]-centre[0], p[1]-centre[1]
		distance[k] = dx*dx + dy*dy
		rows[k] = int32(k)
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(distance[a], distance[b]),
			cmp.Compare(a, b))
	})
	return rows[:min(n, most)]
}

// place writes a part into the batch and returns its weight.
func (t *trainer) place(b *batch, s *classes.Sample, rows []int32, from int, r *rand.Rand) (total float32) {
	inputs := t.model.Inputs()
	sets := len(t.sets)
	at := make(map[int32]int, len(rows))
	for i, k := range rows {
		at[k] = from + i
	}
	absent := t.absent(r)
	for i, k := range rows {
		x := b.x[(from+i)*inputs : (from+i+1)*inputs]
		t.model.Standard(s.Features, int(k), x)
		t.disturb(x, absent, r)
		for _, list := range []struct {
			to   []int
			rows []int32
		}{{b.touching, s.Graph.Touching}, {b.near, s.Graph.Near}} {
			for h, other := range list.rows[int(k)*classes.Fan : (int(k)+1)*classes.Fan] {
				to, ok := at[other]
				if !ok {
					to = from + i
				}
				list.to[(from+i)*classes.Fan+h] = to
			}
		}
		if len(t.all) == 1 && heldOut(s, int(k)) {
			continue
		}
		if w := weight(s, int(k), sets); w > 0 {
			total += w
			for c, v := range s.Label[int(k)*sets : (int(k)+1)*sets] {
				b.target[(from+i)*sets+c] = v / w // w² points
			}
		}
	}
	return total
}

// disturb removes absent features from the inputs of a superpoint and adds noise to the others. The second
// half of x marks features that are missing.
func (t *trainer) disturb(x []float32, absent []bool, r *rand.Rand) {
	half := len(x) / 2
	for f := range half {
		if absent[f] {
			x[f] = 0
			x[half+f] = 1
		} else if x[half+f] == 0 {
			x[f] += float32(r.NormFloat64() * t.Noise)
		}
	}
}

// optional are the prefixes of features that clouds may lack.
var optional = [][]string{{"echo_", "returns_"}, {"embedding"}}

// absent chooses features to take away, so that the network learns to do without.
func (t *trainer) absent(r *rand.Rand) []bool {
	gone := make([]bool, t.model.Inputs()/2)
	for _, prefixes := range optional {
		if r.Float64() >= t.Drop {
			continue
		}
		for f, name := range classes.FeatureNames(t.model.Card.Embedding.Dim) {
			if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
				gone[f] = true
			}
		}
	}
	return gone
}

// weight is how much a superpoint counts: large ones more, but not as much as
// their points, for a hundred small things teach more than one field.
func weight(s *classes.Sample, k, sets int) float32 {
	var points float32
	for _, v := range s.Label[k*sets : (k+1)*sets] {
		points += v
	}
	return float32(math.Sqrt(float64(points)))
}

// heldOutSide and heldOutShare say what is kept from training to measure
// confidence on: squares of this side in metres, one in this many.
const (
	heldOutSide  = 20
	heldOutShare = 10
)

// heldOut reports whether a superpoint lies in a square that is kept back.
func heldOut(s *classes.Sample, k int) bool {
	p := s.Features.Place[k]
	h := fnv.New32a()
	fmt.Fprint(h, s.Name, " ", math.Floor(p[0]/heldOutSide), " ", math.Floor(p[1]/heldOutSide))
	return h.Sum32()%heldOutShare == 0
}
