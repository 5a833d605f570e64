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
