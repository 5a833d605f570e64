// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// linePatterns returns level scans of ground, in metres, by name.
func linePatterns() map[string]columns {
	put := func(f func(c *columns, noise func() float64)) columns {
		var c columns
		r := random(5)
		f(&c, func() float64 { return r.NormFloat64() * 0.01 })
		return c
	}
	// The noise is a tenth of the point spacing.
	ground := func(c *columns, noise func() float64, x, y float64) { c.add(x+noise(), y+noise(), noise()) }
	along := func(c *columns, noise func() float64, y float64) {
		for i := range 120 {
			ground(c, noise, 0.1*float64(i)+0.037*math.Mod(y*7, 1), y)
		}
	}
	return map[string]columns{
		"lines 4 times as far apart": put(func(c *columns, noise func() float64) {
			for k := range 20 {
				along(c, noise, 0.4*float64(k))
			}
		}),
		"lines 20 times as far apart": put(func(c *columns, noise func() float64) {
			for k := range 8 {
				along(c, noise, 2*float64(k))
			}
		}),
		"bundles of three lines": put(func(c *columns, noise func() float64) {
			for k := range 18 {
				along(c, noise, float64(k/3)+0.12*float64(k%3))
			}
		}),
		"rings of a spinning scanner": put(func(c *columns, noise func() float64) {
			for beam := range 12 {
				radius := 1.8 / math.Tan(float64(24-beam)*math.Pi/180)
				for i := range 900 {
					sin, cos := math.Sincos(float64(i) * 2 * math.Pi / 900)
					ground(c, noise, radius*cos, radius*sin)
				}
			}
		}),
	}
}

// joinLines returns the lists of a cloud, the graph of its edges across lines, and the number of points with
// such edges.
func joinLines(t testing.TB, c *Cloud, threads int) (*Lists, *Graph, int) {
	run := parallel.Run{Threads: threads}
	l := must.Get(c.Nearest(Around, run))(t)
	lines := must.Get(acrossLines(c, l, 5, Around, run))(t)
	if lines == nil {
		return l, must.Get(FromEdges(c.Len(), nil))(t), 0
	}
	return l, must.Get(build(c.Len(), run, lines.ends))(t), lines.points
}

// TestLinesAreJoined: the 5-nn graph of every pattern is not connected, and with edges across lines it is.
func TestLinesAreJoined(t *testing.T) {
	for name, pattern := range linePatterns() {
		c := mustNew(t, pattern, 2)
		l, across, points := joinLines(t, c, 2)
		plain := must.Get(Adjacency(l, 5, parallel.Run{}))(t)
		both := must.Get(build(c.Len(), parallel.Run{}, func(u uint32, row []uint32) []uint32 {
			return append(append(row, plain.Of(int(u))...), across.Of(int(u))...)
		}))(t)
		joined, _, err := NewGraph(c, l, GraphOptions{Nearest: 5, Around: Around}, parallel.Run{Threads: 2})
		must.Need(t, err == nil, "%s: %v", name, err)
		must.Equal(t, joined, both, "%s: joined", name)
		_, before := Components(plain)
		_, after := Components(both)
		t.Logf("%s: %d points, %d connected components, %d with the edges across of %d points", name,
			c.Len(), before,
			after, points)
		must.Hold(t, before >= 3, "%s: before is %v, want at least 3", name, before)
		must.Equal(t, after, 1, "%s: after", name)
		must.Hold(t, points >= c.Len()/3, "%s: only %d of %d points are joined across", name, points, c.Len())
	}
}

// TestNoEdgesAcrossWithoutLines: clouds without scan lines have almost no edges across lines.
func TestNoEdgesAcrossWithoutLines(t *testing.T) {
	flat := uniform(20_000, 3)
	for i := range flat.z {
		flat.z[i] *= 0.002
	}
	ball := uniform(20_000, 4)
	for name, cloud := range map[string]columns{"plane": flat, "volume": ball} {
		c := mustNew(t, cloud, 2)
		_, _, points := joinLines(t, c, 2)
		must.Hold(t, points <= c.Len()/50, "%s: %d of %d points have edges across lines", name,
			points, c.Len())
	}
}

// TestWireHasNoEdgesToGround: neither a wire nor the edge of a roof has edges to the ground below.
func TestWireHasNoEdgesToGround(t *testing.T) {
	var c columns
	r := random(6)
	for range 12_000 { // ground, 0.2 m between points
		c.add(r.Float64()*22, r.Float64()*22, r.NormFloat64()*0.02)
	}
	first := len(c.x)
	for i := range 100 {
		c.add(0.2*float64(i)+1, 4, 3)
	}
	for i := range 2500 { // a roof of 10 m
		c.add(5+0.2*float64(i%50), 8+0.2*float64(i/50), 4)
	}
	cloud := mustNew(t, c, 2)
	_, g, _ := joinLines(t, cloud, 2)
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			a, b := cloud.Order[u], cloud.Order[v]
			must.Hold(t, (int(a) >= first) == (int(b) >= first),
				"points %v and %v are joined", cloud.Position(uint32(u)), cloud.Position(v))
		}
	}
}

