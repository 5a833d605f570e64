package train

import "superpoint/partition/thin"

// voxels leaves one point of every cube of side metres; 0 leaves all.
func (c *Columns) voxels(side float64) error {
	if side == 0 {
		return nil
	}
	return thin.Cubes(thin.Points{X: &c.X, Y: &c.Y, Z: &c.Z, Values: c.Dimensions}, side)
}
