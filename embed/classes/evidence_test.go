// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// waterModel has the classes of water, and probabilities that do not matter.
func waterModel(t *testing.T) *Model {
	t.Helper()
	card := testCard()
	card.Classes = append(card.Classes, Class{9, "water"})
	return must.Get(New(card))(t)
}

// TestUncorrected: the probabilities by which labels are proposed are those of the network, whatever the
// evidence.
func TestUncorrected(t *testing.T) {
	const ground, water = 0, 3
	m := waterModel(t)
	m.Tensor("out.bias")[water] = 2
	hidden := make([]float32, 2*m.Card.hidden())
	f := &Features{Size: []float32{100}, Bodies: []Body{noBody}}
	corrected := must.Get(m.Last(parallel.Run{}, f, hidden))(t)
	p := must.Get(m.Uncorrected(parallel.Run{}, hidden))(t)
	is, _ := best(corrected)
	must.Hold(t, is == ground, "water without evidence: %v", corrected)
	is, _ = best(p)
	must.Equal(t, is, water, "of the network alone: is")
	must.Hold(t, math.Abs(float64(p[water])-math.E*math.E/(math.E*math.E+3)) <= 1e-6,
		"of the network alone: p[water] is %v, want %v within 1e-6",
		float64(p[water]), math.E*math.E/(math.E*math.E+3))
}

