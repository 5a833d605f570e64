// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"superpoint/embed/classes"
	"superpoint/filter/paint"
	"superpoint/partition/base/arithmetic"
)

// unprocessed is the colour of number 0, of points that were not processed.
var unprocessed = RGB{172, 172, 172}

// ObjectColor returns a colour for a number, independent of its neighbours.
func ObjectColor(id uint32) RGB {
	if id == 0 {
		return unprocessed
	}
	list := paint.Palette()
	return list[arithmetic.Mix(id)%uint32(len(list))]
}

// objects returns the colours of objects by their numbers. choice has another number of each point, with
// which adjacent superpoints differ; it may be nil.
func objects(numbers, choice []float64) func(int) RGB {
	list := paint.Palette()
	return func(i int) RGB {
		id := idOf(numbers[i])
		if id == 0 || choice == nil {
			return ObjectColor(id)
		}
		return list[int(uint8(choice[i]))%len(list)]
	}
}

// ramp colours a value in [0, 1] from deep blue over green and yellow to red
// brown.
func ramp(t float64) RGB {
	stops := [...]RGB{{48, 62, 130}, {46, 116, 170}, {62, 160, 140}, {128, 190, 100}, {226, 206, 104},
		{230, 150, 80},
		{186, 76, 62}}
	if !(t > 0) {
		return stops[0]
	}
	if t >= 1 {
		return stops[len(stops)-1]
	}
	at := t * float64(len(stops)-1)
	k := int(at)
	return mixed(stops[k], stops[k+1], at-float64(k))
}

func mixed(a, b RGB, t float64) (c RGB) {
	for k := range 3 {
		c[k] = uint8(float64(a[k])*(1-t) + float64(b[k])*t + .5)
	}
	return c
}

// span returns the quantiles low and high of a column.
func span(values []float64, low, high float64) (from, to float64) {
	sample := sorted(values, 100_000)
	if len(sample) == 0 {
		return 0, 1
	}
	from, to = sample[int(low*float64(len(sample)-1))], sample[int(high*float64(len(sample)-1))]
	if to <= from {
		to = from + 1
	}
	return from, to
}

// scalar colours a column by ramp, from its 1st to its 99th percentile.
func scalar(values []float64) func(int) RGB {
	from, to := span(values, .01, .99)
	return func(i int) RGB { return ramp((values[i] - from) / (to - from)) }
}

// grey colours a column from black to white, from its 1st to its 98th percentile.
func grey(values []float64) func(int) RGB {
	from, to := span(values, .01, .98)
	return func(i int) RGB {
		g := uint8(30 + 215*math.Sqrt(math.Max(0, math.Min(1, (values[i]-from)/(to-from)))))
		return RGB{g, g, g}
	}
}

// relief colours by height, lighter for higher intensity, which may be nil.
func relief(z, intensity []float64) func(int) RGB {
	height := scalar(z)
	if intensity == nil {
		return height
	}
	from, to := span(intensity, .02, .98)
	return func(i int) RGB {
		t := math.Max(0, math.Min(1, (intensity[i]-from)/(to-from)))
		c := height(i)
		return mixed(mixed(RGB{20, 24, 40}, c, .45), mixed(c, RGB{255, 255, 250}, .3), math.Sqrt(t))
	}
}

// trueColor colours by three columns of colour, of 8 or 16 bits.
func trueColor(red, green, blue []float64) func(int) RGB {
	top := 0.0
	for _, c := range [][]float64{red, green, blue} {
		_, to := span(c, 0, .995)
		top = max(top, to)
	}
	scale := 1.0
	if top > 255 {
		scale = 255 / math.Max(top, 16384)
		if top > 30000 {
			scale = 255. / 65535
		}
	}
	level := func(v float64) uint8 { return uint8(math.Max(0, math.Min(255, v*scale))) }
	return func(i int) RGB { return RGB{level(red[i]), level(green[i]), level(blue[i])} }
}

