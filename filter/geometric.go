package filter

import (
	"superpoint/embed"
	"superpoint/partition/parallel"
)

// newGeometricModel returns the hand-crafted features of Geom-graph: linearity,
// planarity and scattering (Demantké et al. 2011,
// doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011), verticality and elevation
// (Guinard and Landrieu 2017, doi:10.5194/isprs-archives-XLII-1-W1-151-2017).
func newGeometricModel(knn int) *model {
	settings := embed.DefaultPartition()
	settings.SpatialWeight = 0.02
	return &model{
		name: geometricModel, neighbors: knn, settings: settings,
		embedder: &geometricEmbedder{embed.Card{Inputs: embed.Channels{
			Neighbors: knn, Neighbor: []string{"x", "y", "z"},
			Point: []string{"linearity", "planarity", "scattering", "verticality", "elevation"},
		}}},
	}
}

// elevationScale is the height in metres that counts as much as a full change
// of any other feature.
const elevationScale = 20

type geometricEmbedder struct{ card embed.Card }

func (g *geometricEmbedder) Dim() int { return len(g.card.Inputs.Point) }

// Embed implements embed.Embedder.
func (g *geometricEmbedder) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.NewInputs(run, &g.card, in)
	if err != nil {
		return nil, err
	}
	m := g.Dim()
	out := make([]float32, inputs.Len()*m)
	err = run.For(inputs.Len(), grain, func(lo, hi int) {
		set := make([]float32, inputs.Neighbors*inputs.NeighborChannels)
		for i := lo; i < hi; i++ {
			row := out[i*m : (i+1)*m]
			inputs.Gather(i, set, row)
			row[m-1] /= elevationScale
		}
	})
	return out, err
}