// TestEvidenceOfWater: for every combination of form and evidence, what becomes of what the network takes for
// water, and for ground.
func TestEvidenceOfWater(t *testing.T) {
	const ground, water = 0, 3
	lake := Body{Area: 5000, Tilt: 0.0002, Residual: 0.05, Higher: 0.9}
	with := func(change func(b *Body)) Body { b := lake; change(&b); return b }
	for name, c := range map[string]struct {
		body      Body
		wet, land int // class of what the network takes for water, and for ground
		sure      bool
	}{
		"lake with voids":              {with(func(b *Body) { b.Voids = 0.2 }), water, water, false},
		"lake with few points":         {with(func(b *Body) { b.Sparse = 0.5 }), water, water, false},
		"level field, or calm lake":    {lake, ground, ground, false},
		"lake smoother than its banks": {with(func(b *Body) { b.Smooth = 2 }), water, water, false},
		"lake hardly smoother":         {with(func(b *Body) { b.Smooth = 1.9 }), ground, ground, false},
		"smooth pan, brighter": {with(func(b *Body) { b.Smooth, b.Dark = 3, -0.31 }), ground,
			ground, false},
		"smooth pool": {with(func(b *Body) { b.Smooth, b.Area = 3, 999 }), ground,
			ground, false},
		"smooth field": {with(func(b *Body) { b.Smooth, b.Tilt = 3, 0.00021 }), ground,
			ground, false},
		"smooth roof": {with(func(b *Body) { b.Smooth, b.Lower, b.Higher = 3, 0.5, 0.3 }), ground,
			ground, true},
		"dark lake": {with(func(b *Body) { b.Dark = 1 }), water, ground, false},
		"dark street": {with(func(b *Body) { b.Dark, b.Tilt, b.Higher = 1, 0.0018, 0.15 }), ground, ground,
			true},
		"street between houses": {with(func(b *Body) { b.Tilt = 0.0018 }), ground, ground, true},
		"pool":                  {with(func(b *Body) { b.Area, b.Voids = 70, 0.2 }), water, ground, false},
		"field with a lower rim": {with(func(b *Body) { b.Lower, b.Voids = 0.2, 0.07 }), ground,
			ground, true},
		"slope": {with(func(b *Body) { b.Tilt, b.Voids = 0.02, 0.07 }), ground,
			ground, true},
		"river": {with(func(b *Body) { b.Tilt, b.Voids, b.Sparse = 0.02, 0.2, 0.6 }), water, ground,
			false},
		"slow river": {with(func(b *Body) { b.Tilt, b.Across, b.Voids = 0.002, 0.04, 0.1 }), water,
			ground, false},
		"sloping field with a void": {with(func(b *Body) { b.Tilt, b.Across, b.Voids = 0.002, 0.06, 0.1 }),
			ground, ground,
			true},
		"level rapids": {with(func(b *Body) { b.Lower, b.Voids, b.Sparse = 0.5, 0.2, 0.6 }), water,
			water, false},
		"small rapids": {with(func(b *Body) { b.Lower, b.Area, b.Voids, b.Sparse = 0.5, 149, 0.2, 0.6 }),
			water, ground,
			false},
		"slope across the flow": {with(func(b *Body) {
			b.Tilt, b.Across, b.Voids, b.Sparse = 0.02, 0.3, 0.2,
				0.6
		}), ground,
			ground, true},
		"no body": {noBody, ground, ground, true},
		"deck, surely land": {with(func(b *Body) { b.Lower, b.Higher, b.Voids = 0.5, 0, 0.2 }), ground,
			ground, true},
	} {
		m := waterModel(t)
		f := &Features{Bodies: []Body{c.body, c.body}, Size: []float32{9, 9}}
		p := []float32{0.1, 0.02, 0.03, 0.85, 0.8, 0.04, 0.06, 0.1}
		m.weigh(f, p)
		for k, want := range []int{c.wet, c.land} {
			row := p[4*k : 4*k+4]
			must.Equal(t, slices.Index(row, slices.Max(row)), want, "%s: class of row %d: %v", name, k, row)
			sum := row[0] + row[1] + row[2] + row[3]
			must.Hold(t, math.Abs(float64(sum)-1) <= 1e-5, "%s: probabilities add up to %v", name, sum)
			changed := []int{water, ground}[k] != want
			sure := slices.Max(row) > unsure+1e-6
			if sure {
				must.Hold(t, !changed, "%s: changed is true", name)
			}
			if k == 1 {
				must.Equal(t, sure, c.sure, "%s: sure", name)
			}
		}
		q := []float32{0.95, 0.01, 0.01, 0.03} // the network does not think of water
		want := map[bool]float32{true: 0.95, false: likely}[c.sure]
		m.weigh(&Features{Bodies: []Body{c.body}}, q)
		if c.land == ground {
			must.Equal(t, q[0], want, "%s: q[0]", name)
		}
		// a label in a body allows its class at any confidence
		for row, code := range []int{waterCode, groundCode} {
			f.Labels = []Label{{Row: 1 - row, Code: code}}
			q := []float32{0, 0, 0, 1, 1, 0, 0, 0}
			m.weigh(f, q)
			must.Equal(t, q[3+row] == 1, row == 1 && c.sure || c.body.seed >= 0,
				"%s: a label of class %d stays, %v", name, code, q)
		}
	}
}

