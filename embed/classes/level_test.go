// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// TestLevels: which level a point has follows from its heights over the surfaces in metres, on both sides of
// each bound. The limit of ground is 0.5 m.
func TestLevels(t *testing.T) {
	for name, c := range map[string]struct {
		smrf, reached float32
		deck          bool    // the point is in a cell of a deck
		aboveLowest   float32 // in its cell
		want          Level
	}{
		"below the surface":              {smrf: -3, want: Low},
		"on it":                          {want: Low},
		"below low plants":               {smrf: 0.19, want: Low},
		"low plants":                     {smrf: 0.21, want: Cover},
		"at the limit":                   {smrf: 0.5, want: Cover},
		"above SMRF's ground":            {smrf: 0.51, reached: 0.5, want: Disputed},
		"far above it, land is near":     {smrf: 40, reached: -1, want: Disputed},
		"above both":                     {smrf: 0.51, reached: 0.51, want: TooHigh},
		"on a deck":                      {deck: true, aboveLowest: 0.1, want: OnDeck},
		"cover on a deck":                {smrf: 0.3, deck: true, aboveLowest: 0.1, want: OnDeck},
		"high above a deck":              {deck: true, aboveLowest: 9, want: Low},
		"a deck that SMRF leaves out":    {smrf: 5, reached: 0, deck: true, want: Disputed},
		"a deck without a way to ground": {smrf: 5, reached: 5, deck: true, want: TooHigh},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Superpoints{Cloud: &neighbor.Cloud{XYZ: make([][3]int32, 1), Unit: 1}}
			s.terrain = &terrain{smrf: []float32{c.smrf}, reached: []float32{c.reached}, cell: []int32{0},
				limit: []float32{0.5}, lowest: []float32{-c.aboveLowest}, deck: []bool{c.deck}}
			must.Equal(t, s.Level(0), c.want, "level")
		})
	}
}

// TestMedianOfPoints: the median over superpoints is the lower one of a list with the value of each point.
func TestMedianOfPoints(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 500 {
		f := new(Features)
		var order []int
		var values, ofPoints []float64
		for k := range 1 + random.IntN(6) {
			size := 1 + random.IntN(4)
			value := float64(random.IntN(9))
			f.Size = append(f.Size, float32(size))
			order = append(order, k)
			values = append(values, value)
			ofPoints = append(ofPoints, slices.Repeat([]float64{value}, size)...)
		}
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		slices.Sort(ofPoints)
		want := ofPoints[(len(ofPoints)-1)/2]
		must.Equal(t, f.median(order, values), want, "median of %v, of sizes %v", values, f.Size)
	}
}
