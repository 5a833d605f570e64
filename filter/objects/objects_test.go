package objects

import (
	"fmt"
	"math"
	"testing"

	"superpoint/filter/planar"
	"superpoint/partition/parallel"
)

// field is made of points, a metre's cell each, by superpoints.
type field struct{ Points }

// add adds a square of points of height z(x, y).
func (f *field) add(owner int32, kind Kind, x0, y0, n int64, z func(x, y float64) float64) {
	for int(owner) >= len(f.Kind) {
		f.Kind = append(f.Kind, Other)
	}
	f.Kind[owner] = kind
	for x := x0; x < x0+n; x++ {
		for y := y0; y < y0+n; y++ {
			f.Cell = append(f.Cell, planar.Cell{Column: x, Row: y})
			f.Z = append(f.Z, z(float64(x), float64(y)))
			f.Owner = append(f.Owner, owner)
		}
	}
}

func level(z float64) func(x, y float64) float64 { return func(_, _ float64) float64 { return z } }

// cone is a crown of a top's height at a place.
func cone(x0, y0, top float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return top - math.Hypot(x-x0, y-y0) }
}

func (f *field) find(t *testing.T, s Settings) *Found {
	t.Helper()
	f.Side = 1
	found, err := Find(parallel.Run{}, &f.Points, s)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestBuildingsByHand has two roofs corner to corner, one apart, a shed that is too
// small and a terrace that is too low.
func TestBuildingsByHand(t *testing.T) {
	f := &field{}
	f.add(0, Ground, -50, -50, 100, level(100))
	f.add(1, Building, -20, -20, 8, level(106))
	f.add(2, Building, -12, -12, 8, level(108))
	f.add(3, Building, 10, 10, 6, level(104))
	f.add(4, Building, 30, 30, 2, level(104))
	f.add(5, Building, 30, -30, 8, level(101))
	found := f.find(t, DefaultSettings())
	if len(found.Buildings) != 2 || len(found.Trees) != 0 {
		t.Fatalf("%d buildings, %d trees", len(found.Buildings), len(found.Trees))
	}
	a, b := found.Buildings[0], found.Buildings[1]
	if a.Superpoints != 2 || len(a.Points) != 128 || a.Height != 8 || a.Ground != 100 || math.Abs(a.Area-128) > 8 {
		t.Errorf("%d superpoints, %d points, height %v over %v, %v m²", a.Superpoints, len(a.Points), a.Height, a.Ground,
			a.Area)
	}
	if b.Superpoints != 1 || b.Height != 4 || math.Abs(b.Area-36) > 2 || len(b.Outline) != 1 {
		t.Errorf("%d superpoints, height %v, %v m²", b.Superpoints, b.Height, b.Area)
	}
	if got := fmt.Sprint(b.Outline[0]); got != "[[[67 67] [73 67] [73 73] [67 73]]]" || found.Origin.Column != -57 {
		t.Errorf("its outline is %s from %v", got, found.Origin)
	}
	s := DefaultSettings()
	s.MinArea, s.MinHeight = 1, 0.5
	if n := len(f.find(t, s).Buildings); n != 4 {
		t.Errorf("%d buildings with lower limits", n)
	}
}

// TestTreesByHand has two crowns that touch, of which one superpoint is shared, and
// one of two tops that are near each other.
func TestTreesByHand(t *testing.T) {
	f := &field{}
	f.add(0, Ground, -40, -40, 80, level(10))
	two := func(x, y float64) float64 { return max(cone(-16, 0, 22)(x, y), cone(-4, 0, 21)(x, y)) }
	f.add(1, Vegetation, -22, -6, 12, two) // the first crown, and a little of the second
	f.add(2, Vegetation, -10, -6, 12, two)
	f.add(3, Vegetation, 10, 10, 10, func(x, y float64) float64 {
		return max(cone(14, 15, 20)(x, y), cone(16, 15, 20)(x, y))
	})
	f.add(4, Vegetation, 30, -30, 6, level(11)) // too low
	found := f.find(t, DefaultSettings())
	if len(found.Trees) != 3 || len(found.Buildings) != 0 {
		t.Fatalf("%d trees, %d buildings", len(found.Trees), len(found.Buildings))
	}
	for k, want := range []struct{ points, height, column float64 }{{144, 12, -16}, {144, 11, -4}, {100, 10, 14}} {
		o := found.Trees[k]
		if float64(len(o.Points)) != want.points || math.Abs(o.Height-want.height) > 1e-9 ||
			float64(f.Cell[o.Top].Column) != want.column || o.Superpoints != 1 || o.Area != want.points {
			t.Errorf("tree %d: %d points, height %v, top at %v, %v m²", k, len(o.Points), o.Height, f.Cell[o.Top], o.Area)
		}
	}
	for i, o := range f.Owner {
		if o == 2 {
			f.Owner[i] = 1 // one superpoint over both crowns is divided
		}
	}
	if n := len(f.find(t, DefaultSettings()).Trees); n != 3 {
		t.Errorf("%d trees of one superpoint over two crowns", n)
	}
}

// TestGround fills holes in a slope, and does without points of the ground.
func TestGround(t *testing.T) {
	f := &field{}
	f.Side = 1
	f.add(0, Ground, 0, 0, 40, func(x, _ float64) float64 { return x / 10 })
	for i := range f.Cell {
		if c := f.Cell[i]; c.Column >= 10 && c.Column < 20 && c.Row >= 10 && c.Row < 20 {
			f.Owner[i] = -1
		}
	}
	g, err := f.ground()
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []planar.Cell{{Column: 5, Row: 5}, {Column: 15, Row: 15}, {Column: 39, Row: 39}} {
		if z := g.at(at); math.Abs(z-float64(at.Column)/10) > 0.8 {
			t.Errorf("the ground at %v is %v", at, z)
		}
	}
	f.Kind[0] = Vegetation
	if g, err = f.ground(); err != nil || g.at(planar.Cell{Column: 39, Row: 1}) > 3.3 {
		t.Errorf("without points of the ground it is %v: %v", g.at(planar.Cell{Column: 39, Row: 1}), err)
	}
}

// TestOutline generalises a turned house of cells: four straight walls of its size,
// and keeps what a wall would cross.
func TestOutline(t *testing.T) {
	f := &field{}
	f.Side = 1
	f.Kind = []Kind{Ground, Building}
	s, c := math.Sincos(0.3)
	for x := int64(-30); x < 30; x++ {
		for y := int64(-30); y < 30; y++ {
			u, v := float64(x)*c+float64(y)*s, float64(y)*c-float64(x)*s
			owner, z := int32(0), 0.0
			if math.Abs(u) < 12 && math.Abs(v) < 7 {
				owner, z = 1, 6
			}
			f.Cell, f.Z, f.Owner = append(f.Cell, planar.Cell{Column: x, Row: y}), append(f.Z, z), append(f.Owner, owner)
		}
	}
	found := f.find(t, DefaultSettings())
	if len(found.Buildings) != 1 || len(found.Buildings[0].Outline) != 1 {
		t.Fatalf("%d buildings", len(found.Buildings))
	}
	ring := found.Buildings[0].Outline[0][0]
	if a := found.Buildings[0].Area; len(ring) != 4 || math.Abs(a-24*14) > 12 {
		t.Errorf("%d corners, %v m²", len(ring), a)
	}
	for i := range ring {
		a, b, d := ring[i], ring[(i+1)%4], ring[(i+2)%4]
		angle := math.Atan2(cross(a, b, d), (b[0]-a[0])*(d[0]-b[0])+(b[1]-a[1])*(d[1]-b[1]))
		if math.Abs(angle-math.Pi/2) > 0.02 {
			t.Errorf("corner %d turns by %v", i, angle)
		}
	}
	bow := Polygon{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}}
	spike := Polygon{{{0, 0}, {4, 0}, {2, 0}, {2, 4}}}
	square, within := Polygon{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}}, Polygon{{{1, 1}, {2, 1}, {2, 2}}}
	if !crosses([]Polygon{bow}) || !crosses([]Polygon{spike}) || !crosses([]Polygon{square, within}) ||
		crosses([]Polygon{square}) {
		t.Error("a bow, a spike and what lies in another cross, a square does not")
	}
}
