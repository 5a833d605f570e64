// SPDX-License-Identifier: BSD-3-Clause

package arithmetic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// TestCompilerDoesNotFuse: without the flag of CMakeLists.txt Go fuses on some processors.
func TestCompilerDoesNotFuse(t *testing.T) {
	must.Hold(t, !fuses(),
		"this Go fuses products and sums; build with -gcflags=all=-d=fmahash=qn, as CMakeLists.txt does, "+
			"or ids differ from other machines'")
}

func TestExpAndLog(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ulp := func(x float64) float64 { return math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x) }
	worst := [2]float64{}
	for range 1_000_000 {
		x := (r.Float64() - .5) * math.Ldexp(1, r.IntN(15)-5)
		if math.Abs(x) < 690 {
			worst[0] = max(worst[0], math.Abs(Exp(x)-math.Exp(x))/ulp(math.Exp(x)))
		}
		y := math.Ldexp(1+r.Float64(), r.IntN(80)-40)
		if r.IntN(2) == 0 {
			y = 1 + x*1e-4
		}
		if y > 0 {
			worst[1] = max(worst[1], math.Abs(Log(y)-math.Log(y))/ulp(math.Log(y)))
		}
	}
	t.Logf("largest differences from package math: exp %.2f, log %.2f units in the last place",
		worst[0], worst[1])
	must.Hold(t, worst[0] <= 3, "errors of Exp, Log: %v, want at most 3", worst)
	must.Hold(t, worst[1] <= 3, "errors of Exp, Log: %v, want at most 3", worst)
	must.Equal(t, Exp(0), 1, "Exp(0)")
	must.Equal(t, Exp(-800), 0, "Exp(-800)")
	must.Equal(t, Exp(800), math.Inf(1), "Exp(800)")
	must.Equal(t, Log(1), 0, "Log(1)")
	must.Equal(t, Log(0), math.Inf(-1), "Log(0)")
}

// TestBitsEqualOnEveryMachine: the bits of a few values are equal on every machine.
func TestBitsEqualOnEveryMachine(t *testing.T) {
	var sum uint64
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		sum = sum*31 + math.Float64bits(Exp(40*r.Float64()-30))
		sum = sum*31 + math.Float64bits(Log(math.Ldexp(1+r.Float64(), r.IntN(60)-30)))
	}
	const want = 0xbae0023a028ba1c6
	must.Hold(t, sum == want, "sum %#x, on other machines %#x", sum, uint64(want))
}

// TestDecay: results have the same bits as Exp, also next to the middle of two float32, where Exp is
// needed.
func TestDecay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	near := 0
	for i := range 1_000_000 {
		x, scale := float32(24*r.Float64()), .1+r.Float64()
		if i%2 == 0 { // e^(−x/scale) is next to a middle
			low := float32(math.Exp(-float64(x)))
			middle := (float64(low) + float64(math.Nextafter32(low, 1))) / 2
			scale = -float64(x) / math.Log(middle*(1+1e-12*(r.Float64()-.5)))
		}
		if e := Exp(-float64(x) / scale); math.Abs(math.Remainder(e/math.Ldexp(1, math.Ilogb(e)-23)-.5,
			1)) < 1e-4 {
			near++
		}
		got := []float32{x}
		Decay(got, scale)
		must.Need(t, got[0] == float32(Exp(-float64(x)/scale)),
			"of %v and %v: %v, want %v", x, scale, got, Exp(-float64(x)/scale))
	}
	must.Hold(t, near >= 100_000, "%d of a million are next to a middle", near)
	ends := []float32{0, 800, float32(math.Inf(1)), -1}
	Decay(ends, 1)
	must.Hold(t, slices.Equal(ends, []float32{1, 0, 0, math.E}), "at the ends: %v", ends)
}

// fuses reports whether this build fuses products and sums by itself; results may then
// differ in their last bits from results of other machines.
func fuses() bool { return fused(1+0x1p-30, 1-0x1p-30, -1) != 0 }

//go:noinline
func fused(a, b, c float64) float64 { return a*b + c }

func TestSquaredDistance(t *testing.T) {
	if d := SquaredDistance([]float32{1, 2, 0.1}, []float64{4, -2, 0.1}); d < 25 || d > 25+1e-15 {
		t.Errorf("in float64: %v", d) // float32's 0.1 is not float64's
	}
	must.Equal(t, SquaredDistance([]float32{1, 2, 0.1}, []float32{4, -2, 0.1, 9}), 25, "distance in float32")
	must.Equal(t, SquaredDistance[float32, float64](nil, nil), 0, "distance of nothing")
}

func TestFloorDiv(t *testing.T) {
	for _, c := range [][3]int64{{7, 3, 2}, {-7, 3, -3}, {-6, 3, -2}, {0, 5, 0}, {-1, 5, -1}, {5, 5, 1}} {
		must.Equal(t, FloorDiv(c[0], c[1]), c[2], "%d/%d", c[0], c[1])
	}
}
