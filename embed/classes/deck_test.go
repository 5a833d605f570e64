// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"testing"

	"superpoint/testdata/must"
)

// land is a height at each place, and whether a deck is in the middle.
type land struct {
	height func(x, y float64) float64
	deck   bool
}

// lands returns decks along x, and what is none.
func lands() map[string]land {
	void := math.NaN()
	within := func(x, y, dx, dy float64) bool { return math.Abs(x) < dx && math.Abs(y) < dy }
	valley := func(half, floor float64) func(x, y float64) float64 { // along y, with a deck along x
		return func(x, y float64) float64 {
			if math.Abs(x) < 20 && math.Abs(y) > half {
				return floor
			}
			return 0
		}
	}
	// banks returns the height of land that falls by a slope of 0.5 outside of a strip.
	banks := func(x, half, floor float64) float64 {
		d := math.Abs(x) - half
		if d > 6 {
			return floor
		}
		return -max(0, d) / 2
	}
	return map[string]land{
		"footbridge over a void":  {valley(2.5, void), true},
		"bridge over a void":      {valley(7, void), true},
		"motorway over a void":    {valley(11, void), true},
		"low bridge over a canal": {valley(6, -4), true},
		"viaduct over a valley":   {valley(12, -20), true},
		"oblique bridge": {func(x, y float64) float64 {
			u, v := 0.8*x+0.6*y, 0.8*y-0.6*x
			return valley(5, void)(u, v)
		}, true},
		"bridge with a fall": {func(x, y float64) float64 { return valley(7, void)(x, y) + y/40 + x/20 },
			true},
		"jetty": {func(x, y float64) float64 {
			if x > -20 && !within(x, y, 25, 4) {
				return void
			}
			return 0
		}, true},
		"ramps to a road": {func(x, y float64) float64 {
			switch high := min(6, max(0, (50-math.Abs(x))/5)); {
			case math.Abs(x) < 8:
				return map[bool]float64{true: 6, false: 0}[math.Abs(y) < 6]
			default:
				return min(high, max(0, high-(math.Abs(y)-6)/2))
			}
		}, true},
		"level land":              {func(_, _ float64) float64 { return 0 }, false},
		"wide land between voids": {valley(15, void), false},
		"dike":                    {func(x, _ float64) float64 { return banks(x, 4, -3) }, false},
		"causeway in a void": {func(x, y float64) float64 {
			if math.Abs(y) > 20 {
				return 0
			}
			return banks(x, 4, void)
		}, false},
		"quay": {func(x, _ float64) float64 {
			if x > 5 {
				return void
			}
			return 0
		}, false},
		"corner of the cloud": {func(x, y float64) float64 {
			if math.Abs(x) > 8-y/3 {
				return void
			}
			return 0
		}, false},
		"terrace": {func(x, _ float64) float64 { return 3 * math.Floor((x+6)/12) }, false},
		"cutting": {func(x, _ float64) float64 {
			return map[bool]float64{true: -5,
				false: 0}[math.Abs(x) < 6]
		}, false},
		"roof": {func(x, y float64) float64 {
			return map[bool]float64{true: 5,
				false: 0}[within(x, y, 12, 8)]
		}, false},
		"slope": {func(x, _ float64) float64 { return 0.6 * x }, false},
	}
}

// TestDecks: strips between walls or voids are decks where wider land is connected with them: whatever the
// width, height and direction, over water without returns, over a road, of a jetty. Land with banks, of one
// wall, at a corner of the cloud or wide is none, and no roof is.
func TestDecks(t *testing.T) {
	const size = 110.0
	for name, c := range lands() {
		for _, apart := range []float64{0.3, 0.7, 1.2} {
			s, x, y := scattered(t, size, apart, c.height)
			s.terrain = s.findTerrain()
			found, all, off := 0, 0, 0
			for i, from := range s.Cloud.Order {
				is := s.onDeck(i)
				if is {
					must.Need(t, s.Level(i) != Low, "%s: s.Level(i) equals Low", name)
				}
				switch {
				case math.Abs(x[from]) > 30 && is:
					off++ // land at the bridge's ends, and ramps
				case max(math.Abs(x[from])/5, math.Abs(y[from])/2) < 1:
					if all++; is {
						found++
					}
				}
			}
			share := float64(found) / float64(all)
			if c.deck {
				must.Hold(t, share >= 0.85,
					"%s, points %g m apart: share is %v, want at least 0.85", name, apart, share)
			} else {
				must.Hold(t, share <= 0.02,
					"%s, points %g m apart: share is %v, want at most 0.02", name, apart, share)
			}
			must.Hold(t, 50*off <= len(x),
				"%s, points %g m apart: 50*off is %v, want at most %v", name, apart, 50*off, len(x))
		}
	}
}

// TestWidthOfDecks: a strip of one cell, as at a wall, is no deck, nor is one of deckWidth and more.
func TestWidthOfDecks(t *testing.T) {
	for cells, want := range map[int]bool{1: false, 2: true, 24: true, 25: false} {
		p := profile{of: make([]int32, cells+6), lowest: make([]float32, cells+6),
			inner: make([]bool, cells+6), apart: 1,
			void: 5}
		for k := range p.of {
			p.cells = append(p.cells, k)
			if k >= 3 && k < 3+cells {
				p.lowest[k] = 4
			}
		}
		strip := p.strip(3)
		must.Equal(t, len(strip), cells,
			"a strip of %d cells has %d, and is a deck: len(strip)", cells, len(strip))
		must.Equal(t, p.isDeck(strip), want,
			"a strip of %d cells has %d, and is a deck: p.isDeck(strip)", cells, len(strip))
	}
}
