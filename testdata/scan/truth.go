// SPDX-License-Identifier: BSD-3-Clause

package scan

import "superpoint/testdata/las"

// The dimensions of true classes and objects of a scan that is as from a supplier.
const TrueClass, TrueObject = "TrueClass", "TrueObject"

// SetTruthApart moves classes and objects to dimensions of their own: the points have class 0, never classified,
// and flight line 1.
func SetTruthApart(p *las.Points) {
	class, object := make([]float64, p.Len()), make([]float64, p.Len())
	for i := range class {
		class[i], object[i] = float64(p.Classification[i]), float64(p.PointSourceID[i])
		p.Classification[i], p.PointSourceID[i] = 0, 1
	}
	p.Extra = map[string][]float64{TrueClass: class, TrueObject: object}
}
