// Package arrays holds the small operations on flat arrays that many rooms need:
// memory that is used again, dense numbers, items listed by group, and the range
// of values without their tails. Results depend on the arguments alone.
package arrays

// Resized returns a slice of n items that reuses x's memory where it is large
// enough; what it holds is arbitrary.
func Resized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// Zeroed is Resized with every item 0.
func Zeroed[T any](x []T, n int) []T {
	x = Resized(x, n)
	clear(x)
	return x
}
