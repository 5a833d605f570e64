package arithmetic

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exact returns a·b + c by whole numbers of any size.
func exact(a, b, c float32) float32 {
	x := new(big.Float).SetPrec(2000).SetFloat64(float64(a))
	x.Mul(x, new(big.Float).SetFloat64(float64(b)))
	x.Add(x, new(big.Float).SetFloat64(float64(c)))
	f, _ := x.Float32()
	return f
}

// hard returns operands whose sum is often half-way, all but half-way, subnormal
// or cancels.
func hard(r *rand.Rand, i int) (a, b, c float32) {
	bits := func(low, high int) float32 { // any significand, an exponent in the range
		return math.Float32frombits(r.Uint32()&0x807fffff | uint32(low+r.IntN(high-low+1))<<23)
	}
	few := func() float32 { return float32(r.IntN(1<<12)-1<<11) * float32(math.Ldexp(1, r.IntN(40)-20)) }
	switch i % 8 {
	case 0:
		return bits(0, 254), bits(0, 254), bits(0, 254)
	case 1:
		return bits(120, 134), bits(120, 134), bits(110, 140)
	case 2: // c is half a last place of the product's neighbour
		a, b = few(), few()
		c = float32(math.Ldexp(float64(r.IntN(3)-1), r.IntN(60)-60))
		return a, b, c
	case 3: // product half a last place of c, and so little that float64 loses it
		c = bits(127, 127)
		a = math.Float32frombits(0x3f800000 + uint32(r.IntN(4)))
		b = math.Float32frombits(0x3f800000-uint32(r.IntN(8))) * float32(math.Ldexp(1, -24-r.IntN(2)))
		if r.IntN(2) == 0 {
			b = -b
		}
		return a, b, c
	case 4: // subnormal sums
		return bits(50, 70), bits(50, 70), bits(0, 3)
	case 5: // cancels
		a, b = bits(120, 134), bits(120, 134)
		return a, b, -a * b
	case 6:
		return few(), few(), few()
	default: // a tiny product beside a subnormal half-way case
		return bits(30, 60), bits(1, 30), bits(0, 1)
	}
}

func TestFMAIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 800_000
	if testing.Short() {
		n = 80_000
	}
	twice := 0
	for i := range n {
		a, b, c := hard(r, i)
		got, want := FMA(a, b, c), exact(a, b, c)
		if math.Float32bits(got) != math.Float32bits(want) && !(got == 0 && want == 0) { // big has its own sign of 0
			t.Fatalf("%x · %x + %x = %x, exact %x", a, b, c, got, want)
		}
		if float32(float64(a)*float64(b)+float64(c)) != want {
			twice++
		}
	}
	t.Logf("of %d sums, %d would be wrong if they were just rounded twice", n, twice)
	if twice < n/500 {
		t.Error("the cases are not hard")
	}
}

// The cases of zero, infinity and not-a-number are those of IEEE 754.
func TestFMAOfSpecialValues(t *testing.T) {
	inf, zero := float32(math.Inf(1)), float32(0)
	minus := -zero
	for _, c := range []struct{ a, b, c, want float32 }{
		{zero, 1, zero, zero}, {-1, zero, zero, zero}, {inf, 1, 1, inf}, {inf, -1, 1, -inf}, {3e38, 3e38, 1, inf},
		{1, 1, -1, zero}, {1e-30, -1e-30, zero, float32(math.Copysign(0, -1))}, {1, minus, minus, minus},
	} {
		if got := FMA(c.a, c.b, c.c); math.Float32bits(got) != math.Float32bits(c.want) {
			t.Errorf("%v · %v + %v = %v, not %v", c.a, c.b, c.c, got, c.want)
		}
	}
	if got := FMA(inf, zero, 1); got == got {
		t.Errorf("∞ · 0 = %v", got)
	}
	if got := FMA(inf, 1, -inf); got == got {
		t.Errorf("∞ − ∞ = %v", got)
	}
}

