// SPDX-License-Identifier: BSD-3-Clause

package must

// Slope returns the central difference of a function of x by entry i, which it changes and restores.
func Slope(x []float64, i int, f func() float64) float64 {
	const h = 1e-6
	at := x[i]
	defer func() { x[i] = at }()
	x[i] = at + h
	up := f()
	x[i] = at - h
	return (up - f()) / (2 * h)
}