// TestPointsAboveTerrain: a point high above the terrain is not ground, nor water, and never sure; one that
// the surfaces of the terrain dispute, or on a deck, is not sure, nor is vegetation that is not above the
// ground; ground as high as low plants is only likely.
func TestPointsAboveTerrain(t *testing.T) {
	m := waterModel(t)
	for _, c := range []struct {
		p     []float32
		class int
		sure  float32
	}{
		{[]float32{0.8, 0.05, 0.1, 0.05}, 2, unsure * 2 / 3},
		{[]float32{0.8, 0.01, 0, 0.19}, 1, unsure},
		{[]float32{0.3, 0.6, 0.1, 0}, 1, 0.6},
		{[]float32{1, 0, 0, 0}, 0, unsure},
		{[]float32{0.1, 0.1, 0.8, 0}, 2, 0.8},
	} {
		class, sure := best(m.AtLevel(c.p, TooHigh))
		must.Equal(t, class, c.class, "%v: class", c.p)
		must.Hold(t, math.Abs(float64(sure-c.sure)) <= 1e-5,
			"%v: sure is %v, want %v within 1e-5", c.p, sure, c.sure)
		for _, level := range []Level{Low, Cover, OnDeck, Disputed} {
			own := slices.Index(c.p, slices.Max(c.p))
			sure := c.p[own]
			switch {
			case level == Low && own == 1:
				sure = min(sure, unsure)
			case level == Cover && own == 0:
				sure = min(sure, likely)
			case level > Cover && own != 1: // not vegetation
				sure = min(sure, unsure)
			}
			class, got := best(m.AtLevel(c.p, level))
			must.Equal(t, class, own, "%v at level %d: class", c.p, level)
			must.Equal(t, got, sure, "%v at level %d", c.p, level)
		}
	}
	for level, want := range map[Level]int{OnDeck: 0, Disputed: 2} {
		class, sure := best(m.AtLevel([]float32{0.6, 0.1, 0.2, 0.1}, level))
		must.Equal(t, class, want, "ground at level %d that is hardly sure: class", level)
		must.Hold(t, sure <= unsure,
			"ground at level %d that is hardly sure: sure is %v, want at most %v", level, sure, unsure)
	}
}

// TestRaisedGround: ground that is hardly sure and higher than the land at its rim is the next class that is
// not water, if it is small or has walls all around.
func TestRaisedGround(t *testing.T) {
	const ground, building = 0, 2
	raised := Body{Area: 900, Lower: 1, walled: true, seed: 7}
	with := func(change func(b *Body)) Body { b := raised; change(&b); return b }
	for name, c := range map[string]struct {
		body Body
		p    float32 // of ground
		want int
		sure bool
	}{
		"roof":                  {raised, 0.65, building, false},
		"roof, half of its rim": {with(func(b *Body) { b.Lower = 0.5 }), 0.4, building, false},
		"less than half":        {with(func(b *Body) { b.Lower = 0.45 }), 0.65, ground, true},
		"land that is higher":   {with(func(b *Body) { b.Higher = 0.1 }), 0.65, ground, true},
		"surely ground":         {raised, 0.75, ground, true},
		"dike":                  {with(func(b *Body) { b.walled = false }), 0.65, ground, true},
		"hedge": {with(func(b *Body) { b.walled, b.Area = false, 19 }), 0.65,
			building, false},
	} {
		p := []float32{0, 0.1, 0.3, 0.6} // ground, vegetation, building, water
		scale(p, 1-c.p)
		p[ground] = c.p
		f := &Features{Bodies: []Body{c.body}}
		told := slices.Clone(p)
		waterModel(t).weigh(f, p)
		most := slices.Max(p)
		must.Equal(t, slices.Index(p, most), c.want, "%s: class of %v", name, p)
		must.Equal(t, most == c.p, c.sure, "%s: %v is sure", name, p)
		if !c.sure {
			must.Hold(t, most <= unsure, "%s: confidence: got %v, want at most %v", name, most, unsure)
		}
		f.Labels = []Label{{Code: groundCode}}
		waterModel(t).weigh(f, told)
		must.Equal(t, told[ground], c.p, "%s, labelled: probability of ground", name)
	}
}

// pond returns superpoints of 8 × 8 m: a field of 72 × 72 m that rises by tilt to the east, and in its middle
// a pond of 24 × 24 m that lies depth lower, of which share of the points is missing.
func pond(t *testing.T, tilt, depth, share float64) (s *Superpoints, wet []bool) {
	t.Helper()
	var x, y, z []float64
	var of []uint32
	wet = make([]bool, 81)
	for i := range 144 {
		for j := range 144 {
			px, py := 0.5*float64(i)+0.25, 0.5*float64(j)+0.25
			h, k := tilt*px, uint32(i/16*9+j/16)
			if math.Abs(px-36) < 12 && math.Abs(py-36) < 12 {
				h, wet[k] = -depth, true
				if math.Mod(float64(i*7+j*11)*0.618, 1) < share {
					continue
				}
			}
			x, y, z, of = append(x, px), append(y, py), append(z, h+0.01*math.Sin(float64(i*j))),
				append(of, k)
		}
	}
	s = surveyed(t, x, y, z)
	s.Count = 81
	for _, from := range s.Cloud.Order {
		s.Component = append(s.Component, of[from])
	}
	return s, wet
}

