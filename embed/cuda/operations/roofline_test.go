//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"superpoint/embed"
	"superpoint/partition"
)

// sizes are what the work of kernels depends on beside their arguments.
type sizes struct {
	k, columns, dim  float64
	perEdge          float64 // edges a vertex
	channels, points float64 // a neighbour's and a point's
	st, lpe          [2]float64
}

func sizesOf(c *embed.Card, p *partition.Problem) sizes {
	s := sizes{k: float64(c.Inputs.Neighbors), dim: float64(p.Dim),
		perEdge: float64(p.Graph.Edges()) / float64(p.Graph.Vertices())}
	s.channels, s.points = float64(len(c.Inputs.Neighbor)), float64(len(c.Inputs.Point))
	s.columns = s.points
	s.st = [2]float64{float64(c.Network.ST.Conv[0]), float64(c.Network.ST.Conv[1])}
	s.lpe = [2]float64{float64(c.Network.LPE.Conv[0]), float64(c.Network.LPE.Conv[1])}
	return s
}

// work returns the multiplications and additions of a launch with so many
// threads, and the bytes that it has to read and write at least once.
func (s sizes) work(kernel string, threads float64, arguments []uint64) (flop, bytes float64) {
	arg := func(i int) float64 { return float64(arguments[i]) }
	switch kernel {
	case "knn_count":
		return 0, 16 * threads
	case "knn_fill":
		return 0, 20 * threads
	case "knn_search":
		return 0, (12 + 4*s.k) * threads
	case "knn_rows":
		return 0, 8 * threads
	case "scan_blocks", "scan_add": // eight numbers a thread
		return 0, 64 * threads
	case "lpe_embed", "lpe_embed_wide": // the paper's network: 108 kFLOP a point
		return 108e3 * threads, (12 + 4*s.columns + 4*s.k + 4*s.dim) * threads
	case "edge_contrast":
		return 3 * s.dim * s.perEdge * threads, (4 + 4*s.dim + 8*s.perEdge) * threads
	case "coarsen_gains":
		return 3 * s.dim * threads, 24 * threads
	case "coarsen_choose":
		return 0, 12 * threads
	case "coarsen_pair", "coarsen_take":
		return 2 * s.dim * threads, (40 + 8*s.dim) * threads
	case "coarsen_follow", "coarsen_accept":
		return 0, 20 * threads
	case "coarsen_fresh", "coarsen_mark":
		return 0, 12 * threads
	case "coarsen_order":
		return 0, (24 + 8*s.dim) * threads
	case "refine_degree", "refine_rows", "refine_border":
		return 0, 24 * s.perEdge * threads
	case "refine_wish":
		return 3 * s.dim * threads, (8 + 16*s.perEdge) * threads
	case "refine_grant", "refine_move":
		return 0, 8 * threads
	case "contract_edges":
		return 0, (4 + 24*s.perEdge) * threads
	case "merge_best":
		return 3 * s.dim * threads, 16 * threads
	case "merge_pair":
		return 0, 12 * threads
	case "merge_join":
		return 0, (20 + 6*s.dim) * threads
	case "contract_gather":
		return 0, 40 * threads
	case "contract_compact":
		return 0, 24 * threads
	case "contract_rename":
		return 0, 8 * threads
	case "gemm":
		rows, columns, depth := arg(6), arg(7), arg(8)
		parts := (depth + arg(9) - 1) / arg(9)
		return 2 * rows * columns * depth, 4 * (rows*depth + depth*columns + rows*columns*parts)
	case "sum_blocks":
		return arg(1) * arg(2), 4*arg(1)*arg(2) + 8*arg(2)
	case "dense_moments":
		return 5 * arg(1) * arg(2), 4 * arg(1) * arg(2)
	case "dense_relu", "dense_sums", "dense_apply":
		return 3 * threads, 12 * threads
	case "omega_of", "omega_gradient", "join_channels":
		return threads, 8 * threads
	case "unit_length", "unit_back":
		return 4 * s.dim * threads, 12 * s.dim * threads
	case "loss_edges":
		return 12 * s.perEdge * threads, (4 + 4*s.dim + 21*s.perEdge) * threads
	case "loss_sum":
		return 16 * threads, 128 * threads
	case "loss_gradient":
		return 6 * s.perEdge * threads, (8 + 16*s.perEdge/s.dim) * threads
	}
	return s.setWork(kernel, arguments)
}

// setWork is work of the kernels on every neighbour.
func (s sizes) setWork(kernel string, arguments []uint64) (flop, bytes float64) {
	c, in, points := s.st, 2.0, float64(arguments[2])
	if arguments[1] != 0 { // with Ω: not the spatial transform's own
		c, in = s.lpe, s.channels
	}
	hidden := 2 * s.k * in * c[0]
	rows := 4 * s.k * s.channels
	switch kernel {
	case "set_moments":
		if arguments[4] == 0 {
			return 2 * s.k * (in + in*in) * points, rows * points
		}
		return (hidden + 2*s.k*(c[0]+c[0]*c[0])) * points, rows * points
	case "set_max":
		return (hidden + 2*s.k*c[0]*c[1]) * points, (rows + 5*c[1]) * points
	case "set_sparse":
		return (hidden + 2*c[0]*c[1]) * points, (rows + 9*c[1]) * points
	case "set_back":
		return (hidden + 2*s.k*c[0]*(c[0]+in+3) + 2*c[0]*c[1]) * points, (rows + 9*c[1] + 8*c[0]) * points
	case "set_omega":
		return (8*c[0] + s.k*(4*in+8)) * points, (rows + 8*c[0] + 32) * points
	}
	return 0, 0
}
