package models

import (
	"fmt"

	"superpoint/embed/geometric"
)

// geometricSpacingWeight is α times the point spacing for hand-crafted features.
// It is the paper's 0.02 per metre for aerial lidar of 7 points a square metre,
// and holds for rooms with a point a centimetre, whose undersegmentation error
// it halves.
const geometricSpacingWeight = 0.008

// newGeometric returns the hand-crafted features of Geom-graph over
// neighbourhoods of knn points.
func newGeometric(knn int) (*Model, error) {
	e, err := geometric.New(knn)
	if err != nil {
		return nil, fmt.Errorf("option knn: %w", err)
	}
	settings := e.Partition()
	settings.SpacingWeight = geometricSpacingWeight
	return &Model{Name: Geometric, Neighbors: knn, Settings: settings, Embedder: e}, nil
}
