// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scenes"
)

// plane is an endless floor at height 2 with, if wall is set, a wall 3 m high at
// x = 10 of every block.
type plane struct{ wall, indoor bool }

func (p plane) Size() (dx, dy float64)           { return 30, 30 }
func (p plane) Indoor() bool                     { return p.indoor }
func (p plane) Station(n int) (x, y, z float64)  { return 5 + 30*float64(n), 15, 3.5 }
func corner(x, y, z float32) [3]float32          { return [3]float32{x, y, z} }
func pair(a, b, c, d [3]float32) [][3][3]float32 { return [][3][3]float32{{a, b, c}, {a, c, d}} }
func part(class uint8, object uint16) scenes.Part {
	return scenes.Part{Class: class, Material: scenes.Plaster, Object: object}
}
func (p plane) Block(i, j int) *scenes.Block {
	m := &scenes.Mesh{Parts: []scenes.Part{part(scenes.Ground, 1), part(scenes.Building, scenes.FirstLocal)}}
	m.Triangles = pair(corner(0, 0, 2), corner(30, 0, 2), corner(30, 30, 2), corner(0, 30, 2))
	m.Of = []uint16{0, 0}
	if p.wall {
		m.Triangles = append(m.Triangles, pair(corner(10, 0, 2), corner(10, 30, 2), corner(10, 30, 5), corner(10, 0, 5))...)
		m.Of = append(m.Of, 1, 1)
	}
	return &scenes.Block{Mesh: m, Locals: 1}
}

func cloud(t testing.TB, s scenes.Scene, o Options, threads int) *las.Points {
	t.Helper()
	return must.Get(Cloud(parallel.Run{Threads: threads}, s, o))(t)
}

func TestAerialOverPlane(t *testing.T) {
	p := cloud(t, plane{}, Options{Mode: Aerial, Points: 30_000, Noise: -1, Density: 10}, 2)
	if p.Len() != 30_000 {
		t.Errorf("%d points, want 30000", p.Len())
	}
	var low, high [2]float64
	for i := range p.X {
		if math.Abs(p.Z[i]-2) > 1e-4 {
			t.Fatalf("point %d at height %g of a plane at 2 without noise", i, p.Z[i])
		}
		if p.Classification[i] != scenes.Ground || p.PointSourceID[i] != 1 || p.ReturnNumber[i] != 1 ||
			p.NumberOfReturns[i] != 1 {
			t.Fatalf("point %d: class %d, object %d, return %d of %d", i, p.Classification[i], p.PointSourceID[i],
				p.ReturnNumber[i], p.NumberOfReturns[i])
		}
		for k, v := range [2]float64{p.X[i], p.Y[i]} {
			if i == 0 {
				low[k], high[k] = v, v
			}
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	density := 30_000 / (high[0] - low[0]) / (high[1] - low[1])
	if density < 6 || density > 15 {
		t.Errorf("%.1f points a square metre, asked for 10", density)
	}
}

func TestNoiseHasItsSize(t *testing.T) {
	p := cloud(t, plane{}, Options{Mode: Aerial, Points: 30_000}, 2)
	var sum, square, n float64
	for i, z := range p.Z {
		if p.Classification[i] == scenes.Ground {
			sum, square, n = sum+z, square+z*z, n+1
		}
	}
	mean := sum / n
	sigma := math.Sqrt(square/n - mean*mean)
	// 12 mm of the range and the roughness, 15 mm between strips
	if math.Abs(mean-2) > .06 || sigma < .008 || sigma > .05 {
		t.Errorf("heights %.3f ± %.3f m, want about 2 ± 0.02", mean, sigma)
	}
}

func TestWallHidesWhatIsBehind(t *testing.T) {
	p := cloud(t, plane{wall: true, indoor: true}, Options{Mode: Terrestrial, Points: 10_000, Noise: -1}, 1)
	walls := 0
	for i := range p.X {
		if p.X[i] > 10.001 && p.Z[i] < 2.5 {
			t.Fatalf("point %d at (%g, %g, %g) is behind the wall at x = 10", i, p.X[i], p.Y[i], p.Z[i])
		}
		if p.Classification[i] == scenes.Building {
			walls++
			if math.Abs(p.X[i]-10) > 1e-3 {
				t.Fatalf("point %d of the wall is at x = %g", i, p.X[i])
			}
		}
	}
	if walls < 1000 {
		t.Errorf("%d points of %d on a wall 5 m away", walls, p.Len())
	}
}
