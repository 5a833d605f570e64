//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"superpoint/embed"
	"superpoint/partition"
)

// sizes are what the work of kernels depends on beside their arguments.
type sizes struct {
	k, columns, dim float64
	perEdge         float64 // edges a vertex
}

func sizesOf(c *embed.Card, p *partition.Problem) sizes {
	return sizes{k: float64(c.Inputs.Neighbors), columns: float64(len(c.Inputs.Point)), dim: float64(p.Dim),
		perEdge: float64(p.Graph.Edges()) / float64(p.Graph.Vertices())}
}

// work returns the multiplications and additions of a launch with so many
// threads, and the bytes that it has to read and write at least once.
func (s sizes) work(kernel string, threads float64) (flop, bytes float64) {
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
	case "refine_degree", "refine_rows", "refine_sort", "refine_border":
		return 0, 24 * s.perEdge * threads
	case "refine_wish":
		return 3 * s.dim * threads, (8 + 16*s.perEdge) * threads
	case "refine_grant", "refine_move":
		return 0, 8 * threads
	case "contract_edges":
		return 0, (4 + 24*s.perEdge) * threads
	case "contract_gather":
		return 0, 40 * threads
	case "contract_compact":
		return 0, 24 * threads
	case "contract_rename":
		return 0, 8 * threads
	}
	return 0, 0
}
