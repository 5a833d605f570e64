package embed

import (
	"math"

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
	degree, err := Degree(run, cloud, lists, k)
	if err != nil {
		return f, err
	}
	k = min(k, lists.K)
	next := func(i uint32) [Links]uint32 { return LinksOf(lists.Of(int(i))[:k]) }
	return FoliageOf(run, cloud, degree, next, ForestOf(SumDegree(degree), len(degree)), o)
}

// FoliageOf is NewFoliage with the degree of foliage of every point, the points that
// walks go to, and how much the cloud is foliage and nothing else.
func FoliageOf(run parallel.Run, cloud *neighbor.Cloud, degree []float32, next func(i uint32) [Links]uint32,
	forest float32, o FoliageOptions) (f Foliage, err error) {
	if o.FoliageClimb > 0 {
		if f.Drift, err = climb(run, cloud, next, degree, o.FoliageClimb); err != nil {
			return f, err
		}
	}
	everywhere := 1 - float32(o.ForestDamping)*forest
	f.Trust = make([]float32, len(degree))
	return f, run.For(len(degree), scatteringBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f.Trust[i] = everywhere * (1 - float32(o.ScatterDamping)*degree[i])
		}
	})
}

// Climbed tells of which points the drift is that of a whole, of which the cloud is
// a part, if sure tells it of their degree of foliage and the points that walks go to:
// of those of foliage where no walk leads to a point that is not sure.
func Climbed(run parallel.Run, degree []float32, next func(i uint32) [Links]uint32, o FoliageOptions,
	sure []bool) ([]bool, error) {
	now, then := append([]bool(nil), sure...), make([]bool, len(sure))
	for range o.FoliageClimb {
		err := run.For(len(now), climbBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				then[i] = now[i]
				if !now[i] || degree[i] == 0 {
					continue
				}
				for _, j := range next(uint32(i)) {
					then[i] = then[i] && now[j]
				}
			}
		})
		if err != nil {
			return nil, err
		}
		now, then = then, now
	}
	return now, nil
}

// Degree returns how far every point is in foliage, 0 to 1, by the mean
// scattering of the point and its first k neighbours: at an edge of a surface it is
// high too, but only there.
func Degree(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, k int) ([]float32, error) {
	k = min(k, lists.K)
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

// SumDegree adds up degrees of foliage in whole numbers, so that the sum over a
// survey is that over its tiles.
func SumDegree(degree []float32) (sum int64) {
	for _, d := range degree {
		sum += int64(math.Round(float64(d) * degreeSteps))
	}
	return sum
}

// degreeSteps is the number of steps to 1 of a degree in a sum: with 2³⁵ points it
// does not overflow.
const degreeSteps = 1 << 27

// ForestOf returns how much a cloud is foliage and nothing else, 0 to 1, by the sum
// of its points' degrees: single trees that somebody cut free, where the only objects
// are crowns. Clouds that have ground, roofs or walls have at most 0.85 of it, cut
// trees 0.97 and more.
func ForestOf(sum int64, points int) float32 {
	return ramp(float32(float64(sum)/degreeSteps/float64(max(1, points))), mixedShare, forestShare)
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
