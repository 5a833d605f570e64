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
	FoliageClimb   int     `yaml:"foliage_climb,omitempty"` // steps, see climb; 0: points stay where they are

	// In a forest, a cloud that is foliage and nothing else:
	ForestDamping     float64 `yaml:"forest_damping,omitempty"`     // by how much embeddings count less still
	ForestClimb       int     `yaml:"forest_climb,omitempty"`       // steps; 0: those of foliage
	ForestFlattening  float64 `yaml:"forest_flattening,omitempty"`  // see Foliage
	ForestCompactness float64 `yaml:"forest_compactness,omitempty"` // see Foliage
	ForestMinShare    float64 `yaml:"forest_min_share,omitempty"`   // Partition's min_share; 0: that of all clouds
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
	case o.ForestClimb < 0 || o.ForestClimb > mostClimb:
		return &CardError{"partition.forest_climb", o.ForestClimb, "must be 0 (as foliage_climb) to 1000 steps; 192 is usual"}
	case !(o.ForestFlattening >= 0 && o.ForestFlattening <= 1):
		return &CardError{"partition.forest_flattening", o.ForestFlattening, "must be 0 (off) to 1; 0.5 is usual"}
	case !(o.ForestCompactness >= 0 && o.ForestCompactness <= 1):
		return &CardError{"partition.forest_compactness", o.ForestCompactness, "must be 0 (off) to 1; 0.2 is usual"}
	case !(o.ForestMinShare >= 0 && o.ForestMinShare <= 1):
		return &CardError{"partition.forest_min_share", o.ForestMinShare, "must be 0 (as min_share) to 1"}
	case o.ScatterDamping == 0 && (*o != FoliageOptions{}):
		return &CardError{"partition.scatter_damping", o.ScatterDamping,
			"must be above 0 for the other fields of foliage and forests, which go by it"}
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

	Forest      float32 // how much the cloud is foliage and nothing else, 0 to 1
	Flattening  float64 // by how much heights count less than distances on the map
	Compactness float64 // weight of where points are, beside that of where the drift takes them
	options     FoliageOptions
}

// EdgeDecay returns σ of the contrast. In a forest, where the embedding is noise, it
// grows until all edges have the same contrast.
func (f *Foliage) EdgeDecay(sigma float64) float64 {
	if f.options.ForestDamping == 0 {
		return sigma
	}
	return sigma / (1 - float64(f.Forest)) // infinite in a forest alone
}

// MinShare returns the share in a cloud that may be a forest, where it does not grow.
func (f *Foliage) MinShare(s MinShare) MinShare {
	if f.options.ForestMinShare != 0 {
		s.Share += float64(f.Forest) * (f.options.ForestMinShare - s.Share)
		s.Growth *= 1 - float64(f.Forest)
	}
	return s
}

// steps returns how long walks are.
func (o *FoliageOptions) steps(forest float32) int {
	if o.ForestClimb == 0 {
		return o.FoliageClimb
	}
	return o.FoliageClimb + int(math.Round(float64(forest)*float64(o.ForestClimb-o.FoliageClimb)))
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
	f = Foliage{Forest: forest, Flattening: o.ForestFlattening * float64(forest),
		Compactness: o.ForestCompactness * float64(forest), options: o}
	if steps := o.steps(forest); steps > 0 {
		if f.Drift, err = climb(run, cloud, next, degree, steps); err != nil {
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
func (f *Foliage) Climbed(run parallel.Run, degree []float32, next func(i uint32) [Links]uint32,
	sure []bool) ([]bool, error) {
	now, then := append([]bool(nil), sure...), make([]bool, len(sure))
	for range f.options.steps(f.Forest) {
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

// Scattering between which a point comes to be one of foliage: surfaces with the noise
// of their scanner are below the first, most points of crowns above the second.
const surfaceScattering, foliageScattering = 0.1, 0.3
