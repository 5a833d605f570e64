// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"
	"testing"

	"superpoint/testdata/must"
)

// TestWater checks that water is level, that nothing else is in it but bridges above it, that
// bridges leave the water's sides open, and that blocks meet.
func TestWater(t *testing.T) {
	for _, name := range []string{"village", "field", "street", "forest"} {
		s := must.Get(New(name, Options{Seed: 4, Detail: .05, Water: true}))(t).(*shore)
		dx, dy := s.Size()
		heights, classes := map[[2]float32]float32{}, map[uint8]int{}
		for k := range 16 {
			i, j := k%4, k/4
			b := s.Block(i, j)
			if b.Locals > Locals(s) {
				t.Errorf("%s: %d objects, room is for %d", name, b.Locals, Locals(s))
			}
			for k, tr := range b.Mesh.Triangles {
				class := b.Mesh.Parts[b.Mesh.Of[k]].Class
				classes[class]++
				for _, p := range tr {
					x, y := float64(i)*dx+float64(p[0]), float64(j)*dy+float64(p[1])
					d, bridge := s.distance(x, y)
					above := float64(p[2]) - s.level
					switch {
					case class == WaterClass && (d >= 0 || math.Abs(above) > 1e-4):
						t.Fatalf("%s: water %g m from the shore, %g m above its level", name, d, above)
					case class == Bridge && above < .999 && d < s.bank && bridge:
						t.Fatalf("%s: a bridge %g m above the water", name, above)
					case class != Ground && class != WaterClass && class != Bridge && class != WireClass && d < s.bank:
						t.Fatalf("%s: class %d %g m from the shore", name, class, d)
					}
					if class != Ground && class != WaterClass && class != Bridge {
						continue
					}
					at := [2]float32{float32(x), float32(y)}
					if z, ok := heights[at]; ok && math.Abs(float64(z-p[2])) > 1e-3 {
						t.Fatalf("%s: at %v are heights %g and %g", name, at, z, p[2])
					}
					heights[at] = p[2]
				}
			}
		}
		for _, class := range []uint8{Ground, WaterClass, Bridge} {
			if classes[class] == 0 {
				t.Errorf("%s: no class %d", name, class)
			}
		}
	}
}