// TestBodies: area, tilt, rim and voids of a pond in a field, of a terrace above it, and of a slope.
func TestBodies(t *testing.T) {
	for name, c := range map[string]struct{ tilt, depth, share float64 }{
		"pond": {0, 0.8, 0}, "pond with few returns": {0, 0.8, 0.6}, "terrace": {0, -0.8, 0},
		"slope": {0.05, -2, 0},
	} {
		s, wet := pond(t, c.tilt, c.depth, c.share)
		f, g := described(t, s, 0)
		voids := make([]float32, len(s.Component)) // of which bodies have the difference from the median
		for i, k := range s.Component {
			if voids[i] = 0.25; wet[k] {
				voids[i] = 0.75
			}
		}
		for k, body := range f.bodies(s, s.members(), voids, g) {
			want := map[bool]float32{true: 0.5}[wet[k]]
			if body.seed >= 0 {
				must.Hold(t, math.Abs(float64(body.Voids-want)) <= 1e-5,
					"%s: voids: got %v, want %v within 1e-5", name, body.Voids, want)
			}
		}
		for k, body := range f.Bodies {
			if !wet[k] {
				continue
			}
			lower, higher := float32(0), float32(0)
			if c.depth > 0 {
				higher = 1
			} else {
				lower = 1
			}
			if name == "slope" {
				continue
			}
			area := 576 * (1 - c.share)
			must.Hold(t, math.Abs(float64(body.Area)-area) <= 0.35*area,
				"%s: body.Area is %v, want %v within %v", name, float64(body.Area), area, 0.35*area)
			must.Hold(t, body.Tilt <= 0.001, "%s: body.Tilt is %v, want at most 0.001", name, body.Tilt)
			must.Equal(t, body.Lower, lower, "%s: body.Lower", name)
			must.Equal(t, body.Higher, higher, "%s: body.Higher", name)
			must.Hold(t, body.Residual <= 0.02,
				"%s: body.Residual is %v, want at most 0.02", name, body.Residual)
			must.Equal(t, body.isRaised(), c.depth < 0, "%s: body.isRaised()", name)
			must.Equal(t, body.evident(), c.share > 0, "%s: evident", name)
			must.Equal(t, body.standing(), c.depth > 0, "%s: standing", name)
		}
		for k, body := range f.Bodies {
			if name == "slope" && !wet[k] {
				must.Hold(t, !body.standing(), "slope: body.standing() is true")
				must.Hold(t, math.Abs(float64(body.Tilt)-0.05) <= 0.01,
					"slope: body.Tilt is %v, want 0.05 within 0.01", float64(body.Tilt))
			}
		}
	}
}

// TestInside: of a pond of three superpoints by three, only the middle one is inside. One that adjoins
// nothing is not, and neither is one of no body.
func TestInside(t *testing.T) {
	s, wet := pond(t, 0, 0.8, 0)
	f, _ := described(t, s, 0)
	const middle = 40
	for k, body := range f.Bodies {
		if wet[k] {
			must.Equal(t, body.inner, k == middle, "superpoint %d is inside", k)
		}
	}
	alone := []Body{{seed: 0}}
	findInner(alone, &Graph{Touching: make([]int32, Fan)})
	must.Hold(t, !alone[0].inner, "a superpoint that adjoins nothing is inside")
	none := []Body{noBody, noBody}
	findInner(none, &Graph{Touching: slices.Concat(slices.Repeat([]int32{1}, Fan), make([]int32, Fan))})
	must.Hold(t, !none[0].inner, "a superpoint of no body is inside")
}

