package scenes

import "math"

// Hash mixes three numbers into one (splitmix64, Steele et al. 2014,
// doi:10.1145/2660193.2660195).
func Hash(a, b, c uint64) uint64 { return mix(mix(mix(a)+b) + c) }

func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Random is a small sequence of random numbers; its value is its state.
type Random uint64

// Next returns 64 random bits.
func (r *Random) Next() uint64 {
	*r += 0x9E3779B97F4A7C15
	return mix(uint64(*r))
}

// Float returns a number in [0, 1).
func (r *Random) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }

// Between returns a number in [low, high).
func (r *Random) Between(low, high float64) float64 { return low + (high-low)*r.Float() }

// Pick returns a number in [0, n).
func (r *Random) Pick(n int) int { return int(r.Next() % uint64(n)) }

// Chance is true with probability p.
func (r *Random) Chance(p float64) bool { return r.Float() < p }

// Normal returns a number of mean 0 and variance 1 that is nearly normal: the
// sum of four even ones, of 16 bits each, which never passes ±3.47.
func (r *Random) Normal() float64 {
	n := r.Next()
	sum := n&0xFFFF + n>>16&0xFFFF + n>>32&0xFFFF + n>>48
	return (float64(sum)/65536 - 2 + 2./65536) * math.Sqrt(3)
}

// Noise is smooth in x and y, in [−1, 1], with features of about one unit.
func Noise(seed uint64, x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	u, v := fade(x-fx), fade(y-fy)
	at := func(dx, dy int64) float64 {
		h := Hash(seed, uint64(int64(fx)+dx), uint64(int64(fy)+dy))
		return float64(h>>11)/(1<<52) - 1
	}
	low := at(0, 0)*(1-u) + at(1, 0)*u
	high := at(0, 1)*(1-u) + at(1, 1)*u
	return low*(1-v) + high*v
}

func fade(t float64) float64 { return t * t * t * (t*(6*t-15) + 10) }
