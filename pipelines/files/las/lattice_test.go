// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// TestLatticeFor checks the scale for clouds of several sizes and units, and that positions stay distinct.
func TestLatticeFor(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	cloud := func(n int, size, decimals float64, at [3]float64) (p [][3]float64) {
		for range n {
			q := at
			for k := range q {
				q[k] += size * random.Float64()
				if decimals > 0 {
					q[k] = math.Round(q[k]*decimals) / decimals
				}
			}
			p = append(p, q)
		}
		return p
	}
	utm := [3]float64{500000, 5400000, 100}
	for name, c := range map[string]struct {
		points  [][3]float64
		metres  float64
		degrees bool
		scale   float64 // of X
	}{
		"metres":           {cloud(2000, 60, 0, utm), 1, false, 1e-6},
		"millimetres":      {cloud(2000, 60, 1e3, utm), 1, false, 1e-3},
		"four decimals":    {cloud(2000, 60, 1e4, utm), 1, false, 1e-4},
		"eight decimals":   {cloud(2000, 1, 1e8, [3]float64{}), 1, false, 1e-8},
		"feet":             {cloud(2000, 60, 0, utm), 0.3048, false, 1e-6},
		"kilometres":       {cloud(2000, .06, 0, [3]float64{}), 1000, false, 1e-9},
		"ten centimetres":  {cloud(30000, .1, 0, [3]float64{}), 1, false, 1e-6},
		"degrees":          {cloud(2000, .001, 0, [3]float64{9, 48, 100}), 1, true, 1e-9},
		"degrees, country": {cloud(2000, 10, 0, [3]float64{9, 48, 100}), 1, true, 1e-8},
		"degrees, world":   {append(cloud(9, 1, 0, [3]float64{-179, -89, 0}), [3]float64{180, 90, 0}), 1, true, 1e-7},
		"too large":        {append(cloud(9, 1, 0, [3]float64{}), [3]float64{1e8, 1, 1}), 1, false, .1},
		"one point":        {cloud(1, 1, 1e2, utm), 1, false, 1e-3},
		"one place":        {append(cloud(1, 1, 1e2, utm), utm, utm, utm), 1, false, 1e-3},
		"none":             {nil, 1, false, 1e-3},
	} {
		l := must.Get(LatticeFor(c.points, c.metres, c.degrees))(t)
		if math.Abs(l.Scale[0]/c.scale-1) > 1e-9 {
			t.Errorf("%s: scale %v", name, l.Scale)
		}
		places, steps := map[[3]float64]bool{}, map[[3]uint64]bool{}
		for _, p := range c.points {
			places[p], steps[[3]uint64{l.step(p[0], 0), l.step(p[1], 1), l.step(p[2], 2)}] = true, true
		}
		if len(places) != len(steps) {
			t.Errorf("%s: %d places became %d", name, len(places), len(steps))
		}
		for k := range 3 {
			if l.Offset[k] != math.Trunc(l.Offset[k]) {
				t.Errorf("%s: offset %v", name, l.Offset)
			}
			for _, p := range c.points {
				if n := int64(l.step(p[k], k)); n != int64(int32(n)) {
					t.Errorf("%s: %v is step %d", name, p, n)
				}
			}
		}
	}
	must.Fail(LatticeFor([][3]float64{{0, math.NaN(), 0}}, 1, false))(t, "point 0", "Y[")
}

// TestUpgradeOfRecords: format 3 becomes 7 field by field (LAS 1.4 R15, tables 7 to 17).
func TestUpgradeOfRecords(t *testing.T) {
	from, to := make([]byte, 34), make([]byte, 36)
	for i := range from {
		from[i] = byte(101 + i)
	}
	from[14], from[15], from[16] = 0b11_011_010, 0b101_01100, 0xfd // edge, direction, 3 returns, the second; flags; −3°
	upgrade(to, from, 3)
	want := append(slices.Clone(from[:14]), 0b0011_0010, 0b11_00_0101, 12, from[17], 0x0c, 0xfe) // −500 × 0.006°
	want = append(append(append(want, from[18:20]...), from[20:28]...), from[28:34]...)
	if !bytes.Equal(to, want) {
		t.Errorf("% x, want % x", to, want)
	}
}
