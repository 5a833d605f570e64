// SPDX-License-Identifier: BSD-3-Clause

package arithmetic

import "math"

const (
	log2e = 1.44269504088896338700e+00
	ln2Hi = 6.93147180369123816490e-01 // the leading 32 bits of ln 2
	ln2Lo = 1.90821492927058770002e-10
	whole = 3 << 51 // adding and subtracting it rounds to an integer
)

// expSeries has the coefficients 1/k! of the Taylor series of eʳ, from k = 13 to 0.
var expSeries = [...]float64{
	1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040,
	1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1,
}

// logSeries has the coefficients 2/(2k + 1) of the series of artanh s in s², from k = 10 to 1.
var logSeries = [...]float64{
	2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3,
}

// horner returns the polynomial in x with the given coefficients, that of the highest power first. A step is
// one fused multiply-add, which rounds once, so that the bits are the same on every processor.
func horner(coefficients []float64, x float64) float64 {
	p := coefficients[0]
	for _, c := range coefficients[1:] {
		p = math.FMA(p, x, c)
	}
	return p
}

// Exp returns eˣ with an error of at most 2 units in the last place, 0 below −700 and
// infinity above 700. With n = x/ln 2 rounded and r = x − n·ln 2 it is 2ⁿ·eʳ, with eʳ by the
// Taylor series to the 13th power (the remainder is below 10⁻¹⁷).
func Exp(x float64) float64 {
	switch {
	case !(x >= -700):
		return 0
	case x > 700:
		return math.Inf(1)
	}
	n := math.FMA(x, log2e, whole) - whole
	r := math.FMA(n, -ln2Hi, x)
	r = math.FMA(n, -ln2Lo, r)
	p := horner(expSeries[:], r)
	return p * math.Float64frombits(uint64(int64(n)+1023)<<52)
}

// Decay replaces every value x by float32(Exp(−x/scale)), in less time for results from e^−16 to 1.
//
// Claim: the bits equal float32(Exp(y)), y = −x/scale. Reason: with k = −64y rounded and r = y + k/64, |r| ≤
// 1/128, so the relative error of e^(−k/64) times the Taylor series of eʳ to the cube is below 1.6·10⁻¹⁰, 2²¹
// units in the last place. Exp(y) is rounded like this product unless that is so near to the middle of two
// float32.
func Decay(values []float32, scale float64) {
	const tail, margin = 52 - 23, 1 << 21 // the number of bits that a float32 lacks
	for i, x := range values {
		y := -float64(x) / scale
		if y >= -16 && y <= 0 {
			k := int(y*-64 + .5)
			r := y + float64(k)*(1./64)
			e := powers[k] * (1 + r*(1+r*(1./2+r*(1./6))))
			if (math.Float64bits(e)+margin-1<<(tail-1))&(1<<tail-1) >= 2*margin {
				values[i] = float32(e)
				continue
			}
		}
		values[i] = float32(Exp(y))
	}
}

// powers has e^(−k/64).
var powers = func() (p [16*64 + 1]float64) {
	for k := range p {
		p[k] = Exp(-float64(k) / 64)
	}
	return p
}()

// rootHalf is √½ as a float64's bits.
const rootHalf = 0x3fe6a09e667f3bcd

// Log returns ln x with an error of at most 2 units in the last place for a
// normal x above 0, else minus infinity. With x = 2ⁿ·m and m from √½ to √2 it is
// n·ln 2 + 2 artanh s, s = (m − 1)/(m + 1), by the series of artanh to s²¹ (the
// remainder is below 10⁻¹⁷).
func Log(x float64) float64 {
	if !(x >= 0x1p-1022) {
		return math.Inf(-1)
	}
	b := math.Float64bits(x) - rootHalf + 1023<<52
	n := float64(int64(b>>52) - 1023)
	m := math.Float64frombits(b&(1<<52-1) + rootHalf)
	f := m - 1
	s := f / (m + 1)
	z := s * s
	half := f * f * .5
	series := math.FMA(horner(logSeries[:], z), z, half)
	low := math.FMA(n, ln2Lo, -math.FMA(-s, series, half))
	return math.FMA(n, ln2Hi, f+low)
}
