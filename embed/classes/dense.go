package classes

// plainDense is dense in plain Go: by four rows of W at a time, which leaves y alone
// meanwhile. Half of x is 0 behind a rectifier.
func plainDense(y, x, weight, bias []float32) {
	copy(y, bias)
	var value [4]float32
	var row [4][]float32
	n := 0
	for i, v := range x {
		if v == 0 {
			continue
		}
		value[n], row[n] = v, weight[i*len(y):][:len(y)]
		if n++; n == len(row) {
			addFour(y, &value, &row)
			n = 0
		}
	}
	for k := range n {
		for o, u := range row[k] {
			y[o] += value[k] * u
		}
	}
}

// addFour adds four rows, times a value each, to y.
func addFour(y []float32, value *[4]float32, row *[4][]float32) {
	n := len(y)
	a, b, c, d := row[0][:n], row[1][:n], row[2][:n], row[3][:n]
	p, q, r, s := value[0], value[1], value[2], value[3]
	for o := range y {
		y[o] += p*a[o] + q*b[o] + r*c[o] + s*d[o]
	}
}
