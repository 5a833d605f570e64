// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/softcluster"
)

// Kinds of loss: the paper's, and that of SSP-cluster.
const (
	lossContrastive = "contrastive"
	lossClusters    = "clusters"
)

// clusterLoss returns the loss of SSP-cluster of a batch, the mean over its points,
// and sets the gradient by the embedding. Pieces of different files, whose
// positions have nothing to do with each other, are clustered apart.
func clusterLoss(run parallel.Run, o *softcluster.Objective, b *batch, e []float32, dim int,
	gradient []float32) (loss float64, count int, err error) {
	clear(gradient)
	from := 0
	for _, to := range b.ends {
		label, labels := own(b.object[from:to])
		share := float64(to-from) / float64(b.Points)
		part, err := softcluster.Value(run, o, b.cloud(from, to), e[from*dim:to*dim], dim, label,
			labels, share,
			gradient[from*dim:to*dim])
		if err != nil {
			return 0, 0, err
		}
		loss += share * part
		count += int(math.Round(float64(to-from) / o.Size))
		from = to
	}
	return loss, count, nil
}

// own numbers the objects of some points from 0; −1 is none.
func own(object []uint32) (label []int32, labels int) {
	object = dense(append([]uint32(nil), object...))
	label = make([]int32, len(object))
	for i, o := range object {
		label[i] = -1
		if o != arrays.None {
			label[i] = int32(o)
			labels = max(labels, int(o)+1)
		}
	}
	return label, labels
}

// clusterUnit is the step of positions in clusters, in metres as the network reads
// them.
const clusterUnit = 1e-4

// cloud is some points of the batch as a cloud without neighbours.
func (b *batch) cloud(from, to int) *neighbor.Cloud {
	c := &neighbor.Cloud{Unit: clusterUnit, XYZ: make([][3]int32, to-from)}
	for i := range c.XYZ {
		for a := range 3 {
			c.XYZ[i][a] = int32(math.Round(float64(b.position[3*(from+i)+a]) / clusterUnit))
		}
	}
	return c
}