// classColors has the colours of ASPRS classes, of some national ones and of the simulated scanner.
func classColors() map[int]RGB {
	return map[int]RGB{
		0: {190, 190, 190}, 1: {190, 190, 190}, 2: {178, 148, 108}, 3: {180, 210, 110}, 4: {120, 180, 80},
		5: {52, 132, 64},
		6: {222, 84, 64}, 7: {255, 0, 255}, 18: {255, 0, 255}, 9: {66, 140, 210}, 10: {120, 90, 110},
		11: {120, 120,
			126}, 13: {240, 200, 80},
		14: {250, 190, 40}, 15: {110, 80, 170}, 17: {140, 150, 190}, 26: {140, 150, 190}, 64: {44, 90, 190},
		65: {220, 80,
			200},
		19: {245, 215, 60}, 20: {226, 226, 220}, 21: {176, 152, 122}, 22: {204, 200, 164},
		25: {110, 186, 222}, 27: {230,
			150, 60},
		28: {196, 64, 76}, 29: {150, 90, 180}, 30: {92, 134, 72}, 31: {58, 108, 200}, 32: {104, 106, 116},
		96: {190, 130, 60}, 128: {240, 200, 40}, 160: {60, 180, 190},
	}
}

// KnownClasses returns the codes, names and colours of all classes that have a colour of their own,
// ascending.
func KnownClasses() (codes []int, legend []Entry) {
	known := classColors()
	codes = slices.Sorted(maps.Keys(known))
	for _, c := range codes {
		legend = append(legend, Entry{classes.Name(c), known[c]})
	}
	return codes, legend
}

// classLegend returns the legend of the classes that points have, ascending.
func classLegend(codes []float64) (legend []Entry) {
	seen := map[int]bool{}
	for _, c := range codes {
		seen[int(c)] = true
	}
	for _, c := range slices.Sorted(maps.Keys(seen)) {
		legend = append(legend, Entry{classes.Name(c), class([]float64{float64(c)})(0)})
	}
	return legend
}

// class returns the colours of classes, from the palette for classes without their own.
func class(codes []float64) func(int) RGB {
	var byCode [256]RGB
	for c := range byCode {
		byCode[c] = ObjectColor(uint32(c))
	}
	for c, color := range classColors() {
		byCode[c] = color
	}
	return func(i int) RGB {
		c := int(codes[i])
		if c < 0 || c >= len(byCode) {
			return ObjectColor(uint32(c))
		}
		return byCode[c]
	}
}

// Projected colours an embedding, given as columns of equal length, by its first
// three principal components as red, green and blue.
func Projected(columns [][]float64) func(int) RGB {
	m := len(columns)
	if m == 0 || len(columns[0]) == 0 {
		return func(int) RGB { return unprocessed }
	}
	step := max(1, len(columns[0])/100_000)
	sample := mat.NewDense((len(columns[0])-1)/step+1, m, nil)
	sample.Apply(func(i, a int, _ float64) float64 { return columns[a][i*step] }, sample)
	axes := components(sample)
	_, shown := axes.Dims()
	shown = min(3, shown)
	from, to := [3]float64{}, [3]float64{}
	for k := range shown {
		var values mat.VecDense
		values.MulVec(sample, axes.ColView(k))
		from[k], to[k] = span(values.RawVector().Data, .02, .98)
	}
	return func(i int) RGB {
		c := RGB{128, 128, 128}
		for k := range shown {
			value := 0.0
			for a := range m {
				value += columns[a][i] * axes.At(a, k)
			}
			c[k] = uint8(35 + 215*math.Max(0, math.Min(1, (value-from[k])/(to[k]-from[k]))))
		}
		return c
	}
}

// components returns the principal components of the rows of a sample, each with its
// largest entry positive; the axes if there are none, as for values that are not finite.
func components(sample *mat.Dense) *mat.Dense {
	_, m := sample.Dims()
	axes, pc := new(mat.Dense), new(stat.PC)
	if !pc.PrincipalComponents(sample, nil) {
		axes.CloneFrom(mat.NewDiagDense(m, slices.Repeat([]float64{1}, m)))
		return axes
	}
	pc.VectorsTo(axes)
	_, count := axes.Dims()
	for k := range count {
		large := 0.0
		for a := range m {
			if v := axes.At(a, k); math.Abs(v) > math.Abs(large)+1e-12 {
				large = v
			}
		}
		for a := range m {
			axes.Set(a, k, math.Copysign(1, large)*axes.At(a, k))
		}
	}
	return axes
}
