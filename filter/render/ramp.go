package render

import (
	"maps"
	"math"
	"slices"
	"strconv"
)

// Ramp colours a value in [0, 1] from deep blue over green and yellow to red
// brown.
func Ramp(t float64) RGB {
	stops := [...]RGB{{48, 62, 130}, {46, 116, 170}, {62, 160, 140}, {128, 190, 100}, {226, 206, 104}, {230, 150, 80},
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

// span returns the values below which the shares low and high of a column lie.
func span(values []float64, low, high float64) (from, to float64) {
	step := max(1, len(values)/100_000)
	var sample []float64
	for i := 0; i < len(values); i += step {
		if !math.IsNaN(values[i]) {
			sample = append(sample, values[i])
		}
	}
	if len(sample) == 0 {
		return 0, 1
	}
	slices.Sort(sample)
	from, to = sample[int(low*float64(len(sample)-1))], sample[int(high*float64(len(sample)-1))]
	if to <= from {
		to = from + 1
	}
	return from, to
}

// scalar colours a column by Ramp, from its 1st to its 99th percentile.
func scalar(values []float64) func(int) RGB {
	from, to := span(values, .01, .99)
	return func(i int) RGB { return Ramp((values[i] - from) / (to - from)) }
}

// Grey colours a column from black to white, from its 1st to its 98th percentile.
func Grey(values []float64) func(int) RGB {
	from, to := span(values, .01, .98)
	return func(i int) RGB {
		g := uint8(30 + 215*math.Sqrt(math.Max(0, math.Min(1, (values[i]-from)/(to-from)))))
		return RGB{g, g, g}
	}
}

// relief colours by height, lighter where the pulse came back stronger.
// intensity may be nil.
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

// True colours by three columns of colour, of 8 or 16 bits.
func True(red, green, blue []float64) func(int) RGB {
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

// classColors are those of ASPRS classes, of some national ones and of the simulated scanner.
func classColors() map[int]RGB {
	return map[int]RGB{
		0: {190, 190, 190}, 1: {190, 190, 190}, 2: {178, 148, 108}, 3: {180, 210, 110}, 4: {120, 180, 80}, 5: {52, 132, 64},
		6: {222, 84, 64}, 7: {255, 0, 255}, 18: {255, 0, 255}, 9: {66, 140, 210}, 10: {120, 90, 110}, 11: {120, 120,
			126}, 13: {240, 200, 80},
		14: {250, 190, 40}, 15: {110, 80, 170}, 17: {140, 150, 190}, 26: {140, 150, 190}, 64: {44, 90, 190}, 65: {220, 80,
			200},
		19: {245, 215, 60}, 20: {226, 226, 220}, 21: {176, 152, 122}, 22: {204, 200, 164}, 25: {110, 186, 222}, 27: {230,
			150, 60},
		28: {196, 64, 76}, 29: {150, 90, 180}, 30: {92, 134, 72}, 31: {58, 108, 200}, 32: {104, 106, 116},
		96: {190, 130, 60}, 128: {240, 200, 40}, 160: {60, 180, 190},
	}
}

// ClassName returns the name that ASPRS gives a class (LAS 1.4 R15, table 17), else its number.
func ClassName(code int) string {
	names := map[int]string{0: "never classified", 1: "unclassified", 2: "ground", 3: "low vegetation",
		4: "medium vegetation", 5: "high vegetation", 6: "building", 7: "low noise", 9: "water", 10: "rail",
		11: "road surface", 13: "wire guard", 14: "wire conductor", 15: "transmission tower", 16: "wire connector",
		17: "bridge deck", 18: "high noise", 19: "overhead structure", 20: "ignored ground", 21: "snow",
		22: "temporal exclusion"}
	if name, ok := names[code]; ok {
		return name
	}
	return "class " + strconv.Itoa(code)
}

// classLegend returns the entries of the classes that points have, ascending.
func classLegend(classes []float64) (legend []Entry) {
	seen := map[int]bool{}
	for _, c := range classes {
		seen[int(c)] = true
	}
	for _, c := range slices.Sorted(maps.Keys(seen)) {
		legend = append(legend, Entry{ClassName(c), Class([]float64{float64(c)})(0)})
	}
	return legend
}

// Class returns the colours of classes; those without one of their own take a colour of the palette.
func Class(classes []float64) func(int) RGB {
	known := classColors()
	return func(i int) RGB {
		c := int(classes[i])
		if color, ok := known[c]; ok {
			return color
		}
		return ObjectColor(uint32(c))
	}
}
