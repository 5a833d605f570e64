package embed

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// FoliageOptions are the fields of a card that say what is done where points are
// scattered in space, in foliage as a rule. There an embedding is mostly noise,
// and positions say better what belongs together.
type FoliageOptions struct {
	// by how much embeddings count less there; 0: all points are treated alike
	ScatterDamping float64 `yaml:"scatter_damping,omitempty"`
	// by how much less still in a cloud that is foliage and nothing else
	ForestDamping float64 `yaml:"forest_damping,omitempty"`
	FoliageClimb  int     `yaml:"foliage_climb,omitempty"` // steps, see climb; 0: points stay where they are
}

const (
	mostDamping = 0.95 // leaves an embedding enough weight to be cut by
	mostClimb   = 1000
)

func (o *FoliageOptions) validate() error {
	switch {
	case !(o.ScatterDamping >= 0 && o.ScatterDamping <= mostDamping):
		return &CardError{"partition.scatter_damping", o.ScatterDamping, "must be 0 (off) to 0.95; 0.7 is usual"}
	case !(o.ForestDamping >= 0 && o.ForestDamping <= mostDamping):
		return &CardError{"partition.forest_damping", o.ForestDamping, "must be 0 (off) to 0.95"}
	case o.FoliageClimb < 0 || o.FoliageClimb > mostClimb:
		return &CardError{"partition.foliage_climb", o.FoliageClimb, "must be 0 (off) to 1000 steps; 24 is usual"}
	case o.ScatterDamping == 0 && (o.ForestDamping > 0 || o.FoliageClimb > 0):
		return &CardError{"partition.scatter_damping", o.ScatterDamping,
			"must be above 0 for forest_damping and foliage_climb, which go by it"}
	}
	return nil
}

// Foliage says how the points of a cloud take part in the partition. Both are
// nil for a model that treats all points alike.
type Foliage struct {
	// |V|: how much the embedding of a point counts, 1 on lines and surfaces, less
	// in foliage, down to 1 − ScatterDamping
	Trust []float32
	// |V| × 3, metres: from a point to the place that it has in the partition, see
	// climb; nil without FoliageClimb
	Drift []float32
}

// NewFoliage looks at the first k neighbours of every point.
func NewFoliage(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, k int, o FoliageOptions) (f Foliage,
	err error) {
	if o.ScatterDamping == 0 || lists == nil || lists.K == 0 {
		return f, nil
	}
	k = min(k, lists.K)
	degree, err := foliage(run, cloud, lists, k)
	if err != nil {
		return f, err
	}
	if o.FoliageClimb > 0 {
		if f.Drift, err = climb(run, cloud, lists, k, degree, o.FoliageClimb); err != nil {
			return f, err
		}
	}
	everywhere := 1 - float32(o.ForestDamping)*forest(degree)
	f.Trust = degree
	return f, run.For(len(degree), scatteringBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f.Trust[i] = everywhere * (1 - float32(o.ScatterDamping)*degree[i])
		}
	})
}

// Sure tells of which points trust and drift are those of a whole, of which the
// cloud is a part, if sure tells it of the degree of foliage: of those of foliage
// where no walk leads to a point that is not sure. What ForestDamping does is for
// the whole to say.
func (f *Foliage) Sure(run parallel.Run, lists *neighbor.Lists, k int, o FoliageOptions, sure []bool) ([]bool, error) {
	now := append([]bool(nil), sure...)
	if f.Drift == nil {
		return now, nil
	}
	next := make([]bool, len(now))
	for range o.FoliageClimb {
		err := run.For(len(now), climbBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				next[i] = now[i]
				for c := 0; c < climbLinks && next[i] && f.Trust[i] < 1; c++ {
					next[i] = now[link(lists.Of(i)[:min(k, lists.K)], c)]
				}
			}
		})
		if err != nil {
			return nil, err
		}
		now, next = next, now
	}
	return now, nil
}

// foliage returns how far every point is in foliage, 0 to 1, by the mean
// scattering of the point and its neighbours: at an edge of a surface it is high
// too, but only there.
func foliage(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, k int) ([]float32, error) {
	scattering, err := Scattering(run, cloud, lists, k)
	if err != nil {
		return nil, err
	}
	degree := make([]float32, len(scattering))
	return degree, run.For(len(degree), scatteringBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			mean := scattering[i]
			for _, j := range lists.Of(i)[:k] {
				mean += scattering[j]
			}
			mean /= float32(1 + k)
			degree[i] = ramp(mean, surfaceScattering, foliageScattering)
		}
	})
}

// forest returns how much a cloud is foliage and nothing else, 0 to 1: single
// trees that somebody cut free, where the only objects are crowns. Clouds that
// have ground, roofs or walls have at most 0.85 of it, cut trees 0.97 and more.
func forest(degree []float32) float32 {
	sum := 0.0
	for _, d := range degree {
		sum += float64(d)
	}
	return ramp(float32(sum/float64(max(1, len(degree)))), mixedShare, forestShare)
}

// ramp rises from 0 at lo to 1 at hi.
func ramp(x, lo, hi float32) float32 {
	return max(0, min(1, (x-lo)/(hi-lo)))
}

const (
	// Scattering between which a point comes to be one of foliage: surfaces with the
	// noise of their scanner are below the first, most points of crowns above the
	// second.
	surfaceScattering, foliageScattering = 0.1, 0.3
	// Mean degree of foliage between which a cloud comes to be one of trees alone.
	mixedShare, forestShare = 0.88, 0.96
)