// TestNoEdgesAcrossSteps: bundles of lines have edges across the gaps between them if they are
// nearly in one plane, and none if every other one is deeper.
func TestNoEdgesAcrossSteps(t *testing.T) {
	for deep, joined := range map[float64]bool{0: true, 0.08: true, 0.4: false} {
		var c columns
		r := random(8)
		noise := func() float64 { return r.NormFloat64() * 0.004 }
		for k := range 18 {
			for i := range 120 {
				c.add(0.1*float64(i)+noise(), float64(k/3)+0.12*float64(k%3)+noise(),
					deep*float64(k/3%2)+noise())
			}
		}
		cloud := mustNew(t, c, 2)
		_, g, _ := joinLines(t, cloud, 2)
		across := 0
		for u := range g.Vertices() {
			for _, v := range g.Of(u) {
				if cloud.Order[u]/360 != cloud.Order[v]/360 {
					across++
				}
			}
		}
		t.Logf("%g m deeper: %d edges between bundles", deep, across)
		must.Hold(t, joined == (across > 100),
			"bundles %g m deeper have %d edges between them: joined is not across > 100", deep, across)
		if !joined {
			must.Hold(t, across == 0,
				"bundles %g m deeper have %d edges between them: across is not 0", deep, across)
		}
	}
}

// TestBothSidesHaveGaps: an edge across a gap is regular between two bundles of three lines, which have gaps
// behind them, and not from a bar of three lines to a continuous surface.
func TestBothSidesHaveGaps(t *testing.T) {
	// before these lines
	for name, gaps := range map[string][]int{"bundles": {3, 6, 9, 12, 15, 18}, "bar": {6, 9}} {
		var c columns
		r := random(9)
		noise := func() float64 { return r.NormFloat64() * 0.004 }
		const lines, points = 30, 120
		for line, y := 0, 0.0; line < lines; line, y = line+1, y+0.12 {
			if slices.Contains(gaps, line) {
				y += 0.64
			}
			for i := range points {
				c.add(0.1*float64(i)+noise(), y+noise(), noise())
			}
		}
		cloud := mustNew(t, c, 2)
		at := make([]uint32, cloud.Len())
		for i, from := range cloud.Order {
			at[from] = uint32(i)
		}
		l := must.Get(cloud.Nearest(Around, parallel.Run{}))(t)
		of := &candidates{cloud: cloud, lists: l, k: 5, around: Around}
		k := &selector{candidates: of, search: borderSearch{cloud: cloud}}
		from, to := at[8*points+60], at[9*points+60] // across the gap before line 9
		got, _ := k.regular(from, to)
		must.Hold(t, got == (name == "bundles"), "%s: the edge across the gap is regular: %v", name, got)
	}
}

// named returns the edges by the input's indices, sorted.
func named(c *Cloud, g *Graph, name func(uint32) int) []string {
	var edges []string
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			a, b := name(c.Order[u]), name(c.Order[v])
			if a >= 0 && b >= 0 {
				edges = append(edges, fmt.Sprint(min(a, b), "-", max(a, b)))
			}
		}
	}
	slices.Sort(edges)
	return edges
}

// TestAcrossLinesIndependentOfOrder: another order, another number of threads and a cloud
// scaled by ten give the same edges.
func TestAcrossLinesIndependentOfOrder(t *testing.T) {
	for name, pattern := range linePatterns() {
		c := mustNew(t, pattern, 2)
		_, g, _ := joinLines(t, c, 1)
		want := named(c, g, func(i uint32) int { return int(i) })
		order := rand.New(rand.NewPCG(1, 2)).Perm(len(pattern.x))
		var mixed columns
		for _, i := range order {
			mixed.add(pattern.x[i], pattern.y[i], pattern.z[i])
		}
		c = mustNew(t, mixed, 2)
		_, g, _ = joinLines(t, c, 3)
		got := named(c, g, func(i uint32) int { return order[i] })
		must.Hold(t, reflect.DeepEqual(got, want), "%s: %d edges in another order, %d before", name,
			len(got), len(want))
		var large columns
		for i := range pattern.x { // integer units, so that rounding is the same
			at := c.Unit
			large.add(math.Round(pattern.x[i]/at)*at*10, math.Round(pattern.y[i]/at)*at*10,
				math.Round(pattern.z[i]/at)*at*10)
		}
		c = mustNew(t, large, 2)
		_, g, _ = joinLines(t, c, 2)
		got = named(c, g, func(i uint32) int { return int(i) })
		must.Hold(t, reflect.DeepEqual(got, want), "%s: %d edges ten times as large, %d before", name,
			len(got), len(want))
	}
}

