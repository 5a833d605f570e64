package scenes

import "slices"

// relief is the height of the bare earth: three octaves of smooth noise.
type relief struct {
	seed uint64
	high float64 // m, half the range of the longest waves
	long float64 // m, their length
}

// at returns the height at world coordinates, in metres.
func (r relief) at(x, y float64) float64 {
	return r.high*Noise(r.seed, x/r.long, y/r.long) +
		r.high*.25*Noise(r.seed+1, x/(r.long*.33), y/(r.long*.33)) +
		r.high*.03*Noise(r.seed+2, x/(r.long*.08), y/(r.long*.08))
}

// terrain is the ground of one block as a grid of cells.
type terrain struct {
	x0, y0  float64 // world coordinates of the block's corner
	xs, ys  []float64
	height  func(x, y float64) float64 // of a corner, block coordinates
	surface func(x, y float64) Part    // of a cell, by its middle
}

func (t terrain) build(b *builder) {
	z := make([]float64, len(t.xs)*len(t.ys))
	for j, y := range t.ys {
		for i, x := range t.xs {
			z[j*len(t.xs)+i] = t.height(x, y)
		}
	}
	corner := func(i, j int) (x, y, h float64) { return t.xs[i], t.ys[j], z[j*len(t.xs)+i] }
	for j := range len(t.ys) - 1 {
		for i := range len(t.xs) - 1 {
			b.use(t.surface((t.xs[i]+t.xs[i+1])/2, (t.ys[j]+t.ys[j+1])/2))
			b.quad(v(corner(i, j)), v(corner(i+1, j)), v(corner(i+1, j+1)), v(corner(i, j+1)))
		}
	}
}

// lines returns grid lines from 0 to length at most step apart, through every
// one of the given lines.
func lines(length, step float64, through ...float64) []float64 {
	stops := append([]float64{0, length}, through...)
	slices.Sort(stops)
	list := []float64{0}
	for _, s := range stops {
		last := list[len(list)-1]
		if s <= last {
			continue
		}
		n := int((s-last)/step + .999)
		for k := 1; k < n; k++ {
			list = append(list, last+(s-last)*float64(k)/float64(n))
		}
		list = append(list, s)
	}
	return list
}
