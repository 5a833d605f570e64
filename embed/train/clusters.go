// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/partition/rivals/softcluster"
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