// TestAcrossLinesOfDegenerateClouds: no loops and no panics for any cloud, one of them with points that have
// an edge to a neighbor and find it beside their line, too.
func TestAcrossLinesOfDegenerateClouds(t *testing.T) {
	var c columns
	for _, p := range [][3]float64{
		{0, 0, 0}, {24, -180, 4}, {63, -317, 8}, {722, -474, 440}, {611, -423, 820}, {-84, -451, 0},
		{-13, -467, 400}, {-260, -429, 783}, {-2, -602, 8}, {-1632, -302, 1137}, {50, -784, 14},
		{-1783, -429, 1133},
		{11, -927, 13}, {-2235, -485, 699}, {-22, -1100, 13}, {-1574, -800, 1553}, {-13, -1243, 15},
		{-15, -1365, 17}, {-2322, -980, 1540}, {-7, -1554, 20}, {-2400, -1132, 1539}, {11, -1679, 22},
		{-7, -1850, 23}, {17, -1994, 26}, {-6, -2167, 26}, {-10, -2328, 28}, {15, -2448, 30}, {34, -2598, 33},
		{-792, -2624, -23},
	} {
		c.add(p[0]/1000, p[1]/1000, p[2]/1000)
	}
	clouds := degenerate()
	clouds["found twice"] = c
	for name, cloud := range clouds {
		c := mustNew(t, cloud, 2)
		_, g, points := joinLines(t, c, 2)
		checkGraph(t, g)
		must.Equal(t, g.Vertices(), c.Len(), "%s: vertices", name)
		must.Hold(t, points <= c.Len(), "%s: points is %v, want at most %v", name, points, c.Len())
		must.Equal(t, points == 0, g.Edges() == 0, "%s: points == 0", name)
		if name == "found twice" {
			must.Hold(t, points != 0, "%s: points is 0", name)
		}
		for u := range g.Vertices() {
			for _, v := range g.Of(u) {
				must.Hold(t, c.XYZ[u] != c.XYZ[v], "%s: duplicates %d and %d are joined", name, u, v)
			}
		}
	}
}

// TestOnlyScanLinesAreJoined: edges across lines are kept if enough points have some.
func TestOnlyScanLinesAreJoined(t *testing.T) {
	for name, pattern := range linePatterns() {
		c := mustNew(t, pattern, 2)
		l, _, points := joinLines(t, c, 2)
		share := float64(points) / float64(c.Len())
		must.Hold(t, share >= ScanLines, "%s: only %v of the points are joined across", name, share)
		for least, want := range map[float64]int{share: points, share + 1e-9: 0} {
			g, across, err := NewGraph(c, l, GraphOptions{Nearest: 5, Around: Around, Across: least},
				parallel.Run{})
			must.OK(t, err)
			plain := must.Get(Adjacency(l, 5, parallel.Run{}))(t)
			must.Equal(t, across, want, "%s: points joined across", name)
			must.Equal(t, g.Edges() > plain.Edges(), want > 0, "%s: g.Edges() > plain.Edges()", name)
		}
	}
}

// TestSampleOfLines: in a cloud that is large enough for a sample, edges across lines are those
// of the full cloud or, where these are few, none; so are they where only a fifth of it has lines.
func TestSampleOfLines(t *testing.T) {
	run := parallel.Run{Threads: 2}
	scan := func(lines int) (c columns) { // of 200 rows, 0.1 m apart, every fourth in the first ones
		r := random(3)
		for row := range 200 {
			if row%4 > 0 && row < lines {
				continue
			}
			for i := range 300 {
				c.add(0.1*float64(i)+r.NormFloat64()*.01, 0.1*float64(row)+r.NormFloat64()*.01,
					r.NormFloat64()*.01)
			}
		}
		return c
	}
	for name, made := range map[string]struct {
		points columns
		lines  bool
	}{"none": {scan(0), false}, "a fifth": {scan(32), true}, "half": {scan(80), true},
		"aerial": {lidar(40_000, 3),
			true}} {
		c := mustNew(t, made.points, 2)
		l, _, points := joinLines(t, c, 2)
		must.Need(t, c.Len() > sampledAbove,
			"%s: c.Len() is %v, want more than %v", name, c.Len(), sampledAbove)
		must.Equal(t, made.lines, float64(points) >= ScanLines*float64(c.Len()), "%s: made.lines", name)
		for least, want := range map[float64]int{0: points, ScanLines: points} {
			if least > 0 && !made.lines {
				want = 0
			}
			_, across, err := NewGraph(c, l, GraphOptions{Nearest: 5, Around: Around, Across: least}, run)
			must.OK(t, err)
			must.Hold(t, across == want, "%s, least share %v: %d points have edges across, want %d", name,
				least, across, want)
		}
		may := must.Get(mayHaveLines(c, GraphOptions{Nearest: 5, Around: Around, Across: ScanLines}, run))(t)
		must.Hold(t, may == made.lines, "%s: the sample shows lines: %v", name, may)
	}
}
