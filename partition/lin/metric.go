package lin

import "math"

// metric is the dissimilarity D.
type metric struct {
	at      [][3]int32
	normal  [][3]float32
	spatial float32 // 0.4/R a unit
}

func (m *metric) between(i, j uint32) float32 {
	p, q, a, b := &m.at[i], &m.at[j], &m.normal[i], &m.normal[j]
	x, y, z := float32(p[0]-q[0]), float32(p[1]-q[1]), float32(p[2]-q[2])
	dot := a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
	if dot < 0 {
		dot = -dot
	}
	return 1 - dot + m.spatial*float32(math.Sqrt(float64(x*x+y*y+z*z)))
}