// TestUncertainClouds: a mean confidence below Uncertain is a warning.
func TestUncertainClouds(t *testing.T) {
	for logit, want := range map[float32]bool{0: true, 9: false} {
		m := waterModel(t)
		m.Card.Embedding = Embedding{}
		m = must.Get(New(m.Card))(t)
		m.Tensor("out.bias")[0] = logit
		s, _ := pond(t, 0, 0.8, 0)
		c := must.Get(m.Classify(parallel.Run{}, s, false))(t)
		must.Equal(t, strings.Contains(UncertainText(c.Mean, "it"), "uncertain"), want,
			`logit %v: strings.Contains(UncertainText(c.Mean, "it"), "uncertain")`, logit)
		must.Equal(t, c.Mean < Uncertain, want, "logit %v: c.Mean < Uncertain", logit)
	}
}

// TestPlaneOfABody: points of the plane z = 0.3 x + 0.2 y, whose x and y are correlated.
func TestPlaneOfABody(t *testing.T) {
	const xx, xy, yy, east, north = 200, 100, 300, 0.3, 0.2
	xz, yz := east*xx+north*xy, east*xy+north*yy
	u := &surface{moments: [][6]float64{{xx, xy, xz, yy, yz, east*xz + north*yz}}, voids: []float64{0.5},
		density: []float64{0.25}, bright: []float64{2}}
	b := u.describe(&Features{Size: []float32{8}, Place: make([][3]float64, 1)}, []int{0}, 2)
	must.Hold(t, math.Abs(float64(b.Tilt)-math.Hypot(east, north)) <= 1e-4,
		"b.Tilt is %v, want %v within 1e-4", float64(b.Tilt), math.Hypot(east, north))
	must.Hold(t, b.Residual <= 0.02, "b.Residual is %v, want at most 0.02", b.Residual)
	must.Equal(t, b.Area, 32, "b.Area")
	must.Equal(t, b.Voids, 0.5, "b.Voids")
	must.Equal(t, b.Density, 0.25, "b.Density")
	must.Equal(t, b.Dark, -2, "b.Dark")
	// The covariance has the eigenvalues 250 ± √12500; twice the deviation along the second axis is 23.51 m,
	// and the plane rises by 0.15005 along it.
	must.Hold(t, math.Abs(float64(b.Across)-3.528) <= 1e-3, "%v m across", b.Across)
}

// TestBanks: the banks of a body are the land that is higher; a quarter of them may be sparse, as may the
// cloud.
func TestBanks(t *testing.T) {
	u := &surface{terrain: []float64{5, 5.1, 4.8, 5.2, 5.2, 5.2, 9}, density: []float64{0, 0, 0, 0.4,
		0.6, 0.8, 4},
		bright: []float64{0, 0, 0, 1, 3, 7, 50}, land: []bool{true, true, true, true, true, true, false},
		thick: make([]float64, 7)}
	for _, c := range []struct {
		rim                         []int
		lower, higher, sparse, dark float32
	}{
		{[]int{1, 2, 3, 4, 5, 6}, 1. / 6, 4. / 6, 0.4 + 0.5, 3 - 2}, // of 0 for the cloud, 0.4, 0.6 and 0.8
		{[]int{1, 2}, 0.5, 0, 0.5, 0},                               // no banks, as level land is none
		{[]int{6}, 0, 1, 0.5, 0},                                    // a house
		{nil, 0, 0, 0.5, 0},
	} {
		b := Body{Density: -0.5, Dark: -2}
		u.edge(&b, 5, c.rim)
		must.Equal(t, b, (Body{Density: -0.5, Lower: c.lower, Higher: c.higher, Sparse: c.sparse,
			Dark: c.dark}),
			"rim %v", c.rim)
	}
}

