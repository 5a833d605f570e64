package contrastive

import (
	"testing"

	"superpoint/partition/neighbor"
)

// Figure3 is the graph of the paper's figure and its objects.
func Figure3(t *testing.T) (g *neighbor.Graph, object []uint32) {
	g, object, _, _ = figure3(t)
	return g, object
}
