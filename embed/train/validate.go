// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
	"superpoint/partition/rivals/softcluster"
)

// validator measures models on a labelled cloud at given numbers of segments.
type validator struct {
	labelled *labelled
	graph    *neighbor.Graph // that partitions are made on
	border   *neighbor.Graph // that boundaries are measured on, always the 5-nn graph
	truth    metrics.Truth
}

// borderKNN is the graph of boundary metrics, the paper's.
const borderKNN = 5

func newValidator(t *labelled, how neighbor.GraphOptions, run parallel.Run) (*validator, error) {
	j := &validator{labelled: t}
	var err error
	if j.graph, _, err = neighbor.NewGraph(t.cloud, t.lists, how, run); err != nil {
		return nil, err
	}
	if j.border, err = neighbor.Adjacency(t.lists, borderKNN, run); err != nil {
		return nil, err
	}
	j.truth.Class = t.class
	if t.instance {
		j.truth.Object = t.class
	}
	return j, nil
}

// at partitions an embedding into superpoints of target points on average, by the
// method that belongs to the loss, and measures them.
func (j *validator) at(run parallel.Run, e []float32, dim int, target int, r *Recipe) (report metrics.Report,
	err error) {
	divide := j.cut
	if r.Loss.Kind == lossClusters {
		divide = j.cluster
	}
	component, count, err := divide(run, e, dim, target, r)
	if err != nil {
		return report, err
	}
	if report, err = metrics.Evaluate(run, j.border, j.truth, component, count); err != nil {
		err = fmt.Errorf("%s: %w", j.labelled.name, err)
	}
	return report, err
}

// cluster is SSP-cluster.
func (j *validator) cluster(run parallel.Run, e []float32, dim int, target int,
	r *Recipe) (component []uint32,
	count int, err error) {
	o := softcluster.Defaults()
	o.TargetSize = float64(target)
	o.Embedding, o.Spatial = r.Loss.Clusters.Embedding, r.Loss.Clusters.Spatial
	in := softcluster.Input{Cloud: j.labelled.cloud, Graph: j.graph, Embedding: e, Dim: dim}
	s, err := softcluster.Segment(run, in, o)
	if err != nil {
		return nil, 0, err
	}
	return s.Component, s.Count, nil
}

// cut solves the partition problem.
func (j *validator) cut(run parallel.Run, e []float32, dim int, target int,
	r *Recipe) (component []uint32, count int, err error) {
	t := problem.Terms{Embedding: e, Dim: dim, EdgeDecay: r.Partition.EdgeDecay,
		Weight: r.spatial() * j.labelled.channels.Scale(), Position: j.labelled.cloud.Position}
	if t.Scattering = j.labelled.input.Scattering; r.Partition.Volume != nil {
		t.DampingOf, t.WeightOf = r.Partition.Volume.Ramps()
	}
	p, err := problem.Build(run, j.graph, t)
	if err != nil {
		return nil, 0, err
	}
	p.MinSize = embed.SmallestOf(r.Partition.MinShare, float64(target))
	best, err := problem.SearchTarget(run, local.Solver{}, p, float64(target), nil)
	if err != nil {
		return nil, 0, err
	}
	return best.Component, best.Count, nil
}

// score is what checkpoints are chosen by: the mean of OOA, weighted twice, of
// BR as coded and of BP; of those that are not defined 0.
func score(r *metrics.Report) float64 {
	return (2*r.OOA.Known() + r.BRAsCoded.Known() + r.BP.Known()) / 4
}

// embedding runs a model on the cloud as the filter does.
func (j *validator) embedding(run parallel.Run, m *embed.Model) ([]float32, error) {
	e, err := lpe.New(m)
	if err != nil {
		return nil, err
	}
	if in := j.labelled.input; m.Card.Partition.Volume != nil && in.Scattering == nil {
		in.Scattering = make([]float32, in.Cloud.Len())
	}
	return e.Embed(run, j.labelled.input)
}

// validate returns the mean score of a model over all clouds, and each.
func validate(run parallel.Run, validators []*validator, m *embed.Model, r *Recipe) (mean float64,
	reports []metrics.Report, err error) {
	for _, j := range validators {
		e, err := j.embedding(run, m)
		if err != nil {
			return 0, nil, err
		}
		c, err := j.at(run, e, m.Card.Dim(), r.Validation.Target, r)
		if err != nil {
			return 0, nil, err
		}
		reports = append(reports, c)
		mean += score(&c) / float64(len(validators))
	}
	return mean, reports, nil
}