// TestSmoothBody: a body is compared with the median of its higher banks whose thickness is known, if they
// are five or more.
func TestSmoothBody(t *testing.T) {
	const height = 5
	u := &surface{
		terrain: []float64{5, 6, 6, 6, 6, 6, 6, 6, 5.1},
		density: make([]float64, 9),
		bright:  make([]float64, 9),
		thick:   []float64{0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0, 0.9, 0.9},
		land:    []bool{true, true, true, true, true, true, true, false, true},
	}
	for name, c := range map[string]struct {
		rim  []int
		want float32
	}{
		"five banks": {[]int{1, 2, 3, 4, 5}, 6},
		"also a bank of unknown thickness, a house and level land": {[]int{1, 2, 3, 4, 5, 6, 7, 8}, 6},
		"four banks": {[]int{1, 2, 3, 4, 6, 7, 8}, 0},
	} {
		b := Body{Residual: 0.05, Smooth: 7}
		u.edge(&b, height, c.rim)
		must.Equal(t, b.Smooth, c.want, "%s: b.Smooth", name)
	}
	b := Body{Residual: 0.001}
	u.edge(&b, height, []int{1, 2, 3, 4, 5})
	must.Hold(t, math.Abs(float64(b.Smooth)-30) <= 1e-4,
		"of a body thinner than a centimetre: b.Smooth is %v, want 30", b.Smooth)
}

// TestVegetation: low and medium vegetation by the heights over the ground, below it too; labels and own
// classes of heights stay.
func TestVegetation(t *testing.T) {
	// another class
	for code, near := range map[int]uint8{10: lowVegetation, mediumVegetation: highVegetation} {
		m := waterModel(t)
		m.Card.Classes[3], m.Card.Embedding = Class{code, "other"}, Embedding{}
		m = must.Get(New(m.Card))(t)
		m.Tensor("out.bias")[1] = 9
		s, _ := pond(t, 0, 0.8, 0)
		at := s.Cloud.Position(0).Add(s.Cloud.Origin)
		m.Card.Labels = []Place{{at.X, at.Y, at.Z, highVegetation}}
		c := must.Get(m.Classify(parallel.Run{}, s, false))(t)
		for i, k := range s.Component {
			want := near
			if k == s.Component[0] {
				want = highVegetation
			}
			got, all := c.Vegetation(i, [2]float64{0.5, 2}), c.Vegetation(i, [2]float64{})
			must.Need(t, got == want,
				"with class %d point %d of %d is %d and %d, want %d: got is not want",
				code, i, k, got, all, want)
			must.Need(t, all == highVegetation,
				"with class %d point %d of %d is %d and %d, want %d: all is not highVegetation",
				code, i, k, got, all, want)
		}
	}
	c := &Classified{Class: []uint8{5, 5, 5, 5, 2}, height: []float32{-1, 0.4, 0.5, 2, 0}}
	for i, want := range []uint8{3, 3, 4, 5, 2} {
		must.Equal(t, c.Vegetation(i, [2]float64{0.5, 2}), want, "point %d", i)
	}
}

// TestFormsOfWater: the least area of a lake counts, and that of banks which show a pool.
func TestFormsOfWater(t *testing.T) {
	for area, want := range map[float32][2]bool{150: {true, true}, 149: {false, true},
		60: {false, true}, 59: {}} {
		b := Body{Area: area, Higher: 0.3, Voids: 0.06}
		must.Equal(t, [2]bool{b.standing(), b.isDoubtful()}, want, "%v m²: standing and doubtful", area)
	}
}

// TestWaterMayBeTheFirstClass: the order of a card's classes does not matter to the evidence of water.
func TestWaterMayBeTheFirstClass(t *testing.T) {
	m := waterModel(t)
	m.Card.Classes = []Class{{9, "water"}, {2, "ground"}}
	p := []float32{0.8, 0.2}
	m.weigh(&Features{Bodies: []Body{{Area: 900, Tilt: 0.05}}}, p)
	must.Hold(t, p[0] < p[1], "a slope is water: %v", p)
}

