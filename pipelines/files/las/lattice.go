// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"fmt"
	"math"
	"slices"
)

// Lattice is the scale and the offset of coordinates of a LAS file.
type Lattice struct{ Scale, Offset [3]float64 }

// putLattice sets scale and offset in the header.
func (l *File) putLattice(on Lattice) {
	l.Lattice = on
	for k := range 3 {
		le.PutUint64(l.Head[atScale+8*k:], math.Float64bits(on.Scale[k]))
		le.PutUint64(l.Head[atOffset+8*k:], math.Float64bits(on.Offset[k]))
	}
}

// Scales that LatticeFor chooses, as exponents of ten.
const (
	millimetre, micrometre = -3, -6
	degreeFine, degreeWide = -9, -7
	finest                 = -12
)

// LatticeFor returns a lattice for positions without one, such as positions from text, in units of metres, or
// X and Y in degrees. The scale is a power of ten: the largest of at most a millimetre that holds all
// decimals of the positions, or a micrometre if there is none. In degrees it is the smallest of 1e-9 to 1e-7.
// It is larger where a 32-bit integer would not hold the extent. Offsets are integers.
func LatticeFor(p [][3]float64, metres float64, degrees bool) (Lattice, error) {
	var offset [3]float64
	var smallest [3]int // exponent that 32 bits hold
	for k := range 3 {
		least, most, err := boundsOf(p, k)
		if err != nil {
			return Lattice{}, err
		}
		if len(p) > 0 {
			offset[k] = math.Round(least/2 + most/2)
		}
		reach := max(most-offset[k], offset[k]-least, 0)
		for smallest[k] = finest; reach/power(smallest[k]) > math.MaxInt32-1; smallest[k]++ {
		}
	}
	at := func(n int) Lattice {
		l := Lattice{Offset: offset}
		for k := range 3 {
			l.Scale[k] = power(max(n, smallest[k]))
			if degrees && k < 2 {
				l.Scale[k] = power(max(degreeFine, min(degreeWide, smallest[k]), smallest[k]))
			}
		}
		return l
	}
	inUnits := func(length int) int { // rounded down
		n := length
		for n > finest && power(n) > power(length)/metres*(1+1e-9) {
			n--
		}
		return n
	}
	for n := inUnits(millimetre); n >= finest; n-- {
		if l := at(n); l.exact(p) {
			return l, nil
		}
	}
	return at(inUnits(micrometre)), nil
}

// boundsOf returns the least and the greatest value of axis k. It fails if one is not finite.
func boundsOf(p [][3]float64, k int) (least, most float64, err error) {
	least = math.Inf(1)
	most = math.Inf(-1)
	for i := range p {
		v := p[i][k]
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, fmt.Errorf("point %d has the coordinate %v, which LAS cannot hold; remove it "+
				"(filters.range with %c[-1e9:1e9])", i, v, 'X'+rune(k))
		}
		least = min(least, v)
		most = max(most, v)
	}
	return least, most, nil
}

// Round returns the position on the lattice that is nearest to a coordinate.
func (l Lattice) Round(v float64, axis int) float64 {
	return math.Round((v-l.Offset[axis])/l.Scale[axis])*l.Scale[axis] + l.Offset[axis]
}

// exact reports whether positions stay as they are, but for rounding.
func (l Lattice) exact(p [][3]float64) bool {
	for i := range p {
		for k, v := range p[i] {
			if math.Abs(l.Round(v, k)-v) > 4e-16*math.Max(math.Abs(v), math.Abs(l.Offset[k])) {
				return false
			}
		}
	}
	return true
}

// power returns the power of ten nearest to 10^n.
func power(n int) float64 {
	if n < 0 {
		return 1 / math.Pow10(-n)
	}
	return math.Pow10(n)
}

// step returns the integer of a coordinate.
func (l Lattice) step(v float64, axis int) uint64 {
	return uint64(int64(math.Round((v - l.Offset[axis]) / l.Scale[axis])))
}

// Place writes a copy of l with coordinates from three extra dimensions of type double, or 0 without one,
// on a lattice that holds them; the dimensions are left out.
func (l *File) Place(path string, names [3]string, choose func(p [][3]float64) (Lattice, error)) error {
	p := make([][3]float64, 0, l.Count)
	var of [3]*Extra
	for k, name := range names {
		of[k] = l.Find(name)
	}
	err := l.Each(func(_ int, record []byte) error {
		var v [3]float64
		for k, x := range of {
			if x != nil {
				v[k] = math.Float64frombits(le.Uint64(record[x.At:]))
			}
		}
		p = append(p, v)
		return nil
	})
	if err != nil {
		return err
	}
	on, err := choose(p)
	if err != nil {
		return err
	}
	moved := *l
	moved.Head = slices.Clone(l.Head)
	moved.putLattice(on)
	i := 0
	_, _, err = Edit{Drop: names[:]}.Copy(path, &moved, l, func(record []byte) ([]byte, bool, error) {
		for k, v := range p[i] {
			le.PutUint32(record[4*k:], uint32(on.step(v, k)))
		}
		i++
		return nil, true, nil
	})
	return err
}
