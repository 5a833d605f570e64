package arithmetic

// FloorDiv returns a/b rounded down; b is positive.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