// TestFormsByHand: small bodies are level at any tilt, rapids need voids as well as sparse points, and banks
// with a dark body between them are doubtful.
func TestFormsByHand(t *testing.T) {
	small, wide := Body{Area: 50, Tilt: 0.01}, Body{Area: 70, Tilt: 0.01}
	must.Hold(t, small.level(), "level: small.level() is false")
	must.Hold(t, !wide.level(), "level: wide.level() is true")
	for b, want := range map[Body]bool{{Across: 0.1, Voids: 0.2, Sparse: 0.5}: true,
		{Across: 0.1, Voids: 0.05, Sparse: 0.5}: false, {Across: 0.1, Voids: 0.2, Sparse: 0.3}: false,
		{Across: 0.3, Voids: 0.2, Sparse: 0.5}: false} {
		must.Hold(t, b.rapid() == want, "rapid: %+v", b)
	}
	for dark, want := range map[float32]bool{0: false, 0.6: true} {
		b := (Body{Area: 100, Higher: 0.5, Dark: dark})
		must.Hold(t, b.isDoubtful() == want, "doubtful: %+v", b)
	}
}

// TestLimitOfTheOnlyClass: what a class that has all of the probability, or all but what float32 cannot
// divide 1 by, loses goes to the others in equal parts.
func TestLimitOfTheOnlyClass(t *testing.T) {
	for _, other := range []float32{0, 1e-45, 1e-40, 9e-39} {
		row := []float32{other, 1, 0}
		limit(row, 1, 0.5)
		must.Hold(t, slices.Equal(row, []float32{0.25, 0.5, 0.25}), "beside %v: %v", other, row)
	}
	row := []float32{3e-38, 1, 0}
	limit(row, 1, 0.5)
	must.Hold(t, slices.Equal(row, []float32{0.5, 0.5, 0}), "%v", row)
}

// TestFlatSuperpoints: land is flat if it is thin and at most about 25° steep.
func TestFlatSuperpoints(t *testing.T) {
	s, _ := pond(t, 0, 0.1, 0)
	f, g := described(t, s, 0)
	normal, thickness := slices.Index(f.Names, "normal_z"), slices.Index(f.Names, "thickness")
	voids := make([]float32, len(s.Component))
	for _, c := range []struct {
		degrees, thick float64
		want           bool
	}{{0, 0.05, true}, {20, 0.05, true}, {30, 0.05, false}, {40, 0.05, false}, {0, 0.5, false}} {
		row := f.Row(0)
		row[normal] = float32(math.Cos(c.degrees * math.Pi / 180))
		row[thickness] = logLength(c.thick)
		got := f.surface(s, s.members(), voids, g).flat[0]
		must.Equal(t, got, c.want, "land of a slope of %v° and %v m is flat", c.degrees, c.thick)
	}
}

// TestThicknessOfBanks: banks too steep or too small to tell how rough they are have none.
func TestThicknessOfBanks(t *testing.T) {
	s, _ := pond(t, 0, 0.1, 0)
	f, g := described(t, s, 0)
	normal, thickness := slices.Index(f.Names, "normal_z"), slices.Index(f.Names, "thickness")
	voids := make([]float32, len(s.Component))
	for _, c := range []struct {
		degrees float64
		points  float32
		want    float64
	}{{0, 10, 0.05}, {20, 10, 0.05}, {30, 10, 0}, {0, 9, 0}} {
		row := f.Row(0)
		row[normal] = float32(math.Cos(c.degrees * math.Pi / 180))
		row[thickness] = logLength(0.05)
		f.Size[0] = c.points
		got := f.surface(s, s.members(), voids, g).thick[0]
		must.Hold(t, math.Abs(got-c.want) <= 1e-6, "a slope of %v° and %v points is %v m thick, want %v",
			c.degrees, c.points, got, c.want)
	}
}
