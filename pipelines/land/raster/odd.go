// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
	"slices"
)

// Odd is the height in metres, beyond a slope of 45°, by which ground is odd that is below or above all other
// ground around it.
const Odd = 3.0

// cutOdd removes the heights of cells that are far below or far above all other ground around them: of points
// that are no ground.
func (b *builder) cutOdd() {
	reach := min(widestStep, max(2, int(math.Ceil(2*b.ground.spacing()))))
	around := ring(reach)
	var pits, hills []int
	for k, height := range b.raw {
		if isNone(height) {
			continue
		}
		switch side := b.sideOf(b.At(k), height, around); {
		case side < 0:
			pits = append(pits, k)
		case side > 0:
			hills = append(hills, k)
		}
	}
	for _, k := range slices.Concat(pits, hills) {
		b.raw[k] = none()
	}
	b.Pits = len(pits)
	b.Hills = len(hills)
}

// ring returns the offsets of the cells around a cell, the nearest first.
func ring(reach int) (all []image.Point) {
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			if x != 0 || y != 0 {
				all = append(all, image.Pt(x, y))
			}
		}
	}
	slices.SortStableFunc(all, func(p, q image.Point) int { return p.X*p.X + p.Y*p.Y - q.X*q.X - q.Y*q.Y })
	return all
}

// sideOf returns −1 if a height is odd and below all others around it, 1 if it is above them, and else 0.
func (b *builder) sideOf(cell image.Point, height float32, around []image.Point) (side int) {
	const fewest = 3 // others
	others := 0
	for _, to := range around {
		k := b.Index(cell.Add(to))
		if k < 0 || isNone(b.raw[k]) {
			continue
		}
		other := b.raw[k]
		odd := float32((Odd + math.Hypot(float64(to.X), float64(to.Y))*b.units.Cell) / b.units.Height)
		now := 0
		switch {
		case height < other-odd:
			now = -1
		case height > other+odd:
			now = 1
		}
		if now == 0 || side != 0 && now != side {
			return 0
		}
		side = now
		others++
	}
	if others < fewest {
		return 0
	}
	return side
}
