package embed

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// scatteringBlock is the number of points that a worker copies at a time.
const scatteringBlock = 1 << 14

// Scattering returns σ3/σ1 of the first k neighbours of every point, as the
// channel of that name: 0 on lines and surfaces, 1 where points fill space
// evenly.
func Scattering(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, k int) ([]float32, error) {
	card := &Card{Name: "scattering", Inputs: Channels{Neighbors: k, Point: []string{"scattering"}}}
	in, err := NewInputs(run, card, &Input{Cloud: cloud, Neighbors: lists})
	if err != nil {
		return nil, err
	}
	out := make([]float32, in.Len())
	return out, run.For(len(out), scatteringBlock, func(lo, hi int) { in.Column("scattering", lo, hi, out[lo:], 1) })
}

// Trust returns how much the embedding of every point counts in the partition:
// 1 on lines and surfaces, less where the first k neighbours are scattered in
// space, down to 1 − damping (Partition.ScatterDamping). There, in foliage as a
// rule, an embedding is mostly noise, and positions say better what belongs
// together. Scattering is that of the point and its neighbours on average: at an
// edge of a surface it is high too, but only there.
func Trust(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, k int, damping float64) ([]float32, error) {
	scattering, err := Scattering(run, cloud, lists, k)
	if err != nil {
		return nil, err
	}
	trust := make([]float32, len(scattering))
	k = min(k, lists.K)
	return trust, run.For(len(trust), scatteringBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			mean := scattering[i]
			for _, j := range lists.Of(i)[:k] {
				mean += scattering[j]
			}
			mean /= float32(1 + k)
			part := (mean - surfaceScattering) / (foliageScattering - surfaceScattering)
			trust[i] = 1 - float32(damping)*max(0, min(1, part))
		}
	})
}

// Scattering between which the trust in an embedding falls: surfaces with the
// noise of their scanner are below the first, most points of crowns above the
// second.
const (
	surfaceScattering = 0.1
	foliageScattering = 0.3
)
