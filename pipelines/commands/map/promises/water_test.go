// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/testdata/must"
)

// TestBodyAround: of bodies whose boxes overlap, the one in which a cell lies, in any order of the bodies.
func TestBodyAround(t *testing.T) {
	bend := `POLYGON((0 0,30 0,30 4,4 4,4 30,0 30,0 0))`
	pond := `POLYGON((10 10,20 10,20 20,10 20,10 10))`
	far := `POLYGON((100 0,110 0,110 10,100 10,100 0))`
	for _, order := range [][]string{{bend, pond, far}, {pond, bend, far}, {far, pond, bend}} {
		l := &water{}
		number := map[string]int{"outside": outside, "shore": nearShore}
		for k, text := range order {
			shape := must.Get(geom.UnmarshalWKT(text))(t)
			l.bodies = append(l.bodies, object{shape: shape, rings: ringsOf(shape)})
			number[text] = k
		}
		l.index = boundsIndex(l.bodies)
		for want, at := range map[string]geom.XY{bend: {X: 2, Y: 2}, pond: {X: 15, Y: 15},
			"shore": {X: 10, Y: 15}, "outside": {X: 7, Y: 7}} {
			must.Equal(t, l.bodyAround(at, 1), number[want], "body at %v of %q", at, order)
		}
	}
}
