// SPDX-License-Identifier: BSD-3-Clause

package roof

import "math"

const (
	turned    = 20 * math.Pi / 180 // largest difference of directions that count as equal
	ridgeOff  = 0.6                // metres: distance of a ridge from the upper ends of its planes
	leastPart = 0.2                // size of the smaller of two opposite planes
	steeper   = 12 * math.Pi / 180 // least difference of slopes of a mansard roof
	below     = 0.15               // metres: a hip may be that far above the planes that it cuts off
	mostBelow = 0.8                // share of the cells of a hip that must be below
)

// angle returns the angle between the directions in which two planes fall.
func (p *plane) angle(q *plane) float64 {
	px, py := p.down()
	qx, qy := q.down()
	return math.Acos(max(-1, min(1, px*qx+py*qy)))
}

// pairs returns for each plane the largest one that is opposite and meets it in a ridge; planes without one
// are missing.
func (all planes) pairs() map[*plane]*plane {
	made := map[*plane]*plane{}
	for _, p := range all {
		for _, q := range all {
			better := made[p] == nil || len(q.cells) > len(made[p].cells)
			if better && p.ridgeWith(q) {
				made[p] = q
			}
		}
	}
	return made
}

// ridgeWith reports whether two planes fall in opposite directions from a common ridge.
func (p *plane) ridgeWith(q *plane) bool {
	if p.flat() || q.flat() || math.Pi-p.angle(q) > turned {
		return false
	}
	smaller := min(len(p.cells), len(q.cells))
	larger := max(len(p.cells), len(q.cells))
	if float64(smaller) < leastPart*float64(larger) {
		return false
	}
	ridge := p.meets(q)
	const upper = 0.99
	offP := math.Abs(ridge - p.quantile(upper))
	offQ := math.Abs(ridge - q.quantile(upper))
	return offP < ridgeOff && offQ < ridgeOff
}

// meets returns the height at which two opposite planes meet, nearest to the middle of their cells.
func (p *plane) meets(q *plane) float64 {
	n := float64(len(p.cells) + len(q.cells))
	var x, y float64
	for _, some := range [2][]Cell{p.cells, q.cells} {
		for _, c := range some {
			x += c.X / n
			y += c.Y / n
		}
	}
	// The difference of the heights is (p.a−q.a)x + (p.b−q.b)y + p.c−q.c.
	a, b := p.a-q.a, p.b-q.b
	t := (p.at(x, y) - q.at(x, y)) / (a*a + b*b)
	return p.at(x-t*a, y-t*b)
}

// hip reports whether a plane cuts off the end of a ridge: it falls along the ridge, and is below both planes
// of it where it is seen, as they are where they are seen.
func (all planes) hip(p *plane, pairs map[*plane]*plane) bool {
	if p.flat() {
		return false
	}
	for q, other := range pairs {
		off := math.Abs(p.angle(q) - math.Pi/2)
		if off > turned {
			continue
		}
		if p.under(q) && p.under(other) && q.under(p) && other.under(p) {
			return true
		}
	}
	return false
}

// skirt returns the steeper plane below one, as a mansard roof has it; nil if there is none.
func (all planes) skirt(p *plane) *plane {
	low, _ := p.edges()
	return all.largest(func(q *plane) bool {
		if q.flat() || p.angle(q) > turned || q.slope() < p.slope()+steeper {
			return false
		}
		isLarge := float64(len(q.cells)) >= leastPart*float64(len(p.cells))
		_, high := q.edges()
		return isLarge && math.Abs(high-low) < ridgeOff
	})
}

// under reports whether a plane is not above another one where it is seen.
func (p *plane) under(q *plane) bool {
	count := 0
	for _, c := range p.cells {
		if p.at(c.X, c.Y) <= q.at(c.X, c.Y)+below {
			count++
		}
	}
	return float64(count) >= mostBelow*float64(len(p.cells))
}
