package arithmetic

// SquaredDistance returns ‖x − y‖², in y's precision and summed in order. y is at
// least as long as x.
func SquaredDistance[X, Y ~float32 | ~float64](x []X, y []Y) (s Y) {
	y = y[:len(x)]
	for k, v := range x {
		d := Y(v) - y[k]
		s += d * d
	}
	return s
}
