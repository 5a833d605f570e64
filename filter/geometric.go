package filter

import (
	"fmt"

	"superpoint/embed/geometric"
)

// newGeometricModel returns the hand-crafted features of Geom-graph over
// neighbourhoods of knn points.
func newGeometricModel(knn int) (*model, error) {
	e, err := geometric.New(knn)
	if err != nil {
		return nil, fmt.Errorf("option knn: %w", err)
	}
	return &model{name: geometricModel, neighbors: knn, settings: e.Partition(), embedder: e}, nil
}
