// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// By hand, of the crossed ones: no pair is in one part of both, 2 pairs are in one part of each, of 6 pairs;
// expected are 2·2/6, and (0 − 2/3) / (2 − 2/3) is −1/2.
func TestRandIndex(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"equal", []float64{1, 1, 2, 2}, []float64{1, 1, 2, 2}, 1},
		{"other ids", []float64{1, 1, 2, 2}, []float64{7, 7, 3, 3}, 1},
		{"crossed", []float64{1, 1, 2, 2}, []float64{1, 2, 1, 2}, -0.5},
		{"all one in both", []float64{1, 1, 1}, []float64{2, 2, 2}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := randIndex(c.a, c.b)
			must.Hold(t, math.Abs(got-c.want) < 1e-12,
				"index of %v and %v is %v, want %v", c.a, c.b, got, c.want)
		})
	}
}

func TestJitterMovesByAUnit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	seen := map[int32]int{}
	for range 300 {
		record := make([]byte, 20)
		for axis, value := range []int32{-5, 0, 1 << 30} {
			binary.LittleEndian.PutUint32(record[4*axis:], uint32(value))
		}
		jitter(record, random)
		for axis, value := range []int32{-5, 0, 1 << 30} {
			seen[int32(binary.LittleEndian.Uint32(record[4*axis:]))-value]++
		}
		must.Equal(t, record[12:], make([]byte, 8), "bytes behind the coordinates")
	}
	must.Equal(t, len(seen), 3, "moves by other than -1, 0 and 1: %v", seen)
	for move := int32(-1); move <= 1; move++ {
		must.Hold(t, seen[move] > 240, "%d of 900 moves are by %d", seen[move], move)
	}
}
