package train

import (
	"fmt"
	"math"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/partition"
	"superpoint/partition/merge"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// judge measures models on a labelled cloud at given numbers of segments.
type judge struct {
	tile     *tile
	graph    *neighbor.Graph // that partitions are made on
	border   *neighbor.Graph // that boundaries are measured on, always the 5-nn graph
	position []float32
	truth    metrics.Truth
}

// borderKNN is the graph of boundary metrics, the paper's.
const borderKNN = 5

func newJudge(t *tile, knn int, run parallel.Run) (*judge, error) {
	j := &judge{tile: t, position: make([]float32, 3*t.cloud.Len())}
	var err error
	if j.graph, err = neighbor.Adjacency(t.lists, knn, run); err != nil {
		return nil, err
	}
	if j.border, err = neighbor.Adjacency(t.lists, borderKNN, run); err != nil {
		return nil, err
	}
	for i := range t.cloud.Len() {
		p := t.channels.Cloud().Position(uint32(i))
		copy(j.position[3*i:], []float32{float32(p.X), float32(p.Y), float32(p.Z)})
	}
	j.truth.Class = t.class
	if t.instance {
		j.truth.Object = t.class
	}
	return j, nil
}

// settings of a partition with a wanted number of segments.
type settings struct {
	sigma   float64 // edge decay
	alpha   float64 // spatial weight per metre
	minimum float64 // smallest size as a share of the wanted mean size
}

// partitioned is a partition with its λ̃ and metrics.
type partitioned struct {
	Strength float64 // λ̃
	metrics.Report
}

// at partitions an embedding into about points/target segments: λ̃ is found by
// bisection on its logarithm, to within 2 % of the number or 12 partitions.
func (j *judge) at(run parallel.Run, e []float32, dim, target int, s settings) (*partitioned, error) {
	contrast, err := partition.Contrast(j.graph, e, dim, s.sigma, run)
	if err != nil {
		return nil, err
	}
	values, width := spatial(e, dim, j.position, s.alpha)
	p := &partition.Problem{Graph: j.graph, Dim: width, Values: values, Contrast: contrast, MinSize: max(1, int(s.minimum*float64(target)))}
	want := float64(j.tile.cloud.Len()) / float64(target)
	low, high := math.Inf(-1), math.Inf(1) // brackets of ln λ̃
	guess, at := 0.0, 0.0
	var best *partition.Result
	for range 12 {
		p.Lambda = partition.Strength(j.graph, math.Exp(guess))
		r, err := merge.Solver{}.Solve(run, p)
		if err != nil {
			return nil, err
		}
		if best == nil || distance(r.Count, want) < distance(best.Count, want) {
			best, at = r, guess
		}
		if distance(best.Count, want) < 0.02 {
			break
		}
		if float64(r.Count) > want {
			low, guess = guess, min(guess+1, (guess+high)/2)
		} else {
			high, guess = guess, max(guess-1, (guess+low)/2)
		}
	}
	report, err := metrics.Evaluate(run, j.border, j.truth, best.Component, best.Count)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.tile.name, err)
	}
	return &partitioned{math.Exp(at), report}, nil
}

// distance compares a number of segments with the wanted one.
func distance(count int, want float64) float64 {
	return math.Abs(math.Log(float64(count) / want))
}

// score is what checkpoints are chosen by: the mean of OOA, weighted twice, of
// BR as coded and of BP.
func (c *partitioned) score() float64 {
	part := func(r metrics.Ratio) float64 {
		if math.IsNaN(float64(r)) {
			return 0
		}
		return float64(r)
	}
	return (2*part(c.OOA) + part(c.BRAsCoded) + part(c.BP)) / 4
}

// embedding runs a model on the tile as the filter does.
func (j *judge) embedding(run parallel.Run, m *embed.Model) ([]float32, error) {
	e, err := lpe.New(m)
	if err != nil {
		return nil, err
	}
	return e.Embed(run, j.tile.input)
}

// validate returns the mean score of a model over all tiles, and each.
func validate(run parallel.Run, judges []*judge, m *embed.Model, r *Recipe) (mean float64, cuts []*partitioned, err error) {
	for _, j := range judges {
		e, err := j.embedding(run, m)
		if err != nil {
			return 0, nil, err
		}
		c, err := j.at(run, e, m.Card.Dim(), r.Validation.Target, r.settings())
		if err != nil {
			return 0, nil, err
		}
		cuts = append(cuts, c)
		mean += c.score() / float64(len(judges))
	}
	return mean, cuts, nil
}

// minimumShare is the smallest segment as a share of the wanted mean size.
const minimumShare = 0.1

func (r *Recipe) settings() settings {
	return settings{sigma: r.Partition.EdgeDecay, alpha: r.spatial(), minimum: minimumShare}
}