// Without the flag of CMakeLists.txt Go fuses on some processors.
func TestNothingIsFusedByItself(t *testing.T) {
	if fuses() {
		t.Error("this Go fuses products and sums; build with -gcflags=all=-d=fmahash=qn, as CMakeLists.txt does, or ids " +
			"differ from those of other machines")
	}
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
	t.Logf("largest differences from package math: exp %.2f, log %.2f units in the last place", worst[0], worst[1])
	if worst[0] > 3 || worst[1] > 3 {
		t.Errorf("too large: %v", worst)
	}
	if Exp(0) != 1 || Exp(-800) != 0 || !math.IsInf(Exp(800), 1) || Log(1) != 0 || !math.IsInf(Log(0), -1) {
		t.Error("values at the ends are wrong")
	}
}

// The bits of a few values, the same on every machine.
func TestBitsAreThoseOfEveryMachine(t *testing.T) {
	var sum uint64
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 20_000 {
		a, b, c := hard(r, i)
		sum = sum*31 + uint64(math.Float32bits(FMA(a, b, c)))
		sum = sum*31 + math.Float64bits(Exp(40*r.Float64()-30))
		sum = sum*31 + math.Float64bits(Log(math.Ldexp(1+r.Float64(), r.IntN(60)-30)))
	}
	const want = 0x6fbbf18abacbb87e
	if sum != want {
		t.Errorf("sum %#x, elsewhere %#x", sum, uint64(want))
	}
}

func BenchmarkFMA(b *testing.B) {
	x := make([]float32, 1024)
	for i := range x {
		x[i] = float32(i%37) / 7
	}
	s := float32(1)
	for i := 0; b.Loop(); i++ {
		s = FMA(s, .5, x[i%1024])
	}
	if s != s {
		b.Fail()
	}
}

func BenchmarkExp(b *testing.B) {
	s := 0.0
	for i := 0; b.Loop(); i++ {
		s += Exp(-float64(i&1023) / 100)
	}
	if s != s {
		b.Fail()
	}
}

// fuses tells whether this build fuses products and sums by itself; results
// may then differ in their last bits from those of other machines.
func fuses() bool { return fused(1+0x1p-30, 1-0x1p-30, -1) != 0 }

//go:noinline
func fused(a, b, c float64) float64 { return a*b + c }

func TestSquaredDistance(t *testing.T) {
	if d := SquaredDistance([]float32{1, 2, 0.1}, []float64{4, -2, 0.1}); d < 25 || d > 25+1e-15 {
		t.Errorf("in float64: %v", d) // float32's 0.1 is not float64's
	}
	if d := SquaredDistance([]float32{1, 2, 0.1}, []float32{4, -2, 0.1, 9}); d != 25 {
		t.Errorf("in float32: %v", d)
	}
	if d := SquaredDistance[float32, float64](nil, nil); d != 0 {
		t.Errorf("of nothing: %v", d)
	}
}

func ExampleSquaredDistance() {
	fmt.Println(SquaredDistance([]float32{1, 2}, []float64{4, 6}))
	// Output: 25
}

func BenchmarkSquaredDistance(b *testing.B) {
	const n, dim = 1 << 10, 7
	random := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float32, n*dim), make([]float64, dim)
	for i := range x {
		x[i] = random.Float32()
	}
	var sum float64
	for b.Loop() {
		for i := range n {
			sum += SquaredDistance(x[i*dim:(i+1)*dim], y)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/distance")
	_ = sum
}

func TestFloorDiv(t *testing.T) {
	for _, c := range [][3]int64{{7, 3, 2}, {-7, 3, -3}, {-6, 3, -2}, {0, 5, 0}, {-1, 5, -1}, {5, 5, 1}} {
		if q := FloorDiv(c[0], c[1]); q != c[2] {
			t.Errorf("%d/%d is %d, want %d", c[0], c[1], q, c[2])
		}
	}
}
