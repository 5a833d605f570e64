//go:build !cgo || !amd64

package partition

import "superpoint/partition/neighbor"

// contrasts writes the contrasts of the edges of the vertices from lo to hi−1.
func contrasts(contrast []float32, g *neighbor.Graph, t *Terms, lo, hi int) {
	plainContrasts(contrast, g, t, lo, hi)
}
